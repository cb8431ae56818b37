import Foundation

@testable import Networking

/// A service and policy for one test.
struct TestNetwork: Sendable {
  let service: NetworkService
  let policy: EgressPolicy

  /// Creates a network that may reach this machine.
  init(
    limits: NetworkLimits = .patient, resolver: any HostResolver = SystemResolver(), declared: [String] = [],
    configured: [String] = ["127.0.0.1", "localhost"]
  ) throws {
    service = NetworkService(limits: limits, resolver: resolver)
    policy = try EgressPolicy(declared: declared, configured: configured, provider: "test")
  }

  /// Carries out a request and waits for its end.
  func response(to request: HTTPRequest) async -> ResponseRecorder.State {
    let recorder = ResponseRecorder()
    service.send(request, policy: policy, handler: recorder)
    return await recorder.ended()
  }

  /// Gets a URL.
  func get(_ url: String) async -> ResponseRecorder.State { await response(to: HTTPRequest(url: url)) }

  /// Opens a stream to a server on this machine.
  func open(
    _ port: Int, host: String = "127.0.0.1", security: StreamRequest.Security = .none, idleTimeout: Duration? = nil,
    window: Int? = nil, tls: TLSOptions = TLSOptions(), recorder: StreamRecorder
  ) -> StreamConnection {
    service.open(
      StreamRequest(host: host, port: port, security: security, idleTimeout: idleTimeout, window: window, tls: tls),
      policy: policy, handler: recorder)
  }
}

extension NetworkLimits {
  /// For machines that are busy with other things.
  static var patient: NetworkLimits {
    var limits = NetworkLimits()
    limits.connectTimeout = .seconds(50)
    limits.idleConnections = .seconds(600)
    return limits
  }
}

/// How many connections of this process to a port are open.
func openConnections(to port: Int) -> Int {
  let hex = String(port, radix: 16, uppercase: true)
  let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
  // Its size is said to be 0.
  let data = FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readDataToEndOfFile() ?? Data()
  let table = String(decoding: data, as: UTF8.self)
  let sockets = table.split(separator: "\n")
    .dropFirst().compactMap { line -> String? in
      let fields = line.split(separator: " ")
      return fields.count > 9 && fields[2].hasSuffix(suffix) && fields[9] != "0" ? "socket:[\(fields[9])]" : nil
    }
  let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  let links = Set(
    files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") })
  // The table may name one twice while others come and go.
  return links.intersection(sockets).count
}
