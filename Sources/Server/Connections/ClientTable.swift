/// The connections of the server, and which one is closed if too many are open; pure.
///
/// Clients with half-sent requests must not keep others out. If all places are taken, a new connection replaces the oldest one
/// that does not wait for an answer: first those without a complete head, then those without a complete body, then idle ones.
struct ClientTable {
  /// The progress of a connection.
  enum Phase: Int {
    /// The head of a request is incomplete.
    case head
    /// The body is incomplete.
    case body
    /// The last answer was sent; the connection waits for the next request.
    case idle
    /// The request is complete and waits for its answer.
    case answering
  }

  /// The admission of a connection.
  struct Entry: Equatable {
    /// The number of the connection; `nil` if it must be closed at once.
    var id: Int?
    /// The number of the connection that it replaces.
    var evicted: Int?
  }

  /// The most connections at a time.
  let places: Int
  private var phases: [Int: Phase] = [:]
  private var last = 0

  /// Creates a table with places for so many connections.
  init(places: Int) { self.places = max(1, places) }

  /// How many connections are open.
  var count: Int { phases.count }

  /// Admits a connection.
  mutating func enter() -> Entry {
    var entry = Entry()
    if phases.count >= places {
      let waiting = phases.filter { $0.value != .answering }
      guard let oldest = waiting.min(by: { ($0.value.rawValue, $0.key) < ($1.value.rawValue, $1.key) }) else {
        return entry
      }
      phases[oldest.key] = nil
      entry.evicted = oldest.key
    }
    last += 1
    phases[last] = .head
    entry.id = last
    return entry
  }

  /// Records the progress of a connection.
  mutating func note(_ phase: Phase, of id: Int) {
    if phases[id] != nil { phases[id] = phase }
  }

  /// Removes a connection that is closed.
  mutating func leave(_ id: Int) { phases[id] = nil }
}
