import Engine
import Expressions
import OperatingSystem
import Plans
import Schemas

/// The record of messages that a filter sends once, over all runs.
///
/// Before a message goes out, the run notes its own name under the message's key; after that it notes that it was sent, or
/// takes the note away where nothing went out. A note of another run means that the outcome is unknown.
struct SentMessages {
  /// The note of a message that was sent.
  static let sent = "sent"
  /// The note of a copy whose step has failed: the server may have copied a part of the messages.
  static let failed = "failed"
  /// The state spaces of the notes of all filters: a filter that gets another name, or does the work of another one, must not
  /// send again.
  ///
  /// There are sixteen spaces, as each has room for some 300 000 notes.
  static func space(of key: String) -> String { "mail-filters/sent/\(String(key.stableHash % 16, radix: 16))" }

  private var notes: [String: String] = [:]
  /// The run that asks. Its own notes come from rules of other accounts, which ran before.
  private let run: String
  /// The uid that the messages had in the filter's folder; `nil` if they are there.
  private let origin: String?

  /// Reads the stored records of messages. The result is empty without a run log: a preview of a filter has none.
  ///
  /// - Parameter origin: The uid that the messages had in the filter's folder; `nil` if they are there.
  init(
    _ decisions: [(MessageJudge.Decision, Value)], _ rules: [MessageSelection.Rule], _ call: BuiltinCall,
    origin: String? = nil
  ) async throws {
    run = call.request.run.rawValue
    self.origin = origin
    var keys: [String] = []
    for (decision, message) in decisions {
      guard case .acted(let acting, _) = decision else { continue }
      let leaves = Self.leaves(acting, rules)
      for rule in acting {
        for send in rules[rule].sends { keys.append(Self.key(send, message, leaves: leaves, origin: origin)) }
      }
    }
    guard !keys.isEmpty, call.surroundings.state != nil else { return }
    let (asked, recipe) = (keys, call.request.recipe)
    notes = try await call.sentMessages { state in
      var notes: [String: String] = [:]
      for key in asked { notes[key] = try Self.note(of: key, before: recipe, in: state) }
      return notes
    }
  }

  /// The key of a message.
  ///
  /// Some programs give all their messages one Message-ID, and a server may number a folder anew: so it is Message-ID, date
  /// and size together, and the uid only where a message says neither.
  static func key(_ mark: String, _ message: Value) -> String {
    let names = ["message_id", "date", "size"].map { field -> String in
      switch message[field] {
      case .string(let text)?: text
      case .int(let number)?: String(number)
      default: ""
      }
    }
    let isNamed = !names[0].isEmpty || !names[1].isEmpty
    let message = isNamed ? names.joined(separator: " ") : message["uid"]?.stringValue ?? ""
    let key = "\(mark)/\(message)"
    return key.utf8.count <= 300 ? key : "\(key.prefix(200)) \(String(key.stableHash, radix: 36))"
  }

  /// The key of the note of a message that a rule sends or copies.
  ///
  /// If the message leaves its folder, the key of a copy contains the uid, and the note is deleted once the message has left.
  /// A message that comes back is therefore copied again before it leaves.
  ///
  /// - Parameter origin: The uid that the message had in the filter's folder, if another filter has moved it since.
  static func key(
    _ send: MessageSelection.Sending, _ message: Value, leaves: Bool, origin: String? = nil
  ) -> String {
    guard send.isBatch || send.isElsewhere, leaves else { return key(send.mark, message) }
    return "\(key("leaving " + send.mark, message)) \(origin ?? message["uid"]?.stringValue ?? "")"
  }

  /// The note of a key; `nil` if there is none.
  ///
  /// - Parameter recipe: The recipe whose own state is searched too: filters of earlier versions kept their notes there.
  static func note(
    of key: String, before recipe: String, in state: any RecipeState
  ) throws(StorageFailure) -> String? {
    if let note = try state.value(of: key, in: space(of: key)) { return note.stringValue }
    return try state.value(of: key, in: recipe)?.stringValue
  }

  /// Notes a run under several keys, each unless another run has.
  ///
  /// - Returns: The keys that have the note of the run now.
  static func claim(
    _ keys: [String], for run: String, before recipe: String, in state: any RecipeState
  ) throws(StorageFailure) -> Set<String> {
    var free: [String] = []
    for key in keys {
      let note = try note(of: key, before: recipe, in: state)
      if note == nil || note == run || note == failed { free.append(key) }
    }
    var claimed: Set<String> = []
    for (space, keys) in Dictionary(grouping: free, by: space).sorted(by: { $0.key < $1.key }) {
      claimed.formUnion(
        try state.claim(keys, with: .string(run), in: space) {
          $0 == nil || $0?.stringValue == run || $0?.stringValue == failed
        })
    }
    return claimed
  }

  /// Gives several keys one note, or takes their notes away.
  static func set(_ keys: [String], to note: Value?, in state: any RecipeState) throws(StorageFailure) {
    for (space, keys) in Dictionary(grouping: keys, by: space).sorted(by: { $0.key < $1.key }) {
      try state.set(keys, to: note, in: space)
    }
  }

  /// Whether one of the rules takes a message out of its folder.
  static func leaves(_ acting: [Int], _ rules: [MessageSelection.Rule]) -> Bool {
    acting.contains { rules[$0].takes }
  }

  /// The time that a note begins with; `nil` if it has none.
  static func time(of note: String) -> Timestamp? { Timestamp(rfc3339: String(note.prefix { $0 != " " })) }

  /// Looks for copies whose step has failed: those that are in their folder are made, and not made again.
  mutating func find(
    _ decisions: [(MessageJudge.Decision, Value)], _ rules: [MessageSelection.Rule], in folders: CopiedMessages
  ) async throws {
    guard notes.values.contains(Self.failed) else { return }
    var open: [String: [(key: String, message: Value)]] = [:]
    for (decision, message) in decisions {
      guard case .acted(let acting, _) = decision else { continue }
      let leaves = Self.leaves(acting, rules)
      for send in acting.flatMap({ rules[$0].sends }) {
        let key = Self.key(send, message, leaves: leaves, origin: origin)
        if let folder = send.copyFolder, notes[key] == Self.failed { open[folder, default: []].append((key, message)) }
      }
    }
    for (folder, copies) in open.sorted(by: { $0.key < $1.key }) {
      for key in try await folders.present(copies, in: folder) { notes[key] = Self.sent }
    }
  }

  /// Whether a message has gone out.
  func isSent(_ key: String) -> Bool { notes[key].map(isSettled) ?? false }

  private func isSettled(_ note: String) -> Bool { note == Self.sent || note == run }

  /// The decision about a message, for which nothing is done if it is unknown whether it was sent.
  func settled(
    _ decision: MessageJudge.Decision, _ message: Value, _ rules: [MessageSelection.Rule]
  ) -> MessageJudge.Decision {
    guard case .acted(let acting, _) = decision else { return decision }
    let leaves = Self.leaves(acting, rules)
    for rule in acting {
      for send in rules[rule].sends {
        if let note = notes[Self.key(send, message, leaves: leaves, origin: origin)], !isSettled(note),
          note != Self.failed
        {
          return .inDoubt(rule: rule, run: note)
        }
      }
    }
    return decision
  }
}

extension BuiltinCall {
  /// Does something with what all filters note of messages that go out.
  ///
  /// - Throws: As ``state(_:)``.
  func sentMessages<Answer: Sendable>(
    _ body: @escaping @Sendable (any RecipeState) throws -> Answer
  ) async throws -> Answer {
    let state = try recipeState
    return try await BlockingPool.shared.run { try body(state) }
  }
}
