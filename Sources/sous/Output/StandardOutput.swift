import Expressions
import Foundation
import Glibc
import Localization
import OperatingSystem
import Synchronization

/// Standard output, as the rest of the program writes to it: what cannot be written is remembered and told at the end.
enum StandardOutput {
  /// The first error of a write, as an `errno`; 0 while all went well.
  private static let failure = Atomic<Int32>(0)

  /// The error of standard output, in the system's words; `nil` if all is well or the reader has gone away.
  ///
  /// A reader that has had enough (`| head`) is not an error, and must not stop the work.
  static var problem: LocalizedText? {
    let code = failure.load(ordering: .acquiring)
    return code == 0 || code == EPIPE ? nil : .systemError(code)
  }

  /// Whether nothing more can be written, be it for an error or because the reader has gone away.
  static var isClosed: Bool { failure.load(ordering: .acquiring) != 0 }

  static func write(_ text: String) {
    guard failure.load(ordering: .acquiring) == 0 else { return }
    let code = writeAll(text, to: STDOUT_FILENO)
    if code != 0 { failure.store(code, ordering: .releasing) }
  }
}

/// Writes sentences and lists to standard output: on a terminal, lines that are wider are wrapped at words. Control characters from
/// outside are made visible.
func write(_ text: String) {
  StandardOutput.write(LineEdge.output.fitted(text).printable)
}

/// Writes a text to standard output whose lines stay as they are on a terminal too: Markdown, code, the words of other people.
func writeVerbatim(_ text: String) {
  LineEdge.output.pass(text)
  StandardOutput.write(text.printable)
}

/// Writes a line of a terminal that the next text replaces.
func writeProgress(_ line: String) {
  StandardOutput.write(line.printable + "\r")
}

/// Writes sentences to standard error: on a terminal, lines that are wider are wrapped at words. Control characters from outside are
/// made visible.
func writeError(_ text: String) {
  _ = writeAll(LineEdge.error.fitted(text).printable, to: STDERR_FILENO)
}

/// Writes a text to standard error whose lines stay as they are on a terminal too.
func writeErrorVerbatim(_ text: String) {
  LineEdge.error.pass(text)
  _ = writeAll(text.printable, to: STDERR_FILENO)
}

/// Writes a value as JSON on one line of standard error.
func writeErrorJSON(_ value: Value) {
  writeErrorVerbatim(value.jsonString.escapingControls + "\n")
}

/// Writes a run's output: as it is into a pipe or file, made printable on a terminal.
func writeOutput(_ text: String) {
  LineEdge.output.pass(text)
  StandardOutput.write(isatty(STDOUT_FILENO) == 1 ? text.printable : text)
}

/// Writes a value as JSON on one line, or on several.
func writeJSON(_ value: Value, pretty: Bool = false) {
  StandardOutput.write((pretty ? value.prettyJSON : value.jsonString).escapingControls + "\n")
}

extension String {
  /// JSON without characters a terminal would obey; they only occur inside its strings.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isObeyed {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as a terminal may get it: control characters visible, and nothing obeyed but the styles of ``Terminal``.
  var printable: String {
    let text = harmless
    // A search in text without a mark takes longer than all that a small recipe writes.
    return text.utf8.contains(0x1B) ? text.replacing(Terminal.Style.markStart, with: "\u{1B}[") : text
  }

  /// The text without anything a terminal would obey; marks of ``Terminal/Style`` stay what they are.
  ///
  /// Mail, plugins and recipes are not to move the cursor, set the clipboard or turn the reading direction round:
  /// control characters become their pictures (`␛`), C1 controls and bidirectional overrides `�`. Invisible characters could hide
  /// text, so each run of them becomes one `�`.
  var harmless: String {
    guard unicodeScalars.contains(where: { $0.isObeyed || $0.isInvisible }) else { return self }
    var result = String.UnicodeScalarView()
    var rest = Substring(self).unicodeScalars
    var wasHidden = false
    while let scalar = rest.first {
      if scalar.isInvisible, !scalar.joins(result.last, rest.dropFirst().first) {
        if !wasHidden { result.append("\u{FFFD}") }
        wasHidden = true
        rest = rest.dropFirst()
        continue
      }
      wasHidden = false
      if let length = Terminal.Style.markLength(at: rest) {
        result.append(contentsOf: rest.prefix(length))
        rest = rest.dropFirst(length)
        continue
      }
      result.append(scalar.isObeyed ? scalar.picture : scalar)
      rest = rest.dropFirst()
    }
    return String(result)
  }

  /// The text without marks of ``Terminal/Style``.
  var withoutStyles: String {
    guard unicodeScalars.contains("\u{1B}") else { return self }
    var result = String.UnicodeScalarView()
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.first {
      let length = Terminal.Style.markLength(at: rest)
      if length == nil { result.append(scalar) }
      rest = rest.dropFirst(length ?? 1)
    }
    return String(result)
  }

  /// The text on one line, harmless: line breaks and tabs become spaces.
  var singleLine: String {
    let line =
      contains(where: \.isNewline) || contains("\t") ? String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) : self
    return line.harmless
  }
}

extension Unicode.Scalar {
  /// Whether a terminal acts on it instead of showing it; line feed and tab are what they are meant to be.
  fileprivate var isObeyed: Bool {
    switch value {
    case 0x0A, 0x09: false
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a terminal shows nothing for it: zero-width characters, tags, direction marks, fillers (the Unicode property
  /// Default_Ignorable_Code_Point), and the line and paragraph separators.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0..<0xAD: false
    case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028, 0x2029,
      0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
      0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// Whether an invisible character has a legitimate use between two others: a joiner in emoji and in scripts that use joiners, or
  /// a variation selector after a character that has variants.
  fileprivate func joins(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    guard let previous, !previous.isInvisible || previous.value == 0xFE0F else { return false }
    // Latin, Greek and Cyrillic letters are not joined.
    func isJoined(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value >= 0x0600 && !(0x1C80...0x1FFF).contains(scalar.value) && !scalar.isObeyed
        && !(0xFF00...0xFF60).contains(scalar.value) && scalar != "\u{FFFD}"
    }
    switch value {
    case 0x200C, 0x200D:
      guard let next, !next.isInvisible else { return false }
      return isJoined(previous) && isJoined(next)
    case 0xFE00...0xFE0F:
      return previous.value >= 0x2000 && isJoined(previous) || ["\u{A9}", "\u{AE}"].contains(previous)
        || ("0123456789#*".unicodeScalars.contains(previous) && next == "\u{20E3}")
    default: return false
    }
  }

  fileprivate var picture: Unicode.Scalar {
    switch value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }
}

extension Terminal.Style {
  /// The length of a style's mark at the beginning of a text; `nil` if there is none.
  fileprivate static func markLength(at scalars: Substring.UnicodeScalarView) -> Int? {
    guard scalars.first == "\u{1B}", scalars.starts(with: markStart.unicodeScalars) else { return nil }
    let start = markStart.unicodeScalars.count
    let code = String(String.UnicodeScalarView(scalars.dropFirst(start).prefix { $0 != "m" }.prefix(3)))
    guard code == "0" || Terminal.Style(rawValue: code) != nil else { return nil }
    return start + code.unicodeScalars.count + 1
  }
}

/// Writes all of a text to a descriptor; returns the `errno` of what failed, or 0.
func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  do throws(SystemError) {
    try Descriptor.write(Array(text.utf8), to: descriptor)
    return 0
  } catch {
    return error.code
  }
}
