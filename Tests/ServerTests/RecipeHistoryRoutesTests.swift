import Access
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// The versions of recipes over the API.
@Suite(.timeLimit(.minutes(3)))
struct RecipeHistoryRoutesTests {
  private static func recipe(_ message: String) -> String {
    "name: greet\nsteps: [{ id: hello, uses: log, with: { message: \"\(message)\" } }]\n"
  }

  private func save(_ server: TestServer, _ token: String, _ message: String) async throws {
    let text = try await server.checked("GET", "/recipes/greet/text", token)
    let saved = try await server.checked(
      "PUT", "/recipes/greet/text", token, ["text": .string(Self.recipe(message))],
      fields: [("If-Match", text.field("etag") ?? "")])
    #expect(saved.status == 200, "\(saved.text)")
  }

  @Test func eachChangeIsAVersionOfItsWriter() async throws {
    let server = try await TestServer(["greet": Self.recipe("one")])
    let (editor, viewer) = (try server.token("editor"), try server.token("viewer"))
    try await save(server, editor, "two")
    try await save(server, editor, "three")
    let listed = try await server.checked("GET", "/recipes/greet/history", viewer)
    #expect(listed.items.map { $0["version"] } == [3, 2, 1], "\(listed.text)")
    #expect(listed.items.map { $0["origin"] } == ["token", "token", "file"])
    #expect(listed.items[0]["actor"]?.stringValue?.hasPrefix("editor-") == true && listed.items[0]["current"] == true)
    let page = try await server.checked("GET", "/recipes/greet/history?limit=2", viewer)
    #expect(page.json["next"] == "2")
    #expect(try await server.checked("GET", "/recipes/greet/history?cursor=2", viewer).items.count == 1)
    let text = try await server.checked("GET", "/recipes/greet/history/1", viewer)
    #expect(text.text == Self.recipe("one") && text.field("content-type") == "application/yaml")
    #expect(try await server.checked("GET", "/recipes/greet/history/9", viewer).code == "unknown_version")
    let difference = try await server.checked("GET", "/recipes/greet/diff?from=1&to=2", viewer)
    #expect(difference.json["hunks"]?[0]?["lines"]?.listValue?.count == 3, "\(difference.text)")
    #expect(try await server.checked("GET", "/recipes/greet/diff", viewer).json["from"] == 2)
    #expect(try await server.checked("GET", "/recipes/greet/diff?from=0", viewer).status == 422)
    try await server.stop()
  }

  @Test func aVersionIsRemovedForGood() async throws {
    let server = try await TestServer(["greet": Self.recipe("one")])
    let (administrator, viewer) = (try server.token(), try server.token("viewer"))
    try await save(server, administrator, "secret")
    try await save(server, administrator, "three")
    let path = "/recipes/greet/history/2"
    #expect(try await server.checked("DELETE", path, viewer).status == 403)
    let removed = try await server.checked("DELETE", path, administrator)
    #expect(removed.status == 200 && removed.json["versions"] == [2] && removed.json["held"] == 0, "\(removed.text)")
    #expect(try await server.checked("GET", path, viewer).code == "unknown_version")
    #expect(try await server.checked("DELETE", path, administrator).status == 404)
    // The file has its text anyhow.
    #expect(try await server.checked("DELETE", "/recipes/greet/history/3", administrator).code == "run_state")
    let listed = try await server.checked("GET", "/recipes/greet/history", viewer)
    #expect(listed.items.map { $0["version"] } == [3, 1], "\(listed.text)")
    let entry = try server.access.audit(limit: 10).first { $0.action == "forgetRecipeVersion" && $0.outcome == "done" }
    #expect(entry?.object == "recipes/greet/history/2" && entry?.before?["versions"] == [2])
    try await server.stop()
  }

  @Test func aRollbackNeedsTheCurrentTextAndAValidVersion() async throws {
    let server = try await TestServer(["greet": Self.recipe("one")])
    let (editor, viewer) = (try server.token("editor"), try server.token("viewer"))
    try await save(server, editor, "two")
    func back(_ version: Int, _ token: String, _ tag: String?) async throws -> HTTPCall.Answer {
      try await server.checked(
        "POST", "/recipes/greet/rollback", token, ["version": .int(Int64(version))],
        fields: tag.map { [("If-Match", $0)] } ?? [])
    }
    let tag = try await server.call("GET", "/recipes/greet/text", viewer).field("etag") ?? ""
    #expect(try await back(1, viewer, tag).status == 403)
    #expect(try await back(1, editor, nil).code == "if_match_missing")
    #expect(try await back(1, editor, "\"other\"").status == 412)
    #expect(try await back(9, editor, tag).status == 404)
    #expect(try await back(2, editor, tag).status == 409)
    let done = try await back(1, editor, tag)
    #expect(done.status == 200 && done.json["version"] == 3 && done.json["restored"] == 1, "\(done.text)")
    #expect(server.place.text("recipes/greet.yaml") == Self.recipe("one"))
    #expect(try await back(2, editor, tag).status == 412)
    #expect(done.field("etag") == (try await server.call("GET", "/recipes/greet/text", viewer).field("etag")))

    // A text that was on the disk with errors is kept when it is overwritten, and cannot come back.
    try server.place.write("recipes/greet.yaml", "name: greet\nsteps: [{ id: a, uses: nothing }]\n")
    let broken = try await server.call("GET", "/recipes/greet/text", viewer).field("etag") ?? ""
    #expect(try await back(2, editor, broken).status == 200)
    let now = try await server.call("GET", "/recipes/greet/text", viewer).field("etag") ?? ""
    let refused = try await back(4, editor, now)
    #expect(refused.status == 422 && refused.code == "invalid_recipe", "\(refused.text)")
    #expect(refused.json["diagnostics"]?.listValue?.isEmpty == false)
    #expect(server.place.text("recipes/greet.yaml") == Self.recipe("two"))
    try await server.stop()
  }

  @Test func theAuditLogHasBothTextsAsDigestsAlone() async throws {
    let server = try await TestServer(["greet": Self.recipe("one")])
    let (editor, administrator) = (try server.token("editor"), try server.token())
    try await save(server, editor, "hunter2 in a recipe")
    let tag = try await server.call("GET", "/recipes/greet/text", editor).field("etag") ?? ""
    _ = try await server.checked(
      "POST", "/recipes/greet/rollback", editor, ["version": 1], fields: [("If-Match", tag)])
    _ = try await server.checked("POST", "/recipes/greet/disable", editor)
    _ = try await server.checked("DELETE", "/recipes/greet", editor)
    _ = try await server.checked("POST", "/recipes", editor, ["name": "new", "text": .string(Self.recipe("new"))])
    let audit = try await server.checked("GET", "/audit", administrator)
    #expect(!audit.text.contains("hunter2"))
    let entries = audit.items.filter { $0["origin"] == "token" }
    #expect(
      entries.map { $0["action"] } == ["createRecipe", "deleteRecipe", "disableRecipe", "rollBackRecipe", "saveRecipe"])
    func numbers(_ entry: Value) -> [Value?] { [entry["before"]?["version"], entry["after"]?["version"]] }
    #expect(numbers(entries[0]) == [nil, 1] && numbers(entries[1]) == [3, nil])
    #expect(entries[2]["changes"]?[0] == ["path": "disabled", "before": false, "after": true])
    #expect(numbers(entries[3]) == [2, 3] && numbers(entries[4]) == [1, 2])
    #expect(
      entries[4]["after"]?["lines"] == "+1 -1" && entries[4]["after"]?["sha256"] == entries[3]["before"]?["sha256"])
    try await server.stop()
  }

  @Test func theAuditLogHasTheDifferenceOfSettings() async throws {
    let server = try await TestServer()
    let source = AuditSource(actor: "test", origin: "command")
    var settings = server.session.project.configuration.audited.mapValue ?? [:]
    settings["listen"] = "127.0.0.1:1"
    // The server has noted its own settings when it began.
    _ = try server.access.note(
      settings: .map(settings), of: server.session.project.configuration.auditedName, by: source, now: SystemTime().now)
    let entries = try server.access.audit(limit: 10).filter { $0.action == "settings.change" }
    #expect(entries.count == 1 && entries.first?.changes.map(\.path) == ["listen"], "\(entries)")
    try await server.stop()
  }

  @Test func aDeletedRecipeHasAHistoryForThoseWhoMaySeeIt() async throws {
    let server = try await TestServer(["greet": Self.recipe("one")])
    let (editor, guest) = (try server.token("editor"), try server.token("viewer", scopes: ["runs:read"]))
    #expect(try await server.checked("DELETE", "/recipes/greet", editor).status == 204)
    let listed = try await server.checked("GET", "/recipes/greet/history", editor)
    #expect(listed.items.map { $0["deleted"] } == [true, false], "\(listed.text)")
    #expect(try await server.checked("GET", "/recipes/greet/history", guest).status == 403)
    let back = try await server.checked("POST", "/recipes/greet/rollback", editor, ["version": 1])
    #expect(back.status == 200 && back.json["version"] == 3, "\(back.text)")
    #expect(server.place.text("recipes/greet.yaml") == Self.recipe("one"))
    try await server.stop()
  }

  @Test func aRoleForAFolderSeesNoOtherHistory() async throws {
    let server = try await TestServer(["private": Self.recipe("secret").replacing("greet", with: "private")])
    let source = AuditSource(actor: "test", origin: "command")
    try server.access.saveRole(
      AccessRole(
        name: "guest", title: .init(verbatim: "Guest"),
        rules: [AccessRule("recipes/shared: read=all create=all update=all")]),
      by: source, now: SystemTime().now)
    let (guest, editor) = (try server.token("guest"), try server.token("editor"))
    for path in ["/history", "/history/1", "/diff"] {
      #expect(try await server.checked("GET", "/recipes/private" + path, guest).status == 404, "\(path)")
    }
    #expect(try await server.checked("POST", "/recipes/private/rollback", guest, ["version": 1]).status == 404)
    #expect(try await server.checked("DELETE", "/recipes/private", editor).status == 204)
    #expect(try await server.checked("GET", "/recipes/private/history", guest).status == 404)
    #expect(try await server.checked("POST", "/recipes/private/rollback", guest, ["version": 1]).status == 404)
    try await server.stop()
  }
}
