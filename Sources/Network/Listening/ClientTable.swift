/// Which clients a listener has, and which must go if another one comes; pure.
///
/// A client that does not send the rest of its request must not keep others out: if all places are taken, the one goes that
/// has not finished its request for the longest time, those that have not even sent its head first.
struct ClientTable {
  /// How far a client has come with its request.
  enum Phase: Int {
    /// The head has not come, or not all of it.
    case head
    /// The body has not come, or not all of it.
    case body
    /// It waits for its answer.
    case answering
  }

  /// How a client was let in.
  struct Entry {
    /// Its number; `nil` if there are too many even to be refused with an answer.
    var id: Int?
    /// Whether it is to be answered that there are too many.
    var isTooMany = false
    /// The client whose place it gets.
    var evicted: Int?
  }

  /// Clients at a time.
  static let places = 64
  /// Clients beside them that are told to come again.
  static let refusals = 64

  private var phases: [Int: Phase] = [:]
  private var last = 0

  /// A client has come.
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

  /// A client has come further.
  mutating func note(_ phase: Phase, of id: Int) {
    if phases[id] != nil { phases[id] = phase }
  }

  /// A client has gone.
  mutating func leave(_ id: Int) { phases[id] = nil }
}
