import Localization
import OperatingSystem
import RecipeSyntax

/// A file whose text the user hands over.
enum TextFile {
  /// Its text, with the line breaks at its end.
  ///
  /// - Parameter limit: The most that is read, in bytes.
  /// - Throws: ``CommandError`` where it cannot be read, is larger, or is not UTF-8: a text with replacement characters would
  ///   be kept for good.
  static func text(_ path: String, limit: Int) throws(CommandError) -> String {
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path, limit: limit)
    } catch {
      throw CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: "\(path): ") + error.message)
    }
    guard let text = String(utf8Text: source.bytes), !text.contains("\0") else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(path): the file is not UTF-8 text; save it as UTF-8",
          de: "\(path): die Datei ist kein Text in UTF-8; als UTF-8 speichern"))
    }
    return text
  }
}
