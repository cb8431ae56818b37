import Access
import Foundation
import Localization
import Testing

/// Roles, rules and scopes.
struct RightsTests {
  /// The table of docs/access.md: object, then the verbs of each built-in role.
  private static func documented() throws -> [String: [String]] {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/access.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(
      lines.firstIndex { $0.hasPrefix("| object | viewer | operator | editor | administrator |") })
    var table: [String: [String]] = [:]
    for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      table[cells[0].filter { $0 != "`" }] = Array(cells[1...])
    }
    return table
  }

  @Test func builtInRolesGrantWhatThePageSays() throws {
    let table = try Self.documented()
    #expect(Set(table.keys) == Set(AccessObject.allCases.map(\.rawValue)))
    for object in AccessObject.allCases {
      let cells = try #require(table[object.rawValue])
      for (role, cell) in zip(AccessRole.builtIn, cells) {
        let verbs = AccessVerb.allCases.filter { role.scope($0, object) == .all }.map(\.rawValue)
        let words = verbs.isEmpty ? "–" : verbs.joined(separator: ", ")
        #expect(words == cell, "\(role.name) \(object)")
        // A built-in role has no smaller scope.
        #expect(AccessVerb.allCases.allSatisfy { [.all, .none].contains(role.scope($0, object)) })
      }
    }
  }

  @Test func noRuleTokenOrRoleReadsSecrets() throws {
    #expect(code { try AccessRule(.secrets, read: .my) } == .invalidRule)
    #expect(code { try AccessRule("secrets: read=all") } == .invalidRule)
    #expect(code { try TokenScope("secrets:read", roles: AccessRole.builtIn) } == .invalidRule)
    for role in AccessRole.builtIn {
      #expect(Actor(user: "a", roles: [role]).may(.read, .secrets, owner: "a") == false)
    }
    #expect(Actor(user: "a", roles: [.administrator]).may(.update, .secrets))
  }

  @Test(arguments: [
    "runs: read=all create=my", "recipes/invoices/2026: read=group", "notes: read=my create=my update=my delete=my",
    "decisions/a b: update=all",
  ])
  func rulesAreReadAsTheyAreWritten(text: String) throws { #expect(try AccessRule(text).text == text) }

  @Test(arguments: [
    "", "runs", "runs:", "runs: read", "runs: read=some", "runs: read=all read=my", "walks: read=all",
    "runs: read=none",
    "recipes/../x: read=all", "recipes/: read=all", "notes/x: read=all", "runs: watch=all",
  ])
  func malformedRulesAreRefused(text: String) { #expect(code { try AccessRule(text) } == .invalidRule) }

  @Test(
    arguments: [
      ("invoices", true), ("invoices/2026", true), ("invoices/2026/q1", true), ("invoicesX", false), ("", false),
      ("other", false), ("invoices/../other", false), ("/invoices/", true),
    ] as [(String, Bool)])
  func aFolderCountsForWhatIsInIt(folder: String, isInside: Bool) throws {
    let role = try AccessRole(
      name: "clerk", title: LocalizedText(verbatim: ""),
      rules: [try AccessRule("recipes/invoices: read=all"), try AccessRule("runs/invoices: create=all")])
    let actor = Actor(user: "a", roles: [role])
    #expect(actor.may(.read, .recipes, folder: folder) == isInside)
    #expect(actor.may(.create, .runs, folder: folder) == isInside)
    #expect(!actor.may(.read, .recipes) && !actor.may(.update, .recipes, folder: folder))
    #expect(actor.mayAnywhere(.read, .recipes) && !actor.mayAnywhere(.delete, .recipes))
  }

  @Test(
    arguments: [
      (.none, "a", [], false), (.my, "a", [], true), (.my, "b", ["g"], false), (.group, "b", ["g"], true),
      (.group, "b", ["h"], false), (.group, "a", [], true), (.all, "b", [], true), (.my, nil, [], false),
      (.group, nil, ["g"], true), (.group, nil, [], false), (.all, nil, [], true),
    ] as [(AccessScope, String?, Set<String>, Bool)])
  func scopesDecideByOwnerAndGroup(scope: AccessScope, owner: String?, groups: Set<String>, isAllowed: Bool) throws {
    let rules = [try AccessRule(.runs, read: scope), try AccessRule(.notes, read: .all)]
    let actor = Actor(
      user: "a", groups: ["g"],
      roles: [try AccessRole(name: "r", title: LocalizedText(verbatim: ""), rules: rules)])
    #expect(actor.may(.read, .runs, owner: owner, ownerGroups: groups) == isAllowed)
  }

  @Test func aNewObjectBelongsToItsMaker() throws {
    let rules = [try AccessRule("runs: create=my")]
    let actor = Actor(user: "a", roles: [try AccessRole(name: "r", title: LocalizedText(verbatim: ""), rules: rules)])
    #expect(actor.may(.create, .runs))
    #expect(!actor.may(.create, .runs, owner: "b"))
  }

  @Test func theLargestScopeOfTheRolesCounts() throws {
    let own = try AccessRole(
      name: "own", title: LocalizedText(verbatim: ""), rules: [try AccessRule("runs: read=my update=group")])
    let actor = Actor(user: "a", roles: [own, .viewer])
    #expect(actor.scope(.read, .runs) == .all && actor.scope(.update, .runs) == .group)
  }

  @Test func tokensNarrowAndNeverWiden() throws {
    func actor(_ role: AccessRole, _ scopes: [String]) throws -> Actor {
      Actor(
        user: "a", roles: [role], origin: .token("1"),
        limits: try scopes.map { try TokenScope($0, roles: AccessRole.builtIn) })
    }
    let narrow = try actor(.administrator, ["runs:create", "viewer"])
    #expect(narrow.may(.create, .runs) && narrow.may(.read, .notes))
    #expect(!narrow.may(.update, .runs) && !narrow.may(.read, .users) && !narrow.may(.create, .secrets))
    let wide = try actor(.viewer, ["administrator", "runs:create"])
    for object in AccessObject.allCases {
      for verb in AccessVerb.allCases {
        #expect(wide.may(verb, object) == Actor(user: "a", roles: [.viewer]).may(verb, object))
      }
    }
    // A list whose scopes are all gone leaves nothing.
    #expect(!Actor(user: "a", roles: [.administrator], limits: []).may(.read, .runs))
  }

  @Test(arguments: [
    ("walks:read", AccessError.Code.invalidRule), ("runs:walk", .invalidRule), ("runs:read:x", .invalidRule),
    ("boss", .unknownRole),
  ])
  func unknownScopesAreRefused(text: String, expected: AccessError.Code) {
    #expect(code { try TokenScope(text, roles: AccessRole.builtIn) } == expected)
  }

  @Test(arguments: ["viewer", "", "Upper", "-x", "a b", "a@b", String(repeating: "a", count: 65)])
  func ownRolesHaveNamesOfTheirOwn(name: String) {
    let made = code {
      try AccessRole(name: name, title: LocalizedText(verbatim: ""), rules: [try AccessRule("runs: read=all")])
    }
    #expect(made == (name == "viewer" ? .roleExists : .invalidInput))
  }

  @Test func theOverviewNamesRightsAndTheirRoles() throws {
    let clerk = try AccessRole(
      name: "clerk", title: LocalizedText(verbatim: ""),
      rules: [try AccessRule("recipes/invoices: update=all"), try AccessRule("notes: read=my")])
    let rows = AccessOverview.rows([Actor(user: "a", roles: [clerk]), Actor(user: "b", roles: [.viewer, clerk])])
    let own = rows.filter { $0.user == "a" }
    #expect(own.map(\.object) == [.recipes, .notes] && own.map(\.folder) == ["invoices", nil])
    let recipes = rows.filter { $0.user == "b" && $0.object == .recipes }
    #expect(recipes.map(\.folder) == [nil, "invoices"])
    #expect(recipes.map { $0.scopes[.update] } == [AccessScope.none, .all])
    #expect(recipes.last?.roles == ["viewer", "clerk"])
    #expect(!rows.contains { $0.object == .secrets })
  }

  @Test func nobodyGrantsMoreThanTheyHave() throws {
    let keeper = try AccessRole(
      name: "keeper", title: LocalizedText(verbatim: ""),
      rules: [try AccessRule("users: read=all create=all update=all"), try AccessRule("recipes/a: read=all")])
    let actor = Actor(user: "a", roles: [.operator, keeper])
    #expect(actor.hasRights(of: .viewer) && actor.hasRights(of: .operator) && actor.hasRights(of: keeper))
    #expect(!actor.hasRights(of: .editor) && !actor.hasRights(of: .administrator))
    #expect(Actor(user: "a", roles: [.administrator]).hasRights(of: .administrator))
    #expect(Actor(user: "a", roles: [.administrator]).hasRights(of: keeper))
    let limited = Actor(user: "a", roles: [.administrator], limits: [.role(.viewer)])
    #expect(limited.hasRights(of: .viewer) && !limited.hasRights(of: .operator))
  }
}
