/// How a configuration names a plugin: by its id, or by the path of its library.
public enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// The `<id>` of `lib<id>.so`, looked for along the search path.
  case id(String)
  /// A library; a relative path counts from the current folder.
  case path(String)

  /// Reads a reference: what contains a slash is a path.
  public init(_ text: String) {
    self = text.contains("/") ? .path(text) : .id(text)
  }

  /// The reference as the configuration spells it.
  public var description: String {
    switch self {
    case .id(let id): id
    case .path(let path): path
    }
  }

  /// The id a library must have by its file name; `nil` where the name is not `lib<id>.so` with an id as ids are spelt.
  static func id(ofLibraryAt path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix("lib"), name.hasSuffix(".so"), name.utf8.count > 6 else { return nil }
    let id = String(name.dropFirst(3).dropLast(3))
    return isID(id) ? id : nil
  }

  /// `[a-z0-9][a-z0-9_-]*`, at most 64 characters.
  static func isID(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isAlphanumeric(first)
      && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }
}
