-- What the gateway keeps: replies by content, who asked what for which piece of work, and what it cost.

-- `key` is a hash of model, request and repeat number; asked again, the reply is read from here. The request is kept beside it, so that a
-- transcript can show both and neither is stored twice.
CREATE TABLE replies (
    key     TEXT PRIMARY KEY,
    model   TEXT NOT NULL,
    request TEXT NOT NULL,
    reply   TEXT NOT NULL
);

-- One call of a model. `item` is the piece of work it was for, `sitting` when that work was begun (milliseconds), `ord` the call's place in it.
-- `course` is how it went: times, attempts, tokens, cost. What was said is in `replies` under `reply_key`, or in `body` where there is no such
-- row: after an error, or without a cache.
CREATE TABLE transcripts (
    role      TEXT   NOT NULL,
    item      TEXT   NOT NULL,
    sitting   BIGINT NOT NULL,
    ord       BIGINT NOT NULL,
    model     TEXT   NOT NULL,
    state     TEXT   NOT NULL,
    course    TEXT   NOT NULL,
    reply_key TEXT,
    body      TEXT,
    PRIMARY KEY (role, item, sitting, ord)
) WITHOUT ROWID;

-- What was used so far, a row for each model. A resumed run goes on counting here.
CREATE TABLE spend (
    model       TEXT PRIMARY KEY,
    calls       BIGINT NOT NULL,
    input       BIGINT NOT NULL,
    output      BIGINT NOT NULL,
    picodollars BIGINT NOT NULL
);
