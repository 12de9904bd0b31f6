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

-- Everything that hangs on a family is keyed by its position. Ids come in the order of chance, and an index on them would be written all over:
-- measured, positions store responses twice to three times as fast, and reading in order is reading in sequence.
CREATE TABLE families (
    suite    TEXT   NOT NULL,
    position BIGINT NOT NULL,
    id       TEXT   NOT NULL,
    case_id  TEXT   NOT NULL,
    grp      TEXT   NOT NULL,
    state    TEXT   NOT NULL CHECK (state IN ('kept', 'lost', 'surplus')),
    loss     TEXT,
    PRIMARY KEY (suite, position),
    UNIQUE (suite, id),
    CHECK ((state = 'lost') = (loss IS NOT NULL))
);

-- The id is part of the key only so that responses can refer to it: a response filed under the wrong variant is refused.
CREATE TABLE variants (
    suite    TEXT   NOT NULL,
    position BIGINT NOT NULL,
    ord      BIGINT NOT NULL,
    id       TEXT   NOT NULL,
    role     TEXT   NOT NULL,
    hash     TEXT   NOT NULL,
    body     TEXT   NOT NULL,
    PRIMARY KEY (suite, position, ord, id),
    FOREIGN KEY (suite, position) REFERENCES families (suite, position)
);

CREATE TABLE responses (
    suite    TEXT   NOT NULL,
    position BIGINT NOT NULL,
    ord      BIGINT NOT NULL,
    subject  TEXT   NOT NULL,
    repeat   BIGINT NOT NULL,
    variant  TEXT   NOT NULL,
    key      TEXT   NOT NULL,
    state    TEXT   NOT NULL,
    body     TEXT   NOT NULL,
    PRIMARY KEY (suite, position, ord, subject, repeat),
    FOREIGN KEY (suite, position, ord, variant) REFERENCES variants (suite, position, ord, id)
);
-- Partial, because failures are few: counting them must not read every answer.
CREATE INDEX responses_failed ON responses (suite, subject) WHERE state <> 'ok';

CREATE TABLE verdicts (
    suite    TEXT   NOT NULL,
    position BIGINT NOT NULL,
    subject  TEXT   NOT NULL,
    repeat   BIGINT NOT NULL,
    judge    TEXT   NOT NULL,
    family   TEXT   NOT NULL,
    key      TEXT   NOT NULL,
    body     TEXT   NOT NULL,
    PRIMARY KEY (suite, position, subject, repeat, judge),
    FOREIGN KEY (suite, position) REFERENCES families (suite, position)
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
