import Foundation

/// A folder that goes when the test is over.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array((FileManager.default.temporaryDirectory.path + "/run-store-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// The permission bits of a file or folder.
  static func permissions(of path: String) throws -> Int {
    var information = stat()
    guard stat(path, &information) == 0 else { throw CocoaError(.fileNoSuchFile) }
    return Int(information.st_mode & 0o777)
  }
}
