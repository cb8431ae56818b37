import Expressions
import Foundation
import LoopbackPorts
import Synchronization

/// A language model of Ollama's API on the loopback interface: it says the same words to every question.
final class ModelServer: Sendable {
  private let listener: LoopbackListener
  private let words: [String]
  private let holds: Bool
  private let asked = Mutex<[Value]>([])
  private let connections = Mutex<[Int32]>([])

  /// Starts it.
  ///
  /// - Parameters:
  ///   - words: The pieces of its answer.
  ///   - holds: Whether the answer has no end.
  init(_ words: [String], holds: Bool = false) throws {
    (self.words, self.holds) = (words, holds)
    listener = try LoopbackListener()
    listener.serve { [self] connection in answer(connection) }
  }

  /// The section of sous.yaml for it.
  var configuration: String {
    "providers: { local: { plugin: ollama, base_url: \"http://127.0.0.1:\(listener.port)\", model: m } }\n"
  }

  /// The bodies of the questions.
  var questions: [Value] { asked.withLock { $0 } }

  private func answer(_ connection: Int32) {
    connections.withLock { $0.append(connection) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      bytes += buffer.prefix(count)
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let length = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
        .first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) }
      guard text[end.upperBound...].utf8.count >= length ?? 0 else { continue }
      asked.withLock { $0.append((try? Value(json: Array(text[end.upperBound...].utf8))) ?? .null) }
      break
    }
    var lines = words.map { word in
      #"{"model":"m","message":{"role":"assistant","content":\#(Value.string(word).jsonString)},"done":false}"#
    }
    if !holds {
      lines.append(#"{"model":"m","message":{"content":""},"done":true,"prompt_eval_count":2,"eval_count":3}"#)
    }
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
    let answer = Array((head + lines.map { $0 + "\n" }.joined()).utf8)
    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    if !holds { shutdown(connection, Int32(SHUT_WR)) }
  }

  /// Ends it.
  func end() {
    listener.end()
    for connection in connections.withLock({ $0 }) { close(connection) }
  }
}
