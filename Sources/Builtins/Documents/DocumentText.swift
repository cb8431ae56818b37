public import Engine
public import Expressions
import Foundation
import Localization
import Mail

/// The text of a file, by what it is: text and Markdown unchanged, HTML and messages made readable, PDF through the program
/// `pdftotext` of poppler-utils. Pictures become `data:` URLs, for models that see.
public struct DocumentText: Sendable {
  /// The largest file, in bytes.
  public static let maximumBytes = 64 << 20
  /// The largest picture, in bytes: it goes to the model as a whole.
  public static let maximumPicture = 20 << 20
  /// The longest text, in bytes.
  public static let maximumText = 16 << 20

  /// The kind of a file.
  enum Kind: Equatable {
    case text, html, message, pdf
    case picture(type: String)
  }

  /// The variables that `pdftotext` is found and started by: `PATH` and the like.
  private let environment: [String: String]

  /// Creates a reader.
  public init(environment: [String: String]) { self.environment = environment }

  /// The text of a file, or the `data:` URL of a picture.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - name: Its name, for its type and for messages.
  ///   - folder: Where `pdftotext` is started.
  /// - Throws: ``Engine/ActionFailure`` of kind `invalid_input` for what is too large or has no text, `unsupported` where
  ///   `pdftotext` is missing, `parse` where it cannot read the file.
  public func text(
    of bytes: [UInt8], name: String, folder: String, reporter: any ActionReporter = Silence()
  ) async throws(ActionFailure) -> String {
    guard bytes.count <= Self.maximumBytes else { throw .tooLarge(name, bytes.count, limit: Self.maximumBytes) }
    switch Self.kind(of: bytes, name: name) {
    case .text: return try Self.plain(bytes, name)
    case .html: return HTMLText.convert(try Self.plain(bytes, name))
    case .message: return Self.message(bytes)
    case .pdf: return try await pdf(bytes, name: name, folder: folder, reporter)
    case .picture(let type):
      guard bytes.count <= Self.maximumPicture else { throw .tooLarge(name, bytes.count, limit: Self.maximumPicture) }
      return "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    case nil:
      throw ActionFailure(
        .invalidInput,
        LocalizedText("'\(name)' is not a file with a text", de: "'\(name)' ist keine Datei mit einem Text"),
        advice: LocalizedText(
          "give a text, Markdown, HTML, a message (.eml), a PDF or a picture",
          de: "einen Text, Markdown, HTML, eine Nachricht (.eml), ein PDF oder ein Bild angeben"))
    }
  }

  /// The kind of a file, by its first bytes and its name; `nil` if it has no text.
  static func kind(of bytes: [UInt8], name: String) -> Kind? {
    if bytes.starts(with: "%PDF-".utf8) { return .pdf }
    let magic: [(bytes: [UInt8], type: String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF8".utf8), "image/gif"),
    ]
    if let found = magic.first(where: { bytes.starts(with: $0.bytes) }) { return .picture(type: found.type) }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return .picture(type: "image/webp")
    }
    guard !bytes.prefix(8192).contains(0) else { return nil }
    let ending = name.split(separator: ".").count > 1 ? name.split(separator: ".").last?.lowercased() : nil
    switch ending {
    case "html", "htm", "xhtml": return .html
    case "eml": return .message
    default: return .text
    }
  }

  private static func plain(_ bytes: [UInt8], _ name: String) throws(ActionFailure) -> String {
    guard bytes.count <= maximumText else { throw .tooLarge(name, bytes.count, limit: maximumText) }
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    if let text = String(validating: content, as: UTF8.self) { return text }
    // Texts that are not UTF-8 are mostly windows-1252.
    guard let text = String(bytes: content, encoding: .windowsCP1252) else {
      throw ActionFailure(
        .parse, LocalizedText("'\(name)' is not a text in UTF-8", de: "'\(name)' ist kein Text in UTF-8"))
    }
    return text
  }

  /// A message as people read it: who, what about, and its text.
  private static func message(_ bytes: [UInt8]) -> String {
    let message = Message(parsing: bytes)
    var lines: [String] = []
    for name in ["From", "To", "Cc", "Date", "Subject"] {
      if let value = message.headers[name], !value.isEmpty { lines.append("\(name): \(value)") }
    }
    return (lines + ["", message.textBody]).joined(separator: "\n")
  }

  private func pdf(
    _ bytes: [UInt8], name: String, folder: String, _ reporter: any ActionReporter
  ) async throws(ActionFailure) -> String {
    let path: String
    do {
      path = try ProgramCall.find("pdftotext", path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    } catch {
      throw ActionFailure(
        .unsupported,
        LocalizedText(
          "the text of '\(name)' cannot be read: there is no program 'pdftotext'",
          de: "der Text von '\(name)' lässt sich nicht lesen: es gibt kein Programm 'pdftotext'"),
        advice: LocalizedText("install poppler-utils", de: "poppler-utils installieren"))
    }
    let program = Program(
      path: path, arguments: ["pdftotext", "-layout", "-enc", "UTF-8", "-", "-"],
      environment: environment.filter { ["PATH", "HOME", "LANG"].contains($0.key) }, folder: folder, input: bytes,
      limit: Self.maximumText, stop: StopWay(grace: 5))
    let result = try await program.run(log: ProgramLog(reporter, SecretMask([])))
    guard case .exited(0) = result.ending, !result.wasStopped else {
      throw ActionFailure(
        .parse,
        LocalizedText("'\(name)' is not a readable PDF", de: "'\(name)' ist kein lesbares PDF"))
    }
    guard !result.output.isTruncated else { throw .tooLarge(name, bytes.count, limit: Self.maximumText) }
    let text = String(decoding: result.output.bytes, as: UTF8.self).replacing("\u{C}", with: "\n")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText("'\(name)' has no text, only pictures", de: "'\(name)' hat keinen Text, nur Bilder"),
        advice: LocalizedText("scan it with text recognition first", de: "zuerst mit Texterkennung einlesen"))
    }
    return text
  }

  /// Takes no reports.
  public struct Silence: ActionReporter {
    /// Creates it.
    public init() {}
    /// Lets it pass.
    public func log(_ level: LogLevel, _ message: String) {}
    /// Lets it pass.
    public func progress(done: UInt64, total: UInt64, label: String) {}
    /// Lets it pass.
    public func delta(_ delta: Value) {}
  }
}

extension ActionFailure {
  fileprivate static func tooLarge(_ name: String, _ size: Int, limit: Int) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText(
        "'\(name)' has \(size) bytes, more than \(limit >> 20) MiB",
        de: "'\(name)' hat \(size) Byte, mehr als \(limit >> 20) MiB"
      ))
  }
}
