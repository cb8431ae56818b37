import NIOCore

/// Received data for which the handler has no room yet.
struct Backlog {
  private var pieces = CircularBuffer<ByteBuffer>()

  var isEmpty: Bool { pieces.isEmpty }
  var isOnePiece: Bool { pieces.count == 1 }

  mutating func append(_ bytes: ByteBuffer) { pieces.append(bytes) }

  /// Adds bytes to the last piece.
  mutating func extend(_ bytes: ByteBuffer) {
    guard var last = pieces.popLast() else { return append(bytes) }
    last.writeImmutableBuffer(bytes)
    pieces.append(last)
  }

  mutating func removeAll() { pieces.removeAll() }

  /// Hands over as much as there is room for.
  mutating func handOver(through delivery: Delivery, to data: @escaping @Sendable (RawSpan) -> Void) {
    while var first = pieces.popFirst() {
      let room = delivery.room(for: first.readableBytes)
      let piece = first.readSlice(length: room)
      if first.readableBytes > 0 { pieces.prepend(first) }
      guard room > 0, let piece else { return }
      delivery.deliver(bytes: room) {
        piece.withUnsafeReadableBytes { data(RawSpan(_unsafeBytes: $0)) }
      }
    }
  }
}
