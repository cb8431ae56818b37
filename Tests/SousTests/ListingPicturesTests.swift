import Foundation
import Testing

@testable import sous

/// What the lists of the program look like on terminals of four widths, in both languages.
///
/// `Tests/Fixtures/pictures` keeps how they looked when somebody last looked at them. Where a list was changed on purpose,
/// `SOUS_PICTURES=write swift test --filter ListingPicturesTests` writes the pictures anew, and the difference is read.
@Suite(.timeLimit(.minutes(15))) struct ListingPicturesTests {
  private static let widths = [60, 80, 120, 200]
  private static let pictures = SousProcess.repository + "/Tests/Fixtures/pictures/"

  /// The lists, and the commands that show them.
  private static let listings: [(name: String, arguments: [String])] = [
    ("runs", ["runs"]), ("show-failed", ["show", "nightly-backup-of-the-database"]),
    ("show-waiting", ["show", "publish-the-newsletter"]), ("status", ["status"]), ("schedules", ["schedules"]),
    ("schedules-history", ["schedules", "history"]), ("triggers", ["triggers"]), ("recipes", ["recipes"]),
    ("recipes-history", ["recipes", "history", "digest"]),
    ("outbox", ["outbox"]), ("outbox-show", ["outbox", "show", "last"]), ("reminders", ["reminders"]),
    ("notes", ["notes"]), ("notes-tags", ["notes", "tags"]), ("notes-categories", ["notes", "categories"]),
    ("notifications", ["notifications"]), ("usage", ["usage"]), ("stats", ["stats"]), ("chats", ["chats"]),
    ("plugins", ["plugins"]), ("plugins-show", ["plugins", "show", "imap"]), ("providers", ["providers"]),
    ("providers-defaults", ["providers", "default"]), ("secrets", ["secrets"]), ("catalog", ["catalog", "tree"]),
    ("auth", ["auth"]), ("users", ["users"]), ("roles", ["roles"]), ("roles-overview", ["roles", "overview"]),
    ("audit", ["audit"]), ("explain", ["explain", "recipes/digest.yaml"]),
  ]

  /// A project in which something of everything is there, with the same times in every run of this test.
  private func prepare() throws -> SousProcess {
    var sous = try SousProcess()
    sous.environment["TZ"] = "Europe/Zurich"
    try sous.write(
      "sous.yaml",
      """
      recipes: [recipes]
      providers:
        home: { plugin: maildir, path: mailbox, from: anna@example.com }
        work: { plugin: imap, host: imap.example.com, user: anna, password: { secret: WORK_MAIL } }
        local: { plugin: ollama, model: "llama3.2", base_url: "http://127.0.0.1:9/" }
      defaults: { mail.store: home, mail.transport: home, chat: local }
      auth:
        google: { service: google, client_id: "4711.apps.googleusercontent.com", address: anna@example.com }
      """)
    try sous.write(
      "recipes/nightly-backup-of-the-database.yaml",
      """
      name: nightly-backup-of-the-database
      on: { schedule: { cron: "0 3 * * 1-5" } }
      steps:
        - id: dump
          uses: fail
          with:
            message: >-
              pg_dump: connection to server at db.example.org port 5432 failed: Connection refused; is the server
              running on that host and accepting connections?
        - { id: other, uses: log, with: { message: x } }
      """)
    try sous.write(
      "recipes/digest.yaml",
      """
      name: digest
      on: { schedule: "every Monday at 8" }
      steps:
        - { id: text, uses: template, with: { text: "five new messages" } }
        - id: tell
          uses: notify.send
          with:
            title: Digest of the morning
            text: "Five new messages, one of them from the tax office: an answer is due on Friday"
      """)
    try sous.write(
      "recipes/publish-the-newsletter.yaml",
      """
      name: publish-the-newsletter
      steps:
        - id: ok
          uses: approve
          with:
            message: "Publish the newsletter of December with 14 articles to 3 210 subscribers?"
            form: { type: object, properties: { subject: { type: string } } }
        - { id: done, uses: log, with: { message: x } }
      """)
    try sous.write("recipes/broken.yaml", "name: broken\nsteps:\n  - { id: a, uses: nothing.of.the.kind }\n")
    for name in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: sous.folder + "/mailbox/" + name, withIntermediateDirectories: true)
    }
    _ = try sous("run", "recipes/nightly-backup-of-the-database.yaml")
    try #require(try sous("run", "recipes/digest.yaml").status == 0)
    try #require(try sous("run", "--queue", "recipes/publish-the-newsletter.yaml").status == 0)
    try #require(try sous("serve", "--once").status == 0)
    let messages = [("max@example.com", "Minutes of the meeting"), ("team@example.com", "Agenda für nächste Woche")]
    for (to, subject) in messages {
      let sent = try sous("send", "--at", "2035-05-02 08:00", "--to", to, "--subject", subject, "--text", "Hello")
      try #require(sent.status == 0, "\(sent.errors)")
    }
    for text in ["dentist on 2035-05-01 at 9:30", "pay the rent of the flat in the Bahnhofstrasse on 2035-05-02 at 8"] {
      let kept = try sous("remind", text, "--yes")
      try #require(kept.status == 0, "\(kept.errors)")
    }
    for text in ["Buy bread, milk and the good olive oil #shopping", "Ideas for the talk in spring #work #talk"] {
      let kept = try sous("notes", "add", text)
      try #require(kept.status == 0, "\(kept.errors)")
    }
    let role = try sous(
      "roles", "add", "clerk", "--title", "invoices", "--rule", "runs/invoices: read=all create=my", "--rule",
      "notes: read=group create=my update=my")
    try #require(role.status == 0, "\(role.errors)")
    for user in [
      ["anna", "--name", "Anna Muster"],
      [
        "otto.beispiel@example.com", "--name", "Otto Beispiel", "--role", "viewer", "--role", "clerk", "--group",
        "office",
      ],
    ] {
      let added = try sous.run(SousProcess.executable, ["users", "add", "--no-password"] + user)
      try #require(added.status == 0, "\(added.errors)")
    }
    let outcome = try sous.run(
      "/usr/bin/env",
      ["python3", "-c", Self.program, Self.records(sous.folder.replacing("//", with: "/"))])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let audited = try sous.run("/usr/bin/env", ["python3", "-c", Self.auditProgram])
    try #require(audited.status == 0, "\(audited.errors)")
    return sous
  }

  /// Entries of the audit log with users and addresses that are the same on every machine.
  private static let auditProgram = #"""
    import sqlite3
    d = sqlite3.connect('.sous/access.db')
    d.execute('DELETE FROM audit')
    rows = [
      ('anna', 'command', None, 'user.add', 'users/otto.beispiel@example.com', None, '{"roles":["viewer","clerk"],"groups":["office"]}', 'done'),
      ('otto.beispiel@example.com', 'session', '192.0.2.17', 'recipe.save', 'recipes/nightly-backup-of-the-database', '{"steps":2}', '{"steps":3}', 'done'),
      ('', 'sign-in', '2001:db8::17', 'session.create', 'users/anna', None, None, 'forbidden'),
      ('', 'file', None, 'settings.change', 'sous.yaml', '{"listen":"127.0.0.1:8768"}', '{"listen":"0.0.0.0:8443"}', 'done')]
    for number, row in enumerate(rows):
      d.execute('INSERT INTO audit (at, actor, origin, address, action, object, before, after, outcome) VALUES (?,?,?,?,?,?,?,?,?)',
        (1795503600000000000 + number,) + row)
    d.commit()
    """#

  private static let program =
    "import sqlite3, sys; d = sqlite3.connect('.sous/sous.db'); d.executescript(sys.argv[1]); d.commit()"

  /// Durations that are the same in every run, and what only a daemon or a model would write.
  private static func records(_ folder: String) -> String {
    let recipes = folder + "/recipes/"
    // The SQL is one line a row.
    // swift-format-ignore
    return """
      UPDATE runs SET ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '+1.25 seconds') WHERE ended_at IS NOT NULL;
      UPDATE steps SET ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '+0.5 seconds')
        WHERE ended_at IS NOT NULL AND started_at IS NOT NULL;
      UPDATE attempts SET duration_ms = 421 WHERE ended_at IS NOT NULL;
      INSERT INTO schedules (source, recipe, digest, revision, cursor, next_due, runs, missed, failures) VALUES
        ('\(recipes)nightly-backup-of-the-database.yaml#1', 'nightly-backup-of-the-database', '', 1, '2026-11-24T02:00:00.000Z', '2035-11-24T02:00:00.000Z', 41, 2, 3),
        ('\(recipes)digest.yaml#1', 'digest', '', 1, '2026-11-23T07:00:00.000Z', '2035-11-30T07:00:00.000Z', 7, 0, 0);
      INSERT INTO occurrences (source, at, until, count, outcome, run, open) VALUES
        ('\(recipes)digest.yaml#1', '2026-11-23T07:00:00.000Z', '2026-11-23T07:00:00.000Z', 1, 'run', '01KAX5T3P56KGEWD5763N1YCVT', 0),
        ('\(recipes)digest.yaml#1', '2026-11-02T07:00:00.000Z', '2026-11-16T07:00:00.000Z', 3, 'missed', NULL, 0);
      INSERT INTO recipe_versions (path, version, recipe, digest, bytes, at, origin, actor, commit_hash, restored) VALUES
        ('\(recipes)digest.yaml', 1, 'digest', 'a', 377, '2026-11-02T07:00:00.000Z', 'file', NULL, NULL, NULL),
        ('\(recipes)digest.yaml', 2, 'digest', NULL, 0, '2026-11-03T07:00:00.000Z', 'session', 'otto.beispiel@example.com', NULL, NULL),
        ('\(recipes)digest.yaml', 3, 'digest', 'a', 377, '2026-11-04T07:00:00.000Z', 'sync', 'Anna Muster', '8f4e1b9a7c2d5e6f8f4e1b9a7c2d5e6f8f4e1b9a', 1);
      INSERT INTO trigger_health (subscription, recipe, path, trigger, provider, alive_at, event_at, events, reconnects, lag_ms, trouble, trouble_de) VALUES
        ('a', 'tidy', '\(recipes)tidy.yaml', 'mail.new', 'home', '2026-11-24T07:00:00.000Z', '2026-11-24T06:12:00.000Z', 17, 2, 120, NULL, NULL),
        ('b', 'invoices', '\(recipes)invoices.yaml', 'mail.new', 'work', '2026-11-24T05:00:00.000Z', NULL, 0, 0, NULL, 'imap.example.com refuses the sign-in: authentication failed', 'imap.example.com lehnt die Anmeldung ab: authentication failed');
      INSERT INTO usage (at, day, recipe, action, provider, model, state, prompt_tokens, completion_tokens, cost, duration_ms, first_ms) VALUES
        ('2026-11-24T07:00:00.000Z', '2026-11-24', 'digest', 'chat.complete', 'cloud', 'gpt-5-mini', 'answered', 12034, 811, 0.0421, 2310, 480),
        ('2026-11-24T07:01:00.000Z', '2026-11-24', 'digest', 'chat.complete', 'local', 'llama3.2:3b-instruct-q4_K_M', 'answered', 904, 120, NULL, 5200, 1100);
      INSERT INTO breakers (provider, failures, probes, open_until, open_seconds, last_failure, at) VALUES
        ('work', 5, 0, '2035-11-24T07:00:00.000Z', 60, 'unavailable', '2026-11-24T06:59:00.000Z');
      INSERT INTO chats (title, system, at, changed_at) VALUES
        ('What did the tax office want in its letter of last week, and until when?', '', '2026-11-24T07:00:00.000Z', '2026-11-24T07:05:00.000Z');
      """
  }

  /// The text with names of runs and times of this run of the test replaced by fixed ones of the same width.
  private func settled(_ text: String) -> String {
    var names: [String: String] = [:]
    let runs = text.replacing(#/\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9A-HJKMNP-TV-Z]{8}\b/#) { match in
      let end = String(match.output.suffix(8))
      let name = names[end] ?? "RUN" + String(repeating: "0", count: 4) + "\(names.count + 1)"
      names[end] = name
      return match.output.count == 8 ? name : "01" + String(repeating: "0", count: 16) + name
    }
    return runs.replacing(#/20(2[0-9])-\d\d-\d\d \d\d:\d\d(:\d\d)?/#) { match in
      match.output.2 == nil ? "2026-11-24 08:00" : "2026-11-24 08:00:00"
    }.replacing(#/[0-3]\d\.[01]\d\.202\d, [0-2]\d:[0-5]\d/#, with: "24.11.2026, 08:00")
  }

  @Test(arguments: ["en", "de"]) func listsFitAndLookAsTheyDid(language: String) throws {
    let sous = try prepare()
    defer { sous.remove() }
    for listing in Self.listings {
      var picture = ""
      for width in Self.widths {
        var narrow = sous
        narrow.environment["COLUMNS"] = "\(width)"
        let outcome = try narrow.run(SousProcess.executable, listing.arguments + ["--lang", language])
        #expect(!outcome.output.isEmpty, "\(listing.name): \(outcome.errors)")
        for line in outcome.output.split(separator: "\n") where String(line).columns > width {
          Issue.record("sous \(listing.arguments.joined(separator: " ")), \(width) columns: \(line)")
        }
        picture += "== \(width) columns\n" + settled(outcome.output)
      }
      let path = Self.pictures + "\(listing.name).\(language).txt"
      if ProcessInfo.processInfo.environment["SOUS_PICTURES"] == "write" {
        try FileManager.default.createDirectory(atPath: Self.pictures, withIntermediateDirectories: true)
        try Data(picture.utf8).write(to: URL(fileURLWithPath: path))
      }
      let kept = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      #expect(picture == kept, "\(path)")
    }
  }
}
