import Expressions
import Foundation
import LoopbackPorts
import Synchronization

/// A server on the loopback interface that speaks as OpenAI does and answers as a test says.
final class ChatServer: Sendable {
  /// What it answers.
  enum Answer: Sendable {
    /// These pieces, one event each.
    case words([String])
    /// These pieces, and a reason why the answer ends with them: `length`.
    case cut([String], reason: String)
    /// These pieces; then the connection breaks.
    case broken([String])
    /// These calls of tools: the name and the arguments as JSON.
    case calls([(name: String, arguments: String)])
    /// These pieces once somebody lets it go on.
    case held([String])
  }

  private let listener: LoopbackListener
  private let answer: @Sendable (Value, Int) -> Answer
  private let bodies = Mutex<[Value]>([])
  private let isReleased = Mutex(false)

  /// Starts it.
  ///
  /// - Parameter answer: The answer to a request, by its body and its number from 0.
  init(_ answer: @escaping @Sendable (Value, Int) -> Answer) throws {
    self.answer = answer
    listener = try LoopbackListener()
    listener.serve { [self] connection in
      serve(connection)
      close(connection)
    }
  }

  var port: Int { listener.port }

  /// What it was asked so far.
  var requests: [Value] { bodies.withLock { $0 } }

  /// Lets held answers go on.
  func release() { isReleased.withLock { $0 = true } }

  /// The providers of a sous.yaml that ask it.
  var configuration: String {
    "providers: { mock: { plugin: openai, base_url: \"http://127.0.0.1:\(port)/v1\", model: mock } }\n"
  }

  func end() {
    release()
    listener.end()
  }

  private func serve(_ connection: Int32) {
    guard let body = read(connection), let value = try? Value(json: body) else { return }
    let number = bodies.withLock { bodies in
      bodies.append(value)
      return bodies.count - 1
    }
    write(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    switch answer(value, number) {
    case .words(let pieces): finish(connection, pieces)
    case .cut(let pieces, let reason): finish(connection, pieces, reason: reason)
    case .broken(let pieces): for piece in pieces { write(connection, Self.event(piece)) }
    case .held(let pieces):
      write(connection, Self.event(pieces.first ?? ""))
      while !isReleased.withLock({ $0 }) { usleep(10_000) }
      finish(connection, Array(pieces.dropFirst()))
    case .calls(let calls):
      let list = calls.enumerated().map { index, call -> Value in
        [
          "index": .int(Int64(index)), "id": .string("call-\(number)-\(index)"),
          "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
        ]
      }
      let delta: Value = ["choices": [["index": 0, "delta": ["tool_calls": .list(list)]]]]
      write(connection, "data: \(String(decoding: delta.json(), as: UTF8.self))\n\n")
      finish(connection, [], reason: "tool_calls")
    }
  }

  private func finish(_ connection: Int32, _ pieces: [String], reason: String = "stop") {
    write(connection, pieces.map(Self.event).joined())
    write(
      connection,
      #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"\#(reason)"}],"usage":{"prompt_tokens":5,"completion_tokens":7}}"#
        + "\n\ndata: [DONE]\n\n")
  }

  private static func event(_ piece: String) -> String {
    let chunk: Value = ["model": "mock", "choices": [["index": 0, "delta": ["content": .string(piece)]]]]
    return "data: \(String(decoding: chunk.json(), as: UTF8.self))\n\n"
  }

  private func write(_ connection: Int32, _ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The body of a request.
  private func read(_ connection: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let mark = Array("\r\n\r\n".utf8)
    while true {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
      guard let end = bytes.firstRange(of: mark) else { continue }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
      let length =
        head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
      if bytes.count - end.upperBound >= length { return Array(bytes[end.upperBound...].prefix(length)) }
    }
  }
}
