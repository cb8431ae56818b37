package import Expressions
import Synchronization

/// A part of the memory for answers of worker processes. Each answer has a limit of its own, but every call may have one, so
/// their total is limited too. The part is returned when the lease is released.
package final class AnswerLease: Sendable {
  /// The most bytes of all answers that are not read yet.
  package static let total = 256 << 20
  /// Answers with more bytes are parsed one at a time, because their values need several times that memory.
  private static let large = 1 << 20

  private static let used = Mutex(0)
  private static let turn = Mutex(())
  private let bytes: Int

  private init(_ bytes: Int) { self.bytes = bytes }

  deinit { AnswerLease.used.withLock { $0 -= bytes } }

  /// Reserves a number of bytes; `nil` if not so many are left.
  package static func reserve(_ bytes: Int) -> AnswerLease? {
    let isReserved = used.withLock { used in
      guard bytes <= total - used else { return false }
      used += bytes
      return true
    }
    return isReserved ? AnswerLease(bytes) : nil
  }

  /// Parses an answer; waits for its turn if the answer is large.
  package static func value(json bytes: [UInt8]) throws(ExpressionError) -> Value {
    guard bytes.count > large else { return try Value(json: bytes) }
    return try turn.withLock { _ throws(ExpressionError) -> Value in try Value(json: bytes) }
  }
}
