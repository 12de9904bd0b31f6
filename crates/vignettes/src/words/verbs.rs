//! Verbs in the third person singular and their plural (specs: 8.3).
use crate::words::WordList;

/// `drinks` → `drink`. `None` for words that are no such form by their spelling.
pub(crate) fn plural(verb: &str) -> Option<String> {
    let irregular = match verb {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        "does" => "do",
        "isn't" => "aren't",
        "wasn't" => "weren't",
        "hasn't" => "haven't",
        "doesn't" => "don't",
        "lies" => "lie",
        "dies" => "die",
        "ties" => "tie",
        "unties" => "untie",
        "vies" => "vie",
        "aches" => "ache",
        "focuses" => "focus",
        "refocuses" => "refocus",
        "biases" => "bias",
        "shoes" => "shoe",
        _ => "",
    };
    if !irregular.is_empty() {
        return Some(irregular.to_owned());
    }
    if verb.len() < 4 || !verb.ends_with('s') || verb.contains('\'') {
        return None;
    }
    if ["ss", "us", "is"].iter().any(|end| verb.ends_with(end)) {
        return None;
    }
    let cut = |n: usize| &verb[..verb.len() - n];
    if verb.ends_with("ies") {
        return Some(format!("{}y", cut(3)));
    }
    if ["sses", "shes", "ches", "xes", "zzes", "oes"].iter().any(|end| verb.ends_with(end)) {
        return Some(cut(2).to_owned());
    }
    Some(cut(1).to_owned())
}

/// Ends in s and stands where a verb could, but is none.
pub(crate) fn never_a_verb(word: &str) -> bool {
    A_VERB.has(word)
}

/// A verb in the third person singular wherever it stands: no noun is spelt like it in clinical prose.
pub(crate) fn is_clear_singular(word: &str) -> bool {
    CLEAR_SINGULAR.has(word)
}

/// Verbs that are spelt like a plural noun: only their surroundings tell.
pub(crate) fn is_also_a_noun(word: &str) -> bool {
    ALSO_A_NOUN.has(word)
}

/// `he's …`: participles of verbs a patient does, so that `'s` is `has`.
pub(crate) fn follows_has(word: &str) -> bool {
    HAS.has(word)
}

static A_VERB: WordList = WordList::new(
    "always sometimes perhaps thus as this his hers yes plus versus unless us besides nowadays afterwards towards \
     hours days weeks months years minutes its theirs ours whereas else's lots nevertheless nonetheless regardless",
);

static CLEAR_SINGULAR: WordList = WordList::new(
    "is was has does isn't wasn't hasn't doesn't takes admits denies says reports states complains describes appears \
     seems becomes gets goes comes gives eats lives feels thinks believes knows wants wishes tries refuses agrees \
     begins continues keeps brings carries wears sleeps wakes awakens sits stands lies leaves loses gains weighs \
     consumes smokes follows maintains remains recalls remembers forgets recovers responds requires receives \
     tolerates undergoes vomits suffers sees hears speaks talks tells asks answers replies insists claims adds avoids \
     enjoys prefers attends teaches plays runs swims drives writes reads sings cries laughs smiles withdraws \
     localizes opens closes moves turns performs spends owns travels returns arrives presents develops experiences \
     notices mentions explains expresses demonstrates displays exhibits makes puts lifts climbs meets needs likes \
     dislikes loves hates fears worries hopes finds understands realizes recognizes identifies acknowledges consents \
     declines accepts rejects injects snorts ingests swallows chews spits bleeds faints collapses urinates defecates \
     ambulates walks stops quits resumes uses abuses exercises drinks works studies babbles crawls grasps rolls pulls \
     copies builds points obeys crosses leans drags falls coughs sneezes wheezes sweats snores itches scratches picks \
     bites checks counts washes cleans cooks shops visits shares stays socializes communicates interacts engages \
     participates misses skips struggles manages copes relies depends shows holds throws jumps hops rides dresses \
     bathes feeds limps squats repeats names draws lacks supplements adheres lets volunteers hunts fishes gardens \
     farms breathes grunts moans groans mumbles stares drools gags chokes regurgitates rates attributes associates \
     relates bends blows breaks burns buys calls catches chooses combs cuts dances drops enters flies gasps grows \
     handles harvests helps hides hits ignores jogs joins kicks knocks leads learns lends listens locks mows nods \
     obtains occurs overeats paces packs paints panics pays practices prepares pushes raises reaches reacts refrains \
     regains repairs rubs rushes screams searches seeks sells sends serves sews shakes shaves shivers shouts shuffles \
     sighs slurs smells snaps sniffs soils spills staggers startles stumbles stutters sucks swears swings tastes \
     tends tires trembles trips twitches types wanders weeps wets whispers wipes yawns yells binges purges sleepwalks \
     dozes naps hikes cycles skis surfs camps fidgets interrupts argues fights regards rests minds craves favors \
     guards clutches winces grimaces cringes perspires hyperventilates hallucinates looks starts offers demands dies \
     aches watches passes bruises grinds brushes shrugs tosses awakes touches desires deserves doubts endorses \
     elicits recites measures mixes buzzes medicates vapes harms",
);

static ALSO_A_NOUN: WordList = WordList::new(
    "reports states lives presents experiences claims answers replies displays exhibits needs fears worries hopes \
     bleeds walks stops uses abuses exercises drinks works studies points falls coughs sneezes wheezes sweats itches \
     scratches bites checks counts visits shares smiles cries turns moves returns travels runs plays feels names \
     supplements rates gains leaves rolls pulls copies shows holds jumps rides dresses feeds gardens farms grunts \
     shops cooks attributes associates volunteers talks likes wakes speaks develops lifts finds sees collapses faints \
     skips repeats picks burns calls cuts drops helps hits kicks knocks packs paints panics practices screams \
     searches shakes shaves shivers shouts sighs smells snaps sniffs soils spills swings tastes tires trips types \
     whispers wipes yells binges purges naps hikes cycles camps fights rests tends blows breaks drags reaches touches \
     looks starts offers demands aches watches passes bruises brushes shrugs doubts desires measures buzzes mixes vapes \
     harms",
);

static HAS: WordList = WordList::new(
    "been had got gotten become gone come done taken lost gained developed undergone experienced noticed felt tried \
     started stopped begun fallen smoked missed vomited traveled travelled lived worked used kept made said reported \
     complained suffered eaten drunk slept grown recovered returned quit visited refused reached received forgotten \
     known required needed wanted attempted tolerated denied improved sustained",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_spelt_as_english_spells_them() {
        for (singular, expected) in [
            ("drinks", "drink"),
            ("denies", "deny"),
            ("lies", "lie"),
            ("goes", "go"),
            ("watches", "watch"),
            ("aches", "ache"),
            ("loses", "lose"),
            ("focuses", "focus"),
            ("discusses", "discuss"),
            ("uses", "use"),
            ("relaxes", "relax"),
            ("realizes", "realize"),
            ("leaves", "leave"),
            ("washes", "wash"),
            ("doesn't", "don't"),
        ] {
            assert_eq!(plural(singular).as_deref(), Some(expected));
        }
        assert_eq!(plural("illness"), None);
    }
}
