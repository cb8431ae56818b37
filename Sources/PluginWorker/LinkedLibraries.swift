import Foundation

/// Finds the files that the dynamic linker opens for a library, so that a worker gets access to these and no others.
enum LinkedLibraries {
  /// The limit of the search, more than any plugin is linked to: a malicious library must not make it endless.
  private static let mostFiles = 512

  /// The system's folders of libraries besides `/usr` and `/lib`, from `/etc/ld.so.conf`, which belongs to root.
  static var folders: [String] {
    var files = ["/etc/ld.so.conf"]
    let extra = (try? FileManager.default.contentsOfDirectory(atPath: "/etc/ld.so.conf.d")) ?? []
    files += extra.sorted().filter { $0.hasSuffix(".conf") }.map { "/etc/ld.so.conf.d/" + $0 }
    return files.flatMap { file -> [String] in
      guard let data = FileManager.default.contents(atPath: file) else { return [] }
      return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("/") && $0 != "/" }
    }
  }

  /// The files of a library: itself, and recursively the `DT_NEEDED` libraries in the folders of `DT_RUNPATH`, `DT_RPATH` and
  /// `LD_LIBRARY_PATH`. Only shared libraries count, so that a made-up name cannot give access to other files.
  static func files(of library: String) -> [String] {
    let environment = (ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(
      String.init)
    var found: [String] = [library]
    var seen: Set<String> = [library]
    var next = 0
    // Libraries inherit the folders of `DT_RPATH` of those that need them.
    var inherited: [String] = []
    while next < found.count, found.count < mostFiles {
      let path = found[next]
      next += 1
      guard let file = DynamicSection(path: path) else { continue }
      let origin = (path as NSString).deletingLastPathComponent
      let own = file.searchPaths.map {
        $0.replacingOccurrences(of: "${ORIGIN}", with: origin).replacingOccurrences(of: "$ORIGIN", with: origin)
      }
      inherited += own
      for name in file.needed where !name.contains("/") {
        for folder in own + inherited + environment where folder.hasPrefix("/") {
          let candidate = folder + "/" + name
          guard seen.insert(candidate).inserted else { continue }
          if DynamicSection.isLibrary(candidate) { found.append(candidate) }
        }
      }
    }
    return found
  }
}
