public import Engine
public import Expressions

/// The moves of one message that Sous has made, the latest last.
///
/// It is stored in the state of recipes, and holds for ``memory`` seconds: a filter finds a message by it that another filter
/// has moved, what an undo puts back is not judged anew, and circles of filters end.
public struct MessageJourney: Sendable, Hashable {
  /// One move.
  public struct Move: Sendable, Hashable {
    /// Why a message is moved.
    public enum Cause: String, Sendable {
      /// A rule of a filter takes it out of its folder.
      case filter
      /// An undo, or a message that comes back after its time, puts it into a folder.
      case back
    }

    /// Why it is moved.
    public var cause: Cause
    /// The provider that has the mailbox; empty if it is not known.
    public var provider: String
    /// The folder that it leaves; empty if it is not known.
    public var from: String
    /// The folder that it comes to; empty if it is deleted for good.
    public var to: String
    /// Its uid there; empty if the provider did not say it.
    public var uid = ""
    /// The filter that moves it. Of what is put back: the recipe that does not judge it anew, `*` for every trigger.
    public var recipe: String
    /// The version of that recipe's text; empty for every version.
    public var version = ""
    /// The run that moves it.
    public var run: String
    /// When it was recorded.
    public var at: Timestamp

    /// Creates a move.
    public init(
      _ cause: Cause, provider: String, from: String = "", to: String, uid: String = "", recipe: String,
      version: String = "", run: String, at: Timestamp
    ) {
      (self.cause, self.provider, self.from, self.to, self.uid) = (cause, provider, from, to, uid)
      (self.recipe, self.version, self.run, self.at) = (recipe, version, run, at)
    }
  }

  /// Seconds for which moves are known.
  public static let memory = 30.0 * 86_400
  /// The moves of one message that are stored.
  private static let longest = 40
  /// Seconds within which moves of one message count as a circle.
  private static let circle = 86_400.0
  /// How often a filter moves one message out of one folder within ``circle``, before it leaves it there.
  private static let mostRounds = 2

  /// The moves, the latest last.
  public private(set) var moves: [Move] = []

  /// What a message is known by, wherever it lies: Message-ID, date and size, as some programs give all their messages one
  /// Message-ID. `nil` for a message that has neither Message-ID nor date.
  public static func key(of message: Value) -> String? {
    func text(_ field: String) -> String { message[field]?.stringValue ?? "" }
    guard !text("message_id").isEmpty || !text("date").isEmpty else { return nil }
    return SentMessages.key("", message)
  }

  // MARK: - What it says

  /// Whether a recipe does not judge a message that is in a folder: the last that Sous did with it there was to put it back.
  ///
  /// - Parameters:
  ///   - recipe: The recipe's name.
  ///   - version: The version of its text: a recipe that has changed judges anew.
  ///   - isEvent: Whether a trigger asks, for whom `*` counts too.
  /// - Returns: The run that put it back.
  public func putBack(
    into folder: String, of provider: String, for recipe: String, version: String, isEvent: Bool
  ) -> String? {
    let last = moves.last { move in
      guard move.provider.isEmpty || move.provider == provider else { return false }
      return move.cause == .back
        ? Self.isSame(move.to, folder)
          && (move.recipe == recipe && (move.version.isEmpty || move.version == version)
            || isEvent && move.recipe == Self.everyTrigger)
        : Self.isSame(move.from, folder)
    }
    return last?.cause == .back ? last?.run : nil
  }

  /// The name for what no trigger judges anew.
  public static let everyTrigger = "*"

  /// The moves of filters since a message was last in a folder, from there on; empty if no filter has taken it out of there.
  func moves(from folder: String, of provider: String) -> [Move] {
    let own = moves.filter { $0.cause == .filter && $0.provider == provider }
    guard let start = own.lastIndex(where: { Self.isSame($0.from, folder) }) else { return [] }
    var way = [own[start]]
    for move in own[(start + 1)...] where Self.isSame(move.from, way.last?.to ?? "") { way.append(move) }
    return way
  }

  /// The filters that move a message round in a circle, if the filter has moved it out of the folder too often; `nil` if not.
  func circle(
    from folder: String, of provider: String, by recipe: String, version: String, at now: Timestamp
  ) -> (recipes: [String], count: Int)? {
    // An undo is a person's decision: what was before does not count.
    let start = moves.lastIndex { $0.cause == .back && Self.isSame($0.to, folder) }.map { $0 + 1 } ?? 0
    let recent = moves[start...].filter {
      $0.cause == .filter && $0.provider == provider && now.seconds(since: $0.at) < Self.circle
    }
    let own = recent.filter { $0.recipe == recipe && $0.version == version && Self.isSame($0.from, folder) }
    guard own.count >= Self.mostRounds else { return nil }
    return (Set(recent.map(\.recipe)).sorted(), recent.count)
  }

  private static func isSame(_ folder: String, _ other: String) -> Bool {
    folder == other || folder.uppercased() == "INBOX" && other.uppercased() == "INBOX"
  }

  // MARK: - Storage

  /// The prefix of the spaces of journeys; month and a digit of the key's hash follow.
  ///
  /// Whole months are forgotten at once, and each space has a limit.
  public static let spaces = "mail-filters/moves/"

  private static func space(_ key: String, _ month: String) -> String {
    "\(spaces)\(month)/\(String(key.stableHash % 16, radix: 16))"
  }

  /// The month of a time, in UTC: `2026-11`.
  public static func month(of time: Timestamp) -> String { String(time.rfc3339.prefix(7)) }

  /// Reads the journey of a message.
  public static func read(
    _ key: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> MessageJourney {
    try stored(key, at: now, in: state).journey
  }

  /// Adds moves to the journeys of messages.
  public static func add(
    _ moves: [(key: String, move: Move)], at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) {
    if moves.count <= 20 {
      for (key, move) in moves { try add(move, to: key, at: now, in: state) }
      return
    }
    var values: [String: [(key: String, value: Value)]] = [:]
    for (key, move) in moves {
      var journey = try read(key, at: now, in: state)
      journey.append(move)
      values[space(key, month(of: now)), default: []].append((key, journey.value))
    }
    for (space, values) in values.sorted(by: { $0.key < $1.key }) { try state.set(values, in: space) }
  }

  private static func add(
    _ move: Move, to key: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) {
    let space = space(key, month(of: now))
    // Filters of other folders may write at the same time.
    for _ in 0..<50 {
      var (journey, old) = try stored(key, at: now, in: state)
      journey.append(move)
      if try state.claim(key, with: journey.value, in: space, where: { $0 == old }) == nil { return }
    }
  }

  /// The journey of a message, and what is stored of it for this month.
  private static func stored(
    _ key: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> (journey: MessageJourney, value: Value?) {
    let current = try state.value(of: key, in: space(key, month(of: now)))
    var journey = MessageJourney()
    // This month's value has what was known of the month before.
    let previous = now.adding(seconds: -memory)
    var value = current
    if value == nil { value = try state.value(of: key, in: space(key, month(of: previous))) }
    for entry in value?["moves"]?.listValue ?? [] {
      if let move = Move(entry), now.seconds(since: move.at) < memory { journey.moves.append(move) }
    }
    return (journey, current)
  }

  private mutating func append(_ move: Move) {
    // An attempt that is repeated records the same.
    moves.removeAll { other in
      var same = other
      same.at = move.at
      return same == move
    }
    moves.append(move)
    moves = Array(moves.suffix(Self.longest))
  }

  private var value: Value { ["moves": .list(moves.map(\.value))] }
}

extension MessageJourney.Move {
  fileprivate var value: Value {
    [
      "cause": .string(cause.rawValue), "provider": .string(provider), "from": .string(from), "to": .string(to),
      "uid": .string(uid), "recipe": .string(recipe), "version": .string(version), "run": .string(run),
      "at": .string(at.rfc3339Milliseconds),
    ]
  }

  fileprivate init?(_ value: Value) {
    func text(_ key: String) -> String { value[key]?.stringValue ?? "" }
    guard let cause = Cause(rawValue: text("cause")), let at = Timestamp(rfc3339: text("at")) else { return nil }
    self.init(
      cause, provider: text("provider"), from: text("from"), to: text("to"), uid: text("uid"), recipe: text("recipe"),
      version: text("version"), run: text("run"), at: at)
  }
}
