public import Engine
public import Expressions
import Plans

/// The moves of one message that Sous has made, the latest last.
///
/// The journeys are stored in the state of recipes for ``memory`` seconds. They serve three purposes: a filter finds a message
/// that another filter has moved, an undo is not undone by the filter, and filters that move a message in a circle stop.
public struct MessageJourney: Sendable, Hashable {
  /// One move.
  public struct Move: Sendable, Hashable {
    /// Why a message is moved.
    public enum Cause: String, Sendable {
      /// A rule of a filter moves it out of its folder.
      case filter
      /// An undo, or the end of a snooze, moves it back into a folder.
      case back
    }

    /// Why the message is moved.
    public var cause: Cause
    /// The provider of the mailbox; empty if unknown.
    public var provider: String
    /// The folder that the message leaves; empty if unknown.
    public var from: String
    /// The message's uid in ``from``; empty if unknown.
    public var fromUID = ""
    /// The folder that the message comes to; empty if it is deleted permanently.
    public var to: String
    /// The message's uid in ``to``; empty if the provider did not report it.
    public var uid = ""
    /// For ``Cause/filter`` the name of the filter. For ``Cause/back`` the recipe that must not judge the message again, or
    /// ``MessageJourney/everyTrigger``.
    public var recipe: String
    /// The version of that recipe's text, see ``Plans/Plan/sourceVersion``; empty for every version.
    public var version = ""
    /// The ID of the run that moves the message.
    public var run: String
    /// When the move was recorded.
    public var at: Timestamp

    /// Creates a move.
    public init(
      _ cause: Cause, provider: String, from: String = "", fromUID: String = "", to: String, uid: String = "",
      recipe: String, version: String = "", run: String, at: Timestamp
    ) {
      (self.cause, self.provider, self.from, self.to, self.uid) = (cause, provider, from, to, uid)
      (self.fromUID, self.recipe, self.version, self.run, self.at) = (fromUID, recipe, version, run, at)
    }

    /// Whether a message that has this uid in the folder may have made the move. Unknown uids count as equal.
    fileprivate func leaves(_ folder: String, _ uid: String) -> Bool {
      MessageJourney.isSame(from, folder) && (fromUID.isEmpty || uid.isEmpty || fromUID == uid)
    }

    /// Whether a message that has this uid in the folder may have come there by the move. Unknown uids count as equal.
    fileprivate func reaches(_ folder: String, _ uid: String) -> Bool {
      MessageJourney.isSame(to, folder) && (self.uid.isEmpty || uid.isEmpty || self.uid == uid)
    }
  }

  /// Seconds for which moves are remembered: 30 days.
  public static let memory = 30.0 * 86_400
  /// The most moves that are stored under one key. Equal copies of a message share a key.
  private static let longest = 200
  /// Seconds within which repeated moves of one message count as a circle.
  private static let circlePeriod = 86_400.0
  /// How often a filter moves one message out of one folder within ``circlePeriod``, before it leaves the message there.
  private static let mostRounds = 2

  /// The moves, the latest last.
  public private(set) var moves: [Move] = []

  /// The key of a message, the same in every folder: made from Message-ID, date and size, because some programs give all their
  /// messages one Message-ID. `nil` for a message that has neither Message-ID nor date.
  ///
  /// - Parameter message: `{message_id, date, size}`, as `mail.search` gives it.
  public static func key(of message: Value) -> String? {
    func text(_ field: String) -> String { message[field]?.stringValue ?? "" }
    guard !text("message_id").isEmpty || !text("date").isEmpty else { return nil }
    return SentMessages.key("", message)
  }

  /// The key of a message in a folder. A message that has neither Message-ID nor date is known by its uid: its key is different in
  /// every folder.
  ///
  /// - Parameters:
  ///   - message: `{message_id, date, size}`, as `mail.search` gives it.
  ///   - uid: Its uid in the folder.
  ///   - provider: The provider of the mailbox.
  public static func key(of message: Value, uid: String, in folder: String, of provider: String) -> String {
    key(of: message) ?? placedKey(uid, in: folder, of: provider)
  }

  private static let placed = "uid/"

  /// Whether a key names a uid in a folder, and not the content of a message.
  static func isPlaced(_ key: String) -> Bool { key.hasPrefix(placed) }

  private static func placedKey(_ uid: String, in folder: String, of provider: String) -> String {
    SentMessages.key("\(placed)\(provider)/\(MailFolder.canonicalName(folder))", ["uid": .string(uid)])
  }

  // MARK: - Queries

  /// The run that has put a message back into a folder, if that was the last move there; the recipe then ignores the message.
  ///
  /// - Parameters:
  ///   - folder: The folder that the message is in.
  ///   - provider: The provider of the mailbox.
  ///   - recipe: The recipe's name.
  ///   - version: The version of its text: a recipe that has changed judges the message again.
  ///   - isEvent: Whether the arrival of the message starts the recipe, so that ``everyTrigger`` counts too.
  /// - Returns: The run's ID; `nil` if the recipe may judge the message.
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

  /// Represents all recipes that a trigger starts, in ``Move/recipe``.
  public static let everyTrigger = "*"

  /// The path of a message from a folder on, by the moves of filters; empty if no filter has moved it out of that folder.
  ///
  /// - Parameter uid: The uid that the message had in the folder. It distinguishes equal copies of a message.
  func moves(from folder: String, uid: String, of provider: String) -> [Move] {
    let own = moves.filter { $0.cause == .filter && $0.provider == provider }
    guard let start = own.lastIndex(where: { $0.leaves(folder, uid) }) else { return [] }
    var way = [own[start]]
    for move in own[(start + 1)...] where way.last.map({ move.leaves($0.to, $0.uid) }) ?? false { way.append(move) }
    return way
  }

  /// The path of a message that has a key from a folder on; see ``moves(from:uid:of:)``. It reads further journeys if the message
  /// has another key in each folder.
  static func way(
    of key: String, uid: String, from folder: String, of provider: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> [Move] {
    var way = try read(key, at: now, in: state).moves(from: folder, uid: uid, of: provider)
    while isPlaced(key), way.count < longest, let last = way.last, !last.uid.isEmpty {
      let next = placedKey(last.uid, in: last.to, of: provider)
      let further = try read(next, at: now, in: state).moves(from: last.to, uid: last.uid, of: provider)
      if further.isEmpty { break }
      way += further
    }
    return way
  }

  /// The filters that move a message in a circle, and how often; `nil` unless the given filter has moved the message out of the
  /// folder ``mostRounds`` times within ``circlePeriod``.
  ///
  /// Only moves that led to this message count: each move gives the uid before and after it. Moves of equal copies do not count.
  ///
  /// - Parameter uid: The uid that the message has in the folder.
  func circle(
    of uid: String, from folder: String, of provider: String, by recipe: String, version: String, at now: Timestamp
  ) -> (recipes: [String], count: Int)? {
    // An undo is a person's decision: earlier moves do not count.
    let start = moves.lastIndex { $0.cause == .back && Self.isSame($0.to, folder) }.map { $0 + 1 } ?? 0
    let recent = moves[start...].filter {
      $0.cause == .filter && $0.provider == provider && now.seconds(since: $0.at) < Self.circlePeriod
    }
    var chain: [Move] = []
    var place = (folder: folder, uid: uid)
    for move in recent.reversed() where move.reaches(place.folder, place.uid) {
      chain.append(move)
      place = (move.from, move.fromUID)
    }
    let own = chain.filter { $0.recipe == recipe && $0.version == version && Self.isSame($0.from, folder) }
    guard own.count >= Self.mostRounds else { return nil }
    return (Set(chain.map(\.recipe)).sorted(), chain.count)
  }

  private static func isSame(_ folder: String, _ other: String) -> Bool {
    MailFolder.canonicalName(folder) == MailFolder.canonicalName(other)
  }

  // MARK: - Storage

  /// The prefix of the state spaces with journeys; the month and a hexadecimal digit of the key's hash follow:
  /// `mail-filters/moves/2026-11/c`.
  ///
  /// One space a month, so that old months are deleted as a whole; sixteen a month, because the size of a space is limited.
  public static let spaces = "mail-filters/moves/"

  private static func space(_ key: String, _ month: String) -> String {
    "\(spaces)\(month)/\(String(key.stableHash % 16, radix: 16))"
  }

  /// The month of a time, in UTC: `2026-11`.
  public static func month(of time: Timestamp) -> String { String(time.rfc3339.prefix(7)) }

  /// Reads the journey of a message; empty if none is stored.
  ///
  /// - Parameter key: See ``key(of:)``.
  public static func read(
    _ key: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> MessageJourney {
    try stored(key, at: now, in: state).journey
  }

  /// Adds moves to the journeys of messages. A move that differs from an earlier one only in its time replaces that one.
  public static func add(
    _ moves: [(key: String, move: Move)], at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) {
    if moves.count <= 20 {
      for (key, move) in moves { try add(move, to: key, at: now, in: state) }
      return
    }
    // Copies of one message have one key, so one journey may get several moves.
    var journeys: [String: MessageJourney] = [:]
    for (key, move) in moves {
      var journey = if let known = journeys[key] { known } else { try read(key, at: now, in: state) }
      journey.append(move)
      journeys[key] = journey
    }
    var values: [String: [(key: String, value: Value)]] = [:]
    for (key, journey) in journeys { values[space(key, month(of: now)), default: []].append((key, journey.value)) }
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

  /// The journey of a message, and the value that is stored for this month, if one is.
  private static func stored(
    _ key: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> (journey: MessageJourney, value: Value?) {
    let current = try state.value(of: key, in: space(key, month(of: now)))
    var journey = MessageJourney()
    // The first value of a month includes the moves of the month before.
    let previous = now.adding(seconds: -memory)
    var value = current
    if value == nil { value = try state.value(of: key, in: space(key, month(of: previous))) }
    for entry in value?["moves"]?.listValue ?? [] {
      if let move = Move(entry), now.seconds(since: move.at) < memory { journey.moves.append(move) }
    }
    return (journey, current)
  }

  private mutating func append(_ move: Move) {
    // A repeated attempt records the same move again.
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
      "cause": .string(cause.rawValue), "provider": .string(provider), "from": .string(from),
      "from_uid": .string(fromUID), "to": .string(to), "uid": .string(uid), "recipe": .string(recipe),
      "version": .string(version), "run": .string(run),
      "at": .string(at.rfc3339Milliseconds),
    ]
  }

  fileprivate init?(_ value: Value) {
    func text(_ key: String) -> String { value[key]?.stringValue ?? "" }
    guard let cause = Cause(rawValue: text("cause")), let at = Timestamp(rfc3339: text("at")) else { return nil }
    self.init(
      cause, provider: text("provider"), from: text("from"), fromUID: text("from_uid"), to: text("to"),
      uid: text("uid"), recipe: text("recipe"), version: text("version"), run: text("run"), at: at)
  }
}
