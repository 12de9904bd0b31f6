-- The shares of a large benchmark are megabytes a metric: in pages, so that no text of them has to be in memory as a whole.
CREATE TABLE shares_in_pages (
    suite   TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    metric  TEXT   NOT NULL,
    page    BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (suite, subject, metric, page)
);
INSERT INTO shares_in_pages (suite, subject, metric, page, body) SELECT suite, subject, metric, 0, body FROM shares;
DROP TABLE shares;
ALTER TABLE shares_in_pages RENAME TO shares;
