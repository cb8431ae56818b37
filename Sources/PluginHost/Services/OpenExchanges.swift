import Synchronization

/// The requests and streams that one instance has open, by call; they end with the call or the instance.
final class OpenExchanges: Sendable {
  /// Something that can be ended at once.
  typealias End = @Sendable () -> Void

  private struct State {
    var open: [UInt64: [UInt64: End]] = [:]
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Registers an exchange that begins, and returns its number; `nil` after ``close()``.
  func begin(of call: UInt64) -> UInt64? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastNumber += 1
      state.open[call, default: [:]][state.lastNumber] = {}
      return state.lastNumber
    }
  }

  /// Sets how to end the exchange; ends it at once if its call has ended in the meantime.
  func set(_ number: UInt64, of call: UInt64, _ end: @escaping End) {
    let isWanted = state.withLock { state in
      guard state.open[call]?[number] != nil else { return false }
      state.open[call]?[number] = end
      return true
    }
    // It is over, or its call is: ending what is over does nothing.
    if !isWanted { end() }
  }

  /// Notes that it is over.
  func finish(_ number: UInt64, of call: UInt64) {
    state.withLock { state in
      state.open[call]?[number] = nil
      if state.open[call]?.isEmpty == true { state.open[call] = nil }
    }
  }

  /// Ends what belongs to a call.
  func end(_ call: UInt64) {
    let ends = state.withLock { $0.open.isEmpty ? nil : $0.open.removeValue(forKey: call)?.values }
    for end in ends.map({ Array($0) }) ?? [] { end() }
  }

  /// Ends everything; nothing begins any more.
  func close() {
    let ends = state.withLock { state in
      defer { state.open = [:] }
      state.isClosed = true
      return state.open.values.flatMap(\.values)
    }
    for end in ends { end() }
  }
}
