internal import CGLib

/// A normal form of Unicode (UAX #15), made by GLib.
///
/// Foundation has the same form, but brings 50 MB of ICU into each plugin that imports it.
public enum UnicodeForm: Sendable {
  /// NFKC: letters with their accents as one character each, and compatibility characters replaced: `ﬁ` becomes `fi`.
  case compatibilityComposed

  /// The text in this form. A text with a NUL is returned as it is, because GLib would end there.
  public func of(_ text: String) -> String {
    guard !text.utf8.contains(0), let normal = g_utf8_normalize(text, -1, mode) else { return text }
    defer { g_free(normal) }
    return String(cString: normal)
  }

  private var mode: GNormalizeMode {
    switch self {
    case .compatibilityComposed: G_NORMALIZE_ALL_COMPOSE
    }
  }
}
