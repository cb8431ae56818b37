import Expressions
import Foundation
import Testing

/// The built program as an editor starts it.
@Suite struct LanguageServerCommandTests {
  @Test func conversationEndsWithStatusZero() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let uri = "file://" + sous.folder + "/recipe.yaml"
    let text = "steps:\n  - id: a\n    uses: template\n    with: { text: \"{{ inputs.no }}\" }\n  - id: b\n    us"
    let document: Value = ["uri": .string(uri), "version": 1, "text": .string(text)]
    let messages: [Value] = [
      ["jsonrpc": "2.0", "id": 1, "method": "initialize", "params": ["capabilities": [:]]],
      ["jsonrpc": "2.0", "method": "textDocument/didOpen", "params": ["textDocument": document]],
      [
        "jsonrpc": "2.0", "id": 2, "method": "textDocument/completion",
        "params": ["textDocument": ["uri": .string(uri)], "position": ["line": 5, "character": 6]],
      ],
      ["jsonrpc": "2.0", "id": 3, "method": "shutdown"], ["jsonrpc": "2.0", "method": "exit"],
    ]
    let input = messages.map { message in
      let content = message.jsonString
      return "Content-Length: \(content.utf8.count)\r\n\r\n" + content
    }.joined()
    let file = try sous.write("input", input)
    let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' lsp --stdio < '\(file)'"])
    #expect(outcome.status == 0)
    let answers = outcome.output.split(separator: "\r\n").filter { $0.hasPrefix("{") }
      .map { line in String(line.prefix { $0 != "\n" }).replacing(/Content-Length.*$/, with: "") }
      .compactMap { try? Value(json: $0) }
    #expect(answers.count == 4)
    let completion = answers.first { $0["id"] == 2 }?["result"]?["items"]?.listValue ?? []
    #expect(completion.contains { $0["label"] == "uses" })
    #expect(answers.contains { $0["method"] == "textDocument/publishDiagnostics" })
  }
}
