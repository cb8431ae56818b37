import Foundation
import LoopbackPorts
import Synchronization

/// A server on the loopback interface that answers GET with files, as any static host of an index does.
final class StaticServer: Sendable {
  /// An answer.
  enum Answer {
    case file([UInt8])
    /// Half of the file, and then nothing until ``StaticServer/end()``.
    case half([UInt8])
    case redirect(String)
  }

  private let listener: LoopbackListener
  private let answers = Mutex<[String: Answer]>([:])
  private let connections = Mutex<[Int32]>([])
  private let paths = Mutex<[String]>([])

  init() throws {
    listener = try LoopbackListener()
    listener.serve { [self] connection in answer(connection) }
  }

  var url: String { "http://127.0.0.1:\(listener.port)" }

  /// The paths that were asked for.
  var requests: [String] { paths.withLock { $0 } }

  func put(_ path: String, _ bytes: [UInt8]) { answers.withLock { $0[path] = .file(bytes) } }
  func put(_ path: String, _ text: String) { put(path, Array(text.utf8)) }
  func put(_ path: String, _ answer: Answer) { answers.withLock { $0[path] = answer } }

  private func answer(_ connection: Int32) {
    var request = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection, &request, request.count, 0)
    guard count > 0 else {
      close(connection)
      return
    }
    let path = String(decoding: request.prefix(count), as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
    paths.withLock { $0.append(String(path)) }
    switch answers.withLock({ $0[String(path)] }) {
    case .file(let bytes)?: send(connection, "200 OK\r\nContent-Length: \(bytes.count)", bytes)
    case .half(let bytes)?:
      send(connection, "200 OK\r\nContent-Length: \(bytes.count)", Array(bytes.prefix(bytes.count / 2)))
      connections.withLock { $0.append(connection) }
      return
    case .redirect(let url)?: send(connection, "302 Found\r\nContent-Length: 0\r\nLocation: \(url)", [])
    case nil: send(connection, "404 Not Found\r\nContent-Length: 0", [])
    }
    shutdown(connection, Int32(SHUT_WR))
    close(connection)
  }

  private func send(_ connection: Int32, _ head: String, _ body: [UInt8]) {
    var rest = (Array("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\n".utf8) + body)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(64 << 10))
      let count = Glibc.send(connection, piece, piece.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func end() {
    listener.end()
    for connection in connections.withLock({ $0 }) { close(connection) }
  }
}
