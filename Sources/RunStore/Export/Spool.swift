internal import Foundation
internal import Localization

/// Bytes that are written to a file before anybody reads them: so whoever reads them slowly keeps no transaction open.
///
/// Some of them stay in memory; what is beyond goes into a file that has no name.
struct Spool: Sendable {
  /// Bytes that stay in memory, and that are given away at a time.
  static let room = 1 << 20

  /// An open file; closed when nobody has it any more.
  private final class NamelessFile: Sendable {
    let number: Int32

    init(in folder: String) throws(RunStoreError) {
      let name = folder + "/sous-export-" + UUID().uuidString
      number = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw .spool(folder, errno) }
      unlink(name)
    }

    deinit { close(number) }
  }

  private let folder: String
  private var pending: [UInt8] = []
  private var file: NamelessFile?
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
    let file: NamelessFile
    if let open = self.file { file = open } else { file = try NamelessFile(in: folder) }
    self.file = file
    var rest = pending[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(written)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .spool(folder, count < 0 ? errno : EIO) }
      written += count
      rest = rest.dropFirst(count)
    }
    pending = []
  }

  /// Gives all bytes away, in parts, from the beginning.
  ///
  /// - Throws: ``RunStoreError`` where they cannot be read, and what `body` throws.
  func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
    var offset = 0
    var buffer = [UInt8](repeating: 0, count: file == nil ? 0 : Self.room)
    while let file, offset < written {
      let count = pread(file.number, &buffer, buffer.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw RunStoreError.spool(folder, count < 0 ? errno : EIO) }
      offset += count
      try body(Array(buffer[..<count]))
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
