import Access
import Expressions
import Foundation
import GRDB
import Localization
import TestSupport
import Testing

/// Users and roles, and the file that they are stored in.
struct AccessStoreTests {
  private let source = TemporaryAccess.source

  @Test func theFirstUserIsAdministrator() throws {
    let access = try TemporaryAccess()
    #expect(try access.add("anna").roles == ["administrator"])
    #expect(try access.add("otto").roles == [])
    let other = try TemporaryAccess()
    #expect(try other.add("otto", roles: ["viewer"]).roles == ["viewer"])
  }

  @Test func aClosedFileIsAnErrorNotTheEndOfTheProcess() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let token = try access.store.addToken(name: "t", user: "anna", by: source, now: .start).text
    access.store.close()
    #expect(code { try access.store.actor(token: token, now: .start) } == .failed)
    #expect(code { try access.store.removeUser("anna", by: source, now: .start) } == .failed)
  }

  @Test func theLastAdministratorStays() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto", roles: ["administrator"])
    let store = access.store
    try store.setDisabled(true, user: "otto", by: source, now: .start)
    #expect(code { try store.removeUser("anna", by: source, now: .start) } == .lastAdministrator)
    #expect(code { try store.erase(user: "anna", by: source, now: .start) } == .lastAdministrator)
    #expect(code { try store.setDisabled(true, user: "anna", by: source, now: .start) } == .lastAdministrator)
    #expect(code { try store.changeUser("anna", UserChange(roles: []), by: source, now: .start) } == .lastAdministrator)
    #expect(try store.user("anna").roles == ["administrator"])
    try store.removeUser("otto", by: source, now: .start)
    try access.add("eva", roles: ["administrator"])
    try store.removeUser("anna", by: source, now: .start)
    #expect(try store.users().map(\.name) == ["eva"])
  }

  @Test func aClosedFileRefusesAccess() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    access.store.close()
    access.store.close()
    #expect(code { try access.store.users() } == .failed)
    #expect(code { try access.add("otto") } == .failed)
    #expect(try AccessStore.opened(access.path, limits: .quick).users().map(\.name) == ["anna"])
  }

  @Test(arguments: ["", "Anna", "-a", "a b", "a/b", "ä", "erased-1", String(repeating: "a", count: 65)])
  func malformedNamesAreRefused(name: String) throws {
    let access = try TemporaryAccess()
    #expect(code { try access.add(name) } == .invalidInput)
  }

  @Test(arguments: ["a", "anna", "anna.muster@example.com", "0-x_y", String(repeating: "a", count: 64)])
  func namesOfUsers(name: String) throws {
    let access = try TemporaryAccess()
    #expect(try access.add(name).name == name)
    #expect(code { try access.add(name) } == .userExists)
  }

  @Test func changesOfAUserAreStored() throws {
    let access = try TemporaryAccess()
    try access.add("anna", groups: ["office"])
    let identity = AccessUser.Identity(issuer: "https://id.example.com", subject: "17")
    let changed = try access.store.changeUser(
      "anna", UserChange(fullName: "Anna Muster", language: .german, groups: ["a", "b"], identity: identity),
      by: source,
      now: .start)
    #expect(changed.fullName == "Anna Muster" && changed.language == .german && changed.groups == ["a", "b"])
    #expect(try access.store.user(identity: identity)?.name == "anna")
    #expect(try access.store.actor(user: "anna", origin: .session).groups == ["a", "b"])
    try access.add("otto")
    #expect(
      code { try access.store.changeUser("otto", UserChange(identity: identity), by: source, now: .start) }
        == .userExists)
    #expect(code { try access.store.changeUser("nina", UserChange(), by: source, now: .start) } == .unknownUser)
    #expect(
      code { try access.store.changeUser("otto", UserChange(roles: ["boss"]), by: source, now: .start) } == .unknownRole
    )
    #expect(try access.store.groups().map(\.name) == ["a", "b"])
    #expect(try access.store.memberships() == ["anna": ["a", "b"]])
  }

  @Test func ownRolesAreStoredChangedAndRemoved() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let first = try AccessRole(
      name: "clerk", title: LocalizedText("invoices", de: "Rechnungen"),
      rules: [try AccessRule("recipes/invoices: read=all")])
    try access.store.saveRole(first, by: source, now: .start)
    #expect(try access.store.role("clerk") == first)
    #expect(code { try access.store.saveRole(first, by: source, now: .start) } == .roleExists)
    try access.add("otto", roles: ["clerk"])
    let session = try access.signIn("otto")
    let second = try AccessRole(name: "clerk", title: first.title, rules: [try AccessRule("runs: read=my")])
    try access.store.saveRole(second, replaces: true, by: source, now: .start)
    #expect(try access.store.actor(user: "otto", origin: .session).scope(.read, .runs) == .my)
    #expect(code { try access.store.actor(session: session.secret, now: .start) } == .unknownSession)
    #expect(code { try access.store.removeRole("clerk", by: source, now: .start) } == .roleInUse)
    #expect(code { try access.store.removeRole("viewer", by: source, now: .start) } == .invalidInput)
    #expect(code { try access.store.removeRole("boss", by: source, now: .start) } == .unknownRole)
    try access.store.changeUser("otto", UserChange(roles: []), by: source, now: .start)
    try access.store.removeRole("clerk", by: source, now: .start)
    #expect(try access.store.roles() == AccessRole.builtIn)
  }

  @Test func changesAreInTheAuditLogWithoutSecrets() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.store.changeUser("anna", UserChange(fullName: "Anna"), by: source, now: .start.after(60))
    let token = try access.store.addToken(name: "t", user: "anna", by: source, now: .start.after(120))
    _ = try access.signIn("anna", at: .start.after(180))
    let entries = try access.store.audit(limit: 10)
    #expect(entries.map(\.action) == ["session.create", "token.add", "user.change", "user.add"])
    #expect(entries[2].before?["full_name"] == "" && entries[2].after?["full_name"] == "Anna")
    #expect(entries[0].source == AuditSource(actor: "anna", origin: "sign-in", address: "192.0.2.1"))
    #expect(!"\(entries.map(\.json))".contains(token.text) && !"\(entries.map(\.json))".contains("scrypt"))
    #expect(try access.store.audit(AuditFilter(since: .start.after(120)), limit: 10).count == 2)
    #expect(try access.store.audit(AuditFilter(before: .start.after(60)), limit: 10).count == 1)
    #expect(try access.store.audit(AuditFilter(user: "anna"), limit: 10).count == 3)
    #expect(try access.store.audit(AuditFilter(below: entries[2].id), limit: 10).map(\.action) == ["user.add"])
  }

  @Test func anExportHasAllRowsOfAUserAndNoHash() throws {
    let access = try TemporaryAccess()
    try access.add("anna", groups: ["office"])
    _ = try access.signIn("anna")
    _ = try access.store.addToken(name: "backup", user: "anna", by: source, now: .start)
    _ = try access.store.begin(actor: "anna", key: "key-1", digest: "d", run: "r", now: .start)
    #expect(code { try access.signIn("anna", "wrong password") } == .signInRefused)
    let export = try access.store.export(user: "anna")
    #expect(export["user"]?["groups"] == ["office"])
    #expect(export["tokens"]?[0]?["name"] == "backup" && export["sessions"]?[0]?["address"] == "192.0.2.1")
    #expect(export["requests"]?[0]?["key"] == "key-1" && export["failures"]?[0]?["count"] == 1)
    #expect((export["audit"]?.listValue?.count ?? 0) >= 3)
    #expect(!export.jsonString.contains("scrypt"))
    #expect(code { try access.store.export(user: "otto") } == .unknownUser)
  }

  @Test func anErasedUserIsGoneFromTheWholeFile() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("ottokar", roles: ["viewer"], groups: ["office"])
    let session = try access.signIn("ottokar", address: "192.0.2.77")
    let token = try access.store.addToken(name: "t", user: "ottokar", by: source, now: .start).text
    try access.store.changeUser(
      "ottokar", UserChange(fullName: "Ottokar Muster"), by: AuditSource(session.actor, address: "192.0.2.77"),
      now: .start)
    _ = try access.store.begin(actor: "ottokar", key: "k", digest: "d", run: "r", now: .start)
    #expect(code { try access.signIn("ottokar", "wrong password", address: "192.0.2.1") } == .signInRefused)
    let count = try access.store.audit(limit: 100).count
    #expect(try access.store.erase(user: "ottokar", by: source, now: .start) == "erased-1")
    #expect(code { try access.store.actor(session: session.secret, now: .start) } == .unknownSession)
    #expect(code { try access.store.actor(token: token, now: .start) } == .unknownToken)
    let entries = try access.store.audit(limit: 100)
    #expect(entries.count == count + 1)
    #expect(entries.contains { $0.source.actor == "erased-1" && $0.action == "user.change" })
    #expect(entries[0].object == "users/erased-1" && entries[0].source.actor == "root")
    let text = try access.fileBytes()
    #expect(!text.lowercased().contains("ottokar"))
    #expect(!text.contains("192.0.2.77"))
    // The name is free again.
    try access.add("ottokar")
    #expect(try access.store.erase(user: "ottokar", by: source, now: .start) == "erased-2")
    #expect(code { try access.store.erase(user: "ottokar", by: source, now: .start) } == .unknownUser)
  }

  @Test func aRemovedUserCanStillBeErasedFromTheAuditLog() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("ottokar")
    try access.store.removeUser("ottokar", by: source, now: .start)
    #expect(try access.fileBytes().contains("ottokar"))
    try access.store.erase(user: "ottokar", by: source, now: .start)
    #expect(try !access.fileBytes().contains("ottokar"))
  }

  // MARK: - The file

  @Test func othersCannotReadTheFile() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    func modes() throws -> [Int] {
      try FileManager.default.contentsOfDirectory(atPath: access.folder).map {
        try FileManager.default.attributesOfItem(atPath: access.folder + "/" + $0)[.posixPermissions] as? Int ?? 0
      }
    }
    #expect(try modes().allSatisfy { $0 == 0o600 })
    chmod(access.path, 0o644)
    try AccessStore.opened(access.path).close()
    #expect(try modes().allSatisfy { $0 == 0o600 })
  }

  @Test func theFileIsMadeOnlyWhereThatIsWanted() throws {
    let folder = try TemporaryFolder()
    #expect(try AccessStore(path: folder("deep/access.db"), creates: false) == nil)
    try AccessStore.opened(folder("deep/access.db")).close()
    #expect(FileManager.default.fileExists(atPath: folder("deep/access.db")))
  }

  @Test func foreignNewerAndDamagedFilesAreRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("text.db", String(repeating: "this is not a database\n", count: 100))
    #expect(code { try AccessStore.opened(folder("text.db")) } == .foreignFile)
    let foreign = try DatabaseQueue(path: folder("foreign.db"))
    try foreign.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    try foreign.close()
    #expect(code { try AccessStore.opened(folder("foreign.db")) } == .foreignFile)
    try AccessStore.opened(folder("newer.db")).close()
    let newer = try DatabaseQueue(path: folder("newer.db"))
    try newer.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    try newer.close()
    #expect(code { try AccessStore.opened(folder("newer.db")) } == .foreignFile)
    let store = try AccessStore.opened(folder("damaged.db"))
    try store.addUser(UserDraft(name: "anna"), by: source, now: .start)
    store.close()
    var bytes = try folder.bytes("damaged.db")
    for index in 100..<bytes.count { bytes[index] = 0x5A }
    try folder.write("damaged.db", bytes)
    let damaged = code {
      let store = try AccessStore.opened(folder("damaged.db"))
      defer { store.close() }
      return try store.users()
    }
    #expect(damaged == .damagedFile, "\(String(describing: damaged))")
    #expect(code { try AccessStore.opened("/proc/nowhere/access.db") } == .failed)
  }

  /// Each thread opens the new file itself, as processes do.
  @Test(.timeLimit(.minutes(2))) func severalOpenANewFileAtOnce() async throws {
    let folder = try TemporaryFolder()
    let path = folder("access.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          let store = try AccessStore.opened(path, limits: .quick)
          defer { store.close() }
          for part in 1...5 {
            try store.addUser(
              UserDraft(name: "u\(number)-\(part)", password: TemporaryAccess.password), by: TemporaryAccess.source,
              now: .start)
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try AccessStore.opened(path)
    defer { store.close() }
    let users = try store.users()
    #expect(users.count == 20)
    #expect(users.filter { $0.roles == ["administrator"] }.count == 1)
  }
}

extension TemporaryAccess {
  /// The text of the file and its log, for a search.
  func fileBytes() throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)), as: Unicode.ASCII.self)
    }.joined()
  }

  func storedPassword(_ name: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    return try queue.read {
      try String.fetchOne($0, sql: "SELECT password FROM users WHERE name = ?", arguments: [name]) ?? ""
    }
  }

  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
  }
}
