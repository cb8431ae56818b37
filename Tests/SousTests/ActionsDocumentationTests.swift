import Expressions
import Foundation
import Testing

/// The examples of `docs/actions.md`: those that stay on this machine are run, those that need a service are checked.
@Suite(.timeLimit(.minutes(15))) struct ActionsDocumentationTests {
  struct Example: CustomTestStringConvertible {
    var line: Int
    var text: String
    var testDescription: String { "docs/actions.md:\(line)" }
    /// Whether it needs a web service or a mailbox.
    var needsService: Bool { text.contains("https://") && text.contains("http.") || text.contains("mail.") }
    var isConfiguration: Bool { !text.contains("steps:") }
  }

  static let examples: [Example] = {
    let text = (try? String(contentsOfFile: SousProcess.repository + "/docs/actions.md", encoding: .utf8)) ?? ""
    var examples: [Example] = []
    var open: Example?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```yaml" {
        open = Example(line: number + 2, text: "")
      } else if line == "```", let example = open {
        examples.append(example)
        open = nil
      } else {
        open?.text += line + "\n"
      }
    }
    return examples
  }()

  @Test func thereAreExamples() {
    #expect(Self.examples.count >= 7)
    #expect(Self.examples.filter { !$0.needsService && !$0.isConfiguration }.count >= 5)
  }

  @Test(arguments: examples)
  func everyExampleWorks(_ example: Example) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    if example.isConfiguration {
      let path = try sous.write("sous.yaml", example.text)
      #expect(try sous("validate", path).status == 0)
      return
    }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: box } }\ndefaults: { mail.store: home }\n")
    try sous.write("data/a.txt", "data\n")
    try sous.write("scans/one.txt", "one\n")
    try sous.write("scans/two.txt", "two\n")
    let path = try sous.write("recipe.yaml", example.text)
    guard !example.needsService else {
      let outcome = try sous("validate", path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return
    }
    let outcome = try sous("run", path)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
  }

  @Test func whatTheExamplesLeaveBehind() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("data/a.txt", "data\n")
    try sous.write("scans/one.txt", "one\n")
    try sous.write("scans/two.txt", "two\n")
    func run(_ marker: String) throws -> Value {
      let example = try #require(Self.examples.first { $0.text.contains("name: \(marker)\n") })
      let path = try sous.write("\(marker).yaml", example.text)
      return try sous("run", path, "--json").json
    }
    func read(_ name: String) throws -> String {
      try String(contentsOfFile: sous.folder + "/" + name, encoding: .utf8)
    }
    _ = try run("sort-scans")
    #expect(try read("index/scans.txt") == "one\ntwo\n")
    #expect(try read("index/log.txt") == "2 scans\n")
    #expect(try read("archive/one.txt") == "one\n")
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/scans"))
    _ = try run("backup")
    #expect(try read("backups.log") == "one more\n")
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/data.tar.gz"))
    let first = try run("only-news")
    #expect(first["outputs"] == ["fresh": ["a", "b"], "runs": 1])
    let second = try run("only-news")
    #expect(second["outputs"] == ["fresh": [], "runs": 2])
    #expect(try run("orders")["outputs"]?["letter"] == "Bob\nSee there\n")
  }

  @Test func aProgramEndsWithARunThatIsInterrupted() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let path = try sous.write(
      "recipe.yaml",
      """
      steps:
        - id: slow
          uses: exec.read
          with: { command: [sh, -c, "sleep 1000 & echo $$ $! > numbers; wait"], grace: 1 }
          timeout: 5s
          retry: 1
      """)
    let outcome = try sous("run", path)
    #expect(outcome.status == 1)
    let numbers = try String(contentsOfFile: sous.folder + "/numbers", encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(numbers.count == 2)
    for number in numbers {
      let state = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8))?
        .split(separator: ")").last?.split(separator: " ").first
      #expect(state == nil || state == "Z" || state == "X")
    }
  }
}
