/// How a configuration names a plugin: by its id, or by the path of its library.
public enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// The `<id>` of `lib<id>.so`, looked for along the search path.
  case id(String)
  /// A library. Paths of a configuration are made absolute before.
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
}
