import Expressions
import FixturePlugins
import Foundation
import Testing

/// Structured answers of a plugin that Sous does not know, and that knows no schema.
@Suite(.timeLimit(.minutes(10))) struct ThirdPartyAnswerTests {
  private func run(
    _ first: String, then second: String, members: String = ""
  ) throws -> (outcome: SousProcess.Outcome, run: Value) {
    let sous = try SousProcess()
    defer { sous.remove() }
    let plugin = try FixtureLibrary.parrot(first, then: second, members: members)
    try sous.write("sous.yaml", "providers: { bird: { plugin: \(plugin) } }\n")
    try sous.write(
      "where.yaml",
      """
      name: where
      steps:
        - id: answer
          uses: chat.complete
          with:
            prompt: Where is it warm?
            schema:
              type: object
              required: [city, warm]
              properties: { city: { type: string }, warm: { type: boolean } }
        - id: text
          uses: template
          with: { text: "{{ steps.answer.output.city }}, {{ steps.answer.output.model }}" }
      outputs: { text: "{{ steps.text.output.text }}" }
      """)
    let outcome = try sous("run", "where.yaml")
    return (outcome, try sous("show", "last", "--json").json)
  }

  private static let right = #""```json\n{\"city\": \"Zug\", \"warm\": true,}\n```""#

  @Test func isToldInWordsAndItsAnswerIsSalvaged() throws {
    let (outcome, run) = try run(Self.right, then: Self.right)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(run["outputs"]?["text"] == "Zug, words")
    #expect(run["steps"]?[0]?["attempts"]?.listValue?.count == 1)
  }

  @Test(arguments: [
    (#""It is warm in Zug.""#, ""), (#""{\"city\": 7, \"warm\": true}""#, ""), (#""{\"city\": \"Zu""#, ""),
    (#""?""#, #""city": 7, "warm": "yes", "#),
  ])
  func isAskedToRepairItsAnswerOnce(_ first: String, _ members: String) throws {
    let (outcome, run) = try run(first, then: Self.right, members: members)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let attempts = run["steps"]?[0]?["attempts"]?.listValue ?? []
    #expect(attempts.map { $0["kind"] } == ["provider", "repair"])
    #expect(attempts.map { $0["failure"]?["kind"] ?? .null } == ["unsuitable", .null])
    #expect(attempts.map { $0["provider"] } == ["bird", "bird"])
  }

  @Test func aWrongTypeNeverFlowsOn() throws {
    let wrong = #""{\"city\": 7, \"warm\": true}""#
    let (outcome, run) = try run(wrong, then: wrong, members: #""city": 7, "warm": true, "#)
    #expect(outcome.status == 1)
    #expect(run["steps"]?[0]?["attempts"]?.listValue?.count == 2)
    #expect(run["steps"]?[0]?["failure"]?["kind"] == "unsuitable")
    #expect(run["steps"]?[0]?["failure"]?["message"]?.stringValue?.contains("city: ") == true)
    #expect(run["steps"]?[1]?["status"] == "skipped")
  }

  @Test func anEmptyAnswerIsAFailure() throws {
    let (outcome, run) = try run(#"" ""#, then: Self.right)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let attempts = run["steps"]?[0]?["attempts"]?.listValue ?? []
    #expect(attempts.first?["failure"]?["kind"] == "unsuitable")
    #expect(attempts.first?["failure"]?["message_de"] == "leere Antwort vom Server")
    #expect(attempts.map { $0["kind"] } == ["provider", "provider"])
  }

  @Test func whatItsAnswerLacksIsToldWithEachPlace() throws {
    let (outcome, run) = try run(Self.right, then: Self.right, members: #""refusal": 7, "tool_calls": [{"id": 1}], "#)
    #expect(outcome.status == 1)
    let failure = run["steps"]?[0]?["failure"]
    #expect(failure?["kind"] == "protocol")
    for place in ["refusal: ", "tool_calls[0]: 'name'", "tool_calls[0]: 'arguments'", "tool_calls[0].id: "] {
      #expect(failure?["message"]?.stringValue?.contains(place) == true, "\(place)")
    }
  }

  /// What it passes on to nobody would be left out in silence.
  @Test(arguments: ["images: [\"data:image/png;base64,AA==\"]", "tools: [{ uses: file.read }]"])
  func isNotAskedForWhatItPassesOnToNobody(_ field: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let plugin = try FixtureLibrary.parrot(Self.right, then: Self.right)
    try sous.write("sous.yaml", "providers: { bird: { plugin: \(plugin) } }\n")
    try sous.write(
      "look.yaml",
      "name: look\nsteps:\n  - { id: answer, uses: chat.complete, with: { prompt: Look, \(field) } }\n")
    let outcome = try sous("run", "look.yaml")
    #expect(outcome.status == 1 && outcome.output.contains("passes no"), "\(outcome.output)\(outcome.errors)")
  }
}
