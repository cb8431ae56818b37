import Engine
import Glibc
import Hashing
import UseCases

extension TransferStorage {
  /// Lets go of the blobs of messages that were taken together.
  func forget(_ messages: [TransferMessage]) {
    // Of those that share a blob one is the first in it.
    for message in messages where message.offset == 0 { forget(blob: message.blob) }
  }

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
    try pieces(ofBlob: message.blob, from: message.offset, size: message.size) { piece throws(StorageFailure) in
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
      try pieces(ofBlob: message.blob, from: message.offset, size: message.size) { piece throws(StorageFailure) in
        try append(Array(piece), toBlob: number)
      }
      return Self.prefix + (try finishBlob(number))
    } catch {
      discardBlob(number)
      throw error
    }
  }
}
