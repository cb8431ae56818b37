import Expressions
import GRDB
import Testing

@testable import Access

/// The differences of objects in the audit log.
struct AuditChangeTests {
  @Test(
    arguments: [
      (["a": 1], ["a": 1], []), (["a": 1], ["a": 2], ["a: 1 → 2"]), (["a": 1, "b": .null], ["a": 1], []),
      (["a": ["b": "x", "c": "y"]], ["a": ["b": "x", "c": "z", "d": true]], ["a.c: y → z", "a.d: – → true"]),
      (["a": ["x", "y"]], ["a": []], ["a: x, y → –"]),
      // A list of named maps is compared by the names.
      (
        ["p": [["name": "one", "v": 1], ["name": "two", "v": 1]]],
        ["p": [["name": "two", "v": 2], ["name": "one", "v": 1]]],
        ["p.two.v: 1 → 2"]
      ),
      (["p": [["name": "one"]]], ["p": []], ["p: [{\"name\":\"one\"}] → –"]),
      (.null, ["a": 1], ["a: – → 1"]), (["a": 1], .null, ["a: 1 → –"]),
      (["a": .string(String(repeating: "x", count: 60))], .null, ["a: " + String(repeating: "x", count: 39) + "… → –"]),
    ] as [(Value, Value, [String])])
  func membersThatDifferAreNamed(before: Value, after: Value, expected: [String]) {
    #expect(AuditChange.all(before, after).map(\.text) == expected)
    // The store keeps the same difference for settings.
    let (old, new) = AuditChange.differing(before, after)
    #expect(AuditChange.all(old, new).map(\.text) == expected)
  }

  @Test func aHugeDifferenceIsBounded() {
    let many = Value.map(ValueMap((0..<10_000).map { (.string("k\($0)"), .int(1)) }))
    #expect(AuditChange.all(nil, many).count == 100)
  }

  @Test func onlyTheDifferenceOfSettingsIsLogged() throws {
    let access = try TemporaryAccess()
    let (file, command) = (AuditSource(actor: "", origin: "file"), TemporaryAccess.source)
    func note(_ settings: Value, _ source: AuditSource) throws -> Bool {
      try access.store.note(settings: settings, of: "settings/sous.yaml", by: source, now: .start)
    }
    #expect(try !note(["listen": "127.0.0.1:1", "sha256": "a"], file))
    #expect(try !note(["listen": "127.0.0.1:1", "sha256": "a"], command))
    #expect(try note(["listen": "127.0.0.1:2", "sha256": "b", "server": ["url": "x"]], command))
    #expect(try !note(["listen": "127.0.0.1:2", "sha256": "b", "server": ["url": "x"]], file))
    let entries = try access.store.audit(limit: 10)
    #expect(entries.map(\.action) == ["settings.change"] && entries.map(\.source) == [command])
    #expect(
      entries.first?.changes.map(\.text) == ["listen: 127.0.0.1:1 → 127.0.0.1:2", "server.url: – → x", "sha256: a → b"])
    #expect(entries.first?.json["changes"]?.listValue?.count == 3)
  }

  @Test func disablingAUserIsLoggedWithBothStates() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto", roles: ["viewer"])
    try access.store.setDisabled(true, user: "otto", by: TemporaryAccess.source, now: .start)
    var change = UserChange()
    change.roles = ["editor"]
    try access.store.changeUser("otto", change, by: TemporaryAccess.source, now: .start)
    let entries = try access.store.audit(limit: 2)
    #expect(entries.map { $0.changes.map(\.path) } == [["roles"], ["disabled"]])
    #expect(entries.first?.changes.first?.text == "roles: viewer → editor")
  }

  /// A file of the version before gets the new table.
  @Test func anOlderFileIsBroughtToTheSchema() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let queue = try DatabaseQueue(path: access.path)
    try queue.write {
      try $0.execute(sql: "DROP TABLE noted_settings; DROP TABLE saved_filters; PRAGMA user_version = 1")
    }
    try queue.close()
    let store = try AccessStore.opened(access.path)
    defer { store.close() }
    #expect(try store.users().map(\.name) == ["anna"])
    #expect(try !store.note(settings: ["a": 1], of: "x", by: TemporaryAccess.source, now: .start))
  }
}
