import Expressions
import Foundation
import Testing

/// The recipes, tests and configurations of Tests/Fixtures/recipes/broken, each with what is wrong with it in comments:
/// `# error LINE:COLUMN CODE`, or `# warning LINE:COLUMN CODE`.
@Suite(.timeLimit(.minutes(15))) struct BrokenRecipesTests {
  private static let folder = SousProcess.repository + "/Tests/Fixtures/recipes/broken"

  private static let files: [String] = {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  /// A file as text, whatever its encoding.
  private static func text(_ name: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    let isWide = data.starts(with: [0xFF, 0xFE])
    return try #require(String(data: data, encoding: isWide ? .utf16 : .utf8))
  }

  /// The planted mistakes of all files, in the form `FILE:LINE:COLUMN SEVERITY CODE`.
  private static func expected() throws -> [String] {
    try files.flatMap { name -> [String] in
      try text(name).split(whereSeparator: \.isNewline).compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 4, words[0] == "#", words[1] == "error" || words[1] == "warning" else { return nil }
        return "\(name):\(words[2]) \(words[1]) \(words[3])"
      }
    }
  }

  @Test func thereAreManyMistakes() throws {
    #expect(Self.files.count >= 70)
    #expect(try Self.expected().count >= 200)
  }

  @Test func everyPlantedMistakeIsFoundAndNoOther() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let configurations = Self.files.filter { $0.hasSuffix("/sous.yaml") }.map { Self.folder + "/" + $0 }
    let outcome = try sous.run(
      SousProcess.executable,
      ["validate", Self.folder] + configurations
        + ["--config", SousProcess.repository + "/sous.yaml", "--format", "json"])
    #expect(outcome.status == 2)
    let found = try outcome.json.listValue?.map { problem -> String in
      let file = problem["path"]?.stringValue?.dropFirst(Self.folder.count + 1) ?? ""
      let place = [problem["line"], problem["column"]].map { $0.map(\.jsonString) ?? "?" }.joined(separator: ":")
      return "\(file):\(place) \(problem["severity"]?.stringValue ?? "?") \(problem["code"]?.stringValue ?? "?")"
    }
    let expected = try Self.expected()
    #expect(Set(found ?? []).subtracting(expected) == [])
    #expect(Set(expected).subtracting(found ?? []) == [])
    #expect(found?.count == expected.count)
  }

  @Test func mistakesAreWrittenForContinuousIntegration() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("a,b.yaml", "steps:\n  - { uses: temlate }\n")
    let github = try sous("validate", "a,b.yaml", "--format", "github")
    #expect(
      github.output == "::error file=a%2Cb.yaml,line=2,col=13,endColumn=20,title=unknown_action::"
        + "unknown action 'temlate' — did you mean 'template'?\n")
    let sarif = try sous("validate", "a,b.yaml", "--format", "sarif").json
    #expect(sarif["version"] == "2.1.0")
    let result = sarif["runs"]?.listValue?.first?["results"]?.listValue?.first
    #expect(result?["ruleId"] == "unknown_action")
    let place = result?["locations"]?.listValue?.first?["physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"] == "a%2Cb.yaml")
    #expect(place?["region"]?["startColumn"] == 13)
  }
}
