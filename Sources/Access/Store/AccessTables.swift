/// The tables of `access.db`. The comments end up in the file, for readers with `sqlite3` and `.schema`.
enum AccessTables {
  static let first = """
    CREATE TABLE users (
      name TEXT PRIMARY KEY NOT NULL,
      full_name TEXT NOT NULL,
      password TEXT,                       -- $scrypt$…; NULL: signs in elsewhere only
      language TEXT,                       -- en, de
      created INTEGER NOT NULL,            -- nanoseconds since 1970, as all times here
      disabled INTEGER,                    -- since when
      issuer TEXT,                         -- the identity at an OpenID provider
      subject TEXT,
      UNIQUE (issuer, subject)
    ) WITHOUT ROWID;
    CREATE TABLE memberships (
      user TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
      group_name TEXT NOT NULL,
      PRIMARY KEY (user, group_name)
    ) WITHOUT ROWID;
    CREATE INDEX memberships_by_group ON memberships (group_name);
    CREATE TABLE roles (
      name TEXT PRIMARY KEY NOT NULL,
      english TEXT NOT NULL,               -- the title
      german TEXT NOT NULL,
      rules TEXT NOT NULL                  -- one a line: runs: read=all create=my
    ) WITHOUT ROWID;
    CREATE TABLE user_roles (
      user TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
      role TEXT NOT NULL,                  -- roles.name, or a role of Sous itself
      PRIMARY KEY (user, role)
    ) WITHOUT ROWID;
    CREATE INDEX user_roles_by_role ON user_roles (role);
    CREATE TABLE tokens (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      user TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,           -- SHA-256; the token itself is not stored
      scopes TEXT NOT NULL,                -- one a line; empty: all rights of the user
      created INTEGER NOT NULL,
      expires INTEGER,
      last_used INTEGER                    -- to the minute
    ) WITHOUT ROWID;
    CREATE INDEX tokens_by_user ON tokens (user);
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,           -- SHA-256; the secret itself is not stored
      address TEXT,
      created INTEGER NOT NULL,
      last_used INTEGER NOT NULL           -- to the minute
    ) WITHOUT ROWID;
    CREATE INDEX sessions_by_user ON sessions (user);
    CREATE TABLE failures (
      kind TEXT NOT NULL,                  -- user, address
      subject TEXT NOT NULL,
      count INTEGER NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (kind, subject)
    ) WITHOUT ROWID;
    CREATE INDEX failures_by_time ON failures (last);
    CREATE TABLE device_codes (
      hash TEXT PRIMARY KEY NOT NULL,      -- SHA-256 of the device code
      user_code TEXT NOT NULL UNIQUE,
      client TEXT NOT NULL,                -- how the device calls itself
      scopes TEXT NOT NULL,
      created INTEGER NOT NULL,
      asked INTEGER,                       -- when the device asked last
      interval REAL NOT NULL,              -- seconds between two questions
      state TEXT NOT NULL,                 -- waiting, approved, denied
      user TEXT REFERENCES users (name) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,                 -- a user name; erased-N; empty: not known
      origin TEXT NOT NULL,                -- session, token, socket, command, sign-in
      address TEXT,
      action TEXT NOT NULL,                -- user.add, role.remove, …
      object TEXT NOT NULL,                -- users/NAME, tokens/ID, …
      before TEXT,                         -- JSON
      after TEXT,                          -- JSON
      outcome TEXT NOT NULL                -- done, or the code of an error
    );
    CREATE INDEX audit_by_time ON audit (at);
    CREATE INDEX audit_by_actor ON audit (actor, id);
    CREATE TABLE requests (
      actor TEXT NOT NULL,
      key TEXT NOT NULL,                   -- Idempotency-Key
      digest TEXT NOT NULL,                -- SHA-256 of method, path and body
      run TEXT NOT NULL,                   -- the id that the run has or will have
      status INTEGER,                      -- of HTTP; NULL: not answered yet
      type TEXT,
      body BLOB,
      created INTEGER NOT NULL,
      PRIMARY KEY (actor, key)
    ) WITHOUT ROWID;
    CREATE INDEX requests_by_time ON requests (created);
    CREATE TABLE erased (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL
    );
    """

  /// The settings that the audit log compares with.
  static let settings = """
    CREATE TABLE noted_settings (
      object TEXT PRIMARY KEY NOT NULL,    -- the file that has them
      settings TEXT NOT NULL,              -- JSON, without secrets
      at INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

  /// The filters of lists that users have saved.
  static let savedFilters = """
    CREATE TABLE saved_filters (
      user TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
      name TEXT NOT NULL,
      query TEXT NOT NULL,                 -- JSON: {status, recipe, search}
      PRIMARY KEY (user, name)
    ) WITHOUT ROWID;
    """
}
