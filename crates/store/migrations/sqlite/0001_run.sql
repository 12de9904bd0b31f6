-- One database holds one run. `body` is always a noun of waterjar-core as JSON; the other columns are what we look it up by.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- A row means that the stage is done for the suite.
CREATE TABLE stages (
    suite   TEXT NOT NULL,
    stage   TEXT NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (suite, stage)
);

CREATE TABLE cases (
    suite TEXT   NOT NULL,
    id    TEXT   NOT NULL,
    grp   TEXT   NOT NULL,
    rank  BIGINT NOT NULL,
    body  TEXT   NOT NULL,
    PRIMARY KEY (suite, id)
);

-- The order in which cases are varied, fixed once at the end of screening, so that a page costs the page and not the table.
CREATE TABLE candidates (
    suite    TEXT   NOT NULL,
    position BIGINT NOT NULL,
    case_id  TEXT   NOT NULL,
    PRIMARY KEY (suite, position)
) WITHOUT ROWID;

CREATE TABLE families (
    suite    TEXT   NOT NULL,
    id       TEXT   NOT NULL,
    case_id  TEXT   NOT NULL,
    position BIGINT NOT NULL,
    grp      TEXT   NOT NULL,
    state    TEXT   NOT NULL CHECK (state IN ('kept', 'lost', 'surplus')),
    loss     TEXT,
    PRIMARY KEY (suite, id),
    UNIQUE (suite, position),
    CHECK ((state = 'lost') = (loss IS NOT NULL))
);

CREATE TABLE variants (
    suite  TEXT   NOT NULL,
    id     TEXT   NOT NULL,
    family TEXT   NOT NULL,
    ord    BIGINT NOT NULL,
    role   TEXT   NOT NULL,
    hash   TEXT   NOT NULL,
    body   TEXT   NOT NULL,
    PRIMARY KEY (suite, id),
    UNIQUE (suite, family, ord),
    FOREIGN KEY (suite, family) REFERENCES families (suite, id)
);

CREATE TABLE responses (
    suite   TEXT   NOT NULL,
    variant TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    repeat  BIGINT NOT NULL,
    family  TEXT   NOT NULL,
    key     TEXT   NOT NULL,
    state   TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (suite, variant, subject, repeat),
    FOREIGN KEY (suite, variant) REFERENCES variants (suite, id)
);
CREATE INDEX responses_by_key ON responses (key);
-- Partial, because failures are few: counting them must not read every answer.
CREATE INDEX responses_failed ON responses (suite, subject) WHERE state <> 'ok';

CREATE TABLE verdicts (
    suite   TEXT   NOT NULL,
    family  TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    repeat  BIGINT NOT NULL,
    judge   TEXT   NOT NULL,
    key     TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (suite, family, subject, repeat, judge),
    FOREIGN KEY (suite, family) REFERENCES families (suite, id)
);

CREATE TABLE checks (
    suite TEXT PRIMARY KEY,
    body  TEXT NOT NULL
);

CREATE TABLE results (
    suite   TEXT NOT NULL,
    subject TEXT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (suite, subject)
);

CREATE TABLE shares (
    suite   TEXT NOT NULL,
    subject TEXT NOT NULL,
    metric  TEXT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (suite, subject, metric)
);
