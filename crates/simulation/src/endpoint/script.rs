//! Faults to order.

use super::Fault;

/// The first rule that fits a request decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    pub rules: Vec<Rule>,
}

/// Fits where all that is said fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub fault: Fault,
    /// The n-th request that is let in, counted from 1.
    pub nth: Option<u64>,
    /// The body contains this.
    pub containing: Option<String>,
    /// The first so many attempts at each request.
    pub first_attempts: Option<u32>,
}

impl Rule {
    pub fn always(fault: Fault) -> Self {
        Self { fault, nth: None, containing: None, first_attempts: None }
    }

    #[must_use]
    pub fn nth(mut self, n: u64) -> Self {
        self.nth = Some(n);
        self
    }

    #[must_use]
    pub fn containing(mut self, words: &str) -> Self {
        self.containing = Some(words.to_owned());
        self
    }

    #[must_use]
    pub fn first_attempts(mut self, attempts: u32) -> Self {
        self.first_attempts = Some(attempts);
        self
    }

    fn fits(&self, number: u64, attempt: u32, body: &[u8]) -> bool {
        self.nth.is_none_or(|n| n == number)
            && self.first_attempts.is_none_or(|attempts| attempt < attempts)
            && self.containing.as_ref().is_none_or(|words| contains(body, words.as_bytes()))
    }
}

impl Script {
    pub fn always(fault: Fault) -> Self {
        Self::default().and(Rule::always(fault))
    }

    pub fn nth(n: u64, fault: Fault) -> Self {
        Self::default().and(Rule::always(fault).nth(n))
    }

    pub fn containing(words: &str, fault: Fault) -> Self {
        Self::default().and(Rule::always(fault).containing(words))
    }

    pub fn first_k_attempts_of_each_request(attempts: u32, fault: Fault) -> Self {
        Self::default().and(Rule::always(fault).first_attempts(attempts))
    }

    #[must_use]
    pub fn and(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// `number` counts requests from 1, `attempt` the attempts at this one from 0.
    pub(super) fn fault(&self, number: u64, attempt: u32, body: &[u8]) -> Option<Fault> {
        self.rules.iter().find(|rule| rule.fits(number, attempt, body)).map(|rule| rule.fault)
    }
}

fn contains(body: &[u8], words: &[u8]) -> bool {
    words.is_empty() || body.windows(words.len()).any(|window| window == words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_a_rule_says_must_fit() {
        let script = Script::nth(3, Fault::Reset).and(Rule::always(Fault::Empty).containing("cough").first_attempts(2));
        assert_eq!(script.fault(3, 0, b"I cough"), Some(Fault::Reset));
        assert_eq!(script.fault(4, 1, b"I cough"), Some(Fault::Empty));
        assert_eq!(script.fault(4, 2, b"I cough"), None);
        assert_eq!(script.fault(4, 0, b"I sneeze"), None);
    }
}
