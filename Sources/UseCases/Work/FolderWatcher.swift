import Dispatch
import Glibc
import Localization
import Synchronization

/// Reports changes of the files of a folder, by inotify(7).
// Unchecked: a source of Dispatch may be used from any thread, and its type does not say so.
package final class FolderWatcher: @unchecked Sendable {
  /// What has happened.
  package enum Change: Sendable, Equatable {
    case written(String)
    case closed(String)
    /// A file was created with this name or renamed to it.
    case came(String)
    /// The file of this name was deleted or renamed.
    case left(String)
    /// A file is there, is gone or has other rights.
    case other
    /// Something was missed.
    case overflow
    /// The folder is gone.
    case gone

    /// Whether a file is being written, and not done with.
    package var isWriting: Bool { if case .written = self { true } else { false } }
  }

  private static let mask =
    UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
    | UInt32(IN_ATTRIB) | UInt32(IN_CREATE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  /// Yields when something may have happened.
  package let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  /// Whether the source sleeps, as something has happened that nobody has read yet.
  private let isAsleep = Mutex(false)

  /// Watches from now on.
  ///
  /// - Throws: ``UseCaseError`` where the folder cannot be watched.
  package convenience init(_ folder: String) throws(UseCaseError) { try self.init([folder]) }

  /// Watches several folders from now on; ``changes()`` does not tell which of them a file is in.
  ///
  /// - Throws: ``UseCaseError`` where one of them cannot be watched.
  package init(_ folders: [String]) throws(UseCaseError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { throw Self.failure(folders.first ?? "", errno) }
    for folder in folders where inotify_add_watch(descriptor, folder, Self.mask) < 0 {
      let reason = errno
      close(descriptor)
      throw Self.failure(folder, reason)
    }
    self.descriptor = descriptor
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    self.source = source
    source.setEventHandler { [weak self] in self?.tell() }
    source.setCancelHandler { Glibc.close(descriptor) }
    source.resume()
  }

  deinit {
    source.cancel()
    // One that sleeps is not cancelled.
    listen()
    waker.finish()
  }

  /// Wakes whoever waits for ``wakes``.
  package func wake() { waker.yield() }

  /// Tells once; more events wait until somebody reads them.
  private func tell() {
    isAsleep.withLock { isAsleep in
      guard !isAsleep else { return }
      isAsleep = true
      source.suspend()
    }
    waker.yield()
  }

  private func listen() {
    isAsleep.withLock { isAsleep in
      guard isAsleep else { return }
      isAsleep = false
      source.resume()
    }
  }

  /// What has happened since the last call.
  package func changes() -> [Change] {
    defer { listen() }
    var changes: [Change] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return changes }
      Self.parse(buffer.prefix(count), into: &changes)
    }
  }

  /// Reads `struct inotify_event`: watch, mask, cookie and length, 4 bytes each, then the name, filled up with NUL.
  private static func parse(_ bytes: ArraySlice<UInt8>, into changes: inout [Change]) {
    func number(_ at: Int) -> UInt32 {
      bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    var at = bytes.startIndex
    while bytes.endIndex - at >= 16 {
      let (mask, length) = (number(at + 4), Int(number(at + 12)))
      guard bytes.endIndex - at - 16 >= length else { return }
      let name = String(decoding: bytes[at + 16..<at + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
      at += 16 + length
      if mask & UInt32(IN_Q_OVERFLOW) != 0 {
        changes.append(.overflow)
      } else if mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)) != 0 {
        changes.append(.gone)
      } else if mask & UInt32(IN_MODIFY) != 0 {
        changes.append(.written(name))
      } else if mask & UInt32(IN_MOVED_TO) != 0 {
        changes += [.came(name), .closed(name)]
      } else if mask & UInt32(IN_CLOSE_WRITE) != 0 {
        changes.append(.closed(name))
      } else if mask & UInt32(IN_CREATE) != 0 {
        changes.append(.came(name))
      } else if mask & (UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)) != 0 {
        changes.append(.left(name))
      } else {
        changes.append(.other)
      }
    }
  }

  package static func failure(_ folder: String, _ code: Int32) -> UseCaseError {
    .wrongInput(
      LocalizedText(
        "the folder '\(folder)' cannot be watched: ", de: "der Ordner '\(folder)' lässt sich nicht überwachen: ")
        + .systemError(code))
  }
}
