import Expressions
import Foundation
import Testing

@testable import sous

/// `sous recipes history`, `diff` and `rollback`.
@Suite(.timeLimit(.minutes(5))) struct RecipesHistoryCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
  }

  private func recipe(_ message: String, name: String = "greet") -> String {
    "name: \(name)\nsteps:\n  - { id: a, uses: log, with: { message: \"\(message)\" } }\n"
  }

  private func history(_ name: String = "greet") throws -> [Value] {
    try sous("recipes", "history", name, "--json").json.listValue ?? []
  }

  /// Lets a daemon serve until a condition holds.
  private func serve(until condition: () throws -> Bool) async throws {
    let daemon = try sous.serve()
    defer {
      daemon.terminate()
      daemon.waitUntilExit()
    }
    try await sous.wait { try condition() }
  }

  private func code(_ outcome: SousProcess.Outcome) throws -> String? {
    let last = outcome.errors.split(separator: "\n").last.map { Array($0.utf8) } ?? []
    return try Value(json: last)["error"]?["code"]?.stringValue
  }

  @Test func theDaemonKeepsWhatItServesAndARollbackIsAVersion() async throws {
    defer { sous.remove() }
    try sous.write("recipes/greet.yaml", recipe("one"))
    #expect(try sous("recipes", "history", "greet").output.contains("No versions"))
    try await serve { try history().count == 1 }
    try sous.write("recipes/greet.yaml", recipe("two"))
    try await serve { try history().count == 2 }
    // A text with errors is not served.
    try sous.write("recipes/greet.yaml", "name: greet\nsteps: [{ id: a, uses: nothing }]\n")
    try await serve { try sous("status").output.contains("unknown action") }
    #expect(try history().map { $0["version"] } == [2, 1])
    #expect(try history().map { $0["origin"] } == ["file", "file"] && history().allSatisfy { $0["actor"] == .null })

    let back = try sous("recipes", "rollback", "greet", "1", "--json")
    #expect(try back.json["version"] == 4 && back.json["restored"] == 1, "\(back)")
    let text = FileManager.default.contents(atPath: sous.folder + "/recipes/greet.yaml") ?? Data()
    #expect(String(decoding: text, as: UTF8.self) == recipe("one"))
    // The text that was overwritten is kept too, although it was never served.
    let versions = try history()
    #expect(versions.map { $0["version"] } == [4, 3, 2, 1] && versions[0]["current"] == true)
    #expect(versions[0]["origin"] == "command" && versions[0]["actor"]?.stringValue?.isEmpty == false)

    let same = try sous("recipes", "rollback", "greet", "1", "--json")
    #expect(try same.status == 2 && code(same) == "run_state")
    let none = try sous("recipes", "rollback", "greet", "9", "--json")
    #expect(try none.status == 2 && code(none) == "unknown_version")
    let broken = try sous("recipes", "rollback", "greet", "3", "--json")
    #expect(try broken.status == 2 && code(broken) == "invalid_recipe")
    let spoken = try sous("recipes", "rollback", "greet", "3")
    #expect(spoken.errors.contains("nothing was changed") && spoken.errors.contains("nothing"), "\(spoken)")
    #expect(try history().count == 4)
  }

  /// Commands are in the audit log once the server has users.
  @Test func theAuditLogNamesTheChange() throws {
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: box, create: true } }\n")
    #expect(try sous("recipes", "new", "early").status == 0)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/.sous/access.db"))
    #expect(try sous("users", "add", "anna", "--no-password").status == 0)
    #expect(try sous("recipes", "new", "greet").status == 0)
    try sous.write("recipes/greet.yaml", recipe("two"))
    #expect(try sous("recipes", "rollback", "greet", "1").status == 0)
    #expect(try sous("recipes", "disable", "greet").status == 0)
    #expect(try sous("providers", "default", "home", "--for", "mail.store").status == 0)
    #expect(try sous("providers", "default", "home", "--for", "mail.transport").status == 0)
    let entries = try sous("audit", "--json").json.listValue ?? []
    #expect(
      entries.compactMap { $0["action"]?.stringValue }
        == ["settings.change", "settings.change", "recipe.disable", "recipe.rollback", "recipe.new", "user.add"])
    #expect(
      entries[0]["changes"]?.listValue?.compactMap { $0["path"]?.stringValue } == ["defaults.mail.transport", "sha256"])
    #expect(entries[3]["before"]?["version"] == 2 && entries[3]["after"]?["version"] == 3)
    let table = try sous("audit").output
    #expect(table.contains("version: 2 → 3") && table.contains("lines: – → +"), "\(table)")
    #expect(!table.contains("full_name"))
  }

  @Test func differencesAreShown() async throws {
    defer { sous.remove() }
    for (count, message) in ["one", "two", "three"].enumerated() {
      try sous.write("recipes/greet.yaml", recipe(message))
      try await serve { try history().count == count + 1 }
    }
    let change = { (old: String, new: String) in
      "-  - { id: a, uses: log, with: { message: \"\(old)\" } }\n+  - { id: a, uses: log, with: { message: \"\(new)\" } }\n"
    }
    #expect(try sous("recipes", "diff", "greet").output.hasSuffix(" steps:\n" + change("two", "three")))
    #expect(try sous("recipes", "diff", "greet", "1").output.hasSuffix(change("one", "three")))
    let pair = try sous("recipes", "diff", "greet", "1", "2", "--json").json
    #expect(pair["from"] == 1 && pair["to"] == 2 && pair["text"]?.stringValue?.hasSuffix(change("one", "two")) == true)
    #expect(try sous("recipes", "diff", "greet", "2", "2").output == "no difference\n")
    #expect(
      try sous("recipes", "diff", "greet", "1", "2", "--lang", "de").output.hasPrefix("--- Fassung 1\n+++ Fassung 2\n"))
    #expect(try sous("recipes", "diff", "other").status == 2)
  }

  @Test func aNewRecipeHasAWriterAndADeletedOneComesBack() throws {
    defer { sous.remove() }
    #expect(try sous("recipes", "new", "greet").status == 0)
    #expect(try sous("recipes", "duplicate", "greet", "copy").status == 0)
    #expect(try history().map { $0["origin"] } == ["command"] && history("copy").map { $0["origin"] } == ["command"])
    let file = sous.folder + "/recipes/greet.yaml"
    let text = FileManager.default.contents(atPath: file)
    try FileManager.default.removeItem(atPath: file)
    #expect(try history().map { $0["current"] } == [false])
    #expect(try sous("recipes", "rollback", "greet", "1", "--json").json["version"] == 2)
    #expect(FileManager.default.contents(atPath: file) == text)
  }

  @Test func versionsAreForgottenButNotTheTextOfTheFile() throws {
    defer { sous.remove() }
    #expect(try sous("users", "add", "anna", "--no-password").status == 0)
    #expect(try sous("recipes", "new", "greet").status == 0)
    try sous.write("recipes/greet.yaml", recipe("secret"))
    #expect(try sous("recipes", "rollback", "greet", "1").status == 0)
    #expect(try history().map { $0["version"] } == [3, 2, 1])
    let refused = try sous("recipes", "forget", "greet", "3", "--json")
    #expect(try refused.status == 2 && code(refused) == "run_state", "\(refused)")
    let one = try sous("recipes", "forget", "greet", "2")
    #expect(one.output == "1 version of recipes/greet.yaml is removed\n", "\(one)")
    #expect(try code(sous("recipes", "forget", "greet", "2", "--json")) == "unknown_version")
    // The text of version 1 is that of the file, which version 3 keeps.
    let all = try sous("recipes", "forget", "greet", "--json").json
    #expect(all["versions"] == [1] && all["held"] == 1, "\(all)")
    #expect(try history().map { $0["version"] } == [3])
    let entries = try sous("audit", "--json").json.listValue ?? []
    #expect(entries.filter { $0["action"] == "recipe.forget" }.map { $0["before"]?["versions"] } == [[1], [2]])
    try FileManager.default.removeItem(atPath: sous.folder + "/recipes/greet.yaml")
    #expect(try sous("recipes", "forget", "greet", "--lang", "de").output.hasPrefix("1 Fassung von "))
    #expect(try sous("recipes", "history", "greet").status == 2)
  }

  /// The command names its option for a missing input; the API does not have it.
  @Test func aMissingInputIsReportedWithItsOption() throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/count.yaml",
      "name: count\ninputs: { n: { type: integer } }\n" + "steps: [{ id: a, uses: log, with: { message: hi } }]\n")
    let missing = try sous("run", "count")
    #expect(missing.status == 2 && missing.errors.contains("-i n=…"), "\(missing)")
  }
}
