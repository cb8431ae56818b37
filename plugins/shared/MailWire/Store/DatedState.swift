import FoundationEssentials
public import PluginKit
import Synchronization

/// State of calls under keys that tell the day it was written on, so that what is old is removed without being read.
public struct DatedState: Sendable {
  /// When old values were last removed; one for each provider.
  public final class Tidying: Sendable {
    private let day = Mutex(0)

    /// Creates one that knows of no day.
    public init() {}

    /// Whether this day is another one than before; notes it.
    fileprivate func begins(_ today: Int) -> Bool {
      day.withLock { day in
        defer { day = today }
        return day != today
      }
    }
  }

  /// Values are kept for this long, in days.
  private static let age = 14

  private let context: ActionContext
  private let prefix: String

  /// Creates access to the state of a call's provider.
  ///
  /// - Parameter prefix: What all keys begin with.
  public init(_ context: ActionContext, prefix: String) {
    self.context = context
    self.prefix = prefix
  }

  /// Whether the host keeps anything, and the call can be told from others.
  public var isKept: Bool { context.plugin.offers("sous.state/1") && !context.key.isEmpty }

  private func key(_ name: String) -> String { "\(prefix).\(KeyDigest.hexadecimal("\(context.key)\n\(name)"))." }

  /// What an earlier attempt of the same step has kept.
  ///
  /// - Throws: As ``StateStore/value(_:for:)``.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for name: String
  ) async throws(ActionError) -> Value? {
    // Of one that was kept on several days the last counts.
    guard isKept, let key = try await context.state.keys(prefix: key(name)).last else { return nil }
    return try await context.state.value(type, for: key)
  }

  /// Keeps a value; it is on disk when this returns. Does nothing where nothing is kept.
  ///
  /// - Parameter seconds: The time, since 1970.
  /// - Throws: As ``StateStore/set(_:for:)``.
  public func set(_ value: some Encodable, for name: String, at seconds: Int) async throws(ActionError) {
    guard isKept else { return }
    try await context.state.set(value, for: key(name) + String(seconds / 86_400))
  }

  /// Removes what is too old to be asked for, once a day.
  public func tidy(_ tidying: Tidying) async throws(ActionError) {
    let today = context.seconds / 86_400
    guard isKept, tidying.begins(today) else { return }
    for key in try await context.state.keys(prefix: prefix + ".") {
      let day = key.split(separator: ".").last.flatMap { Int($0) } ?? 0
      if day + Self.age < today { try await context.state.remove(key) }
    }
  }
}

extension ActionContext {
  /// The host's time in milliseconds since 1970.
  public var milliseconds: Int64 {
    let value = (clock.now.timeIntervalSince1970 * 1000).rounded()
    return value.isFinite && abs(value) < 9e15 ? Int64(value) : 0
  }

  /// The host's time in seconds since 1970.
  public var seconds: Int { Int(milliseconds / 1000) }
}
