public import Expressions
import Localization

/// What a recipe keeps from run to run: values by key, counters among them, one space for each recipe.
///
/// Beside the values it remembers what single calls have done, so that a call that is repeated after a crash does not
/// count twice. The functions block until they are done, and what they change is on disk when they return: call them from
/// a thread that may.
public protocol RecipeState: Sendable {
  /// The value of a key; `nil` where it is absent.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func value(of key: String, in recipe: String) throws(StorageFailure) -> Value?
  /// Gives a key a value, or takes it away with `nil`.
  ///
  /// - Throws: ``StorageFailure``: `too_large`, `failed`.
  func set(_ key: String, to value: Value?, in recipe: String) throws(StorageFailure)
  /// Gives several keys one value, or takes them away with `nil`.
  ///
  /// - Throws: ``StorageFailure``: `too_large`, `failed`. Some may have the value then.
  func set(_ keys: [String], to value: Value?, in recipe: String) throws(StorageFailure)
  /// Gives each of several keys its own value.
  ///
  /// - Throws: ``StorageFailure``: `too_large`, `failed`. Some keys may have their new value then.
  func set(_ values: [(key: String, value: Value)], in recipe: String) throws(StorageFailure)
  /// Gives a key a value where what it has, or nothing, is accepted; in one step, whoever else changes it.
  ///
  /// - Returns: What the key had instead, where that was not accepted; `nil` where it has the value now.
  /// - Throws: ``StorageFailure``: `too_large`, `failed`.
  func claim(
    _ key: String, with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> Value?
  /// Gives several keys a value, each where what it has, or nothing, is accepted; in one step for each key, whoever else
  /// changes it.
  ///
  /// - Returns: Those that have the value now.
  /// - Throws: ``StorageFailure``: `too_large`, `failed`. Some may have the value then.
  func claim(
    _ keys: [String], with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> [String]
  /// Adds to a whole number, which is 0 where it is absent, and remembers the call with the sum. A call that is remembered
  /// adds nothing.
  ///
  /// - Parameter call: The key of the call, the same for every attempt; see ``ActionRequest/key``.
  /// - Returns: The sum as this call has left it.
  /// - Throws: ``StorageFailure``: `not_a_number` where the value is none or the sum too large, `failed`.
  func increment(
    _ key: String, by amount: Int64, call: String, in recipe: String
  ) throws(StorageFailure) -> Int64
  /// The file of the recipe that keeps this state, as ``setFile(_:of:)`` was told; `nil` where it was not.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func file(of recipe: String) throws(StorageFailure) -> String?
  /// Notes the file of the recipe that keeps this state.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func setFile(_ path: String, of recipe: String) throws(StorageFailure)
  /// What a call has left behind: the sum of an increment, or what was noted; `nil` where the call is not known.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func note(ofCall call: String, in recipe: String) throws(StorageFailure) -> Int64?
  /// Notes a number for a call, instead of an earlier one.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func setNote(_ note: Int64, ofCall call: String, in recipe: String) throws(StorageFailure)
  /// Where a call was about to add to a file; `nil` where that is not known, or where another call, of whatever recipe, was
  /// about to add at the same place later: what stands there is then not the earlier one's.
  ///
  /// - Parameters:
  ///   - call: The key of the call.
  ///   - file: The path of the file.
  /// - Throws: ``StorageFailure``: `failed`.
  func beginOfAddition(by call: String, to file: String) throws(StorageFailure) -> Int64?
  /// Notes where a call is about to add to a file.
  ///
  /// - Throws: ``StorageFailure``: `failed`.
  func setBeginOfAddition(_ offset: Int64, by call: String, to file: String) throws(StorageFailure)
}

extension StorageFailure.Code {
  /// What is stored is no whole number, or would become too large for one.
  public static let notANumber = StorageFailure.Code(rawValue: "not_a_number")
}

extension RecipeState {
  /// Sets the values one after the other.
  public func set(_ values: [(key: String, value: Value)], in recipe: String) throws(StorageFailure) {
    for (key, value) in values { try set(key, to: value, in: recipe) }
  }
}
