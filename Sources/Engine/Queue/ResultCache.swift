public import Expressions

/// Keeps results of steps with `cache:`.
public protocol ResultCache: Sendable {
  /// A result that has not expired.
  ///
  /// - Parameter key: What names it: 64 lowercase hexadecimal digits.
  func cachedResult(_ key: String, at now: Timestamp) async throws -> Value?
  /// Keeps a result; replaces an older one.
  func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws
}
