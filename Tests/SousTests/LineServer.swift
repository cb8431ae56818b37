import Foundation
import LoopbackPorts
import Synchronization

/// A server on the loopback interface that answers every POST with the same lines of JSON, and then ends or is silent, and
/// every GET with a list of one model.
final class LineServer: Sendable {
  private let listener: LoopbackListener
  private let lines: [String]
  private let holds: Bool
  private let head: String
  private let requests = Mutex(0)
  private let connections = Mutex<[Int32]>([])

  /// Starts it.
  ///
  /// - Parameter head: The status and header fields of its answers.
  init(_ lines: [String], thenHolds holds: Bool = false, head: String = "200 OK") throws {
    self.head = head
    self.lines = lines
    self.holds = holds
    listener = try LoopbackListener()
    listener.serve { [self] connection in answer(connection) }
  }

  var port: Int { listener.port }

  private func answer(_ connection: Int32) {
    connections.withLock { $0.append(connection) }
    var request = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(connection, &request, request.count, 0)
    guard count > 0 else { return }
    if request.starts(with: Array("GET".utf8)), !holds {
      finish(connection, #"{"models":[{"name":"m","size":1000000}]}"#)
      return
    }
    requests.withLock { $0 += 1 }
    finish(connection, lines.map { $0 + "\n" }.joined())
  }

  private func finish(_ connection: Int32, _ body: String) {
    var text = "HTTP/1.1 \(head)\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
    text += body
    let bytes = Array(text.utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if !holds { shutdown(connection, Int32(SHUT_WR)) }
  }

  /// Waits for the first request, ten seconds at most.
  func waitForRequest() -> Bool {
    for _ in 0..<1000 {
      if requests.withLock({ $0 > 0 }) { return true }
      usleep(10_000)
    }
    return false
  }

  func end() {
    listener.end()
    for connection in connections.withLock({ $0 }) { close(connection) }
  }
}
