import Foundation
import LoopbackPorts

/// A server on 127.0.0.1 whose connections a test answers one by one, each on a thread of its own.
final class LoopbackServer: Sendable {
  private let listener: LoopbackListener
  /// Connections that were made.
  let accepted = Arrivals()
  /// Connections whose answering is over.
  let finished = Arrivals()

  struct Connection {
    let descriptor: Int32

    /// Reads once.
    func read() -> String {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func write(_ text: String) {
      let bytes = Array(text.utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the other side has gone.
    func waitForClose() { while !read().isEmpty {} }
  }

  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    listener = try LoopbackListener()
    listener.serve { [accepted, finished] connection in
      accepted.add()
      serve(Connection(descriptor: connection))
      close(connection)
      finished.add()
    }
  }

  var port: Int { listener.port }
}
