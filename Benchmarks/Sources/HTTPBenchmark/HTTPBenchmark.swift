import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// A server of Hummingbird with one route that returns a constant: what `list.py` compares requests to.
///
/// Usage: HTTPBenchmark PORT BYTES. It has one event loop, as the server of Sous has.
@main
struct HTTPBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard arguments.count == 2 else {
      print("usage: HTTPBenchmark PORT BYTES")
      return
    }
    let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: arguments[1])
    let router = Router()
    router.get("constant") { _, _ in
      Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
    }
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: arguments[0])),
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
    try await application.runService()
  }
}
