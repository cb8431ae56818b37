import Engine
import Glibc
import Hashing
import Localization
import Synchronization

/// What plugins keep while messages pass from one provider to another: state and events in the run log as always, large
/// values in files without a name, which are gone once ``forget(_:)`` is called for them or the process ends.
final class PassingStorage: ProviderStateStore, TriggerStore, BlobStore {
  /// A value that is being written, or is complete.
  private final class Value: Sendable {
    let file: Int32
    let hash = Mutex(RunningHash())

    init(file: Int32) { self.file = file }

    deinit { close(file) }
  }

  private struct Values {
    var last: Int64 = 0
    var unfinished: [Int64: Value] = [:]
    /// With how often each was made: the next messages may hold the same.
    var finished: [String: (value: Value, count: Int)] = [:]
  }

  private static let prefix = "blob:sha256:"

  private let store: any ProviderStateStore & TriggerStore
  private let values = Mutex(Values())

  /// Keeps state and events in `store`.
  init(_ store: any ProviderStateStore & TriggerStore) { self.store = store }

  /// Lets go of the blobs of messages that were taken together.
  func forget(_ messages: [PassingMessage]) {
    // Of those that share a blob one is the first in it.
    for message in messages where message.offset == 0 { forget(blob: message.blob) }
  }

  /// Lets go of a blob, as often as it was made.
  func forget(blob: String) {
    let hash = String(blob.dropFirst(Self.prefix.count))
    values.withLock { values in
      guard let (value, count) = values.finished[hash] else { return }
      values.finished[hash] = count > 1 ? (value, count - 1) : nil
    }
  }

  // MARK: Messages

  /// Messages with their digests.
  func digested(_ messages: [PassingMessage]) throws(StorageFailure) -> [PassingMessage] {
    var messages = messages
    for index in messages.indices { messages[index].digest = try digest(of: messages[index]) }
    return messages
  }

  /// See ``PassingMessage/digest``.
  func digest(of message: PassingMessage) throws(StorageFailure) -> String {
    let hash = RunningHash()
    // A server that gives a message with bare line feeds may take it with whole line ends.
    var last: UInt8 = 0
    try pieces(of: message) { piece throws(StorageFailure) in
      hash.update(Self.endingLines(of: piece, after: last))
      last = piece.last ?? last
    }
    return String(hash.finish().prefix(32))
  }

  /// A piece of a message with CR and LF at the ends of its lines.
  ///
  /// - Parameter last: The byte before it.
  private static func endingLines(of piece: [UInt8], after last: UInt8) -> [UInt8] {
    var bare: [Int] = []
    piece.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var offset = 0
      while offset < bytes.count, let found = memchr(start + offset, 0x0A, bytes.count - offset) {
        let place = UnsafeRawPointer(found) - start
        if (place > 0 ? bytes[place - 1] : last) != 0x0D { bare.append(place) }
        offset = place + 1
      }
    }
    guard !bare.isEmpty else { return piece }
    var result: [UInt8] = []
    result.reserveCapacity(piece.count + bare.count)
    var begin = 0
    for place in bare {
      result += piece[begin..<place]
      result.append(0x0D)
      begin = place
    }
    return result + piece[begin...]
  }

  /// A blob that holds one message and nothing else.
  func blob(of message: PassingMessage) throws(StorageFailure) -> String {
    let hash = String(message.blob.dropFirst(Self.prefix.count))
    if message.offset == 0, try readBlob(hash: hash, offset: UInt64(clamping: message.size), length: 1).isEmpty {
      return message.blob
    }
    let number = try createBlob()
    do throws(StorageFailure) {
      try pieces(of: message) { piece throws(StorageFailure) in try append(piece, toBlob: number) }
      return Self.prefix + (try finishBlob(number))
    } catch {
      discardBlob(number)
      throw error
    }
  }

  private func pieces(
    of message: PassingMessage, _ body: ([UInt8]) throws(StorageFailure) -> Void
  ) throws(StorageFailure) {
    let hash = String(message.blob.dropFirst(Self.prefix.count))
    var done = 0
    while done < message.size {
      guard let offset = UInt64(exactly: message.offset + done) else { throw Self.absent }
      let piece = try readBlob(hash: hash, offset: offset, length: min(1 << 20, message.size - done))
      guard !piece.isEmpty else { throw Self.absent }
      try body(piece)
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
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/sous-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Self.failure(errno) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    let value = Value(file: file)
    return values.withLock { values in
      values.last += 1
      values.unfinished[values.last] = value
      return values.last
    }
  }

  func append(_ bytes: [UInt8], toBlob number: Int64) throws(StorageFailure) {
    let value = try unfinished(number)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(value.file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(count == 0 ? EIO : errno) }
      rest = rest.dropFirst(count)
    }
    value.hash.withLock { $0.update(bytes) }
  }

  func finishBlob(_ number: Int64) throws(StorageFailure) -> String {
    let value = try unfinished(number)
    let hash = value.hash.withLock { $0.finish() }
    values.withLock { values in
      values.unfinished[number] = nil
      values.finished[hash] = (value, (values.finished[hash]?.count ?? 0) + 1)
    }
    return hash
  }

  func discardBlob(_ number: Int64) { values.withLock { $0.unfinished[number] = nil } }

  func readBlob(hash: String, offset: UInt64, length: Int) throws(StorageFailure) -> [UInt8] {
    guard let value = values.withLock({ $0.finished[hash]?.value }), let start = off_t(exactly: offset) else {
      throw Self.absent
    }
    var status: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, length)) { memory, filled in
      while filled < memory.count {
        let count = pread(
          value.file, memory.baseAddress.map { $0 + filled }, memory.count - filled, start + off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { status = errno }
        guard count > 0 else { return }
        filled += count
      }
    }
    guard status == 0 else { throw Self.failure(status) }
    return bytes
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
