import Expressions
import LanguageServer
import Testing

@Suite struct MessageQueueTests {
  private static func message(_ method: String, id: Value? = nil, _ parameters: Value = [:]) -> [UInt8] {
    var map: ValueMap = ["jsonrpc": "2.0", "method": .string(method), "params": parameters]
    if let id { map["id"] = id }
    return Value.map(map).json()
  }

  private static func change(_ text: String, version: Int64) -> [UInt8] {
    message(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Editor.uri), "version": .int(version)],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  private static func drain(_ editor: inout Editor) -> [Value] {
    var answers: [Value] = []
    while !editor.session.isIdle { answers += editor.session.step() }
    return answers
  }

  @Test(arguments: [Value.int(77), .string("a-77")])
  func requestThatWaitsCanBeTakenBack(_ id: Value) {
    var editor = Editor()
    editor.open("steps: []\n")
    let place: Value = ["textDocument": ["uri": .string(Editor.uri)], "position": ["line": 0, "character": 0]]
    editor.session.enqueue(Self.message("textDocument/hover", id: 76, place))
    editor.session.enqueue(Self.message("textDocument/hover", id: id, place))
    editor.session.enqueue(Self.message("$/cancelRequest", ["id": id]))
    let answers = Self.drain(&editor)
    #expect(answers.count == 2)
    #expect(answers.first { $0["id"] == 76 }?["error"] == nil)
    #expect(answers.first { $0["id"] == id }?["error"]?["code"] == -32800)
  }

  @Test func takingBackWhatIsAnsweredOrUnknownDoesNothing() {
    var editor = Editor()
    for id: Value in [1, 99, "x", .null] { editor.session.enqueue(Self.message("$/cancelRequest", ["id": id])) }
    editor.session.enqueue(Self.message("$/cancelRequest"))
    #expect(Self.drain(&editor).isEmpty)
  }

  @Test func ofSeveralChangesTheLastIsChecked() {
    var editor = Editor()
    editor.open("steps: []\n")
    for version in 2...9 { editor.session.enqueue(Self.change("steps: [] # \(version)\n", version: Int64(version))) }
    let answers = Self.drain(&editor)
    #expect(answers.map { $0["params"]?["version"] } == [9])
  }

  @Test func wrongMessagesAreAnsweredInTheirTurn() {
    var editor = Editor()
    editor.session.enqueue(Array("{\"jsonrpc\"".utf8))
    editor.session.enqueue([0xFF, 0xFE, 0x00])
    editor.session.enqueue(Array("[1]".utf8))
    editor.session.refuse(size: 1 << 30)
    editor.session.enqueue(Self.message("shutdown", id: 5))
    let answers = Self.drain(&editor)
    #expect(answers.map { $0["error"]?["code"]?.intValue } == [-32700, -32700, -32600, -32600, nil])
    #expect(answers.last?["id"] == 5)
  }
}
