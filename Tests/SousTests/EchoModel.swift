import Expressions
import Foundation
import Synchronization

/// A server that speaks as Ollama does: it keeps what it is asked and answers with the text of the last turn, a few
/// characters at a time.
final class EchoModel: Sendable {
  struct NotReady: Error {}

  let port: Int
  private let descriptor: Int32
  private let kept = Mutex<[String]>([])

  /// The bodies of all requests so far.
  var bodies: [String] { kept.withLock { $0 } }

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) + getsockname(descriptor, $0, &length) + listen(descriptor, 128)
      }
    }
    guard status == 0 else { throw NotReady() }
    port = Int(UInt16(bigEndian: address.sin_port))
    // Ends when `accept` fails, as it does once the descriptor is shut down; each connection ends with its answer.
    Thread.detachNewThread { [self] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        Thread.detachNewThread { self.answer(connection) }
      }
    }
  }

  func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

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
