import Foundation

@testable import Secrets

/// A folder for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/sous-secrets-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  @discardableResult
  func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    try write(name, Array(text.utf8), mode: mode)
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    guard chmod(file, mode) == 0 else { throw POSIXError(.EPERM) }
    return file
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

  func mode(_ name: String) -> mode_t? {
    var facts = stat()
    return stat(path + "/" + name, &facts) == 0 ? facts.st_mode & 0o777 : nil
  }
}

extension SecretFinding {
  /// The value that was found, as a text.
  var text: String? {
    if case .found(let bytes) = self { bytes.text } else { nil }
  }
}

/// A name that is known to be one.
func name(_ text: String) throws -> SecretName { try SecretName(checking: text) }

/// The bytes of hexadecimal digits.
func bytes(hex: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var digits = hex.makeIterator()
  while let high = digits.next()?.hexDigitValue, let low = digits.next()?.hexDigitValue {
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
