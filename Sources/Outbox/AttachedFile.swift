import Builtins
import Engine
import Expressions
import Glibc
import Localization
import OperatingSystem
import UseCases

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
        place = try mapErrors { try fence.readable(place) }
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
    let file = try opened()
    guard let status = try? file.status else { throw unreadable(errno) }
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
    let file = try opened()
    do throws(StorageFailure) {
      let number = try blobs.createBlob()
      var total = 0
      while true {
        let bytes: [UInt8]
        do throws(SystemError) {
          bytes = try file.read(upTo: Self.pieceSize)
          total += bytes.count
          guard total <= Self.sizeLimit else { throw SystemError(EFBIG) }
        } catch {
          blobs.discardBlob(number)
          throw StorageFailure(.failed, unreadable(error.code).message)
        }
        if bytes.isEmpty { break }
        try blobs.append(bytes, toBlob: number)
      }
      return "blob:sha256:" + (try blobs.finishBlob(number))
    } catch {
      throw .environment(
        LocalizedText(
          "the attachment '\(shown)' cannot be kept: ", de: "der Anhang '\(shown)' lässt sich nicht ablegen: ")
          + error.message)
    }
  }

  private func opened() throws(UseCaseError) -> Descriptor {
    do throws(SystemError) {
      // A pipe in the place of a file must not keep this waiting.
      return try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch {
      throw unreadable(error.code)
    }
  }

  private func unreadable(_ code: Int32) -> UseCaseError {
    .wrongInput(
      LocalizedText("the attachment '\(shown)' cannot be read: ", de: "der Anhang '\(shown)' lässt sich nicht lesen: ")
        + .systemError(code))
  }
}
