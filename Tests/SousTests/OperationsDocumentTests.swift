import Expressions
import Foundation
import Testing

/// What `docs/operations.md` says of the run log is so: its commands run, and the fields are those that it lists.
@Suite(.timeLimit(.minutes(15))) struct OperationsDocumentTests {
  private let document: MarkdownDocument
  private let text: String

  init() throws {
    let path = SousProcess.repository + "/docs/operations.md"
    document = try MarkdownDocument(path: path)
    text = try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A project with a run that has failed after two attempts.
  private func prepare() throws -> SousProcess {
    var sous = try SousProcess()
    let bin = (SousProcess.executable as NSString).deletingLastPathComponent
    sous.environment["PATH"] = bin + ":" + (sous.environment["PATH"] ?? "")
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "x.yaml",
      """
      name: x
      steps:
        - { id: note, uses: log, with: { message: "an invoice of March" } }
        - { id: each, for_each: "{{ [1, 2] }}", as: n, uses: template, with: { text: "n{{ n }}" } }
        - { id: bad, uses: fail, with: { message: "no" } }
      """)
    #expect(try sous("run", "x.yaml", "-q").status == 1)
    return sous
  }

  @Test(arguments: ["sous runs", "sous export", "sous db"]) func everyCommandWorks(_ start: String) throws {
    let sous = try prepare()
    defer { sous.remove() }
    let commands = document.console(beginningWith: start)
    try #require(commands.count >= 3)
    for command in commands {
      let outcome = try sous.run("/bin/sh", ["-c", command])
      #expect(outcome.status == 0, "\(command)\n\(outcome.errors)")
    }
  }

  /// The names in code marks of a row of the table of fields.
  private func listed(_ object: String) -> Set<String> {
    let row = text.split(separator: "\n").first { $0.hasPrefix("| \(object) |") } ?? ""
    return Set(row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
  }

  private func fields(_ value: Value?) -> Set<String> {
    guard case .map(let map)? = value else { return [] }
    return Set(map.keys.map(\.text))
  }

  private func first(_ value: Value?) -> Value? {
    if case .list(let elements)? = value { elements.first } else { nil }
  }

  @Test func theFieldsAreThoseOfTheTable() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(fields(first(try sous("runs", "--json").json)) == listed("run"))
    let run = try sous("show", "--json").json
    #expect(fields(run).subtracting(listed("run")).isSubset(of: listed("run, of `show`")))
    let step = first(run["steps"])
    #expect(!fields(step).isEmpty && fields(step).isSubset(of: listed("step")))
    #expect(fields(first(step?["attempts"])) == listed("attempt"))
    #expect(fields(run["failure"]) == listed("failure"))
    #expect(fields(try sous("logs", "--json").json) == listed("log line"))
    let recipe = first(try sous("stats", "--json").json["recipes"])
    for field in fields(recipe) { #expect(text.contains("`\(field)`"), "\(field)") }
  }
}
