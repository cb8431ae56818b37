import Glibc
public import RecipeSyntax

/// Where the files of a prompt catalog come from.
public protocol PromptSource: Sendable {
  /// The names of the presets there are: `mail/summary`.
  var names: [String] { get }

  /// A file of the catalog.
  ///
  /// - Parameter file: The path below the catalog: `mail/summary.yaml`, `mail/folder.yaml`.
  /// - Returns: `nil` where there is no such file.
  /// - Throws: ``Diagnostic`` where it cannot be read.
  func text(_ file: String) throws(Diagnostic) -> SourceText?
}

/// A catalog in a folder: `catalog/` beside `sous.yaml`.
public struct PromptFolder: PromptSource {
  /// The folder.
  public let path: String

  /// Names a folder; it need not exist.
  public init(path: String) {
    self.path = path
  }

  /// The presets below the folder; one that stands in no folder is written with `./` before it.
  public var names: [String] { Self.list(path, prefix: "", depth: 0).sorted() }

  /// A file below the folder.
  public func text(_ file: String) throws(Diagnostic) -> SourceText? {
    let full = path + "/" + file
    guard access(full, F_OK) == 0 else { return nil }
    return try SourceText.read(full)
  }

  private static func list(_ folder: String, prefix: String, depth: Int) -> [String] {
    guard depth < 64, let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream), found.count < 20_000 {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if name.hasSuffix(".yaml") {
        if name != "folder.yaml" { found.append((prefix.isEmpty ? "./" : prefix) + name.dropLast(5)) }
      } else if entry.pointee.d_type != UInt8(DT_REG) {
        found += list(folder + "/" + name, prefix: prefix + name + "/", depth: depth + 1)
      }
    }
    return found
  }
}
