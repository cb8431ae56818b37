import Glibc
import Localization
import OperatingSystem

/// Standard input as a text to work on.
enum StandardInput {
  /// All of it, without the line break at its end.
  ///
  /// - Parameters:
  ///   - isAskedFor: Whether the user asked for it; otherwise only what comes from a pipe or a file is read.
  ///   - limit: The most that is read, in bytes.
  /// - Throws: ``CommandError`` if it is larger, or no UTF-8.
  static func text(isAskedFor: Bool, limit: Int) throws(CommandError) -> String {
    guard isAskedFor || isFed else { return "" }
    let bytes = (try? Descriptor.readAll(from: STDIN_FILENO, limit: limit + 1)) ?? []
    guard bytes.count <= limit else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "standard input has more than \(limit >> 20) MiB", de: "die Standardeingabe hat mehr als \(limit >> 20) MiB"))
    }
    guard var text = String(utf8Text: bytes) else {
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText("standard input is not UTF-8", de: "die Standardeingabe ist kein UTF-8"))
    }
    while text.last?.isNewline ?? false { text.removeLast() }
    return text
  }

  /// Whether something is piped in: a pipe, a file, a socket; no terminal and no device.
  private static var isFed: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}
