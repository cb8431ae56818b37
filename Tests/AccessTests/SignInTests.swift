import Access
import Expressions
import Glibc
import Localization
import Testing

/// Sessions, failures and tokens.
struct SignInTests {
  @Test func aSessionNeedsTheRightPassword() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let signedIn = try access.signIn("anna")
    #expect(signedIn.secret.count == 43 && signedIn.actor.user == "anna" && signedIn.actor.origin == .session)
    #expect(signedIn.actor.roles == [.administrator])
    #expect(try access.store.actor(session: signedIn.secret, now: .start).actor == signedIn.actor)
    #expect(code { try access.signIn("anna", "wrong password") } == .signInRefused)
    #expect(code { try access.signIn("otto") } == .signInRefused)
    #expect(code { try access.signIn("anna", String(repeating: "x", count: 5000)) } == .signInRefused)
    #expect(code { try access.store.actor(session: "", now: .start) } == .unknownSession)
    #expect(code { try access.store.actor(session: signedIn.session.id, now: .start) } == .unknownSession)
    let bytes = try access.fileBytes()
    #expect(!bytes.contains(signedIn.secret) && !bytes.contains(TemporaryAccess.password))
  }

  @Test func failuresCloseSignInForLongerAndLonger() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    var now = Timestamp.start
    for _ in 1...5 {
      #expect(code { try access.signIn("anna", "wrong password", address: nil, at: now) } == .signInRefused)
    }
    for pause in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
      do throws(AccessError) {
        // Also with the right password.
        _ = try access.signIn("anna", address: nil, at: now)
        Issue.record("not locked out")
      } catch {
        #expect(error.code == .lockedOut && error.retryAfter == pause)
      }
      now = now.after(pause)
      #expect(code { try access.signIn("anna", "wrong password", address: nil, at: now) } == .signInRefused)
    }
    now = now.after(900)
    _ = try access.signIn("anna", address: nil, at: now)
    #expect(try access.store.failures(user: "anna") == nil)
  }

  @Test func anAddressIsClosedForAllNames() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    for name in ["a", "b", "c", "d", "e"] { #expect(code { try access.signIn(name) } == .signInRefused) }
    #expect(code { try access.signIn("anna") } == .lockedOut)
    _ = try access.signIn("anna", address: "192.0.2.2")
    // A success does not clear the failures of the address.
    _ = try access.signIn("anna", at: .start.after(1))
    #expect(code { try access.signIn("x", at: .start.after(1)) } == .signInRefused)
    #expect(code { try access.signIn("anna", at: .start.after(2)) } == .lockedOut)
  }

  /// Seconds of the processor that this thread has used: a busy machine changes little of them.
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(.timeLimit(.minutes(1))) func aWrongNameTakesAsLongAsAWrongPassword() throws {
    var limits = AccessLimits.standard
    limits.passwordCost = try #require(PasswordCost(logarithm: 13, blockSize: 8, parallelism: 1))
    let access = try TemporaryAccess(limits)
    try access.add("anna")
    try access.add("token-only", password: nil)
    func shortest(_ name: String) -> Double? {
      (0..<4).map { number in
        let began = processorTime
        _ = code { try access.signIn(name, "wrong password", address: nil, at: .start.after(Double(number) * 2000)) }
        return processorTime - began
      }.min()
    }
    let password = try #require(shortest("anna"))
    for name in ["nobody", "token-only", "Not A Name"] {
      #expect(try #require(shortest(name)) > password / 3, "\(name)")
    }
  }

  @Test func aNameThatCannotBeAUserIsNotStored() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let typed = "My Secret Passphrase"
    #expect(code { try access.signIn(typed) } == .signInRefused)
    #expect(code { try access.signIn("otto") } == .signInRefused)
    #expect(try !access.fileBytes().contains(typed))
    #expect(try access.store.audit(limit: 2).map(\.object) == ["users", "users"])
  }

  @Test func anOldHashIsRenewed() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let before = try access.storedPassword("anna")
    var limits = AccessLimits.quick
    limits.passwordCost = try #require(PasswordCost(logarithm: 5, blockSize: 8, parallelism: 1))
    let later = try AccessStore.opened(access.path, limits: limits)
    defer { later.close() }
    _ = try later.signIn(user: "anna", password: TemporaryAccess.password, address: nil, now: .start)
    let after = try access.storedPassword("anna")
    #expect(before.hasPrefix("$scrypt$ln=4,") && after.hasPrefix("$scrypt$ln=5,"))
    _ = try access.signIn("anna")
    #expect(try access.storedPassword("anna") == after)
  }

  @Test func sessionsEndByIdleTimeAndByAge() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let idle = try access.signIn("anna")
    #expect(code { try access.store.actor(session: idle.secret, now: .start.after(8 * 3600)) } == .expired)
    var now = Timestamp.start
    let used = try access.signIn("anna")
    while now < .start.after(30 * 86_400 - 7 * 3600) {
      now = now.after(7 * 3600)
      if now < .start.after(30 * 86_400) { _ = try access.store.actor(session: used.secret, now: now) }
    }
    #expect(code { try access.store.actor(session: used.secret, now: .start.after(30 * 86_400)) } == .expired)
    #expect(try access.store.sessions(now: .start.after(30 * 86_400)) == [])
  }

  @Test func theLastUseIsWrittenOnceAMinute() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let secret = try access.signIn("anna").secret
    _ = try access.store.actor(session: secret, now: .start.after(59))
    #expect(try access.store.sessions(now: .start)[0].lastUsed == .start)
    _ = try access.store.actor(session: secret, now: .start.after(60))
    #expect(try access.store.sessions(now: .start)[0].lastUsed == .start.after(60))
  }

  @Test func eachSignInHasASessionOfItsOwn() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let first = try access.signIn("anna")
    let second = try access.signIn("anna", former: first.secret)
    #expect(first.secret != second.secret && first.session.id != second.session.id)
    #expect(code { try access.store.actor(session: first.secret, now: .start) } == .unknownSession)
    try access.store.signOut(second.secret, address: nil, now: .start)
    #expect(code { try access.store.actor(session: second.secret, now: .start) } == .unknownSession)
  }

  @Test func forgeryTokensBelongToOneSession() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let (first, second) = (try access.signIn("anna"), try access.signIn("anna"))
    #expect(RequestForgery.isValid(first.forgeryToken, session: first.secret))
    #expect(!RequestForgery.isValid(first.forgeryToken, session: second.secret))
    #expect(!RequestForgery.isValid("", session: first.secret))
    #expect(!first.forgeryToken.contains(first.secret))
  }

  @Test func aNewPasswordAndOtherRolesEndTheOtherSessions() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto", roles: ["viewer"])
    let (own, other, foreign) = (try access.signIn("otto"), try access.signIn("otto"), try access.signIn("anna"))
    func isOpen(_ signedIn: SignedIn) -> Bool {
      code { try access.store.actor(session: signedIn.secret, now: .start) } == nil
    }
    try access.store.setPassword(
      "another good one", of: "otto", keeping: own.session.id, by: TemporaryAccess.source, now: .start)
    #expect(isOpen(own) && !isOpen(other) && isOpen(foreign))
    #expect(code { try access.signIn("otto") } == .signInRefused)
    try access.store.changeUser("otto", UserChange(fullName: "Otto"), by: TemporaryAccess.source, now: .start)
    #expect(isOpen(own))
    try access.store.changeUser("otto", UserChange(roles: ["editor"]), by: TemporaryAccess.source, now: .start)
    #expect(!isOpen(own) && isOpen(foreign))
  }

  @Test func aDisabledUserIsOutAtOnce() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto", roles: ["viewer"])
    let session = try access.signIn("otto")
    let token = try access.store.addToken(name: "t", user: "otto", by: TemporaryAccess.source, now: .start).text
    try access.store.setDisabled(true, user: "otto", by: TemporaryAccess.source, now: .start)
    #expect(code { try access.store.actor(session: session.secret, now: .start) } == .unknownSession)
    #expect(code { try access.store.actor(token: token, now: .start) } == .signInRefused)
    #expect(code { try access.signIn("otto") } == .signInRefused)
    #expect(code { try access.store.openSession(user: "otto", address: nil, now: .start) } == .signInRefused)
    try access.store.setDisabled(false, user: "otto", by: TemporaryAccess.source, now: .start)
    _ = try access.store.actor(token: token, now: .start)
  }

  @Test func aLookAtTheRightsIsNoUse() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let secret = try access.signIn("anna").secret
    let token = try access.store.addToken(name: "t", user: "anna", by: TemporaryAccess.source, now: .start).text
    let later = Timestamp.start.after(3600)
    _ = try access.store.actor(session: secret, isUse: false, now: later)
    _ = try access.store.actor(token: token, isUse: false, now: later)
    #expect(try access.store.sessions(now: later).map(\.lastUsed) == [.start])
    #expect(try access.store.tokens().map(\.lastUsed) == [nil])
  }

  @Test func tokensAreShownOnceAndExpire() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let made = try access.store.addToken(
      name: "backup", user: "anna", scopes: ["runs:create", "runs:create"], expires: .start.after(3600),
      by: TemporaryAccess.source, now: .start)
    #expect(made.text.wholeMatch(of: /sous_[A-Za-z0-9_-]{43}/) != nil)
    #expect(try !access.fileBytes().contains(made.text.dropFirst(5)))
    let actor = try access.store.actor(token: made.text, now: .start.after(10))
    #expect(actor.origin == .token(made.token.id) && actor.may(.create, .runs) && !actor.may(.read, .runs))
    let used = try access.store.tokens(user: "anna")
    #expect(used.map(\.lastUsed) == [.start.after(10)] && used.map(\.scopes) == [["runs:create"]])
    _ = try access.store.actor(token: made.text, now: .start.after(69))
    #expect(try access.store.tokens()[0].lastUsed == .start.after(10))
    #expect(code { try access.store.actor(token: made.text, now: .start.after(3600)) } == .expired)
    for wrong in ["", "sous_", made.text + "x", String(made.text.dropLast()) + "!", made.token.id] {
      #expect(code { try access.store.actor(token: wrong, now: .start) } == .unknownToken)
    }
    try access.store.removeToken("backup", by: TemporaryAccess.source, now: .start)
    #expect(code { try access.store.actor(token: made.text, now: .start) } == .unknownToken)
  }

  @Test func aTokenWhoseRoleIsGoneGrantsNothing() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    let role = try AccessRole(
      name: "clerk", title: .init(verbatim: ""), rules: [try AccessRule("runs: read=all")])
    try access.store.saveRole(role, by: TemporaryAccess.source, now: .start)
    let made = try access.store.addToken(
      name: "t", user: "anna", scopes: ["clerk"], by: TemporaryAccess.source, now: .start)
    #expect(code { try access.store.removeRole("clerk", by: TemporaryAccess.source, now: .start) } == .roleInUse)
    #expect(try access.store.actor(token: made.text, now: .start).may(.read, .runs))
    try access.execute("DELETE FROM roles")
    #expect(try !access.store.actor(token: made.text, now: .start).mayAnywhere(.read, .runs))
  }
}
