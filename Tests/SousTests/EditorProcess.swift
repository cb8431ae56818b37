import Expressions
import Foundation
import Testing

/// `sous lsp` as a process with pipes, and the side of the editor.
final class EditorProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let folder: SousProcess?
  private var buffer: [UInt8] = []
  private var id: Int64 = 0
  /// Messages that were skipped while waiting for another.
  private var passed: [Value] = []

  /// Starts a server, in a folder of its own unless one is given.
  init(in sous: SousProcess? = nil, _ arguments: [String] = []) throws {
    let place = try sous ?? SousProcess()
    folder = sous == nil ? place : nil
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["lsp"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: place.folder)
    process.environment = place.environment
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Ends the server where it still runs.
  func stop() {
    // The signals of the thread that starts a process can be blocked in it; this one cannot.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    folder?.remove()
  }

  /// The exit status, once the server has ended by itself.
  var status: Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  // MARK: Sending

  static func framed(_ content: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }

  /// Sends bytes as they are.
  func write(_ bytes: [UInt8]) { input.fileHandleForWriting.write(Data(bytes)) }

  /// Sends the content of a message.
  func send(_ content: [UInt8]) { write(Self.framed(content)) }

  func notify(_ method: String, _ parameters: Value) {
    send((["jsonrpc": "2.0", "method": .string(method), "params": parameters] as Value).json())
  }

  func open(_ uri: String, _ text: String) {
    notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "yaml", "version": 1, "text": .string(text)]])
  }

  // MARK: Receiving

  /// The next message.
  ///
  /// - Throws: Where the server ends without one.
  func next() throws -> Value {
    while true {
      if let end = headerEnd(), let length = contentLength(end), buffer.count >= end + 4 + length {
        let content = Array(buffer[(end + 4)..<(end + 4 + length)])
        buffer.removeFirst(end + 4 + length)
        return try Value(json: content)
      }
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended")
      buffer += data
    }
  }

  private func headerEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...(buffer.count - 4)).first { Array(buffer[$0..<($0 + 4)]) == [13, 10, 13, 10] }
  }

  private func contentLength(_ end: Int) -> Int? {
    String(decoding: buffer[..<end], as: UTF8.self).split(separator: ":").last.flatMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
  }

  /// Sends a request and waits for its answer.
  @discardableResult
  func request(_ method: String, _ parameters: Value) throws -> Value {
    id += 1
    send((["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": parameters] as Value).json())
    while true {
      let message = try next()
      if message["id"] == .int(id), message["method"] == nil { return message }
      passed.append(message)
    }
  }

  /// Begins the conversation; gives the result.
  @discardableResult
  func initialize(_ capabilities: Value = [:]) throws -> Value {
    let answer = try request("initialize", ["processId": .null, "rootUri": .null, "capabilities": capabilities])
    notify("initialized", [:])
    return answer["result"] ?? .null
  }

  /// The last diagnostics of a file that have come, or else the next.
  func diagnostics(of uri: String) throws -> [Value] {
    let isWanted = { (message: Value) in message["params"]?["uri"]?.stringValue == uri }
    if let last = passed.last(where: isWanted) {
      passed.removeAll(where: isWanted)
      return last["params"]?["diagnostics"]?.listValue ?? []
    }
    while true {
      let message = try next()
      if isWanted(message) { return message["params"]?["diagnostics"]?.listValue ?? [] }
      passed.append(message)
    }
  }
}
