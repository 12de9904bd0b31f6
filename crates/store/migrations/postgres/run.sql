-- What a run needs besides when many processes work on it.

-- Files it leans on, for workers on other machines.
CREATE TABLE IF NOT EXISTS files (
    name TEXT PRIMARY KEY,
    body BYTEA NOT NULL
);

-- Parts of a pass that were begun and have not ended in good order. `item` is the one question being asked, alone, after a part was begun
-- too often; `deaths` how often it was begun. `worker` has it until then (microseconds since 1970), unless it says so again.
CREATE TABLE IF NOT EXISTS begun (
    shard  TEXT PRIMARY KEY,
    times  BIGINT NOT NULL,
    worker TEXT NOT NULL,
    until  BIGINT NOT NULL,
    item   TEXT,
    deaths BIGINT NOT NULL DEFAULT 0
);

-- What workers could not do, and how often in a row.
CREATE TABLE IF NOT EXISTS troubles (
    shard   TEXT PRIMARY KEY,
    times   BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    message TEXT NOT NULL
);
