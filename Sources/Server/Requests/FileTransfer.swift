import Engine
import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import RecipeModel
import RunStore
import Synchronization

/// Keeps the body of a request as a blob of the run log.
struct FileUpload {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// Reads the body; nothing is kept of one that is too large or that ends early.
  func store(_ request: Request) async throws -> UploadedFile {
    let limit = services.settings.limits.upload
    let tooLarge = Problem(
      413, "too_large", "the file has more than \(limit) bytes ('server.limits.upload')",
      de: "die Datei hat mehr als \(limit) Bytes ('server.limits.upload')")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let store = services.store
    let number = try store.createBlob()
    var size = 0
    do {
      for try await piece in request.body {
        size += piece.readableBytes
        guard size <= limit else { throw tooLarge }
        try store.append(Array(piece.readableBytesView), toBlob: number)
      }
      if let length = request.headers[.contentLength].flatMap({ Int($0) }), length != size {
        throw Problem(400, "incomplete", "the file ended early", de: "die Datei endete zu früh")
      }
      guard size > 0 else {
        throw Problem(400, "body_missing", "the file has no contents", de: "die Datei hat keinen Inhalt")
      }
      let hash = try store.finishBlob(number)
      return UploadedFile(
        blob: hash, size: size, type: request.headers[.contentType] ?? "application/octet-stream")
    } catch {
      store.discardBlob(number)
      throw error
    }
  }
}

/// Answers with the contents of a blob, or with a part of them (RFC 9110, section 14).
struct FileDownload {
  /// The bytes that are read at once.
  private static let piece = 256 << 10

  private let request: APIRequest
  private let type: String

  /// Prepares the answer.
  ///
  /// - Parameter type: The media type. Only recordings keep theirs: browsers play them, and show them as no page.
  init(_ request: APIRequest, type: String = "") {
    self.request = request
    let isRecording = type.utf8.count <= 60 && type.wholeMatch(of: /audio\/[a-z0-9.+-]+/) != nil
    self.type = isRecording ? type : "application/octet-stream"
  }

  func answer() throws -> APIAnswer {
    let (store, hash) = (request.services.store, request.name("blob"))
    guard let size = try store.blobSize(hash: hash) else {
      throw Problem.notFound(LocalizedText("file", de: "Datei"), hash)
    }
    var range = 0..<size
    var status = 200
    if let text = request.fields[.range] {
      guard let part = Self.range(text, of: size) else {
        var problem = Problem(
          416, "no_such_range", "the file has \(size) bytes; '\(text)' is not a part of it",
          de: "die Datei hat \(size) Bytes; '\(text)' ist kein Teil davon")
        problem.fields = [HTTPField(name: .contentRange, value: "bytes */\(size)")]
        throw problem
      }
      (range, status) = (part, 206)
    }
    let pieces = AsyncThrowingStream<[UInt8], any Error>(unfolding: Self.reader(store, hash, range))
    var answer = APIAnswer(
      status: status, content: .pieces(pieces, type: type, length: range.count))
    answer.fields = [
      HTTPField(name: .acceptRanges, value: "bytes"), HTTPField(name: .eTag, value: "\"\(hash)\""),
      // The contents come from outside: no browser may show them as a page of this server.
      HTTPField(name: .contentDisposition, value: "attachment"),
    ]
    if status == 206 {
      answer.fields.append(
        HTTPField(name: .contentRange, value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
    }
    return answer
  }

  private static func reader(
    _ store: RunStore, _ hash: String, _ range: Range<Int>
  ) -> @Sendable () async throws -> [UInt8]? {
    let position = BlobPosition(range.lowerBound)
    return {
      let start = position.value
      guard start < range.upperBound else { return nil }
      let bytes = try store.readBlob(
        hash: hash, offset: UInt64(start), length: min(piece, range.upperBound - start))
      guard !bytes.isEmpty else { return nil }
      position.value = start + bytes.count
      return bytes
    }
  }

  /// The single range of a `Range`; `nil` for several ones, other units, and ranges that are not in the file.
  static func range(_ text: String, of size: Int) -> Range<Int>? {
    guard text.hasPrefix("bytes="), size > 0 else { return nil }
    let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    switch (Int(parts[0]), Int(parts[1])) {
    case (let first?, let last?):
      return first >= 0 && first <= last && first < size ? first..<min(last, size - 1) + 1 : nil
    case (let first?, nil) where parts[1].isEmpty: return first >= 0 && first < size ? first..<size : nil
    case (nil, let count?) where parts[0].isEmpty: return count > 0 ? max(0, size - count)..<size : nil
    default: return nil
    }
  }
}

/// How far a download has come.
private final class BlobPosition: Sendable {
  private let position: Mutex<Int>

  init(_ position: Int) { self.position = Mutex(position) }

  var value: Int {
    get { position.withLock { $0 } }
    set { position.withLock { $0 = newValue } }
  }
}
