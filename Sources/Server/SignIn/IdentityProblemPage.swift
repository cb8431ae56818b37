import Localization

/// The page of a sign-in that failed, for people at a browser. It has neither scripts nor styles.
enum IdentityProblemPage {
  /// The page.
  ///
  /// - Parameters:
  ///   - message: The problem and the remedy.
  ///   - again: The path that begins the sign-in again.
  static func html(_ message: LocalizedText, again: String, in language: Language) -> String {
    let title = LocalizedText("You are not signed in", de: "Sie sind nicht angemeldet").string(in: language)
    let link = LocalizedText("Sign in again", de: "Noch einmal anmelden").string(in: language)
    return """
      <!doctype html>
      <html lang="\(language.rawValue)">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sous: \(title)</title></head>
      <body><h1>\(title)</h1><p>\(escaped(message.string(in: language)))</p><p><a href="\(escaped(again))">\(link)</a></p></body>
      </html>

      """
  }

  /// A text within HTML.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
