import Expressions
import Foundation
import Localization
import Mail

/// A file that goes along with a question: as text, or as a picture.
struct ChatFile {
  /// The largest file that is read, in bytes.
  static let limit = 16 << 20

  /// The file's name without its folder.
  let name: String
  /// What is in it, as text; empty for a picture.
  private(set) var text = ""
  /// The picture as a `data:` URL; `nil` for a text.
  private(set) var picture: String?

  /// Reads a file: text, Markdown, HTML and mail as text; PNG, JPEG, GIF and WebP as pictures.
  ///
  /// - Throws: ``CommandError`` where it cannot be read, is too large, or is neither text nor a picture.
  init(_ path: String) throws(CommandError) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    let bytes = try Self.bytes(path)
    if let type = Self.pictureType(bytes) {
      picture = "data:\(type);base64,\(Data(bytes).base64EncodedString())"
      return
    }
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    if ending == "eml" {
      text = Self.mail(Message(parsing: bytes))
      return
    }
    guard let read = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      let hint =
        ending == "pdf"
        ? LocalizedText("; 'pdftotext \(name) -' makes text of it", de: "; 'pdftotext \(name) -' macht Text daraus")
        : LocalizedText(verbatim: "")
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(path) is neither text in UTF-8 nor a picture (PNG, JPEG, GIF, WebP)",
          de: "\(path) ist weder Text in UTF-8 noch ein Bild (PNG, JPEG, GIF, WebP)") + hint)
    }
    text = ["html", "htm", "xhtml"].contains(ending) ? HTMLText.convert(read) : read
  }

  /// The files' texts, each under its name, behind what is to be worked on anyway.
  static func text(of files: [ChatFile], after input: String) -> String {
    let parts = files.filter { $0.picture == nil }.map { "--- \($0.name) ---\n\($0.text)" }
    return (input.isEmpty ? parts : [input] + parts).joined(separator: "\n\n")
  }

  private static func bytes(_ path: String) throws(CommandError) -> [UInt8] {
    var found = stat()
    guard stat(path, &found) == 0 else { throw unreadable(path, .systemError(errno)) }
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw unreadable(path, LocalizedText("it is no file", de: "das ist keine Datei"))
    }
    guard found.st_size <= limit else {
      throw unreadable(
        path, LocalizedText("it has more than \(limit >> 20) MiB", de: "sie hat mehr als \(limit >> 20) MiB"))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw unreadable(path, .systemError(EACCES))
    }
    return Array(data)
  }

  private static func unreadable(_ path: String, _ reason: LocalizedText) -> CommandError {
    CommandError(
      ExitStatus.wrongInput,
      LocalizedText("\(path) cannot be read: ", de: "\(path) lässt sich nicht lesen: ") + reason)
  }

  /// The media type of a picture by its first bytes.
  private static func pictureType(_ bytes: [UInt8]) -> String? {
    let start = Array(bytes.prefix(12))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if start.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).elementsEqual(Array("WEBP".utf8)) {
      return "image/webp"
    }
    return nil
  }

  private static func mail(_ message: Message) -> String {
    let fields = ["From", "To", "Date", "Subject"].compactMap { name in
      message.headers[name].map { "\(name): \($0)" }
    }
    return (fields + ["", message.textBody]).joined(separator: "\n")
  }
}
