public import PluginKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording of speech, read from a file or a blob.
public struct Recording: Sendable {
  /// The largest recording that services take, in bytes.
  public static let maximumSize = 25 << 20

  /// Its bytes.
  public let bytes: [UInt8]
  /// A file name; its ending is the format for the service.
  public let name: String

  /// Reads the recording that an input names.
  ///
  /// - Throws: `not_found` for a file that is not there, `io` for one that cannot be read, `invalid_input` for an empty
  ///   or too large one.
  public init(_ input: TranscriptionInput, context: ActionContext) async throws(ActionError) {
    if let audio = input.audio {
      bytes = try await context.blobs.read(Blob(name: audio), upTo: Self.maximumSize)
      name = input.name ?? "recording.\(Self.ending(of: bytes))"
    } else {
      let path = input.path ?? ""
      bytes = try Self.read(path)
      name = input.name ?? path.split(separator: "/").last.map(String.init) ?? "recording"
    }
    guard !bytes.isEmpty else {
      throw ActionError(.invalidInput, "The recording is empty.", german: "Die Aufnahme ist leer.")
    }
  }

  private static func read(_ path: String) throws(ActionError) -> [UInt8] {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      throw ActionError(.notFound, "There is no file \(path).", german: "Es gibt keine Datei \(path).")
    }
    let size = (attributes[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
    guard size <= maximumSize else {
      throw ActionError(
        .invalidInput, "\(path) has \(size) bytes; services take at most \(maximumSize).",
        german: "\(path) hat \(size) Byte; Dienste nehmen höchstens \(maximumSize).",
        advice: "Cut the recording into parts, or compress it.",
        adviceGerman: "Die Aufnahme teilen oder komprimieren.")
    }
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw ActionError(.io, "\(path) cannot be read.", german: "\(path) lässt sich nicht lesen.")
    }
  }

  /// The ending of a file name by the first bytes.
  private static func ending(of bytes: [UInt8]) -> String {
    if bytes.starts(with: Array("RIFF".utf8)) { return "wav" }
    if bytes.starts(with: Array("fLaC".utf8)) { return "flac" }
    if bytes.starts(with: Array("OggS".utf8)) { return "ogg" }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "webm" }
    if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "m4a" }
    return "mp3"
  }

  /// The media type by the ending of the name.
  var type: String {
    switch name.lowercased().split(separator: ".").last {
    case "wav": "audio/wav"
    case "flac": "audio/flac"
    case "ogg", "oga", "opus": "audio/ogg"
    case "webm": "audio/webm"
    case "m4a", "mp4": "audio/mp4"
    default: "audio/mpeg"
    }
  }
}
