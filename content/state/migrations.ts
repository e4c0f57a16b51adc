/**
 * The statements that bring the tables from one version to the next. The version of a database is the number of those that
 * it has run (`PRAGMA user_version`): add new ones at the end, and never change one that was released.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- A draft, and the revision that it began from, as JSON: null for none, NULL if unknown.
  CREATE TABLE draft (id TEXT PRIMARY KEY, document TEXT NOT NULL, base TEXT, editors TEXT) STRICT;

  -- Transactions that count once Git has the commit that names their attempt.
  CREATE TABLE pending_transaction (attempt TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;

  -- The history of drafts. "before" is NULL if it is the same as "after" of the last step, or if both are missing. "is_edit"
  -- says whether the step neither created nor removed the draft. "revision" is that of "after".
  CREATE TABLE draft_step (
    number INTEGER PRIMARY KEY,
    draft TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    author TEXT NOT NULL,
    before TEXT,
    after TEXT,
    revision TEXT,
    is_edit INTEGER NOT NULL,
    -- Identifies the request, for clients that send it again. NULL for a step of the lake itself.
    request TEXT
  ) STRICT;
  CREATE INDEX draft_step_by_draft ON draft_step (draft);

  -- People and programs, as JSON.
  CREATE TABLE editor (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE token (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  -- Times are milliseconds since 1970.
  CREATE TABLE session (
    hash TEXT PRIMARY KEY,
    editor_id TEXT NOT NULL,
    generation TEXT,
    sealed TEXT,
    since INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    browser TEXT NOT NULL,
    method TEXT
  ) STRICT;
  CREATE INDEX session_by_since ON session (since);

  -- The audit log: "event" has everything, as JSON.
  CREATE TABLE audit_event (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    by_id TEXT,
    about_id TEXT,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_event_by_at ON audit_event (at);
  CREATE INDEX audit_event_by_kind ON audit_event (kind);
  CREATE INDEX audit_event_by_by_id ON audit_event (by_id);
  CREATE INDEX audit_event_by_about_id ON audit_event (about_id);

  -- The lake that runs, for commands.
  CREATE TABLE running_lake (pid INTEGER PRIMARY KEY, address TEXT NOT NULL) STRICT;

  -- Up to where each webhook was told of everything: a commit for changes, a time for reviews.
  CREATE TABLE webhook_cursor (kind TEXT, hook TEXT, cursor TEXT NOT NULL, PRIMARY KEY (kind, hook)) STRICT;

  -- The last run of the tests of each site, as JSON.
  CREATE TABLE test_report (site TEXT PRIMARY KEY, at TEXT NOT NULL, report TEXT NOT NULL) STRICT;

  -- The last run of the tests of each document that is reviewed, as JSON, at the revision that is to be published.
  CREATE TABLE reviewed_tests (
    document TEXT PRIMARY KEY,
    site TEXT NOT NULL,
    revision TEXT NOT NULL,
    at TEXT NOT NULL,
    report TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- As JSON: the document that a version began from, and the revisions of contents that were copied.
  ALTER TABLE draft ADD COLUMN origin TEXT;
  ALTER TABLE draft ADD COLUMN copies TEXT;
  `,
]
