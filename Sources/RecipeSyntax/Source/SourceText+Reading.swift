import Glibc
import Localization
import OperatingSystem

extension SourceText {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file, as it is named in messages too.
  ///   - limit: The most bytes it may have.
  /// - Throws: ``Diagnostic`` with the code `file_unreadable` or `file_too_large`.
  public static func read(_ path: String, limit: Int = YAMLLimits.standard.size) throws(Diagnostic) -> SourceText {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY)
      bytes = try file.readAll(limit: limit < .max ? limit + 1 : limit)
    } catch {
      throw unreadable(path, error.code)
    }
    if bytes.count > limit { throw tooLarge(path, limit: limit) }
    return SourceText(path: path, bytes: bytes)
  }

  static func tooLarge(_ path: String, limit: Int) -> Diagnostic {
    Diagnostic(
      .fileTooLarge,
      LocalizedText(
        "the file has more than \(limit) bytes, the most that is read",
        de: "die Datei hat mehr als \(limit) Bytes, mehr wird nicht gelesen"),
      path: path, range: nil)
  }

  private static func unreadable(_ path: String, _ number: Int32) -> Diagnostic {
    if number == ENOENT, let shown = UnusableName.shown(path: path) {
      return Diagnostic(
        .fileUnreadable,
        LocalizedText(
          "the name '\(shown)' is not UTF-8; rename the file, for example with 'convmv'",
          de: "der Name '\(shown)' ist kein UTF-8; bitte die Datei umbenennen, etwa mit 'convmv'"),
        path: path, range: nil)
    }
    return Diagnostic(
      .fileUnreadable,
      LocalizedText("the file cannot be read: ", de: "die Datei lässt sich nicht lesen: ") + .systemError(number),
      path: path, range: nil)
  }
}
