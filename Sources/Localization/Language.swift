/// A language Sous speaks.
public enum Language: String, Sendable, CaseIterable {
  /// English, the default.
  case english = "en"
  /// German.
  case german = "de"

  /// Creates a language from a tag (`de`, `de-CH`) or a POSIX locale name (`de_DE.UTF-8`).
  ///
  /// - Returns: `nil` where the primary subtag is neither `en` nor `de`.
  public init?(tag: String) {
    let primary = tag.prefix { $0.isLetter }.lowercased()
    self.init(rawValue: primary)
  }

  /// The language a process should speak, from its environment.
  ///
  /// Follows POSIX: `LC_ALL` overrides `LC_MESSAGES`, which overrides `LANG`; an empty variable counts as unset. A
  /// locale that Sous has no texts for, `C` and `POSIX` among them, means English.
  public static func preferred(environment: [String: String]) -> Language {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = environment[name], !value.isEmpty {
        return Language(tag: value) ?? .english
      }
    }
    return .english
  }
}
