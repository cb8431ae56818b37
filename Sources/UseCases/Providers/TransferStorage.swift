import Engine
import Glibc
import Hashing
import Localization
import OperatingSystem
import Synchronization

/// What plugins store while messages pass from one provider to another: state and events in the run log as always, large
/// values in memory or in unlinked temporary files. ``forget(_:)`` frees them, and so does the end of the process.
///
/// The name of a value is not the SHA-256 of its bytes: only the two plugins see it, so nothing is hashed.
final class TransferStorage: ProviderStateStore, TriggerStore, BlobStore {
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

  private static let prefix = "blob:sha256:"

  private let store: any ProviderStateStore & TriggerStore
  private let values = Mutex(Values())
  private let memory = Memory()

  /// Keeps state and events in `store`.
  init(_ store: any ProviderStateStore & TriggerStore) { self.store = store }

  /// Lets go of the blobs of messages that were taken together.
  func forget(_ messages: [TransferMessage]) {
    // Of those that share a blob one is the first in it.
    for message in messages where message.offset == 0 { forget(blob: message.blob) }
  }

  /// Lets go of a blob.
  func forget(blob: String) {
    let hash = String(blob.dropFirst(Self.prefix.count))
    _ = values.withLock { $0.finished.removeValue(forKey: hash) }
  }

  // MARK: Messages

  /// Messages with their digests.
  func digested(_ messages: [TransferMessage]) throws(StorageFailure) -> [TransferMessage] {
    var messages = messages
    for index in messages.indices { messages[index].digest = try digest(of: messages[index]) }
    return messages
  }

  /// See ``TransferMessage/digest``.
  func digest(of message: TransferMessage) throws(StorageFailure) -> String {
    let hash = RunningHash()
    // A server that gives a message with bare line feeds may take it with whole line ends.
    var last: UInt8 = 0
    try pieces(of: message) { piece throws(StorageFailure) in
      Self.eachPart(of: piece, after: last) { hash.update($0) }
      last = piece.last ?? last
    }
    return String(hash.finish().prefix(32))
  }

  /// The parts of a piece of a message, with CR and LF at the ends of its lines.
  ///
  /// - Parameter last: The byte before it.
  private static func eachPart(
    of piece: ArraySlice<UInt8>, after last: UInt8, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    piece.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      var (begin, offset) = (0, 0)
      while offset < bytes.count, let found = memchr(start + offset, 0x0A, bytes.count - offset) {
        let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
        if (place > 0 ? bytes[place - 1] : last) != 0x0D {
          body(UnsafeBufferPointer(rebasing: bytes[begin..<place]))
          withUnsafeBytes(of: UInt8(0x0D)) { body($0.bindMemory(to: UInt8.self)) }
          begin = place
        }
        offset = place + 1
      }
      body(UnsafeBufferPointer(rebasing: bytes[begin...]))
    }
  }

  /// A blob that holds one message and nothing else.
  func blob(of message: TransferMessage) throws(StorageFailure) -> String {
    let hash = String(message.blob.dropFirst(Self.prefix.count))
    if message.offset == 0, try readBlob(hash: hash, offset: UInt64(clamping: message.size), length: 1).isEmpty {
      return message.blob
    }
    let number = try createBlob()
    do throws(StorageFailure) {
      try pieces(of: message) { piece throws(StorageFailure) in try append(Array(piece), toBlob: number) }
      return Self.prefix + (try finishBlob(number))
    } catch {
      discardBlob(number)
      throw error
    }
  }

  private func pieces(
    of message: TransferMessage, _ body: (ArraySlice<UInt8>) throws(StorageFailure) -> Void
  ) throws(StorageFailure) {
    let hash = String(message.blob.dropFirst(Self.prefix.count))
    guard message.size > 0 else { return }
    guard message.offset >= 0, let value = values.withLock({ $0.finished[hash] }) else { throw Self.absent }
    let pieces = value.content.withLock { $0.pieces }
    var done = 0
    var start = 0
    for piece in pieces {
      let first = message.offset + done - start
      if first < piece.count {
        let part = piece[first...].prefix(message.size - done)
        try body(part)
        done += part.count
        guard done < message.size else { return }
      }
      start += piece.count
    }
    while done < message.size {
      guard let offset = UInt64(exactly: message.offset + done) else { throw Self.absent }
      let piece = try readBlob(hash: hash, offset: offset, length: min(1 << 20, message.size - done))
      guard !piece.isEmpty else { throw Self.absent }
      try body(piece[...])
      done += piece.count
    }
  }

  // MARK: State and events

  func state(of provider: String, key: String) throws(StorageFailure) -> ProviderState? {
    try store.state(of: provider, key: key)
  }

  func stateKeys(of provider: String, prefix: String) throws(StorageFailure) -> [String] {
    try store.stateKeys(of: provider, prefix: prefix)
  }

  func commitState(of provider: String, _ changes: [ProviderStateChange]) throws(StorageFailure) {
    try store.commitState(of: provider, changes)
  }

  func cursor(of subscription: String) throws(StorageFailure) -> String? { try store.cursor(of: subscription) }

  func accept(_ event: TriggerEvent, of subscription: String) throws(StorageFailure) -> Bool {
    try store.accept(event, of: subscription)
  }

  func pendingEvents(of subscription: String, limit: Int) throws(StorageFailure) -> [TriggerEvent] {
    try store.pendingEvents(of: subscription, limit: limit)
  }

  func settleEvent(_ id: String, of subscription: String) throws(StorageFailure) {
    try store.settleEvent(id, of: subscription)
  }

  // MARK: Large values

  func createBlob() throws(StorageFailure) -> Int64 {
    values.withLock { values in
      values.last += 1
      values.unfinished[values.last] = Value(memory)
      return values.last
    }
  }

  func append(_ bytes: [UInt8], toBlob number: Int64) throws(StorageFailure) {
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

  func finishBlob(_ number: Int64) throws(StorageFailure) -> String {
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

  func discardBlob(_ number: Int64) { values.withLock { $0.unfinished[number] = nil } }

  func readBlob(hash: String, offset: UInt64, length: Int) throws(StorageFailure) -> [UInt8] {
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
