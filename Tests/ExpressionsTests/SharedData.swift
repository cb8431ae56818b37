import Foundation

/// Data for tests that is not part of the repository: `../shared/data` beside it, or where SOUS_SHARED_DATA points.
enum SharedData {
  /// The folder of a kind of data; `nil` where it is absent.
  static func folder(_ name: String) -> URL? {
    var candidates: [URL] = []
    if let path = ProcessInfo.processInfo.environment["SOUS_SHARED_DATA"] {
      candidates.append(URL(fileURLWithPath: path))
    }
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.appendingPathComponent("shared/data"))
      folder.deleteLastPathComponent()
    }
    return candidates.map { $0.appendingPathComponent(name) }.first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
