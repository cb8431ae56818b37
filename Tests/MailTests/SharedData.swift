import Foundation

/// Messages and tables from elsewhere that are not part of the package; tests that need them are skipped without them.
enum SharedData {
  /// The folder `mail` of the data, from `SOUS_SHARED_DATA` or from `../shared/data` beside a folder above this file.
  static let mail: URL? = {
    if let path = ProcessInfo.processInfo.environment["SOUS_SHARED_DATA"] {
      return existing(URL(fileURLWithPath: path).appendingPathComponent("mail"))
    }
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      if let found = existing(folder.appendingPathComponent("shared/data/mail")) { return found }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static let absence = "the samples in ../shared/data/mail are absent"
  static var isPresent: Bool { mail != nil }

  /// The samples' names, such as `rfc/000`.
  static let samples: [String] = {
    guard let mail else { return [] }
    return ["rfc", "legacy", "malformed", "thirdparty"].flatMap { folder -> [String] in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: mail.appendingPathComponent(folder).path)) ?? []
      return files.filter { $0.hasSuffix(".eml") }.sorted().map { "\(folder)/\($0.dropLast(4))" }
    }
  }()

  static func bytes(_ sample: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: file("\(sample).eml")))
  }

  static func json(_ name: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(contentsOf: file("\(name).json")))
  }

  /// The cases of a table of header values.
  static func table(_ name: String) throws -> [(header: [UInt8], expected: Any)] {
    guard let cases = try json("headers/\(name)") as? [[String: Any]] else { return [] }
    return cases.compactMap { entry in
      guard let header = entry["header"] as? String, let expected = entry["expected"] else { return nil }
      return (Array(header.utf8), expected)
    }
  }

  private static func file(_ path: String) throws -> URL {
    guard let mail else { throw CocoaError(.fileNoSuchFile) }
    return mail.appendingPathComponent(path)
  }

  private static func existing(_ url: URL) -> URL? { FileManager.default.fileExists(atPath: url.path) ? url : nil }
}
