import Glibc
import OperatingSystem

/// The whole terminal for one view that changes: another screen buffer, no cursor, keys one by one. ``end()`` restores the
/// earlier content.
struct LiveScreen {
  private let before: termios

  /// Takes the terminal over.
  ///
  /// - Returns: `nil` if standard input or output is not a terminal.
  init?() {
    var settings = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-Z would leave the other screen behind; Ctrl-C is answered as always.
    withUnsafeMutableBytes(of: &settings.c_cc) { keys in
      keys[Int(VSUSP)] = 0
      keys[Int(VMIN)] = 0
      keys[Int(VTIME)] = 0
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    Self.send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Gives the terminal back as it was.
  func end() {
    Self.send("\u{1B}[?25h\u{1B}[?1049l")
    var before = before
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  /// Columns and lines, as they are now.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines from the top on; earlier lines are cleared.
  func show(_ lines: [String]) {
    let text = lines.map { $0.printable + "\u{1B}[K" }.joined(separator: "\r\n")
    Self.send("\u{1B}[H" + text + "\u{1B}[J")
  }

  /// Waits for a key.
  ///
  /// - Returns: The keys that were typed meanwhile; `nil` if the terminal is gone.
  func keys(within milliseconds: Int32) -> [UInt8]? {
    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, milliseconds) > 0 else { return [] }
    guard let bytes = try? Descriptor.read(from: STDIN_FILENO, upTo: 64), !bytes.isEmpty else { return nil }
    return bytes
  }

  private static func send(_ text: String) {
    try? Descriptor.write(Array(text.utf8), to: STDOUT_FILENO)
  }
}
