import Foundation
import Localization

/// The words that the argument parser itself writes, in the language of the process.
enum HelpTexts {
  /// Patterns of the parser's English and what they read in German.
  private static let german = [
    ("OVERVIEW:", "ÜBERSICHT:"), ("USAGE:", "AUFRUF:"), ("Usage:", "Aufruf:"), ("ARGUMENTS:", "ARGUMENTE:"),
    ("OPTIONS:", "OPTIONEN:"), ("SUBCOMMANDS:", "BEFEHLE:"), ("Error:", "Fehler:"), ("Help:", "Hilfe:"),
    ("<subcommand>", "<Befehl>"), ("Show the version\\.", "Die Version zeigen."),
    ("Show help information\\.", "Hilfe zeigen."), ("\\(default:(\\s)", "(Vorgabe:$1"),
    ("(?s)\\s*See '([^']*)' for detailed\\s+help\\.", "\n\n  '$1' zeigt Einzelheiten."),
    ("See '([^']*)' for more information\\.", "'$1' zeigt mehr."), ("Unknown option", "Unbekannte Option"),
    ("(list|[a-z]+) \\(default\\) ", "$1 (Vorgabe) "), ("Did you mean ('[^']*')\\?", "Meinten Sie $1?"),
    ("Unexpected argument", "Unerwartetes Argument"),
    ("([0-9]+) unexpected arguments", "$1 unerwartete Argumente"),
    ("Missing expected argument", "Es fehlt das Argument"), ("Missing value for", "Es fehlt der Wert für"),
    ("The value ('[^']*') is invalid for ('[^']*')", "Der Wert $1 passt nicht zu $2"),
    ("is invalid for", "passt nicht zu"), ("Please provide one of (.*) or (.*)\\.", "Möglich: $1 oder $2."),
    ("Please provide (.*) or (.*)\\.", "Möglich: $1 oder $2."),
  ]

  /// A text of the parser's, translated where its words are known.
  static func localized(_ text: String) -> String {
    // The parser writes 'MAIL SUBCOMMANDS:' for a group.
    let text = text.replacingOccurrences(
      of: "(?m)^(\\p{Lu}+) SUBCOMMANDS:", with: "$1:", options: .regularExpression)
    guard Speech.language == .german else { return text }
    return german.reduce(text) { text, rule in
      text.replacingOccurrences(of: rule.0, with: rule.1, options: .regularExpression)
    }
  }
}
