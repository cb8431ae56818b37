import Access
import Expressions
import Testing

/// Requests with a key, which are carried out once.
struct RequestTests {
  private let access: TemporaryAccess
  private let digest = AccessStore.digest(method: "POST", path: "/runs", body: Array("{}".utf8))

  init() throws { access = try TemporaryAccess() }

  private func begin(_ key: String = "k", digest: String? = nil, run: String = "new", at now: Timestamp = .start) throws
    -> RequestStart
  { try access.store.begin(actor: "anna", key: key, digest: digest ?? self.digest, run: run, now: now) }

  @Test func aRepetitionGetsTheAnswerOfTheFirst() throws {
    #expect(try begin(run: "r1") == .new(run: "r1"))
    guard case .repeats(let open) = try begin(run: "r2") else {
      Issue.record("not recognised")
      return
    }
    #expect(open.run == "r1" && open.status == nil)
    try access.store.finish(
      actor: "anna", key: "k", status: 201, body: Array("{\"id\":1}".utf8), type: "application/json")
    guard case .repeats(let answered) = try begin(run: "r3", at: .start.after(86_399)) else {
      Issue.record("not recognised")
      return
    }
    #expect(answered.run == "r1" && answered.status == 201 && answered.type == "application/json")
    #expect(answered.body == Array("{\"id\":1}".utf8))
    #expect(try begin(run: "r4", at: .start.after(86_400)) == .new(run: "r4"))
  }

  @Test func anAnswerThatMustNotBeStoredLeavesItsStatus() throws {
    _ = try begin(run: "r1")
    try access.store.finish(actor: "anna", key: "k", status: 201, body: nil, type: "application/json")
    guard case .repeats(let answered) = try begin(run: "r2") else {
      Issue.record("not recognised")
      return
    }
    #expect(answered.run == "r1" && answered.status == 201 && answered.body == nil)
  }

  @Test func anotherRequestWithTheKeyIsAConflict() throws {
    _ = try begin()
    for other in [
      AccessStore.digest(method: "POST", path: "/runs", body: []),
      AccessStore.digest(method: "PUT", path: "/runs", body: Array("{}".utf8)),
      AccessStore.digest(method: "POST", path: "/run", body: Array("s{}".utf8)),
    ] { #expect(try begin(digest: other) == .conflict) }
    #expect(try access.store.begin(actor: "otto", key: "k", digest: "x", run: "r", now: .start) == .new(run: "r"))
    #expect(try begin("K", digest: "y", run: "r") == .new(run: "r"))
  }

  @Test func aRequestWithoutEffectFreesItsKey() throws {
    _ = try begin(run: "r1")
    try access.store.abandon(actor: "anna", key: "k")
    #expect(try begin(run: "r2") == .new(run: "r2"))
    try access.store.finish(actor: "anna", key: "k", status: 200, body: [], type: "")
    try access.store.abandon(actor: "anna", key: "k")
    guard case .repeats = try begin() else {
      Issue.record("an answered request was forgotten")
      return
    }
  }

  @Test(arguments: ["", String(repeating: "k", count: 256)])
  func keysHaveALength(key: String) { #expect(code { try begin(key) } == .invalidInput) }
}
