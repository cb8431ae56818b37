import Builtins
import Engine
import Expressions
import Glibc
import Localization

/// A file that goes with a message, before it is kept.
struct AttachedFile: Sendable {
  /// All files of a message together may have this many bytes: most servers take less.
  static let sizeLimit = 100 << 20
  /// The most files of a message.
  static let countLimit = 100
  private static let pieceSize = 256 << 10

  /// The path as the process can use it.
  let path: String
  /// As somebody has named it.
  let shown: String
  /// Its position among the attachments of the message.
  let position: Int

  /// The files that a message names, each there and readable.
  ///
  /// - Parameters:
  ///   - fence: Refuses files of Sous, and for a recipe all files outside its folders.
  ///   - isTyped: Whether a person has named the files; otherwise a recipe has.
  /// - Throws: ``UseCaseError`` with code `wrong_input` for a file that is missing, not a regular file or too large; `auth` for
  ///   a file that the fence refuses.
  static func all(
    in message: Value, _ surroundings: Surroundings, fence: PathFence, isTyped: Bool
  ) throws(UseCaseError) -> [AttachedFile] {
    let attachments = message["attachments"]?.listValue ?? []
    guard attachments.count <= countLimit else {
      throw .wrongInput(
        .init(
          "\(attachments.count) attachments are more than \(countLimit)",
          de: "\(attachments.count) Anhänge sind mehr als \(countLimit)"))
    }
    var files: [AttachedFile] = []
    var total = 0
    for (position, attachment) in attachments.enumerated() {
      guard let path = attachment["path"]?.stringValue else { continue }
      var place = surroundings.resolve(path)
      if isTyped {
        if let objection = fence.objection(reading: place) { throw UseCaseError(objection) }
      } else {
        place = try typed { try fence.readable(place) }
      }
      let file = AttachedFile(path: place, shown: path, position: position)
      total += try file.size()
      guard total <= sizeLimit else {
        throw .wrongInput(
          .init(
            "the attachments have more than \(sizeLimit >> 20) MiB together",
            de: "die Anhänge haben zusammen mehr als \(sizeLimit >> 20) MiB"))
      }
      files.append(file)
    }
    return files
  }

  private func size() throws(UseCaseError) -> Int {
    let descriptor = try opened()
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .wrongInput(
        .init("the attachment '\(shown)' is no regular file", de: "der Anhang '\(shown)' ist keine gewöhnliche Datei"))
    }
    return Int(status.st_size)
  }

  /// Keeps the contents; the file may change or vanish afterwards.
  ///
  /// - Returns: The blob's name for `mail.send`.
  func keep(in blobs: any BlobStore) throws(UseCaseError) -> String {
    let descriptor = try opened()
    defer { close(descriptor) }
    do throws(StorageFailure) {
      let number = try blobs.createBlob()
      var buffer = [UInt8](repeating: 0, count: Self.pieceSize)
      var total = 0
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        total += max(0, count)
        guard count >= 0, total <= Self.sizeLimit else {
          let code = count < 0 ? errno : EFBIG
          blobs.discardBlob(number)
          throw StorageFailure(.failed, unreadable(code).message)
        }
        if count == 0 { break }
        try blobs.append(Array(buffer[..<count]), toBlob: number)
      }
      return "blob:sha256:" + (try blobs.finishBlob(number))
    } catch {
      throw .environment(
        LocalizedText(
          "the attachment '\(shown)' cannot be kept: ", de: "der Anhang '\(shown)' lässt sich nicht ablegen: ")
          + error.message)
    }
  }

  private func opened() throws(UseCaseError) -> Int32 {
    // Nobody may write into a pipe that stands in the place of a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    return descriptor
  }

  private func unreadable(_ code: Int32) -> UseCaseError {
    .wrongInput(
      LocalizedText("the attachment '\(shown)' cannot be read: ", de: "der Anhang '\(shown)' lässt sich nicht lesen: ")
        + .systemError(code))
  }
}
