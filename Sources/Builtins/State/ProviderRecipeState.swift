public import Engine
public import Expressions
import Localization

/// Keeps the state of recipes where that of providers is kept, each recipe as the provider `recipe:NAME`.
public struct ProviderRecipeState: RecipeState {
  /// The calls of a recipe that are remembered, beside those of runs that have not ended. The keys of calls begin with the
  /// run, whose name begins with its time: the oldest are forgotten first.
  static let rememberedCalls = 10_000
  /// Where additions to files are noted: they meet there whatever recipe they are of.
  private static let additions = "action:file.append"
  /// How often a change is tried anew when another one comes between.
  private static let attempts = 1000

  private let store: any ProviderStateStore
  private let isUnfinished: @Sendable (RunID) throws(StorageFailure) -> Bool

  /// Creates the state on a store.
  ///
  /// - Parameters:
  ///   - store: Keeps it.
  ///   - isUnfinished: Whether calls of a run may still be repeated: it has not ended, or one that repeats it has not.
  public init(
    _ store: any ProviderStateStore, isUnfinished: @escaping @Sendable (RunID) throws(StorageFailure) -> Bool
  ) {
    self.store = store
    self.isUnfinished = isUnfinished
  }

  /// The value of a key; `nil` if it is absent.
  public func value(of key: String, in recipe: String) throws(StorageFailure) -> Value? {
    guard let found = try store.state(of: Self.space(recipe), key: Self.valueKey(key)) else { return nil }
    return try Self.decode(found.value, key)
  }

  /// All values of a recipe, in the order of their keys.
  package func values(in recipe: String) throws(StorageFailure) -> [(key: String, value: Value)] {
    let space = Self.space(recipe)
    var values: [(key: String, value: Value)] = []
    for key in try store.stateKeys(of: space, prefix: Self.valueKey("")) {
      guard let found = try store.state(of: space, key: key) else { continue }
      values.append((String(key.dropFirst(Self.valueKey("").count)), try Self.decode(found.value, key)))
    }
    return values
  }

  /// Deletes all values of a recipe, and the record of the file that keeps them. Records of calls stay: an attempt that is repeated
  /// counts no second time.
  ///
  /// - Returns: How many values there were.
  package func clear(_ recipe: String) throws(StorageFailure) -> Int {
    let space = Self.space(recipe)
    let keys = try store.stateKeys(of: space, prefix: Self.valueKey(""))
    try store.commitState(of: space, (keys + [Self.fileKey]).map { ProviderStateChange(key: $0, value: nil) })
    return keys.count
  }

  /// Gives a key a value, or takes it away with `nil`.
  public func set(_ key: String, to value: Value?, in recipe: String) throws(StorageFailure) {
    try store.commitState(
      of: Self.space(recipe), [ProviderStateChange(key: Self.valueKey(key), value: value?.json())])
  }

  /// Gives several keys one value, or takes them away with `nil`; some hundred at a time.
  public func set(_ keys: [String], to value: Value?, in recipe: String) throws(StorageFailure) {
    let bytes = value?.json()
    for start in stride(from: 0, to: keys.count, by: 500) {
      let some = keys[start..<min(start + 500, keys.count)]
      try store.commitState(
        of: Self.space(recipe), some.map { ProviderStateChange(key: Self.valueKey($0), value: bytes) })
    }
  }

  /// Gives several keys a value each, 500 in one transaction.
  public func set(_ values: [(key: String, value: Value)], in recipe: String) throws(StorageFailure) {
    for start in stride(from: 0, to: values.count, by: 500) {
      let some = values[start..<min(start + 500, values.count)]
      try store.commitState(
        of: Self.space(recipe), some.map { ProviderStateChange(key: Self.valueKey($0.key), value: $0.value.json()) })
    }
  }

  /// Gives a key a value where what it has is accepted; tried anew where another change comes between.
  public func claim(
    _ key: String, with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> Value? {
    let space = Self.space(recipe)
    for _ in 0..<Self.attempts {
      let found = try store.state(of: space, key: Self.valueKey(key))
      var old: Value?
      if let found { old = try Self.decode(found.value, key) }
      guard accepts(old) else { return old ?? .null }
      do {
        try store.commitState(
          of: space,
          [
            ProviderStateChange(
              key: Self.valueKey(key), value: value.json(), expectedVersion: found?.version ?? 0)
          ])
        return nil
      } catch {
        guard error.code == .conflict else { throw error }
      }
    }
    throw StorageFailure(
      .conflict,
      LocalizedText("'\(key)' is changed all the time", de: "'\(key)' wird dauernd geändert"))
  }

  /// Gives several keys a value, each where what it has is accepted; some hundred at a time.
  public func claim(
    _ keys: [String], with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> [String] {
    let (space, bytes) = (Self.space(recipe), value.json())
    var claimed: [String] = []
    for start in stride(from: 0, to: keys.count, by: 500) {
      var changes: [ProviderStateChange] = []
      var free: [String] = []
      for key in keys[start..<min(start + 500, keys.count)] {
        let found = try store.state(of: space, key: Self.valueKey(key))
        var old: Value?
        if let found { old = try Self.decode(found.value, key) }
        guard accepts(old) else { continue }
        free.append(key)
        changes.append(
          ProviderStateChange(key: Self.valueKey(key), value: bytes, expectedVersion: found?.version ?? 0))
      }
      do {
        if !changes.isEmpty { try store.commitState(of: space, changes) }
        claimed += free
      } catch {
        guard error.code == .conflict else { throw error }
        for key in free where try claim(key, with: value, in: recipe, where: accepts) == nil { claimed.append(key) }
      }
    }
    return claimed
  }

  /// Adds to a whole number, once for each call; tried anew where another change comes between.
  public func increment(
    _ key: String, by amount: Int64, call: String, in recipe: String
  ) throws(StorageFailure) -> Int64 {
    let space = Self.space(recipe)
    for _ in 0..<Self.attempts {
      if let known = try note(ofCall: call, in: recipe) { return known }
      let found = try store.state(of: space, key: Self.valueKey(key))
      let old: Int64
      if let found {
        guard let number = try Self.decode(found.value, key).intValue else { throw Self.notANumber(key) }
        old = number
      } else {
        old = 0
      }
      let (sum, overflows) = old.addingReportingOverflow(amount)
      guard !overflows else { throw Self.notANumber(key) }
      do {
        try store.commitState(
          of: space,
          [
            ProviderStateChange(
              key: Self.valueKey(key), value: Value.int(sum).json(), expectedVersion: found?.version ?? 0),
            ProviderStateChange(key: Self.callKey(call), value: Value.int(sum).json(), expectedVersion: 0),
          ])
      } catch {
        guard error.code == .conflict else { throw error }
        continue
      }
      try forgetOldCalls(space, after: call)
      return sum
    }
    throw StorageFailure(
      .conflict,
      LocalizedText("'\(key)' is changed all the time", de: "'\(key)' wird dauernd geändert"))
  }

  /// The file of the recipe that keeps this state.
  public func file(of recipe: String) throws(StorageFailure) -> String? {
    guard let found = try store.state(of: Self.space(recipe), key: Self.fileKey) else { return nil }
    return try Self.decode(found.value, Self.fileKey).stringValue
  }

  /// Notes the file of the recipe that keeps this state.
  public func setFile(_ path: String, of recipe: String) throws(StorageFailure) {
    try store.commitState(
      of: Self.space(recipe), [ProviderStateChange(key: Self.fileKey, value: Value.string(path).json())])
  }

  /// The record of a call; `nil` if there is none, or if it was deleted.
  public func note(ofCall call: String, in recipe: String) throws(StorageFailure) -> Int64? {
    guard let found = try store.state(of: Self.space(recipe), key: Self.callKey(call)) else { return nil }
    return try Self.decode(found.value, call).intValue
  }

  /// Notes a number for a call, instead of an earlier one.
  public func setNote(_ note: Int64, ofCall call: String, in recipe: String) throws(StorageFailure) {
    try store.commitState(
      of: Self.space(recipe), [ProviderStateChange(key: Self.callKey(call), value: Value.int(note).json())])
    try forgetOldCalls(Self.space(recipe), after: call)
  }

  /// Where a call was about to add to a file, unless another one was later at the same place.
  public func beginOfAddition(by call: String, to file: String) throws(StorageFailure) -> Int64? {
    guard let found = try store.state(of: Self.additions, key: Self.callKey(call)),
      let own = try Addition(found), own.file == file
    else { return nil }
    // All are looked through, but only for a call that is repeated.
    for key in try store.stateKeys(of: Self.additions, prefix: Self.callKey("")) {
      guard let other = try store.state(of: Self.additions, key: key), other.version > found.version else { continue }
      if try Addition(other) == own { return nil }
    }
    return own.offset
  }

  /// Notes where a call is about to add to a file.
  public func setBeginOfAddition(_ offset: Int64, by call: String, to file: String) throws(StorageFailure) {
    let addition = Addition(file: file, offset: offset)
    try store.commitState(
      of: Self.additions, [ProviderStateChange(key: Self.callKey(call), value: addition.json)])
    try forgetOldCalls(Self.additions, after: call)
  }

  /// The record of an addition to a file.
  private struct Addition: Equatable {
    let file: String
    let offset: Int64

    init(file: String, offset: Int64) {
      self.file = file
      self.offset = offset
    }

    init?(_ state: ProviderState) throws(StorageFailure) {
      let value = try ProviderRecipeState.decode(state.value, "file.append")
      guard let file = value["file"]?.stringValue, let offset = value["offset"]?.intValue else { return nil }
      self.init(file: file, offset: offset)
    }

    var json: [UInt8] { (["file": .string(file), "offset": .int(offset)] as Value).json() }
  }

  /// Now and then, by the call's name, so that listing the calls costs little on the whole.
  private func forgetOldCalls(_ space: String, after call: String) throws(StorageFailure) {
    guard call.stableHash % 256 == 0 else { return }
    let keys = try store.stateKeys(of: space, prefix: Self.callKey(""))
    let surplus = keys.count - Self.rememberedCalls
    guard surplus > 0 else { return }
    var forgotten: [ProviderStateChange] = []
    // Runs sort by when they began, the items of one run do not.
    var last: (run: Substring, isKept: Bool) = ("", true)
    for key in keys where forgotten.count < surplus {
      let run = key.dropFirst(Self.callKey("").count).prefix { $0 != "." }
      // The run at work is one of them.
      if run != last.run {
        let isAtWork = call.hasPrefix(run + ".")
        last = (run, isAtWork ? true : try isUnfinished(RunID(rawValue: String(run))))
      }
      if !last.isKept { forgotten.append(ProviderStateChange(key: key, value: nil)) }
    }
    if !forgotten.isEmpty { try store.commitState(of: space, forgotten) }
  }

  /// The key of the recipe's file. Only the spaces of `state.*` have it, not those of other actions.
  package static let fileKey = "file"
  /// The beginning of the names of all spaces.
  package static let spacePrefix = "recipe:"
  private static func space(_ recipe: String) -> String { spacePrefix + recipe }
  private static func valueKey(_ key: String) -> String { "value/" + key }
  private static func callKey(_ call: String) -> String { "call/" + call }

  private static func decode(_ bytes: [UInt8], _ key: String) throws(StorageFailure) -> Value {
    do {
      return try Value(json: bytes)
    } catch {
      throw StorageFailure(
        .failed,
        LocalizedText("what is stored under '\(key)' cannot be read", de: "was unter '\(key)' steht, ist nicht lesbar"))
    }
  }

  private static func notANumber(_ key: String) -> StorageFailure {
    StorageFailure(
      .notANumber,
      LocalizedText(
        "the value of '\(key)' is not a whole number, or becomes too large for one",
        de: "was unter '\(key)' steht, ist keine ganze Zahl oder wird zu groß dafür"))
  }
}
