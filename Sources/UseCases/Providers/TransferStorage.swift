package import Engine
import Glibc
import Localization
import OperatingSystem
import Synchronization

/// What plugins store while large values pass from one provider to another: state and events in the run log as always, the
/// values in memory or in unlinked temporary files. ``forget(blob:)`` frees them, and so does the end of the process.
///
/// The name of a value is not the SHA-256 of its bytes: only the two plugins see it, so nothing is hashed.
package final class TransferStorage: ProviderStateStore, TriggerStore, BlobStore {
  /// So many bytes of values are in memory at a time (64 MiB); what would be more lies in files.
  private static let memoryLimit = 64 << 20

  /// How many bytes of values are in memory.
  private final class Memory: Sendable {
    private let used = Atomic(0)

    /// Takes some of what is free.
    ///
    /// - Returns: Whether there is so much.
    func take(_ count: Int) -> Bool {
      if used.add(count, ordering: .relaxed).newValue <= TransferStorage.memoryLimit { return true }
      give(count)
      return false
    }

    func give(_ count: Int) { used.subtract(count, ordering: .relaxed) }
  }

  /// A value that is being written, or is complete.
  private final class Value: Sendable {
    struct Content {
      /// The bytes in the order in which they came; empty where they are in a file.
      var pieces: [[UInt8]] = []
      var size = 0
      var file: Descriptor?
      /// Whether bytes are missing, as they could not be written.
      var isBroken = false
    }

    /// Smaller pieces are joined, in bytes.
    private static let smallest = 1 << 16

    let content = Mutex(Content())
    private let memory: Memory

    init(_ memory: Memory) { self.memory = memory }

    func append(_ bytes: [UInt8]) throws(StorageFailure) {
      let failure = content.withLock { content -> StorageFailure? in
        do throws(StorageFailure) {
          if content.file == nil, !memory.take(bytes.count) {
            content.file = try TransferStorage.file(with: content.pieces)
            content.pieces = []
            memory.give(content.size)
          }
          if let file = content.file {
            try TransferStorage.write(bytes, to: file)
          } else if let last = content.pieces.indices.last, content.pieces[last].count < Self.smallest {
            content.pieces[last] += bytes
          } else {
            content.pieces.append(bytes)
          }
          content.size += bytes.count
          return nil
        } catch {
          content.isBroken = true
          return error
        }
      }
      if let failure { throw failure }
    }

    deinit {
      let (isInMemory, size) = content.withLock { ($0.file == nil, $0.size) }
      if isInMemory { memory.give(size) }
    }
  }

  private struct Values {
    var last: Int64 = 0
    var unfinished: [Int64: Value] = [:]
    var finished: [String: Value] = [:]
  }

  /// How the name of a blob begins.
  package static let prefix = "blob:sha256:"

  private let store: any ProviderStateStore & TriggerStore
  private let values = Mutex(Values())
  private let memory = Memory()

  /// Keeps state and events in `store`.
  package init(_ store: any ProviderStateStore & TriggerStore) { self.store = store }

  /// Lets go of a blob.
  package func forget(blob: String) {
    let hash = String(blob.dropFirst(Self.prefix.count))
    _ = values.withLock { $0.finished.removeValue(forKey: hash) }
  }

  // MARK: Parts of values

  /// Reads a part of a blob piece by piece.
  package func pieces(
    ofBlob blob: String, from offset: Int, size: Int, _ body: (ArraySlice<UInt8>) throws(StorageFailure) -> Void
  ) throws(StorageFailure) {
    let hash = String(blob.dropFirst(Self.prefix.count))
    guard size > 0 else { return }
    guard offset >= 0, let value = values.withLock({ $0.finished[hash] }) else { throw Self.absent }
    let pieces = value.content.withLock { $0.pieces }
    var done = 0
    var start = 0
    for piece in pieces {
      let first = offset + done - start
      if first < piece.count {
        let part = piece[first...].prefix(size - done)
        try body(part)
        done += part.count
        guard done < size else { return }
      }
      start += piece.count
    }
    while done < size {
      guard let next = UInt64(exactly: offset + done) else { throw Self.absent }
      let piece = try readBlob(hash: hash, offset: next, length: min(1 << 20, size - done))
      guard !piece.isEmpty else { throw Self.absent }
      try body(piece[...])
      done += piece.count
    }
  }

  // MARK: State and events

  package func state(of provider: String, key: String) throws(StorageFailure) -> ProviderState? {
    try store.state(of: provider, key: key)
  }

  package func stateKeys(of provider: String, prefix: String) throws(StorageFailure) -> [String] {
    try store.stateKeys(of: provider, prefix: prefix)
  }

  package func commitState(of provider: String, _ changes: [ProviderStateChange]) throws(StorageFailure) {
    try store.commitState(of: provider, changes)
  }

  package func cursor(of subscription: String) throws(StorageFailure) -> String? { try store.cursor(of: subscription) }

  package func accept(_ event: TriggerEvent, of subscription: String) throws(StorageFailure) -> Bool {
    try store.accept(event, of: subscription)
  }

  package func pendingEvents(of subscription: String, limit: Int) throws(StorageFailure) -> [TriggerEvent] {
    try store.pendingEvents(of: subscription, limit: limit)
  }

  package func settleEvent(_ id: String, of subscription: String) throws(StorageFailure) {
    try store.settleEvent(id, of: subscription)
  }

  // MARK: Large values

  package func createBlob() throws(StorageFailure) -> Int64 {
    values.withLock { values in
      values.last += 1
      values.unfinished[values.last] = Value(memory)
      return values.last
    }
  }

  package func append(_ bytes: [UInt8], toBlob number: Int64) throws(StorageFailure) {
    try unfinished(number).append(bytes)
  }

  /// A file without a name with some pieces.
  private static func file(with pieces: [[UInt8]]) throws(StorageFailure) -> Descriptor {
    do throws(SystemError) {
      let file = try Descriptor(namelessIn: SystemPath.temporaryFolder)
      for piece in pieces { try file.write(piece) }
      return file
    } catch {
      throw failure(error.code)
    }
  }

  private static func write(_ bytes: [UInt8], to file: Descriptor) throws(StorageFailure) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw failure(error.code)
    }
  }

  package func finishBlob(_ number: Int64) throws(StorageFailure) -> String {
    let value = try unfinished(number)
    guard !value.content.withLock({ $0.isBroken }) else { throw Self.absent }
    let digits = String(number, radix: 16)
    let name = String(repeating: "0", count: 64 - digits.count) + digits
    values.withLock { values in
      values.unfinished[number] = nil
      values.finished[name] = value
    }
    return name
  }

  package func discardBlob(_ number: Int64) { values.withLock { $0.unfinished[number] = nil } }

  package func readBlob(hash: String, offset: UInt64, length: Int) throws(StorageFailure) -> [UInt8] {
    guard let value = values.withLock({ $0.finished[hash] }), let start = Int(exactly: offset) else {
      throw Self.absent
    }
    let (pieces, file, size) = value.content.withLock { ($0.pieces, $0.file, $0.size) }
    let wanted = min(max(0, length), max(0, size - start))
    guard let file else { return Self.bytes(of: pieces, from: start, count: wanted) }
    do throws(SystemError) {
      return try file.readAll(at: start, limit: wanted)
    } catch {
      throw Self.failure(error.code)
    }
  }

  private static func bytes(of pieces: [[UInt8]], from offset: Int, count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var start = 0
    for piece in pieces where result.count < count {
      let first = offset + result.count - start
      if first < piece.count { result += piece[first...].prefix(count - result.count) }
      start += piece.count
    }
    return result
  }

  private func unfinished(_ number: Int64) throws(StorageFailure) -> Value {
    guard let value = values.withLock({ $0.unfinished[number] }) else { throw Self.absent }
    return value
  }

  private static var absent: StorageFailure {
    StorageFailure(.absent, LocalizedText("there is no such value", de: "diesen Wert gibt es nicht"))
  }

  private static func failure(_ code: Int32) -> StorageFailure {
    StorageFailure(
      .failed,
      LocalizedText("the folder for temporary files: ", de: "der Ordner für temporäre Dateien: ") + .systemError(code))
  }
}
