internal import Foundation
internal import Localization
internal import OperatingSystem

/// Bytes that are written to a file before anybody reads them: so whoever reads them slowly keeps no transaction open.
///
/// Some of them stay in memory; what is beyond goes into a file that has no name.
struct Spool: Sendable {
  /// Bytes that stay in memory, and that are given away at a time.
  static let room = 1 << 20

  private let folder: String
  private var pending: [UInt8] = []
  private var file: Descriptor?
  private var written = 0

  /// Whether there is as much in it as stays in memory, and no more should come where that can wait.
  var isFull: Bool { written > 0 || pending.count >= Self.room / 2 }

  /// Creates an empty spool.
  ///
  /// - Parameter folder: Where the file lies.
  init(folder: String = FileManager.default.temporaryDirectory.path) { self.folder = folder }

  /// Adds bytes.
  ///
  /// - Throws: ``RunStoreError``: `disk_full`, `database_io`.
  mutating func append(_ bytes: [UInt8]) throws(RunStoreError) {
    pending += bytes
    guard pending.count > Self.room else { return }
    do throws(SystemError) {
      if file == nil { file = try Descriptor(namelessIn: folder) }
      try file?.write(pending)
    } catch {
      throw .spool(folder, error.code)
    }
    written += pending.count
    pending = []
  }

  /// Gives all bytes away, in parts, from the beginning.
  ///
  /// - Throws: ``RunStoreError`` where they cannot be read, and what `body` throws.
  func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
    var offset = 0
    while let file, offset < written {
      let part: [UInt8]
      do throws(SystemError) {
        part = try file.readAll(at: offset, limit: min(Self.room, written - offset))
      } catch {
        throw RunStoreError.spool(folder, error.code)
      }
      guard !part.isEmpty else { throw RunStoreError.spool(folder, EIO) }
      offset += part.count
      try body(part)
    }
    if !pending.isEmpty { try body(pending) }
  }
}

extension RunStoreError {
  /// What is on the way out cannot be written to the file.
  fileprivate static func spool(_ folder: String, _ code: Int32) -> RunStoreError {
    let cause = LocalizedText.systemError(code)
    return RunStoreError(
      [ENOSPC, EDQUOT].contains(code) ? .diskFull : .io,
      LocalizedText(
        "A large run is written to '\(folder)' on its way out, which failed: \(cause.english). Free some space there, or name "
          + "another folder in TMPDIR.",
        de:
          "Ein großer Lauf wird unterwegs in '\(folder)' abgelegt, was scheiterte: \(cause.german). Dort Platz schaffen oder "
          + "in TMPDIR einen anderen Ordner nennen."),
      path: folder, cause: cause.english)
  }
}
