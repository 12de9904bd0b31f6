//! Who is recruited, and what a team must be before it is asked anything.

use super::answers::{Expert, ExpertTeam, Member, Purpose, SpecialistTeams, Team};
use crate::asking::said;

pub(super) const TEAMS: usize = 3;
pub(super) const MEMBERS: usize = 3;

impl ExpertTeam {
    pub fn check(&self, wanted: usize) -> Result<(), String> {
        if self.experts.len() != wanted {
            return Err(format!("experts: there are {} of them, and {wanted} were asked for", self.experts.len()));
        }
        check_roles(self.experts.iter().map(|it| (it.role.as_str(), it.expertise.as_str())))?;
        (0..wanted).try_for_each(|at| self.check_chain(at))
    }

    /// Whom an expert reports to, and so on, ends with somebody independent.
    fn check_chain(&self, start: usize) -> Result<(), String> {
        let mut at = start;
        for _ in 0..self.experts.len() {
            let Some(lead) = self.experts[at].lead() else { return Ok(()) };
            let place = self.experts.iter().position(|it| same(&it.role, lead));
            at = place.ok_or_else(|| format!("reports_to: `{lead}` is the role of nobody on the list"))?;
        }
        Err(format!("reports_to: the chain of `{}` comes back to where it began", self.experts[start].role))
    }
}

impl Expert {
    /// An empty string says as much as null.
    pub fn lead(&self) -> Option<&str> {
        self.reports_to.as_deref().map(str::trim).filter(|lead| !lead.is_empty())
    }
}

impl SpecialistTeams {
    pub fn check(&self) -> Result<(), String> {
        if self.teams.len() != TEAMS {
            return Err(format!("teams: there are {} of them, and {TEAMS} were asked for", self.teams.len()));
        }
        for (purpose, name) in
            [(Purpose::InitialAssessment, "initial_assessment"), (Purpose::FinalReview, "final_review")]
        {
            let count = self.teams.iter().filter(|team| team.purpose == purpose).count();
            if count != 1 {
                return Err(format!("teams: {count} of them have the purpose {name}, and exactly one must"));
            }
        }
        self.teams.iter().try_for_each(Team::check)
    }

    pub fn of(&self, purpose: Purpose) -> impl Iterator<Item = &Team> {
        self.teams.iter().filter(move |team| team.purpose == purpose)
    }
}

impl Team {
    fn check(&self) -> Result<(), String> {
        said("name", &self.name)?;
        let name = self.name.trim();
        if self.members.len() != MEMBERS {
            return Err(format!("`{name}` has {} members, and {MEMBERS} were asked for", self.members.len()));
        }
        let leads = self.members.iter().filter(|it| it.lead).count();
        if leads != 1 {
            return Err(format!("`{name}` has {leads} leads, and exactly one member must be it"));
        }
        check_roles(self.members.iter().map(|it| (it.role.as_str(), it.expertise.as_str())))
            .map_err(|problem| format!("`{name}`: {problem}"))
    }

    pub fn lead(&self) -> &Member {
        self.members.iter().find(|it| it.lead).expect("a checked team has a lead")
    }

    pub fn assistants(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|it| !it.lead)
    }
}

impl Purpose {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::InitialAssessment => "initial assessment",
            Self::FurtherWorkUp => "further diagnostic work-up",
            Self::FinalReview => "final review and decision",
        }
    }
}

fn check_roles<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for (role, expertise) in members {
        said("role", role)?;
        said("expertise", expertise)?;
        if seen.iter().any(|known| same(known, role)) {
            return Err(format!("role: `{}` is there twice", role.trim()));
        }
        seen.push(role);
    }
    Ok(())
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(experts: &[(&str, Option<&str>)], problem: Option<&str>) {
        let expert = |&(role, lead): &(&str, Option<&str>)| Expert {
            role: role.to_owned(),
            expertise: "much".to_owned(),
            reports_to: lead.map(str::to_owned),
        };
        let told = ExpertTeam { experts: experts.iter().map(expert).collect() }.check(3).err();
        assert_eq!(told.as_deref(), problem);
    }

    #[test]
    fn a_hierarchy_is_a_forest_of_those_on_the_list() {
        check(&[("A", None), ("B", Some("a ")), ("C", Some("B"))], None);
        check(&[("A", None), ("B", Some("")), ("C", None)], None);
        check(&[("A", None), ("B", Some("D")), ("C", None)], Some("reports_to: `D` is the role of nobody on the list"));
    }

    #[test]
    fn a_chain_that_comes_back_is_refused_and_not_followed() {
        let told = "reports_to: the chain of `A` comes back to where it began";
        check(&[("A", Some("A")), ("B", None), ("C", None)], Some(told));
        check(&[("A", Some("B")), ("B", Some("C")), ("C", Some("A"))], Some(told));
    }

    #[test]
    fn a_team_has_the_size_asked_for_and_no_role_twice() {
        check(&[("A", None)], Some("experts: there are 1 of them, and 3 were asked for"));
        check(&[("A", None), ("B", None), ("a", None)], Some("role: `a` is there twice"));
        check(&[("A", None), (" ", None), ("C", None)], Some("role: it is empty"));
    }
}
