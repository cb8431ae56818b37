import Foundation

/// A folder of a test, below the system's folder for temporary files. It is removed with its last reference.
package final class TemporaryFolder: Sendable {
  /// The absolute path.
  package let path: String

  /// Makes an empty folder.
  package init() throws {
    var template = Array((NSTemporaryDirectory() + "/sous-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    // The path as programs see it: without links and doubled slashes of TMPDIR.
    guard let resolved = realpath(template, nil) else { throw CocoaError(.fileReadUnknown) }
    defer { free(resolved) }
    path = String(cString: resolved)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file, whose folder must exist, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self(name))
    return self(name)
  }

  /// Writes a text as UTF-8, and returns the path of the file.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    try write(name, Array(text.utf8), mode: mode)
  }

  /// The content of a file.
  package func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: self(name)))) }

  /// The text of a file; `nil` if it does not exist.
  package func text(_ name: String) -> String? { try? String(contentsOfFile: self(name), encoding: .utf8) }

  /// Whether a file or folder exists.
  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }

  /// The names in the folder, sorted.
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The permission bits of a file or folder; `nil` if it does not exist.
  package func permissions(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: self(name)))?[.posixPermissions] as? Int
  }
}
