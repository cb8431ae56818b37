import Foundation
import TestSupport

/// Certificates that `openssl` makes for the tests, in a folder that goes with it.
final class Certificates: Sendable {
  struct Pair: Sendable {
    let certificate: String
    let key: String
  }

  private let temporary: TemporaryFolder
  /// The authority.
  let authority: Pair
  /// For localhost and 127.0.0.1.
  let good: Pair
  /// For other.example.
  let otherHost: Pair
  /// Out of date.
  let expired: Pair
  /// Named by its common name alone.
  let unnamed: Pair
  /// Signed by itself.
  let selfSigned: Pair

  private init() throws {
    temporary = try TemporaryFolder()
    let folder = temporary.path
    authority = try Self.make("authority", in: folder, ["-x509", "-days", "2", "-subj", "/CN=Test Authority"])
    let good = ["-addext", "subjectAltName=DNS:localhost,DNS:api.example.com,IP:127.0.0.1"]
    self.good = try Self.make("good", in: folder, good + Self.leaf, signer: authority, days: "2")
    otherHost = try Self.make(
      "other", in: folder, ["-addext", "subjectAltName=DNS:other.example"] + Self.leaf, signer: authority, days: "2")
    expired = try Self.make("expired", in: folder, good + Self.leaf, signer: authority, days: "-1")
    unnamed = try Self.make("unnamed", in: folder, ["-subj", "/CN=localhost"], signer: authority, days: "2")
    selfSigned = try Self.make("self", in: folder, ["-x509", "-days", "2", "-subj", "/CN=localhost"] + good)
  }

  /// The certificates that all tests share.
  static let shared = Result { try Certificates() }

  private static let leaf = ["-subj", "/CN=leaf"]

  private static func make(
    _ name: String, in folder: String, _ options: [String], signer: Pair? = nil, days: String = ""
  ) throws -> Pair {
    let pair = Pair(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", pair.key]
    guard let signer else {
      try openssl(["req"] + key + options + ["-out", pair.certificate])
      return pair
    }
    let request = "\(folder)/\(name).csr"
    try openssl(["req", "-new"] + key + options + ["-out", request])
    try openssl([
      "x509", "-req", "-in", request, "-CA", signer.certificate, "-CAkey", signer.key, "-CAcreateserial",
      "-copy_extensions", "copy", "-days", days, "-out", pair.certificate,
    ])
    return pair
  }

  private static func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw PeerFailure(program: "openssl", output: text) }
  }
}
