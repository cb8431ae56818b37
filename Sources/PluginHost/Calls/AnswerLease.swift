import Expressions
import Synchronization

/// A part of the memory that answers of worker processes may have together until they have been read: each is bounded, but
/// there may be as many as there are calls.
final class AnswerLease: Sendable {
  /// Bytes of all answers that wait to be read.
  static let total = 256 << 20
  /// Larger answers are read one after another: their values take several times their bytes.
  private static let large = 1 << 20

  private static let used = Mutex(0)
  private static let turn = Mutex(())
  private let bytes: Int

  private init(_ bytes: Int) { self.bytes = bytes }

  deinit { AnswerLease.used.withLock { $0 -= bytes } }

  /// Takes a part; `nil` if there is not so much left.
  static func take(_ bytes: Int) -> AnswerLease? {
    let isTaken = used.withLock { used in
      guard bytes <= total - used else { return false }
      used += bytes
      return true
    }
    return isTaken ? AnswerLease(bytes) : nil
  }

  /// Reads an answer, in its turn if it is large.
  static func value(json bytes: [UInt8]) throws(ExpressionError) -> Value {
    guard bytes.count > large else { return try Value(json: bytes) }
    return try turn.withLock { _ throws(ExpressionError) -> Value in try Value(json: bytes) }
  }
}
