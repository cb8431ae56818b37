/// The clients of a listener, and which one is disconnected if too many connect; pure.
///
/// Clients with half-sent requests must not keep others out. If all places are taken, a new client replaces the oldest one
/// whose request is incomplete; clients without a complete head go first.
struct ClientTable {
  /// The progress of a client's request.
  enum Phase: Int {
    /// The head is incomplete.
    case head
    /// The body is incomplete.
    case body
    /// The request is complete and waits for its answer.
    case answering
  }

  /// The admission of a client.
  struct Entry {
    /// The client's number; `nil` if the connection is closed without an answer.
    var id: Int?
    /// Whether the answer is status 503.
    var isTooMany = false
    /// The number of the client that it replaces.
    var evicted: Int?
  }

  /// The most clients at a time.
  static let places = 64
  /// The most further clients that get status 503.
  static let refusals = 64

  private var phases: [Int: Phase] = [:]
  private var last = 0

  /// Admits a client that has connected.
  mutating func enter() -> Entry {
    var entry = Entry()
    if phases.count >= Self.places {
      let waiting = phases.filter { $0.value != .answering }
      if let oldest = waiting.min(by: { ($0.value.rawValue, $0.key) < ($1.value.rawValue, $1.key) }) {
        phases[oldest.key] = nil
        entry.evicted = oldest.key
      } else if phases.count < Self.places + Self.refusals {
        entry.isTooMany = true
      } else {
        return entry
      }
    }
    last += 1
    phases[last] = .head
    entry.id = last
    return entry
  }

  /// Records the progress of a client's request.
  mutating func note(_ phase: Phase, of id: Int) {
    if phases[id] != nil { phases[id] = phase }
  }

  /// Removes a client that has disconnected.
  mutating func leave(_ id: Int) { phases[id] = nil }
}
