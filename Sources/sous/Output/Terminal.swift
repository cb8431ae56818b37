import Foundation
import Glibc

/// The capabilities of standard output.
struct Terminal: Sendable {
  /// Whether a person watches: standard output is a terminal that can move its cursor.
  let isInteractive: Bool
  /// Whether colours may be used.
  let hasColor: Bool
  /// How many columns a line may take; `nil` in a pipe or file, unless `COLUMNS` says how many.
  let columns: Int?

  /// Columns; 80 if unknown.
  var width: Int { columns ?? 80 }

  /// Reads the process's surroundings.
  ///
  /// Colours follow <https://no-color.org>: a non-empty `NO_COLOR` turns them off; a pipe and `TERM=dumb` do too, and
  /// `CLICOLOR_FORCE` turns them on for a pipe.
  init(environment: [String: String] = ProcessInfo.processInfo.environment, descriptor: Int32 = STDOUT_FILENO) {
    let isTerminal = isatty(descriptor) == 1
    let isDumb = environment["TERM"] == "dumb"
    isInteractive = isTerminal && !isDumb
    let forbidden = !(environment["NO_COLOR"] ?? "").isEmpty
    let forced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    hasColor = !forbidden && (forced || (isTerminal && !isDumb))
    columns = Self.columns(of: descriptor, environment["COLUMNS"])
  }

  /// How many columns a line may take; `nil` in a pipe or file, unless `COLUMNS` says how many.
  static func columns(of descriptor: Int32, _ wanted: String?) -> Int? {
    let isTerminal = isatty(descriptor) == 1
    var size = winsize()
    if isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return wanted.flatMap(Int.init).map { max(20, $0) } ?? (isTerminal ? 80 : nil)
  }

  /// The terminal with fewer columns, for lines that are indented afterwards.
  func narrowed(by indentation: Int) -> Terminal {
    Terminal(isInteractive: isInteractive, hasColor: hasColor, columns: columns.map { max(20, $0 - indentation) })
  }

  private init(isInteractive: Bool, hasColor: Bool, columns: Int?) {
    (self.isInteractive, self.hasColor, self.columns) = (isInteractive, hasColor, columns)
  }

  /// How a piece of text looks.
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"

    /// The prefix of every style until ``String/printable`` makes an escape sequence of it.
    ///
    /// The number is new in every process, so that no text from outside can pass for a style.
    static let markStart = "\u{1B}[\(UInt64.random(in: 1 << 62...UInt64.max));"
  }

  /// A text in a style, or as it is where colours are off.
  func styled(_ text: String, _ style: Style) -> String {
    hasColor ? "\(Style.markStart)\(style.rawValue)m\(text)\(Style.markStart)0m" : text
  }
}
