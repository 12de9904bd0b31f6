-- What all runs of a team share.

-- When the next request to an endpoint may be made, and when the next token may be used (microseconds since 1970): whoever may go on
-- moves them on by what it takes.
CREATE TABLE IF NOT EXISTS endpoints (
    name         TEXT PRIMARY KEY,
    next_request BIGINT NOT NULL,
    next_token   BIGINT NOT NULL
);

-- How many calls at once each process may have under way at an endpoint, and until when (microseconds since 1970) unless it says so again.
CREATE TABLE IF NOT EXISTS slots (
    endpoint TEXT   NOT NULL,
    worker   TEXT   NOT NULL,
    held     BIGINT NOT NULL,
    wanted   BIGINT NOT NULL,
    until    BIGINT NOT NULL,
    PRIMARY KEY (endpoint, worker)
);
