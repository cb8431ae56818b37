import Access
import Engine
import Expressions
import Localization
import TestWorkspace
import Testing

@testable import Server

/// Completion and hover over the API.
@Suite(.timeLimit(.minutes(3)))
struct AssistanceRoutesTests {
  private func body(_ marked: String, recipe: String? = nil) -> Value {
    let parts = marked.split(separator: "¦", omittingEmptySubsequences: false)
    var map: ValueMap = ["text": .string(parts.joined()), "offset": .int(Int64(parts[0].utf8.count))]
    if let recipe { map["recipe"] = .string(recipe) }
    return .map(map)
  }

  private func labels(_ answer: HTTPCall.Answer) -> [String] {
    (answer.json["items"]?.listValue ?? []).compactMap { $0["label"]?.stringValue }
  }

  @Test func keysActionsAndProvidersAreSuggested() async throws {
    let server = try await TestServer(configuration: "providers: { home: { plugin: maildir, path: box } }\n")
    try await server.readManifests()
    let token = try server.token("viewer")
    let keys = try await server.checked("POST", "/completion", token, body("name: ü\nst¦\n"))
    let steps = try #require(keys.json["items"]?.listValue?.first)
    #expect(steps["label"] == "steps" && steps["from"] == 9 && steps["to"] == 11, "\(keys.text)")
    let actions = try await server.checked("POST", "/completion", token, body("steps:\n  - uses: state.¦\n"))
    #expect(labels(actions).contains("state.increment"), "\(actions.text)")
    let providers = "steps:\n  - uses: mail.search\n    provider: ¦\n"
    #expect(labels(try await server.checked("POST", "/completion", token, body(providers))).contains("home"))
    let german = try await server.checked(
      "POST", "/hover", token, body("steps:\n  - us¦es: log\n"), fields: [("Accept-Language", "de")])
    let english = try await server.checked("POST", "/hover", token, body("steps:\n  - us¦es: log\n"))
    #expect(english.json["text"]?.stringValue != nil && english.json["text"] != german.json["text"], "\(german.text)")
    #expect(try await server.checked("POST", "/hover", token, body("¦\n")).json["text"] == .null)
    try await server.stop()
  }

  @Test func wrongPlacesAreRefusedAndNothingIsRecorded() async throws {
    let server = try await TestServer()
    let token = try server.token("administrator")
    let before = try await server.call("GET", "/audit", token).items.count
    #expect(try await server.checked("POST", "/completion", token, ["text": "ab", "offset": 3]).status == 422)
    #expect(try await server.checked("POST", "/completion", token, ["text": "ab", "offset": -1]).status == 422)
    #expect(try await server.checked("POST", "/hover", token, ["text": "ab"]).status == 422)
    #expect(try await server.checked("POST", "/completion", token, body("¦", recipe: "no such")).status == 200)
    // Each keystroke would be an entry.
    #expect(try await server.call("GET", "/audit", token).items.count == before)
    try await server.stop()
  }

  /// Names of other recipes and of providers are for those who may read them.
  @Test func aRoleForAFolderSeesNoOtherNames() async throws {
    let recipe = "name: NAME\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"
    let server = try await TestServer(
      ["secret-plan": recipe.replacing("NAME", with: "secret-plan")],
      configuration: "providers: { home: { plugin: maildir, path: box } }\n")
    try await server.readManifests()
    try server.place.makeFolder("recipes/shared")
    try server.place.write("recipes/shared/open.yaml", recipe.replacing("NAME", with: "open"))
    try server.place.write("recipes/shared/other.yaml", recipe.replacing("NAME", with: "other"))
    try server.access.saveRole(
      AccessRole(
        name: "guest", title: .init(verbatim: "Guest"), rules: [AccessRule("recipes/shared: read=all update=all")]),
      by: AuditSource(actor: "test", origin: "command"), now: SystemTime().now)
    let (guest, viewer) = (try server.token("guest"), try server.token("viewer"))
    let call = "steps:\n  - uses: recipe\n    with: { recipe: ¦ }\n"
    #expect(labels(try await server.checked("POST", "/completion", viewer, body(call))).contains("secret-plan.yaml"))
    let seen = labels(try await server.checked("POST", "/completion", guest, body(call, recipe: "open")))
    #expect(seen.contains("other.yaml") && !seen.contains("secret-plan.yaml"), "\(seen)")
    #expect(
      try await !labels(server.checked("POST", "/completion", guest, body(call))).contains("secret-plan.yaml"))
    let providers = body("steps:\n  - uses: mail.search\n    provider: ¦\n", recipe: "open")
    #expect(try await labels(server.checked("POST", "/completion", guest, providers)).isEmpty)
    try await server.stop()
  }
}
