import Expressions
import Foundation
import Testing

/// `sous chat` with presets, with a schema, and line by line on a terminal.
@Suite(.timeLimit(.minutes(10))) struct ChatDialogueTests {
  private func project(_ server: ChatServer) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", server.configuration)
    return sous
  }

  private func system(_ request: Value?) -> String {
    request?["messages"]?.listValue?.first { $0["role"] == "system" }?["content"]?.stringValue ?? ""
  }

  @Test(arguments: [
    ["-p", "general/summarise"], ["-p", "summarise"], ["--preset", "General/Summarise"],
    ["-p", "mock", "--preset", "summarise"],
  ])
  func aPresetIsTheInstruction(_ options: [String]) throws {
    let server = try ChatServer { _, _ in .words(["Short."]) }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous.run(SousProcess.executable, ["chat"] + options + ["-k", "Länge=one word", "A long text"])
    #expect(outcome.status == 0 && outcome.output == "Short.\n", "\(outcome.errors)")
    let system = system(server.requests.first)
    #expect(system.contains("You summarise texts") && system.contains("one word"), "\(system)")
  }

  @Test func anUnknownPresetOrProviderIsRefused() throws {
    let server = try ChatServer { _, _ in .words(["Short."]) }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    #expect(try sous("chat", "-p", "general/nothing", "Hi").status == 2)
    let preset = try sous("chat", "--preset", "general/sumarise", "Hi")
    #expect(preset.status == 2 && preset.errors.contains("general/sumarise"))
    #expect(try sous("chat", "--preset", "general/summarise", "--system", "x", "Hi").status != 0)
    #expect(server.requests.isEmpty)
  }

  private static let schema =
    #"{"type":"object","required":["city","people"],"properties":{"city":{"type":"string"},"people":{"type":"integer"}}}"#

  @Test func aStructuredAnswerIsCheckedRepairedAndPrinted() throws {
    let server = try ChatServer { _, number in
      .words([
        number == 0
          ? #"{"city":"Bern","people":"many"}"# : "Sure:\n```json\n{\"city\": \"Bern\", \"people\": 134000,}\n```"
      ])
    }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    try sous.write("shape.json", Self.schema)
    let outcome = try sous("chat", "--schema", "shape.json", "Which city?")
    #expect(try outcome.status == 0 && outcome.json == ["city": "Bern", "people": 134_000], "\(outcome.errors)")
    #expect(server.requests.count == 2)
  }

  @Test func anAnswerThatNeverSuitsEndsWithOneAndPrintsNothing() throws {
    let server = try ChatServer { _, _ in .words([#"{"city":"Bern","people":"many"}"#]) }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "--schema", Self.schema, "Which city?")
    #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains("people"), "\(outcome.errors)")
  }

  @Test(arguments: ["{", "nothing.json", #"{"type":"objekt"}"#, #"{"type":"array"}"#])
  func aSchemaThatCannotBeUsedIsRefusedBeforeTheCall(_ schema: String) throws {
    let server = try ChatServer { _, _ in .words(["{}"]) }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    #expect(try sous("chat", "--schema", schema, "Hi").status == 2)
    #expect(server.requests.isEmpty)
  }

  @Test func aConversationOnATerminalGoesOnLineByLine() throws {
    let server = try ChatServer { body, number in
      number == 1 ? .held(["Wait", " for ever"]) : .words(["Answer \(number)."])
    }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["chat"])
    #expect(terminal.read(until: "> "))
    terminal.type("One\\\nand a half\n")
    #expect(terminal.read(until: "Answer 0."))
    terminal.type("Two\n")
    #expect(terminal.read(until: "Wait"))
    // Ctrl-C stops the answer only.
    terminal.type("\u{3}")
    #expect(terminal.read(until: "Wait\r\n> ") || terminal.read(until: "^C\r\n> "))
    server.release()
    terminal.type("Three\n")
    #expect(terminal.read(until: "Answer 2."))
    terminal.type("\u{4}")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let turns = server.requests.last?["messages"]?.listValue?.compactMap { $0["content"]?.stringValue } ?? []
    #expect(turns.contains("One\nand a half") && turns.contains("Answer 0.") && turns.last == "Three", "\(turns)")
    #expect(try sous("chats", "--json").json.listValue?.count == 1)
  }

  @Test func pipedInputStaysOnePrompt() throws {
    let server = try ChatServer { _, _ in .words(["Yes."]) }
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous.run("/bin/sh", ["-c", "printf 'One\\nTwo\\n' | \(SousProcess.executable) chat"])
    #expect(outcome.status == 0 && server.requests.count == 1, "\(outcome.errors)")
  }
}
