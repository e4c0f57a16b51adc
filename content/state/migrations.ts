/**
 * The statements that bring the tables from one version to the next. The version of a database is the number of those that
 * it has run (`PRAGMA user_version`): add new ones at the end, and never change one that was released.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- A draft, as JSON; the revision that it began from: null for none, NULL if unknown; the document that a version began from, and
  -- the revisions of contents that were copied.
  CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    base TEXT,
    editors TEXT,
    origin TEXT,
    copies TEXT
  ) STRICT;

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

  -- People. "rights" are JSON, times are milliseconds since 1970. "email_key" is the address in lower case. Of secrets, here are digests.
  CREATE TABLE editor (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    rights TEXT NOT NULL,
    password TEXT,
    -- The one-time link, and who made it for another person.
    link TEXT UNIQUE,
    link_expires_at INTEGER,
    link_made_by TEXT,
    is_invited INTEGER NOT NULL DEFAULT 0,
    generation TEXT,
    -- The account at an identity provider.
    issuer TEXT,
    subject TEXT,
    UNIQUE (issuer, subject)
  ) STRICT;

  -- The administrators whose links signed somebody in as an editor: each of them could have set the password.
  CREATE TABLE link_maker (
    editor_id TEXT NOT NULL REFERENCES editor ON DELETE CASCADE,
    maker_id TEXT NOT NULL,
    PRIMARY KEY (editor_id, maker_id)
  ) STRICT;

  -- Programs.
  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    rights TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
  ) STRICT;

  -- "id" names a session without revealing anything of its secret.
  CREATE TABLE session (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    editor_id TEXT NOT NULL,
    generation TEXT,
    since INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    browser TEXT NOT NULL,
    method TEXT
  ) STRICT;
  CREATE INDEX session_by_editor ON session (editor_id);

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
]
