//! Content that belongs to one sex (specs: 8.5). Stems are looked up at the start of a word; false friends by their neighbours.

use crate::token::Text;
use crate::words::WordList;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Of the patient's own body.
    Own,
    /// Of pregnancy and birth: in a child's story it is the mother's.
    Birth,
    /// Commoner in one sex, or with limits of its own for each: told, not refused.
    Skewed,
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
     placenta* preeclampsia* eclampsia* amnio* breastfe*",
);

static OWN: WordList = WordList::new(
    "menstru* menses infertil* conceive impoten* premenstru* menarche* menopaus* postmenopaus* premenopaus* perimenopaus* amenorr* dysmenorr* menorrh* \
     oligomenorr* metrorrh* menometrorrh* ovar* uter* intrauter* endometri* myometri* adnexa* fallopian* salping* \
     cervix* cervicitis* vagin* transvagin* cervicovagin* vulv* labia* clitor* papanicolaou* hysterectom* hysterosc* \
     oophor* colposcop* gynecolog* gynaecolog* hirsut* leukorrh* dyspareun* vaginismus* tampon* douch* bartholin* \
     prostat* testic* testis* testes* scrot* penis* penile* erectile* ejaculat* epididym* hydrocele* varicocele* \
     orchi* vasectom* circumcis* uncircumcis* hypospadias* epispadias* cryptorchid* klinefelter* semen* seminoma* \
     sperm* azoosperm* oligosperm* phimosis* foreskin* transgender*",
);

static SKEWED: WordList = WordList::new(
    "hemophilia* haemophilia* duchenne* g6pd* gynecomastia* gynaecomastia* mammogra* hemoglobin* haemoglobin* \
     hematocrit* haematocrit* ferritin* hdl* egfr* creatinine*",
);

pub(crate) fn hits(text: &Text<'_>) -> Vec<Hit> {
    (0..text.len()).filter_map(|at| hit(text, at)).collect()
}

fn hit(text: &Text<'_>, at: usize) -> Option<Hit> {
    if text.is_mark(at) || text.is_number(at) {
        return None;
    }
    let word = text.word(at);
    let one = |binding| Some(Hit { first: at, last: at, binding });
    let two = |binding| Some(Hit { first: at, last: at + 1, binding });
    let next = text.word(at + 1);
    match word {
        "lactation" | "lactating" | "lactational" | "hcg" | "abortion" | "abortions" | "stillbirth" | "parturition" => {
            return one(Binding::Birth);
        }
        "lmp" | "iud" | "iuds" | "ocp" | "ocps" | "pcos" | "fibroid" | "fibroids" | "tubal" | "bph" | "psa"
        | "erection" | "erections" | "glans" | "priapism" | "balanitis" => return one(Binding::Own),
        "para" if text.is_number(at + 1) => return two(Binding::Birth),
        "fundal" if next == "height" => return two(Binding::Birth),
        "cervical" if of_the_womb(next) => return two(Binding::Own),
        "pap" if matches!(next, "smear" | "smears" | "test" | "tests" | "testing") => return two(Binding::Own),
        "turner" | "turner's" if next == "syndrome" => return two(Binding::Own),
        "oral" if next.starts_with("contracepti") => return two(Binding::Own),
        "gender" if matches!(next, "dysphoria" | "identity" | "affirming") => return two(Binding::Own),
        "breast" if matches!(next, "cancer" | "carcinoma") => return two(Binding::Skewed),
        "breast" if next == "milk" => return two(Binding::Birth),
        "breast" if next == "-" && text.word(at + 2).starts_with("fe") => {
            return Some(Hit { first: at, last: at + 2, binding: Binding::Birth });
        }
        "breast" if matches!(next, "feeding" | "fed" | "feeds") => return two(Binding::Birth),
        "x" if next == "-" && text.word(at + 2) == "linked" => {
            return Some(Hit { first: at, last: at + 2, binding: Binding::Skewed });
        }
        "pre" if next == "-" && text.word(at + 2).starts_with("eclampsia") => {
            return Some(Hit { first: at, last: at + 2, binding: Binding::Birth });
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
    if OWN.has_start_of(word) {
        return one(Binding::Own);
    }
    SKEWED.has_start_of(word).then_some(Hit { first: at, last: at, binding: Binding::Skewed })
}

/// `cervical` is also of the neck.
fn of_the_womb(next: &str) -> bool {
    OF_THE_WOMB.has(next)
}

fn of_childbirth(text: &Text<'_>, at: usize) -> bool {
    let before = text.before(at, 1);
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

/// `period` is also a time.
fn of_bleeding(text: &Text<'_>, at: usize) -> bool {
    matches!(text.before(at, 1), "her" | "heavy" | "irregular" | "painful" | "monthly" | "missed")
        || (text.before(at, 1) == "last" && text.before(at, 2) == "her")
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
