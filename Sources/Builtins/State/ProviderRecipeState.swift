public import Engine
public import Expressions
import Localization

/// Keeps the state of recipes where that of providers is kept, each recipe as the provider `recipe:NAME`.
public struct ProviderRecipeState: RecipeState {
  /// The calls of a recipe that are remembered. Only a call whose run is still unfinished can be repeated, and the keys of
  /// calls begin with the run, whose name begins with its time: the oldest are forgotten first.
  static let rememberedCalls = 10_000
  /// How often a change is tried anew when another one comes between.
  private static let attempts = 1000

  private let store: any ProviderStateStore

  /// Creates the state on a store.
  public init(_ store: any ProviderStateStore) {
    self.store = store
  }

  /// The value of a key; `nil` where it is absent.
  public func value(of key: String, in recipe: String) throws(StorageFailure) -> Value? {
    guard let found = try store.state(of: Self.space(recipe), key: Self.valueKey(key)) else { return nil }
    return try Self.decode(found.value, key)
  }

  /// Gives a key a value, or takes it away with `nil`.
  public func set(_ key: String, to value: Value?, in recipe: String) throws(StorageFailure) {
    try store.commitState(
      of: Self.space(recipe), [ProviderStateChange(key: Self.valueKey(key), value: value?.json())])
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
      do throws(StorageFailure) {
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
      try forgetOldCalls(recipe, after: call)
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

  /// What a call has left behind; `nil` where it is not known, or forgotten.
  public func note(ofCall call: String, in recipe: String) throws(StorageFailure) -> Int64? {
    guard let found = try store.state(of: Self.space(recipe), key: Self.callKey(call)) else { return nil }
    return try Self.decode(found.value, call).intValue
  }

  /// Notes a number for a call, instead of an earlier one.
  public func setNote(_ note: Int64, ofCall call: String, in recipe: String) throws(StorageFailure) {
    try store.commitState(
      of: Self.space(recipe), [ProviderStateChange(key: Self.callKey(call), value: Value.int(note).json())])
    try forgetOldCalls(recipe, after: call)
  }

  /// Now and then, by the call's name, so that listing the calls costs little on the whole.
  private func forgetOldCalls(_ recipe: String, after call: String) throws(StorageFailure) {
    guard call.stableHash % 256 == 0 else { return }
    let keys = try store.stateKeys(of: Self.space(recipe), prefix: Self.callKey(""))
    guard keys.count > Self.rememberedCalls else { return }
    // Runs sort by when they began, the items of one run do not: those of the run at work are all kept.
    let current = Self.callKey(String(call.prefix { $0 != "." }) + ".")
    let others = keys.filter { !$0.hasPrefix(current) }
    try store.commitState(
      of: Self.space(recipe),
      others.prefix(keys.count - Self.rememberedCalls).map { ProviderStateChange(key: $0, value: nil) })
  }

  private static let fileKey = "file"
  private static func space(_ recipe: String) -> String { "recipe:" + recipe }
  private static func valueKey(_ key: String) -> String { "value/" + key }
  private static func callKey(_ call: String) -> String { "call/" + call }

  private static func decode(_ bytes: [UInt8], _ key: String) throws(StorageFailure) -> Value {
    do throws(ExpressionError) {
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
        "what is stored under '\(key)' is no whole number, or becomes too large for one",
        de: "was unter '\(key)' steht, ist keine ganze Zahl oder wird zu groß dafür"))
  }
}
