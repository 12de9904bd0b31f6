//! Words that tell whether `her` before them is his or him.

use super::WordList;

pub(crate) static A_NOUN: WordList = WordList::new(
    "own first second third last next best most many few several very past only other entire whole current then \
     following being having recently previously newly",
);

/// What an examination `of her` does.
pub(crate) static REVEALS: WordList = WordList::new(
    "reveals revealed shows showed demonstrates demonstrated discloses disclosed yields yielded confirms confirmed \
     suggests suggested",
);

/// Verbs of whom one meets or treats: `saw her last week`.
pub(crate) static MEETS: WordList = WordList::new(
    "see sees saw seen meet meets met visit visits visited examine examines examined treat treats treated evaluate \
     evaluated admit admitted discharge discharged hospitalized call called operate",
);

pub(crate) static A_TIME: WordList = WordList::new(
    "week month year night spring summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday",
);

pub(crate) static SIDE: WordList = WordList::new(
    "call called calls bring brings brought send sent sends take took takes drive drove drives discharge discharged \
     get got follow followed",
);

pub(crate) static SEES: WordList = WordList::new(
    "let lets make makes made making help helps helped helping see saw seeing watch watched hear heard keep keeps \
     kept keeping leave leaves left leaving find finds found render renders rendered rendering notice noticed \
     witnessed consider considered had has have wake wakes awaken awakens describe describes get gets getting \
     observed causing caused causes cause observe caught deem deemed declare declared feel",
);

pub(crate) static CHANGED: WordList = WordList::new(
    "feeding breathing hearing walking speaking swelling vomiting bleeding sleeping evening morning learning drinking \
     smoking eating nursing existing presenting functioning reading writing testing training counseling",
);

pub(crate) static BARE_VERB: WordList = WordList::new(
    "sleep breathe cope relax lose stop quit focus stay get feel manage go do eat be become understand take lie sit \
     stand move concentrate fall make decide swallow keep avoid remain know see speak vomit forget remember think \
     look urinate choose gain recover dress bathe find use turn have seem appear faint itch want leave climb deal \
     wait adjust prepare",
);

pub(crate) static VERB_AND_NOUN: WordList = WordList::new(
    "cough cry rest pass collapse fall faint scream sweat gag sneeze talk laugh walk limp shake bleed choke snore \
     wheeze blush throw jump",
);

pub(crate) static STATE: WordList = WordList::new(
    "alive somnolent obtunded dizzy nauseous nauseated tired sick anxious drowsy sleepy uncomfortable comfortable \
     worse better short weak unconscious unresponsive confused agitated awake afebrile febrile alert stable unstable \
     upset angry sad happy hungry thirsty pale cyanotic dependent independent responsible late ill well restless \
     irritable fatigued exhausted breathless lightheaded cold hot stiff paralyzed bedridden disabled infertile \
     immobile intubated sedated wheelchair housebound blind deaf dead asleep safe calm ready eligible susceptible \
     prone vulnerable unwell incapacitated down hypotensive tachycardic nervous depressed lethargic incontinent \
     competent incompetent smart intelligent capable incapable",
);

pub(crate) static DITRANSITIVE: WordList = WordList::new(
    "give gives gave giving given tell tells told telling show shows showed pay pays paid charge charged lend lent \
     sell sold send sent offer offers offered offering ask asks asked asking teach teaches taught bring brings \
     brought hand hands handed owe owes prescribe prescribes prescribed prescribing administer cost costs cause",
);

pub(crate) static ONES_OWN: WordList = WordList::new(
    "consent name history age account life opinion best word approval blessing family parents mother father husband \
     wife partner son daughter children child baby friends friend brother sister symptoms risk condition",
);

pub(crate) static HANDED_OVER: WordList = WordList::new(
    "antibiotics fluids oxygen aspirin water food juice intravenous iv oral acetaminophen ibuprofen morphine money \
     advice information questions instructions counseling relief reassurance energy trouble nitroglycerin epinephrine \
     naloxone penicillin amoxicillin prednisone steroids analgesics exercises support treatment candy milk formula \
     insulin chemotherapy atropine albuterol medicine nsaids high low supplemental doxycycline fentanyl dextrose \
     glucose vitamin resources hope permission",
);
