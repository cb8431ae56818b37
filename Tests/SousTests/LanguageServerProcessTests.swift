import Expressions
import Foundation
import Testing

/// The language server as a process, talked to as an editor does: what the protocol wants of every server.
@Suite struct LanguageServerProcessTests {
  private static let uri = "file:///nowhere/workflows/recipe.yaml"

  private static func position(_ line: Int64, _ character: Int64) -> Value {
    ["textDocument": ["uri": .string(uri)], "position": ["line": .int(line), "character": .int(character)]]
  }

  private static func range(_ line: Int64, _ from: Int64, _ endLine: Int64, _ to: Int64) -> Value {
    [
      "start": ["line": .int(line), "character": .int(from)], "end": ["line": .int(endLine), "character": .int(to)],
    ]
  }

  // MARK: The life of a server

  @Test(.timeLimit(.minutes(15)), arguments: [true, false])
  func exitStatusTellsWhetherShutdownCameFirst(_ isOrderly: Bool) throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    if isOrderly { #expect(try editor.request("shutdown", .null)["result"] == .null) }
    editor.notify("exit", .null)
    #expect(editor.status == (isOrderly ? 0 : 1))
  }

  @Test(.timeLimit(.minutes(15))) func exitBeforeInitializeEndsTheServer() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    editor.notify("exit", .null)
    #expect(editor.status == 1)
  }

  @Test(arguments: [(true, Int32(0)), (false, 1)])
  func endOfTheInputEndsTheServer(_ isOrderly: Bool, _ status: Int32) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    // From a file: the end of a pipe comes only when no other process has it open.
    var messages = ["{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}"]
    if isOrderly { messages.append("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}") }
    let file = try sous.write(
      "input", messages.map { String(decoding: EditorProcess.framed(Array($0.utf8)), as: UTF8.self) }.joined())
    let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' lsp < '\(file)'"])
    #expect(outcome.status == status)
    #expect(outcome.output.contains("positionEncoding"))
  }

  @Test(.timeLimit(.minutes(15))) func nothingIsAnsweredBeforeInitializeOrAfterShutdown() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    #expect(try editor.request("textDocument/hover", Self.position(0, 0))["error"]?["code"] == -32002)
    #expect(try editor.request("no/such", .null)["error"]?["code"] == -32002)
    // A notification is dropped.
    editor.open(Self.uri, "steps: [")
    try editor.initialize()
    #expect(try editor.request("initialize", ["capabilities": [:]])["error"]?["code"] == -32600)
    #expect(try editor.request("textDocument/hover", Self.position(0, 0))["error"]?["code"] == -32602)
    try editor.request("shutdown", .null)
    #expect(try editor.request("textDocument/hover", Self.position(0, 0))["error"]?["code"] == -32600)
  }

  // MARK: Wrong messages

  @Test(
    .timeLimit(.minutes(15)),
    arguments: [
      ("{\"jsonrpc\": \"2.0\", ", Int64(-32700)), ("", -32700), ("\u{1}", -32700), ("nonsense", -32700), ("[]", -32600),
      ("1", -32600), ("{}", -32600), ("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600), ("{\"id\":7,\"method\":5}", -32600),
      ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"no/such\"}", -32601),
      ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"$/no/such\"}", -32601),
      ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"textDocument/hover\"}", -32602),
      ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"textDocument/hover\",\"params\":[1]}", -32602),
    ])
  func wrongMessageIsAnsweredAndTheServerGoesOn(_ content: String, _ code: Int64) throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    editor.send(Array(content.utf8))
    #expect(try editor.next()["error"]?["code"]?.intValue == code)
    #expect(try editor.request("shutdown", .null)["error"] == nil)
    editor.notify("exit", .null)
    #expect(editor.status == 0)
  }

  @Test(.timeLimit(.minutes(15))) func contentThatIsNoTextIsNoJSON() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    editor.send([0x22, 0xFF, 0xFE, 0x22])
    #expect(try editor.next()["error"]?["code"] == -32700)
    #expect(try editor.request("shutdown", .null)["error"] == nil)
  }

  @Test(.timeLimit(.minutes(15))) func unknownNotificationsAreDropped() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    for method in ["no/such", "$/setTrace", "$/cancelRequest", "workspace/didChangeConfiguration"] {
      editor.notify(method, ["value": 1])
    }
    #expect(try editor.request("shutdown", .null)["id"] == .int(2))
  }

  @Test(.timeLimit(.minutes(15))) func inputWithoutHeadersEndsTheServerWithAMessage() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    editor.write(Array("hello\r\n\r\n".utf8))
    #expect(editor.status == 2)
  }

  // MARK: Taking back

  @Test(.timeLimit(.minutes(15))) func requestIsTakenBack() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    editor.open(Self.uri, "steps: []\n")
    _ = try editor.diagnostics(of: Self.uri)
    // In one write, so that both have arrived before the first is looked at.
    let hover: Value = ["jsonrpc": "2.0", "id": "h", "method": "textDocument/hover", "params": Self.position(0, 0)]
    let cancel: Value = ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": "h"]]
    editor.write(EditorProcess.framed(hover.json()) + EditorProcess.framed(cancel.json()))
    let answer = try editor.next()
    #expect(answer["id"] == "h" && answer["error"]?["code"] == -32800)
  }

  // MARK: Positions

  @Test(.timeLimit(.minutes(15)), arguments: [("utf-16", Int64(57)), ("utf-8", 60)])
  func positionsCountTheAgreedUnits(_ encoding: String, _ character: Int64) throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    let answer = try editor.initialize(["general": ["positionEncodings": [.string(encoding)]]])
    #expect(answer["capabilities"]?["positionEncoding"]?.stringValue == encoding)
    editor.open(Self.uri, "steps:\n  - { id: a, uses: template, with: { text: \"ä😀 {{ inputs.x }}\" } }\n")
    let problem = try editor.diagnostics(of: Self.uri).first { $0["code"] == "unknown_input" }
    #expect(problem?["range"]?["start"]?["character"]?.intValue == character + 1)
    // The other way round: the end of a line that has an emoji.
    let hover = try editor.request("textDocument/hover", Self.position(1, character - 5))
    #expect(hover["result"]?["contents"]?.stringValue?.contains("inputs") == true)
  }

  @Test(.timeLimit(.minutes(15))) func changesOfAnyRangeKeepTheTextOfBothSidesEqual() throws {
    let editor = try EditorProcess()
    defer { editor.stop() }
    try editor.initialize()
    editor.open(Self.uri, "name: 😀\r\nsteps: []\r\n")
    _ = try editor.diagnostics(of: Self.uri)
    let changes: [(Value, String)] = [
      // Beyond the end of a line: its end, before the line break.
      (Self.range(0, 99, 0, 99), "!"),
      // Within the emoji's pair: before it.
      (Self.range(0, 7, 0, 7), "x"),
      // Beyond the last line: the end of the text.
      (Self.range(50, 0, 99, 9), "# end\r\n"),
      // Over a line break.
      (Self.range(1, 7, 2, 0), "\r\n  - { id: a, uses: template, with: { text: x } }\r\n"),
    ]
    for (version, change) in changes.enumerated() {
      editor.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(Self.uri), "version": .int(Int64(version + 2))],
          "contentChanges": [["range": change.0, "text": .string(change.1)]],
        ])
    }
    let symbols = try editor.request("textDocument/documentSymbol", ["textDocument": ["uri": .string(Self.uri)]])
    let list = try #require(symbols["result"]?.listValue)
    #expect(list.compactMap { $0["name"]?.stringValue } == ["name", "a"])
    // name: x😀!
    #expect(list.first?["location"]?["range"]?["end"] == ["line": 0, "character": 10])
    #expect(list.last?["location"]?["range"]?["start"]?["line"] == 2)
    let left = try editor.diagnostics(of: Self.uri)
    #expect(left == [], "\(left)")
  }

  // MARK: Files

  @Test(.timeLimit(.minutes(15))) func editorFindsProblemsOfTestsConfigurationsAndChildren() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let folder = URL(fileURLWithPath: sous.folder).standardizedFileURL.path
    let address = { (name: String) in "file://" + folder + "/" + name }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "child.yaml",
      "inputs: { name: string }\nsteps:\n  - { id: a, uses: template, with: { text: \"{{ inputs.nam }}\" } }\n")
    let editor = try EditorProcess(in: sous)
    defer { editor.stop() }
    try editor.initialize()
    editor.open(
      address("parent.yaml"),
      "steps:\n  - id: c\n    uses: recipe\n    with: { recipe: child, inputs: { name: x } }\n")
    #expect(try editor.diagnostics(of: address("parent.yaml")) == [])
    #expect(try editor.diagnostics(of: address("child.yaml")).first?["code"] == "unknown_input")
    try sous.write(
      "child.yaml",
      "inputs: { name: string }\nsteps:\n  - { id: a, uses: template, with: { text: \"{{ inputs.name }}\" } }\n")
    editor.notify("workspace/didChangeWatchedFiles", ["changes": [["uri": .string(address("child.yaml")), "type": 2]]])
    #expect(try editor.diagnostics(of: address("child.yaml")) == [])
    editor.open(
      address("child.test.yaml"),
      "recipe: child.yaml\ntests:\n  - name: one\n    inputs: { name: x }\n    expect: { statuss: succeeded }\n")
    #expect(try editor.diagnostics(of: address("child.test.yaml")).first?["code"] == "unknown_key")
    editor.open(address("sous.yaml"), "providers: { a: { plugin: nothing-of-the-sort } }\n")
    #expect(try editor.diagnostics(of: address("sous.yaml")).count == 1)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [["--config", "other/named.yaml"], []])
  func configurationOfTheCommandLineCounts(_ arguments: [String]) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { near: { plugin: maildir, path: box } }\n")
    try sous.write("other/named.yaml", "providers: { named: { plugin: maildir, path: box } }\n")
    let editor = try EditorProcess(in: sous, arguments)
    defer { editor.stop() }
    try editor.initialize()
    let uri = "file://" + sous.folder + "/recipe.yaml"
    editor.open(uri, "steps:\n  - id: a\n    uses: mail.search\n    provider: \n")
    let answer = try editor.request(
      "textDocument/completion",
      ["textDocument": ["uri": .string(uri)], "position": ["line": 3, "character": 14]])
    let labels = answer["result"]?["items"]?.listValue?.compactMap { $0["label"]?.stringValue }
    #expect(labels == [arguments.isEmpty ? "near" : "named"])
  }
}
