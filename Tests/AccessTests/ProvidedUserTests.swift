import Expressions
import Localization
import Testing

@testable import Access

/// Users whom an identity provider describes.
@Suite struct ProvidedUserTests {
  private func provided(
    _ subject: String = "1", _ names: [String] = ["anna"], roles: Set<String> = ["viewer"], groups: [String] = []
  ) -> ProvidedUser {
    ProvidedUser(
      identity: AccessUser.Identity(issuer: "https://id.example.com", subject: subject), names: names, groups: groups,
      roles: roles)
  }

  @Test(arguments: [
    (["Anna"], "anna"), (["Jürgen Müller"], "jurgen-muller"), (["anna@example.org"], "anna@example.org"),
    (["DOMAIN\\anna"], "domain-anna"), (["  anna  "], "anna"), (["..anna"], "anna"), (["李"], "user"),
    (["", "b@example.org"], "b@example.org"), ([], "user"), (["erased-7"], "user-7"),
    (["'; DROP TABLE users"], "drop-table-users"),
    ([String(repeating: "a", count: 100)], String(repeating: "a", count: 60)),
  ])
  func namesBecomeValid(_ names: [String], _ wanted: String) {
    let name = provided("1", names).userName
    #expect(name == wanted && AccessName.isValid(name))
  }

  @Test func groupsThatCannotBeStoredAreLeftOut() {
    #expect(
      provided(groups: ["/staff", "Office", "Domain Users", "", "/", "a/b", "ä"]).storedGroups == ["staff", "office"])
  }

  @Test func aFullNameBecomesOneShortLine() {
    var user = provided()
    user.fullName = "Anna\nMuster\u{7F}" + String(repeating: "ü", count: 300)
    let name = user.storedFullName ?? ""
    #expect(name.hasPrefix("Anna Muster ü") && name.utf8.count <= 400 && name.utf8.count > 390)
  }

  @Test func theIdentityDecidesNotTheName() throws {
    let access = try TemporaryAccess()
    try access.add("anna", roles: ["administrator"])
    #expect(try access.store.signIn(provided("1"), address: nil, now: .start).actor.user == "anna-2")
    #expect(try access.store.signIn(provided("2"), address: nil, now: .start).actor.user == "anna-3")
    #expect(try access.store.signIn(provided("1", ["berta"]), address: nil, now: .start).actor.user == "anna-2")
    #expect(try access.store.user("anna").identity == nil)
  }

  @Test func theFirstUserGetsOnlyTheRolesOfTheProvider() throws {
    let access = try TemporaryAccess()
    _ = try access.store.signIn(provided(roles: ["viewer"]), address: nil, now: .start)
    #expect(try access.store.user("anna").roles == ["viewer"])
  }

  @Test func anUnknownRoleAddsNoUser() throws {
    let access = try TemporaryAccess()
    #expect(code { try access.store.signIn(provided(roles: ["chef"]), address: nil, now: .start) } == .unknownRole)
    #expect(try access.store.users().isEmpty)
  }

  @Test func aDisabledUserStaysAsItIs() throws {
    let access = try TemporaryAccess()
    _ = try access.store.signIn(provided(), address: nil, now: .start)
    try access.store.setDisabled(true, user: "anna", by: TemporaryAccess.source, now: .start)
    #expect(
      code { try access.store.signIn(provided(roles: ["editor"]), address: nil, now: .start) } == .signInRefused)
    #expect(try access.store.user("anna").roles == ["viewer"])
  }

  @Test func signInsAtTheSameMomentAddOneUser() async throws {
    let access = try TemporaryAccess()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try access.store.signIn(provided(), address: nil, now: .start).actor.user }
      }
      for try await name in group { #expect(name == "anna") }
    }
    #expect(try access.store.users().count == 1)
  }
}
