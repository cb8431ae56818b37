import Catalog
import Expressions
import Foundation
import Localization
import TestSupport

/// A project in a folder of its own, which goes with it.
final class TemporaryProject {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  var store: CatalogStore { CatalogStore(project: path, language: .english) }

  func write(_ file: String, _ text: String) throws {
    let full = path + "/" + file
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: full, atomically: true, encoding: .utf8)
  }

  func text(_ file: String) -> String? { folder.text(file) }

  /// All files below the catalog with their texts.
  var files: [String: String] {
    var found: [String: String] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: path + "/catalog") ?? .init() {
      if let text = text("catalog/" + name) { found[name] = text }
    }
    return found
  }
}

/// A moment for all tests.
let moment = Date(timeIntervalSince1970: 1_800_000_000)
