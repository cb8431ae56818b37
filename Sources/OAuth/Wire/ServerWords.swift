/// Words of a server as they may be shown: one line, short, without what must stay secret.
struct ServerWords {
  private static let longest = 300

  /// Texts that must not appear, such as a refresh token that a server repeats.
  var secrets: [String] = []

  /// A text of the server's, fit to be shown.
  func clean(_ text: String) -> String {
    var result = text
    for secret in secrets where secret.utf8.count >= 4 { result = result.replacing(secret, with: "•••") }
    let line = String(String.UnicodeScalarView(result.unicodeScalars.map { Self.isShown($0) ? $0 : " " }))
    return line.count > Self.longest ? line.prefix(Self.longest) + "…" : line
  }

  /// No control characters, and nothing that turns the direction of a line round.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }
}
