package import CPluginABI

/// The result that a plugin handed to `complete`, copied while it was borrowed.
package struct Answer: Sendable {
  package enum Payload: Sendable {
    case bytes([UInt8])
    case null
    case tooLarge(Int)
  }

  package let status: UInt32
  package let payload: Payload
  /// Its part of the memory for answers of workers; returned when the answer has been read.
  package var lease: AnswerLease?

  /// Copies an answer; `nil` for a NULL pointer or a struct that is too small.
  package init?(copying result: UnsafePointer<sous_result>?, limit: Int) {
    guard let result, result.pointee.size >= MemoryLayout<sous_result>.size else { return nil }
    let bytes = result.pointee.payload
    status = result.pointee.status
    if bytes.size > limit {
      payload = .tooLarge(bytes.size)
    } else if let data = bytes.data {
      payload = .bytes(Array(UnsafeBufferPointer(start: data, count: bytes.size)))
    } else {
      payload = .null
    }
  }
}
