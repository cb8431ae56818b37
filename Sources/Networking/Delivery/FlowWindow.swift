/// How much may be handed over to a handler that has not finished with what it got before.
struct FlowWindow: Sendable {
  /// Bytes that may be outstanding.
  let capacity: Int
  /// Bytes handed over and not given back.
  private(set) var outstanding = 0
  /// Whether more was wanted than there was room for.
  private var isWaiting = false

  /// Creates a window; it has room for one byte at least.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Takes room for as much of `wanted` bytes as there is.
  mutating func take(_ wanted: Int) -> Int {
    let taken = min(wanted, capacity - outstanding)
    outstanding += taken
    isWaiting = taken < wanted
    return taken
  }

  /// Gives room back, no more than was taken. Returns whether a reader waits for it.
  mutating func giveBack(_ count: Int) -> Bool {
    outstanding -= min(max(0, count), outstanding)
    guard isWaiting, outstanding < capacity else { return false }
    isWaiting = false
    return true
  }
}
