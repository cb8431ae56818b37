import Expressions
import Foundation
import LoopbackPorts
import Synchronization

/// A server that speaks as Ollama does: it keeps what it is asked and answers with the text of the last turn, a few
/// characters at a time.
final class EchoModel: Sendable {
  private let listener: LoopbackListener
  private let kept = Mutex<[String]>([])

  /// The bodies of all requests so far.
  var bodies: [String] { kept.withLock { $0 } }

  init() throws {
    listener = try LoopbackListener(queue: 128)
    listener.serve { [self] connection in answer(connection) }
  }

  var port: Int { listener.port }

  func end() { listener.end() }

  private func answer(_ connection: Int32) {
    defer { close(connection) }
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var wanted = Int.max
    var bodyStart = 0
    while request.count < wanted {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      request += chunk[..<count]
      if wanted == .max, let end = request.firstRange(of: Array("\r\n\r\n".utf8)) {
        bodyStart = end.upperBound
        let head = String(decoding: request[..<bodyStart], as: UTF8.self).lowercased()
        let length = head.firstMatch(of: #/content-length: *(\d+)/#).flatMap { Int($0.1) } ?? 0
        wanted = bodyStart + length
      }
    }
    let body = String(decoding: request[bodyStart...], as: UTF8.self)
    kept.withLock { $0.append(body) }
    let messages = (try? Value(json: Array(body.utf8)))?["messages"]?.listValue ?? []
    let text = messages.last?["content"]?.stringValue ?? ""
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      let piece: Value = [
        "model": "echo", "message": ["role": "assistant", "content": .string(String(rest.prefix(7)))], "done": false,
      ]
      lines.append(piece.jsonString)
      rest = rest.dropFirst(7)
    }
    lines.append(
      #"{"model":"echo","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":1}"#
    )
    let output = Array(
      ("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
        + lines.joined(separator: "\n")
        + "\n").utf8)
    var sent = 0
    while sent < output.count {
      let count = output[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
    shutdown(connection, Int32(SHUT_WR))
  }
}
