/// The ids of plugins: `[a-z0-9][a-z0-9_-]*`, at most 64 characters.
package enum PluginID {
  /// Whether a text is an id.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isAlphanumeric(first)
      && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  /// The id in the file name of a library; `nil` if the name is not `lib<id>.so`.
  package static func ofLibrary(at path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix("lib"), name.hasSuffix(".so"), name.utf8.count > 6 else { return nil }
    let id = String(name.dropFirst(3).dropLast(3))
    return isValid(id) ? id : nil
  }
}
