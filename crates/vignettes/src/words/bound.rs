//! Content that belongs to one sex, or to one gender (specs: 8.5). Stems are looked up at the start of a word where no other word begins so;
//! false friends are told by their neighbours.

use crate::token::Text;
use crate::words::WordList;
use crate::words::gendered::{Noun, gendered, stem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Of the patient's own body.
    Own,
    /// Of pregnancy and birth: in a child's story it is the mother's.
    Birth,
    /// Commoner in one sex, or with limits of its own for each: told, not refused.
    Skewed,
    /// How the patient sees themselves, or wishes to be called.
    Identity,
    /// An identical twin whose sex the text tells: both have one.
    Twin,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub first: usize,
    pub last: usize,
    pub binding: Binding,
}

static BIRTH: WordList = WordList::new(
    "pregnan* gestation* gravid* multigravid* primigravid* nulligravid* primipar* multipar* nullipar* trimester* \
     postpartum* antepartum* peripartum* intrapartum* prenatal* antenatal* obstetric* cesarean* caesarean* miscarr* \
     placenta* preeclampsia* eclampsia* amnio* breastfe* lochia episiotom* hellp",
);

static OWN: WordList = WordList::new(
    "menstru* menses infertil* impoten* premenstru* menarche* menopaus* postmenopaus* premenopaus* perimenopaus* amenorr* dysmenorr* menorrh* \
     oligomenorr* metrorrh* menometrorrh* ovar* uter* intrauter* endometri* myometri* adnexa* fallopian* salping* \
     cervix* cervicitis* vagin* transvagin* cervicovagin* vulv* labia clitor* papanicolaou* hysterectom* hysterosc* \
     oophor* colposcop* gynecolog* gynaecolog* hirsut* leukorrh* dyspareun* vaginismus* douch* bartholin* \
     prostat* testic* testis* testes* scrot* penis* penile* erectile* ejaculat* epididym* hydrocele* varicocele* \
     orchitis orchiectomy orchiectomies orchidectomy orchiopexy orchidopexy orchialgia vasectom* circumcis* uncircumcis* hypospadias* epispadias* cryptorchid* klinefelter* semen* seminoma* \
     sperm* azoosperm* oligosperm* phimosis* foreskin* \
     turp lesbian lesbians gay gays msm xx xy xxy xyy ivf medroxyprogesterone beard beards bearded moustache mustache",
);

static IDENTITY: WordList = WordList::new("transgender* transsexual* cisgender* mtf ftm");

static SKEWED: WordList = WordList::new(
    "hemophilia* haemophilia* duchenne* g6pd* gynecomastia* gynaecomastia* mammogra* hemoglobin* haemoglobin* \
     hematocrit* haematocrit* ferritin* hdl* egfr* creatinine*",
);

pub(crate) fn hits(text: &Text<'_>) -> Vec<Hit> {
    let twins = tells_a_twins_sex(text);
    let twin = |at: usize| identical_twin(text, at).filter(|_| twins);
    (0..text.len()).filter_map(|at| hit(text, at).or_else(|| twin(at))).collect()
}

/// `an identical twin`, `monozygotic twins`
fn identical_twin(text: &Text<'_>, at: usize) -> Option<Hit> {
    let last = at + if text.word(at + 1) == "-" { 2 } else { 1 };
    let is_identical = matches!(text.word(at), "identical" | "monozygotic" | "monozygous");
    (is_identical && is_a_twin(text.word(last))).then_some(Hit { first: at, last, binding: Binding::Twin })
}

/// `his twin brother`, `her sister is an identical twin`; not `her identical twin`, who is of the patient's sex whatever that is.
fn tells_a_twins_sex(text: &Text<'_>) -> bool {
    const NEAR: usize = 6;
    let is_sibling = |at: usize| matches!(stem(text.word(at)), "brother" | "sister");
    let told = |at: usize| {
        let told_near = |place: usize| text.same_sentence(at, place) && is_sibling(place);
        is_a_twin(text.word(at)) && (at.saturating_sub(NEAR)..=at + NEAR).any(told_near)
    };
    (0..text.len()).any(told)
}

fn is_a_twin(word: &str) -> bool {
    matches!(stem(word), "twin" | "twins" | "triplet" | "triplets")
}

fn hit(text: &Text<'_>, at: usize) -> Option<Hit> {
    if text.is_mark(at) || text.is_number(at) {
        return None;
    }
    let word = text.word(at);
    let one = |binding| Some(Hit { first: at, last: at, binding });
    let two = |binding| Some(Hit { first: at, last: at + 1, binding });
    let three = |binding| Some(Hit { first: at, last: at + 2, binding });
    let next = text.word(at + 1);
    match word {
        "lactation" | "lactating" | "lactational" | "hcg" | "abortion" | "abortions" | "stillbirth" | "parturition"
        | "iup" | "iups" => {
            return one(Binding::Birth);
        }
        // `30w GA`, `at 30 weeks GA`
        "ga" if text.written(at) == "GA" && is_of_weeks(text.before(at, 1)) => return one(Binding::Birth),
        "lmp" | "iud" | "iuds" | "ocp" | "ocps" | "pcos" | "fibroid" | "fibroids" | "tubal" | "bph" | "erection"
        | "erections" | "glans" | "priapism" | "balanitis" | "gleason" | "bso" => {
            return one(Binding::Own);
        }
        // A total artificial heart is called TAH too.
        "tah" if matches!(next, "-" | "/") && text.word(at + 2) == "bso" => return three(Binding::Own),
        "assigned" if matches!(next, "male" | "female") => return two(Binding::Identity),
        "male" | "female" | "man" | "woman" if tells_an_identity(text, at) => {
            // `male-to-female`
            let more = if text.word(at + 3) == "-" && text.word(at + 2) == "to" { 4 } else { 2 };
            return Some(Hit { first: at, last: at + more, binding: Binding::Identity });
        }
        "he" | "she" | "they" if states_pronouns(text, at) => return three(Binding::Identity),
        // PsA is psoriatic arthritis.
        "psa" if text.written(at) != "PsA" => return one(Binding::Own),
        "tampon" | "tampons" if !of_the_nose(text, at) => return one(Binding::Own),
        "conceive" | "conceived" | "conceiving" if next != "of" && next != "that" => return one(Binding::Own),
        "cycle" | "cycles" if (1..=4).any(|back| text.before(at, back) == "missed") => return one(Binding::Own),
        "depo" if text.word(at + 2) == "provera" => return three(Binding::Own),
        "d" if next == "&" && text.word(at + 2) == "c" => return three(Binding::Own),
        // The karyotype 45,X.
        "x" if text.before(at, 1) == "," && text.before(at, 2) == "45" => return one(Binding::Own),
        "birth" if next == "control" && text.word(at + 2).starts_with("pill") => return three(Binding::Own),
        "morning" if next == "sickness" => return two(Binding::Birth),
        "c" if next == "-" && text.word(at + 2) == "section" => return three(Binding::Birth),
        "expecting" if of_a_child(text, at) => return one(Binding::Birth),
        "delivered" | "delivering" if bears(text, at) => return one(Binding::Birth),
        "gave" | "given" | "giving" | "gives" if next == "birth" => return two(Binding::Birth),
        "para" if text.is_number(at + 1) => return two(Binding::Birth),
        "fundal" if next == "height" => return two(Binding::Birth),
        "cervical" if of_the_womb(next) => return two(Binding::Own),
        "pap" if matches!(next, "smear" | "smears" | "test" | "tests" | "testing") => return two(Binding::Own),
        "turner" | "turner's" if next == "syndrome" => return two(Binding::Own),
        "oral" if next.starts_with("contracepti") => return two(Binding::Own),
        "gender" if matches!(next, "dysphoria" | "identity" | "affirming") => return two(Binding::Identity),
        "trans" | "cis" if tells_the_sex(next) => return two(Binding::Identity),
        "trans" | "cis" if next == "-" && tells_the_sex(text.word(at + 2)) => return three(Binding::Identity),
        "breast" if matches!(next, "cancer" | "carcinoma") => return two(Binding::Skewed),
        "breast" if matches!(next, "development" | "buds" | "bud") => return two(Binding::Own),
        // `a sexual relationship with other men` is a man's.
        "men" | "women"
            if text.before(at, 1) == "other" && (2..=6).any(|back| text.before(at, back).starts_with("sex")) =>
        {
            return one(Binding::Own);
        }
        "breast" if next == "milk" => return two(Binding::Birth),
        "breast" if next == "-" && text.word(at + 2).starts_with("fe") => {
            return three(Binding::Birth);
        }
        "breast" if matches!(next, "feeding" | "fed" | "feeds") => return two(Binding::Birth),
        "x" if next == "-" && text.word(at + 2) == "linked" => {
            return three(Binding::Skewed);
        }
        "pre" if next == "-" && text.word(at + 2).starts_with("eclampsia") => {
            return three(Binding::Birth);
        }
        "labor" | "labour" if of_childbirth(text, at) => return one(Binding::Birth),
        "period" | "periods" if of_bleeding(text, at) => return one(Binding::Own),
        _ => {}
    }
    if is_gravida_code(word) || BIRTH.has_start_of(word) {
        return one(Binding::Birth);
    }
    if word.starts_with("vagin") && matches!(next, "delivery" | "birth") {
        return two(Binding::Birth);
    }
    if word == "vaginally" || word == "utero" && text.before(at, 1) == "in" {
        return one(Binding::Birth);
    }
    if IDENTITY.has_start_of(word) {
        return one(Binding::Identity);
    }
    if OWN.has_start_of(word) {
        return one(Binding::Own);
    }
    SKEWED.has_start_of(word).then_some(Hit { first: at, last: at, binding: Binding::Skewed })
}

/// `female-identifying`, `male-to-female`; not `male-pattern`
pub(crate) fn tells_an_identity(text: &Text<'_>, at: usize) -> bool {
    let hyphen = text.word(at + 1) == "-" && text.touches_next(at) && text.touches_next(at + 1);
    let to = text.word(at + 2) == "to" && text.word(at + 3) == "-" && tells_the_sex(text.word(at + 4));
    hyphen && (to || matches!(text.word(at + 2), "identifying" | "identified" | "presenting" | "assigned"))
}

/// `(he/him)`, `she/her`: how somebody wishes to be called; not `he/she`.
pub(crate) fn states_pronouns(text: &Text<'_>, at: usize) -> bool {
    let slash = text.word(at + 1) == "/" && text.touches_next(at) && text.touches_next(at + 1);
    let pair = (text.word(at), text.word(at + 2));
    slash && matches!(pair, ("he", "him" | "his") | ("she", "her" | "hers") | ("they", "them" | "their"))
}

/// `weeks`, `30w`, `30wk`
fn is_of_weeks(word: &str) -> bool {
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    matches!(unit, "w" | "wk" | "wks" | "week" | "weeks")
}

/// `trans man`; not `trans fat`
fn tells_the_sex(word: &str) -> bool {
    gendered(word).is_some_and(|it| matches!(it.noun, Noun::Adult | Noun::Child | Noun::Adjective | Noun::Plural))
}

/// `cervical` is also of the neck.
fn of_the_womb(next: &str) -> bool {
    OF_THE_WOMB.has(next)
}

fn of_childbirth(text: &Text<'_>, at: usize) -> bool {
    let before = text.before(at, 1);
    // Work is called so too.
    if matches!(
        text.word(at + 1),
        "camp" | "camps" | "force" | "union" | "unions" | "market" | "law" | "laws" | "intensive"
    ) {
        return false;
    }
    matches!(
        before,
        "in" | "active"
            | "preterm"
            | "premature"
            | "during"
            | "spontaneous"
            | "induced"
            | "prolonged"
            | "of"
            | "obstructed"
    ) || (text.word(at + 1) == "and" && text.word(at + 2).starts_with("deliver"))
}

/// `nasal tampon`
fn of_the_nose(text: &Text<'_>, at: usize) -> bool {
    (1..=3).any(|back| matches!(text.before(at, back), "nasal" | "nose" | "nostril" | "anterior" | "posterior"))
}

/// `is expecting`, `is expecting her first child`; and not `is expecting a letter`
fn of_a_child(text: &Text<'_>, at: usize) -> bool {
    let ends = text.word(at + 1).is_empty() || matches!(text.word(at + 1), "." | "," | ";" | "and");
    matches!(text.before(at, 1), "is" | "was" | "are" | "were") && (ends || names_a_child(text, at))
}

/// `delivered a healthy girl`, of somebody who is the subject: not `was delivered`.
fn bears(text: &Text<'_>, at: usize) -> bool {
    !matches!(text.before(at, 1), "was" | "were" | "been" | "be" | "being") && names_a_child(text, at)
}

fn names_a_child(text: &Text<'_>, at: usize) -> bool {
    let child = |word: &str| {
        matches!(
            word,
            "baby"
                | "babies"
                | "child"
                | "infant"
                | "newborn"
                | "twins"
                | "girl"
                | "boy"
                | "son"
                | "daughter"
                | "neonate"
        )
    };
    (1..=5).take_while(|on| !text.is_mark(at + on) || text.word(at + on) == "-").any(|on| child(text.word(at + on)))
}

/// `period` is also a time.
fn of_bleeding(text: &Text<'_>, at: usize) -> bool {
    matches!(text.before(at, 1), "her" | "heavy" | "irregular" | "painful" | "monthly" | "missed")
        || (text.before(at, 1) == "last" && matches!(text.before(at, 2), "her" | "his" | "their"))
}

/// `G2P1`, `g3p2012`
fn is_gravida_code(word: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix('g').and_then(|rest| rest.split_once('p')).is_some_and(|(g, p)| digits(g) && digits(p))
}

static OF_THE_WOMB: WordList = WordList::new(
    "cancer carcinoma dysplasia smear cytology motion os intraepithelial dilation dilatation insufficiency polyp \
     ectropion mucus cap conization ripening discharge incompetence excitation",
);
