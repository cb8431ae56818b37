import Engine
import Expressions

/// Remembers nothing.
struct NoState: RecipeState {
  func value(of key: String, in recipe: String) throws(StorageFailure) -> Value? { nil }
  func set(_ key: String, to value: Value?, in recipe: String) throws(StorageFailure) {}
  func set(_ keys: [String], to value: Value?, in recipe: String) throws(StorageFailure) {}
  func claim(
    _ key: String, with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> Value? { nil }
  func claim(
    _ keys: [String], with value: Value, in recipe: String, where accepts: (Value?) -> Bool
  ) throws(StorageFailure) -> [String] { keys }
  func increment(
    _ key: String, by amount: Int64, call: String, in recipe: String
  ) throws(StorageFailure) -> Int64 { amount }
  func file(of recipe: String) throws(StorageFailure) -> String? { nil }
  func setFile(_ path: String, of recipe: String) throws(StorageFailure) {}
  func note(ofCall call: String, in recipe: String) throws(StorageFailure) -> Int64? { nil }
  func setNote(_ note: Int64, ofCall call: String, in recipe: String) throws(StorageFailure) {}
  func beginOfAddition(by call: String, to file: String) throws(StorageFailure) -> Int64? { nil }
  func setBeginOfAddition(_ offset: Int64, by call: String, to file: String) throws(StorageFailure) {}
}
