import Builtins
import Engine
import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParsingTests {
  private let caller = BuiltinCaller(BuiltinSurroundings(environment: ["PATH": "/usr/bin:/bin"]))

  // MARK: json.parse

  @Test func jsonBecomesAValueWithTheDefaultsOfItsSchema() async throws {
    #expect(try await caller.perform("json.parse", ["text": "[1, null, \"a\"]"]) == ["value": [1, .null, "a"]])
    let schema: Value = [
      "type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "string", "default": "x"]],
    ]
    let output = try await caller.perform("json.parse", ["text": "{\"a\": 1}", "schema": schema])
    #expect(output == ["value": ["a": 1, "b": "x"]])
  }

  @Test(
    arguments: [
      (["text": "{"], "parse"), (["text": ""], "parse"),
      (["text": "1", "schema": ["type": "string"]], "parse"),
      (["text": "1", "schema": ["type": "nonsense"]], "invalid_input"),
    ] as [(Value, String)])
  func jsonThatIsOfNoUseIsRefused(input: Value, kind: String) async throws {
    #expect(try await caller.failure("json.parse", input)?.rawValue == kind)
  }

  // MARK: csv.parse

  @Test func rowsAreMapsByTheHeaderOrLists() async throws {
    let text = "\u{FEFF}name;age\r\n\"Müller; Anna\";41\r\n\r\nBob;\"4\"\"2\"\r\n"
    let output = try await caller.perform("csv.parse", ["text": .string(text), "delimiter": ";"])
    #expect(output["columns"] == ["name", "age"])
    #expect(output["rows"] == [["name": "Müller; Anna", "age": "41"], ["name": "Bob", "age": "4\"2"]])
    let lists = try await caller.perform("csv.parse", ["text": "a,b\n1,2", "header": false])
    #expect(lists == ["rows": [["a", "b"], ["1", "2"]], "columns": []])
    #expect(try await caller.perform("csv.parse", ["text": ""]) == ["rows": [], "columns": []])
  }

  @Test(arguments: ["a,b\n1", "a\n\"open", "a\n\"x\"y", "a,a\n1,2"])
  func rowsThatAreNoneAreRefused(text: String) async throws {
    #expect(try await caller.failure("csv.parse", ["text": .string(text)])?.rawValue == "parse")
  }

  /// Python's reader is older than ours and used by everybody.
  @Test(arguments: [
    "a,b,c\n1,2,3\n", "\"a\nb\",c\r\nd,e\r\n", "a,\"\",c\n,,\n", "\"x\"\"y\",\"\"\"\"\n1,2", "ä,ö\n\"ß\",€", "x\ry\r",
    "a\"b,c\n",
  ])
  func theReaderAgreesWithPython(text: String) async throws {
    let script =
      "import csv, io, json, sys\n"
      + "text = sys.stdin.buffer.read().decode()\n"
      + "print(json.dumps([row for row in csv.reader(io.StringIO(text, newline='')) if row]))"
    let python = try await caller.perform(
      "exec.read", ["command": ["python3", "-c", .string(script)], "input": .string(text), "parse": "json"])
    let ours = try await caller.perform("csv.parse", ["text": .string(text), "header": false])
    #expect(ours["rows"] == python["value"])
  }

  @Test func aByteOrderMarkIsPassedOver() async throws {
    #expect(try await caller.perform("json.parse", ["text": "\u{FEFF}{\"a\": 1, \"a\": 2}"])["value"] == ["a": 2])
    #expect(try await caller.failure("json.parse", ["text": "\u{FEFF}\u{FEFF}1"]) == .parse)
  }

  // MARK: html.text

  @Test func htmlBecomesReadableText() async throws {
    let html = "<h1>Hallo</h1><p>Sieh <a href='https://example.com/x'>hier</a> &amp; dort</p><script>no()</script>"
    let output = try await caller.perform("html.text", ["html": .string(html)])
    #expect(output["text"]?.stringValue?.contains("hier (https://example.com/x) & dort") == true)
    #expect(output["text"]?.stringValue?.contains("no()") == false)
    let bare = try await caller.perform("html.text", ["html": .string(html), "links": "omitted"])
    #expect(bare["text"]?.stringValue?.contains("example.com") == false)
  }

  // MARK: log, assert, fail

  @Test func linesReachTheRunLog() async throws {
    _ = try await caller.perform("log", ["message": "begun"])
    _ = try await caller.perform("log", ["message": .string(String(repeating: "x", count: 5000)), "level": "warning"])
    #expect(caller.report.log.first == "info: begun")
    #expect(caller.report.log.last?.count == 9 + 4000 + 2)
  }

  @Test(
    arguments: [
      ("assert", ["condition": true], nil), ("assert", ["condition": false, "message": "no"], "failed"),
      ("fail", ["message": "no"], "failed"), ("fail", ["message": "no", "kind": "rate_limited"], "rate_limited"),
    ] as [(String, Value, String?)])
  func recipesCanStopThemselves(action: String, input: Value, kind: String?) async throws {
    #expect(try await caller.failure(action, input)?.rawValue == kind)
  }
}
