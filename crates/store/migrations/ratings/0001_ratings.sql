-- What people said of a run. A database of its own beside `run.sqlite`: a run can be worked on while people rate it, and the other way round.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- `body` is the project as it was made: form, sampling, seed.
CREATE TABLE projects (
    id   TEXT PRIMARY KEY,
    body TEXT NOT NULL
);

-- `shown` is all a rater is told. `source` says where it comes from and is read for the owner only.
CREATE TABLE items (
    project TEXT   NOT NULL REFERENCES projects (id),
    ord     BIGINT NOT NULL,
    shown   TEXT   NOT NULL,
    source  TEXT   NOT NULL,
    PRIMARY KEY (project, ord)
) WITHOUT ROWID;

-- Secrets are kept as hashes. A rater has a link, a password, or both.
CREATE TABLE raters (
    project  TEXT   NOT NULL REFERENCES projects (id),
    name     TEXT   NOT NULL,
    link     TEXT   UNIQUE,
    password TEXT,
    blocked  BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (project, name)
);

-- What a rater says of an item now.
CREATE TABLE ratings (
    project TEXT   NOT NULL,
    item    BIGINT NOT NULL,
    rater   TEXT   NOT NULL,
    state   TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (project, rater, item),
    FOREIGN KEY (project, item) REFERENCES items (project, ord)
) WITHOUT ROWID;

-- Everything a rater ever said of it, in order; nothing is ever taken away here.
CREATE TABLE rating_log (
    number  INTEGER PRIMARY KEY,
    project TEXT   NOT NULL,
    item    BIGINT NOT NULL,
    rater   TEXT   NOT NULL,
    state   TEXT   NOT NULL,
    body    TEXT   NOT NULL
);

-- Who is signed in: the hash of what their browser keeps, and until when (seconds since 1970).
CREATE TABLE sessions (
    hash    TEXT   PRIMARY KEY,
    project TEXT   NOT NULL,
    rater   TEXT   NOT NULL,
    until   BIGINT NOT NULL
);
