import Expressions
import Foundation
import Testing

/// `sous chat` and `sous models` against a server that does what a test wants; see ``ModelPeersTests`` for those of others.
@Suite(.timeLimit(.minutes(15))) struct ChatCommandTests {
  private static let greeting = #"{"model":"m","message":{"role":"assistant","content":"Grüezi"},"done":false}"#
  private static let end = #"{"model":"m","message":{"content":"!"},"done":true,"prompt_eval_count":2,"eval_count":3}"#

  private func project(_ server: LineServer, settings: String = "") throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      "providers:\n  local: { plugin: ollama, base_url: \"http://127.0.0.1:\(server.port)\"\(settings) }\n")
    return sous
  }

  @Test func theWholeOutputIsWrittenAsJSON() throws {
    let server = try LineServer([Self.greeting, Self.end])
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "--json", "Hi")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["text"] == "Grüezi!")
    #expect(try outcome.json["usage"] == ["prompt_tokens": 2, "completion_tokens": 3])
    #expect(outcome.errors.isEmpty)
  }

  /// What the model would be told as standing instructions is never a text with holes.
  @Test(arguments: [
    ("prompt: 'Answer {{ style }}'", "'{{ style }}'"), ("prompt: 'Answer {{ style'", "'{{ style'"),
    ("prompt: 'Answer", "own.yaml"), ("\r\nprompt: 'Answer", "own.yaml"),
  ])
  func aDefaultPresetThatCannotBeUsedIsToldAndNotSent(_ text: String, _ reason: String) throws {
    let server = try LineServer([Self.greeting, Self.end])
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    try sous.write("catalog/general/own.yaml", "default: true\n" + text + "\n")
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains(reason) && outcome.errors.contains("general/own"), "\(outcome.errors)")
    #expect(!outcome.output.contains("Grüezi"))
    #expect(try sous("chat", "--system", "Be short.", "Hi").status == 0)
  }

  @Test func anAnswerThatWasCutIsShownKeptAndFails() throws {
    let server = try LineServer([
      Self.greeting, #"{"model":"m","message":{"content":""},"done":true,"done_reason":"length"}"#,
    ])
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 1 && outcome.output == "Grüezi\n", "\(outcome.output) \(outcome.errors)")
    #expect(outcome.errors.contains("cut at its limit") && outcome.errors.contains("--continue 1"))
    let turns = try sous("chats", "show", "1", "--json").json["turns"]?.listValue ?? []
    #expect(turns.last?["text"] == "Grüezi" && turns.last?["cut"] == true)
    let json = try sous("chat", "--json", "Hi")
    #expect(try json.status == 1 && json.json["finish_reason"] == "length")
  }

  @Test func anEmptyAnswerFailsAndIsNotKept() throws {
    let server = try LineServer([#"{"model":"m","message":{"content":" "},"done":true}"#])
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("empty answer"), "\(outcome.errors)")
    #expect(try sous("chats", "--json").json == [])
  }

  @Test func aServiceThatIsBusySaysWhenToAskAgain() throws {
    let server = try LineServer([#"{"error":"slow down"}"#], head: "429 Too Many Requests\r\nRetry-After: 7")
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("again in 7"), "\(outcome.errors)")
    let error = try Value(json: Array(try sous("chat", "--json", "Hi").errors.utf8))["error"]
    #expect(error?["code"] == "rate_limited")
    #expect(error?["retry_after"]?.doubleValue == 7)
  }

  @Test func aRedirectThatLeadsNowherePointsToTheSetting() throws {
    let server = try LineServer([], head: "307 Temporary Redirect")
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("does not say where to"), "\(outcome.errors)")
    #expect(outcome.errors.contains("'base_url'"))
  }

  @Test func modelsSayWhichSettingLacksItsKey() throws {
    let server = try LineServer([])
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      providers:
        local: { plugin: ollama, base_url: "http://127.0.0.1:\(server.port)" }
        unset: { plugin: openai, model: m, api_key: { secret: NO_SUCH_KEY } }
        bare: { plugin: mistral, model: m }
      """)
    let outcome = try sous("models")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nlocal"))
    #expect(outcome.errors.contains("unset: sous.yaml:3:") && outcome.errors.contains("'api_key'"))
    #expect(outcome.errors.contains("NO_SUCH_KEY"))
    #expect(outcome.errors.contains("bare: ") && outcome.errors.contains("Set 'api_key: { secret: MISTRAL_API_KEY }'"))
    let listings = try sous("models", "--json").json.listValue ?? []
    let messages = listings.compactMap { $0["error"]?["message"]?.stringValue }
    #expect(messages.count == 2 && messages.allSatisfy { $0.contains("api_key") })
  }

  @Test func silenceBeyondTheTimeoutOfTheProviderEndsIt() throws {
    let server = try LineServer([Self.greeting], thenHolds: true)
    defer { server.end() }
    let sous = try project(server, settings: ", timeout: 1")
    defer { sous.remove() }
    let outcome = try sous("chat", "Hi")
    #expect(outcome.status == 1)
    // What has come stands on a line of its own, and the reason below.
    #expect(outcome.output == "Grüezi\n")
    #expect(outcome.errors.contains("local: "))
    let json = try sous("chat", "--json", "Hi")
    #expect(json.status == 1 && json.output.isEmpty)
    #expect(try Value(json: Array(json.errors.utf8))["error"]?["code"] == "timeout")
  }

  @Test(arguments: [["chat", "Hi"], ["chat", "--json", "Hi"], ["chat", "-v", "Hi"]])
  func ctrlCEndsItAndLeavesTheTerminalAsItWas(_ arguments: [String]) throws {
    let server = try LineServer([Self.greeting], thenHolds: true)
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let before = terminal.settings
    let process = try terminal.start(sous, arguments)
    if arguments.contains("--json") {
      #expect(server.waitForRequest())
    } else {
      #expect(terminal.read(until: "Grüezi"))
    }
    terminal.type("\u{3}")
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
    let shown = terminal.rest()
    // The cursor is back at the beginning of a line, and no colour is left on.
    if !arguments.contains("--json") { #expect(shown.utf8.last == 0x0A, "\(shown.debugDescription)") }
    #expect(shown.components(separatedBy: "\u{1B}[").dropFirst().last.map { $0.hasPrefix("0m") } ?? true)
    #expect(terminal.settings == before)
  }

  @Test func modelsCanBeCalledOff() throws {
    let server = try LineServer([], thenHolds: true)
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["models"])
    #expect(server.waitForRequest())
    terminal.type("\u{3}")
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }
}
