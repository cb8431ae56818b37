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

  /// The help with its usage wrapped at a width: the parser writes it as one line. An option stays together with its value.
  ///
  /// - Parameter columns: The columns that a line may take.
  static func wrapped(_ help: String, to columns: Int) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = String(line)
      guard line.columns > columns,
        let label = ["USAGE: ", "AUFRUF: ", "Usage: ", "Aufruf: "].first(where: { line.hasPrefix($0) })
      else { return line }
      let indentation = String(repeating: " ", count: label.count + 2)
      var lines: [String] = []
      var current = ""
      for part in parts(ofUsage: line) {
        if !current.isEmpty, current.columns + 1 + part.columns > columns {
          lines.append(current)
          current = indentation + part
        } else {
          current += (current.isEmpty ? "" : " ") + part
        }
      }
      return (lines + [current]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The parts of a usage that stay on one line: a word, or an option in brackets with all that is in them.
  private static func parts(ofUsage line: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var depth = 0
    func end() {
      if !current.isEmpty { parts.append(current) }
      current = ""
    }
    for character in line {
      if character == "[" || character == "<" || character == "(" { depth += 1 }
      if character == "]" || character == ">" || character == ")" { depth -= 1 }
      if character == " ", depth <= 0 { end() } else { current.append(character) }
    }
    end()
    // The value of an option without brackets: '--field <name=value>'.
    return parts.reduce(into: [String]()) { joined, part in
      if part.hasPrefix("<"), let last = joined.last, last.hasPrefix("-") {
        joined[joined.count - 1] = last + " " + part
      } else {
        joined.append(part)
      }
    }
  }

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
