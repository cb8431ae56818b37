/// Which address to try when: IPv6 and IPv4 in turn, the next one when the last has failed or has been silent for a
/// while, the first that answers wins (RFC 8305). Knows no sockets and no time.
struct AddressRace: Sendable {
  /// The next action.
  enum Action: Sendable, Equatable {
    /// Connect to the address of that index.
    case attempt(Int)
    /// Call ``pauseElapsed()`` in a while, unless something happens before.
    case pause
    /// All have failed.
    case giveUp
  }

  /// The addresses in the order in which they are tried.
  let addresses: [IPAddress]
  private var next = 0
  private var running = 0

  /// Orders addresses: the family of the first one first, then the families in turn.
  init(_ addresses: [IPAddress]) {
    let firstFamily = addresses.first?.isVersion6 ?? true
    var first = addresses.filter { $0.isVersion6 == firstFamily }[...]
    var second = addresses.filter { $0.isVersion6 != firstFamily }[...]
    var ordered: [IPAddress] = []
    while !first.isEmpty || !second.isEmpty {
      if let address = first.popFirst() { ordered.append(address) }
      if let address = second.popFirst() { ordered.append(address) }
    }
    self.addresses = ordered
  }

  /// Begins with the first address.
  mutating func start() -> [Action] { advance() }

  /// The last attempt has been silent for a while.
  mutating func pauseElapsed() -> [Action] { next < addresses.count ? advance() : [] }

  /// One attempt has failed.
  mutating func attemptFailed() -> [Action] {
    running -= 1
    return advance()
  }

  private mutating func advance() -> [Action] {
    guard next < addresses.count else { return running > 0 ? [] : [.giveUp] }
    let attempt = Action.attempt(next)
    next += 1
    running += 1
    return next < addresses.count ? [attempt, .pause] : [attempt]
  }
}
