//! The words by which `refused` knows that a treatment is named to be left out.

use regex::Regex;
use std::sync::LazyLock;

pub(super) struct Cues {
    /// Two that cancel out: "do not stop", "without delay", "not contraindicated".
    pub cancelled: Regex,
    /// Where a thought ends, and with it what was said against a treatment.
    pub end: Regex,
    /// Against what follows.
    pub before: Regex,
    /// Against what was named just before.
    pub after: Regex,
    /// Between a word against what stands before it and what was given before.
    pub after_all: Regex,
    /// Behind which something else is said.
    pub dash: Regex,
    /// What is done and over, and says nothing of whether it was right.
    pub operation: Regex,
    /// "since the patient is no candidate for A, B"
    pub reason: Regex,
    /// After these, what follows is recommended again.
    pub turn: Regex,
    /// "stop smoking, start A": the same where the word was not against a treatment.
    pub instead: Regex,
    /// Between treatments that are named together.
    pub joined: Regex,
    /// "and pertuzumab too"
    pub too: Regex,
    /// "everything except A" leaves A out, and "nothing except A" does not.
    pub except: Regex,
    /// What makes "nothing" of "except A".
    pub nothing: Regex,
    /// "without A interruption" is against a change of A, which goes on.
    pub change: Regex,
    /// The same where the word may be against A itself: "hold A dose increase".
    pub dose: Regex,
    /// "stop A, not B" spares B.
    pub ending: Regex,
    /// "hold A if the INR rises", "stop A at progression": a plan for later, until which A is given.
    pub later: Regex,
    /// Words whose treatment stands beside them: "except A", "better tolerated than A", "switch A to B".
    pub near: Regex,
    /// Between two of which the second comes for the first.
    pub swap: Regex,
    /// Whose words end what was said against a treatment: "avoid alcohol while on A".
    pub meanwhile: Regex,
    /// Whoever avoids harm avoids no treatment: "avoid cardiotoxicity on A".
    pub harm: Regex,
}

pub(super) static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Cues {
        cancelled: pattern(
            r"(?x) \b (?: (?:do|does|should|must|shall|would|will|can|could|may)\ ?not | (?:do|does|should|must|ca|wo)n['’]t | never | not | without | no )
              \s+ (?:to\s+|be\s+|any\s+|further\s+|more\s+|undue\s+|only\s+|(?:need|reason|indication|necessary|required|needed|indicated|have)\s+to\s+|need\s+for\s+)*
              (?: now\b | once\b | stop\w* | hold\w* | held | omit\w* | omission\w* | discontinu\w* | withh\w* | withdr\w* | avoid\w* | defer\w* | ceas\w* | drop\w*
                | replac\w* | delay\w* | interrupt\w* | skip\w* | contraindicat\w* | dos(?:e|ing|age)\s+(?:reduc|adjust|modif|chang|interrupt|delay|escal|increas)\w* | chang\w* | break\b | paus\w* | alter(?:s|ed|ing|ations?)?\b | modif\w*
                | adjust\w* | reduc\w* | concerns?\b | alternatives?\ to\b | substitutes?\ for\b )
            | \b (?:rather\ than|instead\ of|against)\s+ (?:stopping|holding|omitting|discontinuing|withholding|interrupting|pausing|reducing)\b
            | \b (?:stopping|holding|omitting|withholding|discontinu(?:ing|ation\ of))\s [^,;.\n]{1,40}? \s(?:is|are|was)\s
                (?: not\s(?:needed|necessary|required|indicated|recommended|warranted|advised|justified|appropriate) | unnecessary )\b
            | \b avoid\w*\s+ (?:any\s+|further\s+|abrupt\w*\s+|premature\w*\s+|unnecessar\w*\s+)? (?:(?:dose|treatment)\s+)?
                (?:delay|interrupt|stopp|omi|discontinu|withh|hold|paus|alter|modif|adjust|reduc|break)\w*
            | \b consider(?:ing)?\s+ (?:\w+ly\s+|early\s+)? (?:stop|hold|withh|omi|discontinu|interrupt|paus|suspen|withdr|cess|drop|defer)\w*
            | \b then\s+(?:stop|discontinue|hold)\s*$ | \b plus\s?(?:/|or)\s?minus\b | \b(?:e\.g|i\.e|incl|vs)\.,?",
        ),
        end: pattern(r"[;\n]|[.?!](?:\s|$)|,?\s(?:but|however|whereas)\s"),
        before: pattern(
            r"(?x) (?:^|[,(]|\s[–—-])\s*(?:no|not|neither|against|contraindicated|delay|postpone)\b | :\s*no\b
            | (?:^|[,:(]|\b(?:recommend|advise)\w*)\s*(?:(?:permanent|immediate|temporary)\ )?(?:discontinuation|cessation|withdrawal|suspension|interruption|omission)\ of\b
            | \bsubstitut\w+\ (?:[^,;.]{1,40}\ )?for\b
            | \b(?:lack|absence)\ of\ (?:benefit|response|indication|effect)\ (?:from|to|for|of|with)\b
            | \bno\ (?:benefit|gain|value|use)\ (?:from|of|in|with|for)\b
            | \b (?: avoid(?:ing|ance\ of)? | without | instead\ of | rather\ than | in\ (?:place|lieu)\ of | never | ceas(?:e|ing) | stop(?:ping)? | remov(?:e|ing)
                | discontinu(?:e|ing) | withdraw(?:ing)? | suspend | pause | interrupt | terminate | cancel | precludes? | contraindicates | an\ alternative\ to | over | (?:with)?hold(?:ing)?(?:\ off)? | omit(?:ting)? | drop(?:ping)? | defer(?:ring)? | for(?:e)?go(?:ing)?
                | refrain(?:ing)?\ from | replac(?:e|es|ing) | (?:advise|recommend|decide)\w*\ against | exclud(?:e|ing)
                | (?:switch|chang|convert|transition|mov)\w*\ (?:(?:away|therapy|treatment|anticoagulation|to\ \w+)\ )?from | no\ (?:more|further|role\ for|indication\ for|place\ for|(?:need|reason)\ (?:for|to\ (?:give|use|add|start|begin|offer|continue|resume))|longer\ (?:give|needs?|a\ candidate\ for|eligible\ for))
                | (?:do|does|did|should|must|would|will|can|could|may|shall)\ ?not | (?:do|does|should|must|wo|ca)n['’]t
                | not\ (?:give|giving|to\ give|use|using|offer|recommend|start|add|continue|a\ candidate\ for|eligible\ for|suitable\ for|indicated\ for)
                | (?:ineligible|unsuitable)\ for | minus | except(?:ing|\ for)? | (?:with\ )?the\ exception\ of | prefer\w*\ (?:over|to) | \w+\ than
                | switch(?:ing)? | chang(?:e|ing) | convert(?:ing)? | transition(?:ing)? ) \b
            | \bnot\ an?\b",
        ),
        after: pattern(
            r"(?x) \b (?: contraindicated | ruled\ out | inappropriate | unsuitable
                | futile | ineffective | (?:has|have)\ no\ (?:further\ )?(?:role|place|benefit|value) | of\ no\ (?:benefit|use|value)
                | no\ longer | unsafe | (?:unlikely|not\ expected)\ to\ (?:be\ (?:of|effective|useful|helpful|beneficial)|help|benefit|work|respond) | not\ (?:feasible|safe|possible|applicable|given|helpful|effective|useful|planned|indicated|recommended|advised|appropriate|suitable|eligible|needed|an?\ option|to\ be\ \w+|be\ given)
                | (?:should|must|may|can|will|would|could)\ ?not\ be | (?:should|must|ca|wo)n['’]t\ be
                | (?:is|are|was|were|be|been|being)\ (?:\w+ly\ )?(?:stopped|held|withheld|discontinued|omitted|avoided|ceased|dropped|deferred|replaced|excluded|suspended|paused|on\ hold) ) \b
            | [:(|–—-]\s*(?:stop|hold|withhold|defer|discontinue[d]?|omit|avoid|cease|drop|stopped|held) \b
                (?:\s*$|\s*[(),.|–—]|\s(?:permanently|indefinitely|immediately|now|due|because|given|until|pending)\b)
            | [:–—-]\s*(?:do\ not|don['’]t) \b
            | [,\s](?:stop|hold|withhold|discontinue|omit|cease|avoid)\s*$
            | (?P<bare>^\s*|\s)(?:withheld|withdrawn|held|on\ hold|omitted|removed|stopped|discontinued|dropped|excluded|deferred|suspended|paused|off)\b
            | (?P<noun>\s)(?:discontinuation|cessation|withdrawal|omission|avoidance)\b",
        ),
        instead: pattern(
            r"(?:,|\band)\s+(?:then\s+)?(?:start|initiate|give|begin|use|continue|offer|add|switch\s+to|change\s+to)\b",
        ),
        turn: pattern(
            r"\b(?:then|start(?:ing)?|initiat(?:e|ing)|give|begin|use|continue|keep(?:ing)?|proceed|offer|add|substitute|prefer|choose|until|in favou?r of|(?:switch|chang|transition|mov|bridg)\w*\s+to)\b|→|->|:|\s[–—-]\s",
        ),
        joined: pattern(
            r"^(?:-based|-containing)?\s*\(?\)?\s*(?:/|\+|&|(?P<comma>,)|,?\s*(?P<word>and|or|nor|plus|such as|including|like)\b)?\s*(?:both\s|the\s|all\s)?\s*$",
        ),
        meanwhile: pattern(r"\b(?:while|during|before|prior to)\b"),
        harm: pattern(r"\b(?:\w*toxicit\w+|side effects?|interactions?|progression|relapse|complications?)\b"),
        after_all: pattern(r"^\s(?:after|following)\s$"),
        dash: pattern(r"\s[–—-]\s"),
        operation: pattern(r"surg|ectomy|resection|excision|biopsy|transplant|asct|radi"),
        reason: pattern(r"^\s*(?:since|because|as|given|although)\b"),
        too: pattern(r"\b(?:too|as well|likewise|also)[.)\s]*$"),
        except: pattern(r"\b(?:minus|except(?:ing)?|other than|exception of)\b"),
        near: pattern(
            r"^(?:minus|except.*|.*exception of|prefer.*|substitut.*|an alternative to|over|delay|postpone|.* than|switch\w*|chang\w*|convert\w*|transition\w*)$",
        ),
        swap: pattern(r"^\s(?:(?:therapy|treatment)\s)?to\s(?:the\s|an?\s|weekly\s|oral\s)?$"),
        nothing: pattern(
            r"\b(?:no|not|none|nothing|never|without|avoid\w*|stop\w*|(?:with)?hold\w*|omit\w*|discontinu\w*)\b|n['’]t\b",
        ),
        change: pattern(
            r"(?x) ^(?:\s+|-)(?:(?:dos(?:e|ing|age)|schedule|treatment|therapy)\s+)?
              (?: reductions? | interruptions? | adjustments? | modifications? | changes? | delays? | holds? | breaks? | pauses? | alterations? | omissions?
                | discontinuation | cessation | withdrawal | (?:de-?)?escalation | increases? )\b",
        ),
        dose: pattern(
            r"^(?:\s+|-)dos(?:e|ing|age)\s+(?:reduction|adjustment|modification|change|(?:de-?)?escalation|increase)s?\b",
        ),
        ending: pattern(r"^\s*(?:stop|hold|withhold|discontinue|omit|cease)\b"),
        later: pattern(
            r"(?x) ^ (?:\s(?:\w+ly|dos\w+|therapy|treatment|again))? \s
              (?: only\ (?:if|on|at|upon|for|when|in)\b | (?:at|on|upon)\ (?:\w+\s){0,2}?(?:progression|relapse|recurrence)\b
                | for\ (?:(?:≥|>=?)\s?grade|(?:any\ )?grade\s?(?:≥|>|\d\s?(?:\+|or\ |[-–/]\s?\d)))
                | (?:if|in\ case\ of|in\ the\ event\ of|should)\s(?P<what>\w*) )",
        ),
    }
});
