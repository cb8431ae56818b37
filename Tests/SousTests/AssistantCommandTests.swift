import Expressions
import Foundation
import Testing

/// `sous mcp` as a process with pipes, and the side of an assistant.
private final class AssistantProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer: [UInt8] = []

  init(in sous: SousProcess) throws {
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["mcp"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func stop() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Ends the input, and waits for the exit status.
  func finish() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

  func send(_ message: Value) { write(message.jsonString + "\n") }

  /// The next message that satisfies a condition; others before it are dropped.
  func next(_ condition: (Value) -> Bool) throws -> Value {
    while true {
      while let end = buffer.firstIndex(of: 0x0A) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        let message = try Value(json: line)
        if condition(message) { return message }
      }
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended")
      buffer += data
    }
  }

  /// Sends a request and waits for its response.
  func call(_ id: Int64, _ method: String, _ params: Value) throws -> Value {
    send(["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params])
    return try next { $0["id"] == .int(id) && $0["method"] == nil }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct AssistantCommandTests {
  private static let hello = """
    name: hello
    description: Says hello.
    tool: true
    inputs: { who: { type: string } }
    steps:
      - { id: text, uses: template, with: { text: "hello {{ inputs.who }}" } }
    outputs: { text: "{{ steps.text.output.text }}" }

    """

  private static let keep = """
    name: keep
    steps:
      - { id: store, uses: file.write, with: { path: kept.txt, content: kept } }

    """

  private func folder() throws -> SousProcess {
    let sous = try SousProcess()
    _ = try sous.write("recipes/hello.yaml", Self.hello)
    _ = try sous.write("recipes/keep.yaml", Self.keep)
    return sous
  }

  private let handshake: Value = ["protocolVersion": "2025-11-25", "capabilities": ["elicitation": [:]]]

  @Test func toolsAreListedAndCalled() throws {
    let sous = try folder()
    defer { sous.remove() }
    let assistant = try AssistantProcess(in: sous)
    defer { assistant.stop() }
    #expect(try assistant.call(0, "initialize", handshake)["result"]?["serverInfo"]?["name"] == "sous")
    assistant.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    let tools = try assistant.call(1, "tools/list", [:])["result"]?["tools"]?.listValue ?? []
    #expect(tools.compactMap { $0["name"]?.stringValue }.suffix(2) == ["cancel_run", "hello"])
    #expect(tools.last?["inputSchema"]?["required"] == ["who"])
    let result = try assistant.call(2, "tools/call", ["name": "hello", "arguments": ["who": "Ada"]])["result"]
    #expect(result?["structuredContent"] == ["text": "hello Ada"], "\(result ?? .null)")
    let runs = try assistant.call(3, "tools/call", ["name": "list_runs", "arguments": [:]])["result"]
    #expect(runs?["structuredContent"]?["items"]?[0]?["trigger"] == "assistant")
    #expect(try assistant.finish() == 0)
  }

  @Test func anEffectNeedsTheApprovalOfThePerson() throws {
    let sous = try folder()
    defer { sous.remove() }
    let assistant = try AssistantProcess(in: sous)
    defer { assistant.stop() }
    _ = try assistant.call(0, "initialize", handshake)
    for (id, isApproved) in [(1, false), (2, true)] as [(Int64, Bool)] {
      assistant.send([
        "jsonrpc": "2.0", "id": .int(id), "method": "tools/call",
        "params": ["name": "run_recipe", "arguments": ["recipe": "keep"]],
      ])
      let question = try assistant.next { $0["method"] == "elicitation/create" }
      #expect(question["params"]?["message"]?.stringValue?.contains("store (file.write)") == true)
      assistant.send([
        "jsonrpc": "2.0", "id": question["id"] ?? .null,
        "result": ["action": "accept", "content": ["approve": .bool(isApproved)]],
      ])
      let result = try assistant.next { $0["id"] == .int(id) }["result"]
      #expect(result?["isError"] == .bool(!isApproved), "\(result ?? .null)")
      #expect(FileManager.default.fileExists(atPath: sous.folder + "/kept.txt") == isApproved)
    }
    #expect(try assistant.finish() == 0)
  }

  @Test func malformedInputIsAnsweredAndTheProcessGoesOn() throws {
    let sous = try folder()
    defer { sous.remove() }
    let assistant = try AssistantProcess(in: sous)
    defer { assistant.stop() }
    assistant.write("nonsense\n\u{0}\n[]\n{\"jsonrpc\":\"2.0\"}\n")
    for number in [-32700, -32700, -32600, -32600] as [Int64] {
      #expect(try assistant.next { _ in true }["error"]?["code"] == .int(number))
    }
    assistant.write("{\"a\":\"" + String(repeating: "x", count: 5 << 20) + "\"}\n")
    #expect(try assistant.next { _ in true }["error"]?["data"]?["code"] == "too_large")
    let meta: Value = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
    ]
    let result = try assistant.call(9, "server/discover", ["_meta": meta])["result"]
    #expect(result?["supportedVersions"]?[0] == "2026-07-28")
    #expect(try assistant.finish() == 0)
  }

  @Test func aRunThatIsNotOverIsInterruptedByTheEndOfTheInput() throws {
    let sous = try folder()
    defer { sous.remove() }
    _ = try sous.write("recipes/nap.yaml", "name: nap\nsteps: [{ id: nap, uses: sleep, with: { for: 1h } }]\n")
    let assistant = try AssistantProcess(in: sous)
    defer { assistant.stop() }
    _ = try assistant.call(0, "initialize", handshake)
    let started = try assistant.call(
      1, "tools/call", ["name": "run_recipe", "arguments": ["recipe": "nap", "wait": false]])["result"]
    let run = try #require(started?["structuredContent"]?["run"]?.stringValue)
    assistant.send([
      "jsonrpc": "2.0", "id": 2, "method": "tools/call",
      "params": ["name": "run_recipe", "arguments": ["recipe": "nap"]],
    ])
    #expect(try assistant.finish() == 0)
    let status = try sous("show", run, "--json").json["status"]?.stringValue ?? ""
    #expect(["interrupted", "waiting"].contains(status))
  }
}
