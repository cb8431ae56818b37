import Foundation
import Synchronization

@testable import Networking

/// A server in a process of its own, which ends with this one.
final class Peer: Sendable {
  let port: Int
  private let process: Mutex<Process>
  private let input: FileHandle

  /// Starts a program that prints its port.
  private init(_ program: String, _ arguments: [String], portIn read: @escaping (String) -> Int?, errors: Bool = false)
    throws
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Not all of them notice when a test program that was killed is gone.
    process.arguments = ["timeout", "300", program] + arguments
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    process.standardError = errors ? output : FileHandle.nullDevice
    try process.run()
    var text = ""
    var port: Int?
    while port == nil {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw PeerFailure(program: program, output: text) }
      text += String(decoding: data, as: UTF8.self)
      port = text.split(separator: "\n").lazy.compactMap { read(String($0)) }.first
    }
    // What it says later is of no interest, but must not block it.
    output.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
    self.port = port ?? 0
    self.input = input.fileHandleForWriting
    self.process = Mutex(process)
  }

  deinit { stop() }

  func stop(waits: Bool = false) {
    try? input.close()
    process.withLock { process in
      if process.isRunning { process.terminate() }
      if waits { process.waitUntilExit() }
    }
  }

  /// The server of `peer.py`.
  static func start(_ mode: String, certificate: Certificates.Pair? = nil, implicit: Bool = false) throws -> Peer {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/network/peer.py").path
    var arguments = ["-u", script, mode]
    if let certificate { arguments += ["--cert", certificate.certificate, "--key", certificate.key] }
    if implicit { arguments.append("--implicit") }
    return try Peer("python3", arguments, portIn: { Int($0) })
  }

  /// `python3 -m http.server` on a folder.
  static func files(in folder: String) throws -> Peer {
    try Peer(
      "python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder],
      portIn: { line in
        line.split(separator: " ").firstIndex(of: "port").flatMap { Int(line.split(separator: " ")[$0 + 1]) }
      }, errors: true)
  }

  /// `openssl s_server`, which answers every request with a page about the connection.
  static func openssl(_ certificate: Certificates.Pair, _ options: [String] = []) throws -> Peer {
    try Peer(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate.certificate, "-key", certificate.key, "-www"]
        + options,
      portIn: { line in
        line.hasPrefix("ACCEPT ") ? line.split(separator: ":").last.flatMap { Int($0) } : nil
      }, errors: true)
  }

  /// `nghttpd`, a server for HTTP/2, on a folder.
  static func http2(_ certificate: Certificates.Pair, folder: String, port: Int) throws -> Peer {
    try Peer(
      "nghttpd",
      ["-v", "-a", "127.0.0.1", "-d", folder, "--echo-upload", String(port), certificate.key, certificate.certificate],
      portIn: { $0.contains("listen 127.0.0.1:") ? port : nil }, errors: true)
  }

  /// The mail server `aiosmtpd`, which begins TLS on demand, and the port that it is to use.
  static func mail(_ certificate: Certificates.Pair, port: Int) throws -> Peer {
    try Peer(
      "aiosmtpd",
      [
        "-n", "-d", "-l", "127.0.0.1:\(port)", "--tlscert", certificate.certificate, "--tlskey", certificate.key,
        "--no-requiretls",
      ], portIn: { $0.contains("listening on") ? port : nil }, errors: true)
  }

  /// A peer for HTTP that all tests share.
  static let http = Result { try Peer.start("http") }

  /// A URL of this server.
  func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }
}

struct PeerFailure: Error {
  let program: String
  let output: String
}

/// Whether a program can be run.
func isInstalled(_ program: String) -> Bool {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
  let folders = (path + ":/usr/sbin").split(separator: ":").map(String.init)
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
