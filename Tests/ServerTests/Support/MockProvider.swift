import Expressions
import Foundation
import LoopbackPorts
import TestSupport

/// PyPI's oidc-provider-mock on the loopback interface; ends with this object, or with this process.
final class MockProvider {
  struct Failure: Error { let text: String }

  let port: Int
  private let process = Process()
  private let input = Pipe()

  private static let program =
    URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../.build/peers/bin/oidc-provider-mock")
    .standardized.path

  /// Whether it is installed: `Scripts/install-peers.sh`.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Where it answers, which is its issuer.
  var address: String { "http://127.0.0.1:\(port)" }

  /// Starts it.
  ///
  /// - Parameter port: The port; `nil` for a free one.
  init(port: Int? = nil) async throws {
    self.port = try port ?? LoopbackPort.free()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]
    // It ends when its input does: with this process, however that ends.
    process.arguments = [
      "-c", "\"$@\" </dev/null & cat >/dev/null; kill -KILL $!; wait", "server", Self.program, "--port", "\(self.port)",
    ]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let port = self.port
    try await eventually(within: .seconds(60)) { HTTPCall.canConnect(port) }
  }

  deinit { stop() }

  /// Ends it.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Sets the claims of an account.
  func set(_ subject: String, _ claims: Value) async throws {
    let answer = try await HTTPCall(port).send(
      "PUT", "/users/\(subject)", [("Content-Type", "application/json")], claims.json())
    guard answer.status == 204 else { throw Failure(text: answer.text) }
  }

  /// Signs an account in at the page to which the server has sent a browser.
  ///
  /// - Returns: The address to which the browser goes back.
  func approve(_ url: String, as subject: String) async throws -> String {
    let path = url.hasPrefix(address) ? String(url.dropFirst(address.count)) : ""
    let answer = try await HTTPCall(port).send(
      "POST", path, [("Content-Type", "application/x-www-form-urlencoded")], Array("sub=\(subject)".utf8))
    guard answer.status == 302, let location = answer.field("location") else { throw Failure(text: answer.text) }
    return location
  }
}
