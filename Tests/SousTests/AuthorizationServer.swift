import Foundation
import LoopbackPorts

/// An authorization server of others on the loopback interface; ends with this object, or with this process.
final class AuthorizationServer {
  struct NotReady: Error { let output: String }

  /// Where it answers: `http://127.0.0.1:PORT`.
  let address: String
  /// Its folder, with its log.
  let folder: String
  private let process = Process()
  private let input = Pipe()

  private static let script = SousProcess.repository + "/Tests/Fixtures/authorization/glewlwyd.py"
  private static let mock = SousProcess.repository + "/.build/peers/bin/oidc-provider-mock"

  /// Whether Debian's glewlwyd is installed.
  static var isGlewlwydInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/glewlwyd") }
  /// Whether PyPI's oidc-provider-mock is installed: `Scripts/install-peers.sh`.
  static var isMockInstalled: Bool { FileManager.default.isExecutableFile(atPath: mock) }

  private init(_ arguments: [String], signal: String, port: Int, folder: String) throws {
    self.folder = folder
    address = "http://127.0.0.1:\(port)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let log = folder + "/output"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The server ends when its input does: with this process, however that ends.
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"]
    process.arguments = ["-c", "\"$@\" </dev/null & cat >/dev/null; kill -\(signal) $!; wait", "server"] + arguments
    process.standardInput = input
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Debian's glewlwyd, with one user, one client, and refresh tokens that count only once.
  ///
  /// - Parameters:
  ///   - redirect: The redirect that the client has registered.
  ///   - lifetime: The seconds an access token lives.
  static func glewlwyd(redirect: String, lifetime: Int = 3600) throws -> AuthorizationServer {
    let port = try LoopbackPort.free()
    let folder = NSTemporaryDirectory() + "/sous-glewlwyd-" + UUID().uuidString
    let server = try AuthorizationServer(
      ["python3", script, "serve", folder, "\(port)", redirect, "\(lifetime)"], signal: "TERM", port: port,
      folder: folder)
    try server.waitUntilReady { $0.contains("ready\n") }
    return server
  }

  /// PyPI's oidc-provider-mock, with one user.
  static func mock(_ arguments: [String] = []) throws -> AuthorizationServer {
    let port = try LoopbackPort.free()
    let folder = NSTemporaryDirectory() + "/sous-oidc-" + UUID().uuidString
    let server = try AuthorizationServer(
      [mock, "--port", "\(port)", "--user-claims", #"{"sub":"ada","email":"ada@example.org"}"#] + arguments,
      // It inherits a mask that blocks SIGTERM.
      signal: "KILL", port: port, folder: folder)
    try server.waitUntilReady { $0.contains("running on") }
    return server
  }

  private func waitUntilReady(_ isReady: (String) -> Bool) throws {
    for _ in 0..<1200 {
      if isReady(output) { return }
      guard process.isRunning else { break }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw NotReady(output: output)
  }

  /// What it has printed.
  var output: String { text("output") }

  /// A file of its folder.
  func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
  }

  /// How many access tokens glewlwyd has given.
  var tokensGiven: Int { text("glewlwyd.log").components(separatedBy: "Access token generated").count - 1 }

  /// What a person does in a browser, by plain HTTP requests; the browser's last page.
  func person(_ arguments: String...) throws -> String {
    let person = Process()
    let pipe = Pipe()
    person.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    person.arguments = [Self.script] + arguments
    person.standardInput = FileHandle.nullDevice
    person.standardOutput = pipe
    person.standardError = pipe
    try person.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    person.waitUntilExit()
    guard person.terminationStatus == 0 else { throw NotReady(output: text) }
    return text
  }
}
