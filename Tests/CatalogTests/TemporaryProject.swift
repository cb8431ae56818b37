import Catalog
import Expressions
import Foundation
import Localization

/// A project in a folder of its own, which goes with it.
final class TemporaryProject {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/sous-catalog-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: CatalogStore { CatalogStore(project: path, language: .english) }

  func write(_ file: String, _ text: String) throws {
    let full = path + "/" + file
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: full, atomically: true, encoding: .utf8)
  }

  func text(_ file: String) -> String? { try? String(contentsOfFile: path + "/" + file, encoding: .utf8) }

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
