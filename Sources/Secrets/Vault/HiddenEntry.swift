import COpenSSL
import Glibc
import Localization

/// Asks a person for a secret on the terminal, which does not show what is typed.
///
/// The terminal is `/dev/tty`, wherever standard input and output lead. Ctrl-C ends the entry, and the terminal is left as
/// it was.
public enum HiddenEntry {
  /// The most bytes a terminal gives for a line; longer secrets come by standard input.
  private static let capacity = 4096

  /// Whether there is a terminal to ask on.
  public static var isPossible: Bool {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Asks once.
  ///
  /// - Parameter question: The prompt; ends in a colon and a blank.
  /// - Throws: ``SecretError/Code/noTerminal``, or ``SecretError/Code/interrupted`` where the entry is cancelled.
  public static func ask(_ question: String) throws(SecretError) -> SecureBytes {
    guard isPossible else {
      throw SecretError(
        .noTerminal,
        LocalizedText("there is no terminal to ask on", de: "es gibt kein Terminal zum Fragen"))
    }
    // libcrypto prints the prompt before it turns the echo off: a line that comes at once, as from a clipboard, would be shown.
    let terminal = QuietTerminal()
    defer { terminal?.restore() }
    return try SecureBytes(capacity: capacity) { memory throws(SecretError) in
      let status = EVP_read_pw_string_min(
        memory.baseAddress?.assumingMemoryBound(to: CChar.self), 0, Int32(capacity - 1), question, 0)
      guard status == 0 else {
        throw SecretError(.interrupted, LocalizedText("the entry was cancelled", de: "die Eingabe wurde abgebrochen"))
      }
      return memory.firstIndex(of: 0) ?? memory.count
    }
  }

  /// Reads a secret from standard input to its end, without a line end at its end.
  ///
  /// - Throws: ``SecretError/Code/valueInvalid`` for more than 64 KiB.
  public static func readStandardInput() throws(SecretError) -> SecureBytes {
    let bytes = try SecureBytes(capacity: SecretLimits.value + 3) { memory throws(SecretError) in
      try ProtectedFile.fill(memory, from: STDIN_FILENO, "/dev/stdin")
    }
    return try bytes.withoutLineEnd()
  }

  /// Asks for something new, twice.
  ///
  /// - Throws: ``SecretError/Code/entry`` where the two differ.
  public static func askTwice(_ question: String, again: String) throws(SecretError) -> SecureBytes {
    let first = try ask(question)
    guard first.isEqual(to: try ask(again)) else {
      throw SecretError(
        .entry,
        LocalizedText(
          "the two entries differ; nothing was changed", de: "die Eingaben sind verschieden; nichts wurde geändert"))
    }
    return first
  }
}

/// The terminal without echo.
private struct QuietTerminal {
  private let descriptor: Int32
  private let settings: termios

  /// Turns the echo off; `nil` if the terminal cannot be opened.
  init?() {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    var found = termios()
    guard tcgetattr(terminal, &found) == 0 else {
      close(terminal)
      return nil
    }
    (descriptor, settings) = (terminal, found)
    found.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSANOW, &found)
  }

  /// Restores the settings of before.
  func restore() {
    var before = settings
    tcsetattr(descriptor, TCSANOW, &before)
    close(descriptor)
  }
}
