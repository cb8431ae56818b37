import FoundationEssentials
public import PluginKit
import Synchronization

/// Notes of calls under keys with their day, so that tidying reads no recent notes.
///
/// A note of an effect with unknown outcome is kept until it is settled: without it the effect would count as not begun, and be
/// repeated.
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

  /// For so many later days on which the provider was used are notes kept of effects that have ended. Days of use, not of
  /// the calendar: a clock that was ahead for an hour makes nothing old.
  private static let age = 14
  /// How many days of use are remembered.
  private static let memory = 60

  private let context: ActionContext
  private let prefix: String

  /// Creates access to the state of a call's provider.
  ///
  /// - Parameter prefix: The prefix of all keys.
  public init(_ context: ActionContext, prefix: String) {
    self.context = context
    self.prefix = prefix
  }

  /// Whether the host keeps anything, and the call has a key.
  public var isKept: Bool { context.plugin.offers("sous.state/1") && !context.key.isEmpty }

  private func key(_ name: String) -> String { "\(prefix).\(KeyDigest.hexadecimal("\(context.key)\n\(name)"))." }

  /// The note of an earlier attempt of the same step.
  ///
  /// - Throws: As ``StateStore/value(_:for:)``.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for name: String
  ) async throws(ActionError) -> Value? {
    guard isKept, let key = try await context.state.keys(prefix: key(name)).last else { return nil }
    return try await context.state.value(type, for: key)
  }

  /// Keeps a value; it is on disk when this returns. Does nothing where nothing is kept.
  ///
  /// - Parameter seconds: The time, since 1970.
  /// - Throws: As ``StateStore/set(_:for:)``.
  public func set(_ value: some Encodable, for name: String, at seconds: Int) async throws(ActionError) {
    guard isKept else { return }
    let prefix = key(name)
    // A note has one key, whatever the clock shows by now.
    let known = try await context.state.keys(prefix: prefix).last
    try await context.state.set(value, for: known ?? prefix + String(seconds / 86_400))
  }

  /// Removes notes of effects that ended long ago, once a day.
  ///
  /// - Parameter isSettled: Whether the effect of a note has ended; the others are kept, however old they are.
  public func tidy<Value: Decodable & Sendable>(
    _ tidying: Tidying, _ type: Value.Type = Value.self, where isSettled: (Value) -> Bool
  ) async throws(ActionError) {
    let today = context.seconds / 86_400
    guard isKept, tidying.begins(today) else { return }
    let state = context.state
    let daysKey = prefix + "-days"
    var days = (try? await state.value([Int].self, for: daysKey)) ?? []
    if !days.contains(today) {
      days = (days + [today]).suffix(Self.memory)
      try await state.set(days, for: daysKey)
    }
    for key in try await state.keys(prefix: prefix + ".") {
      let day = key.split(separator: ".").last.flatMap { Int($0) } ?? 0
      guard days.count(where: { $0 > day }) >= Self.age else { continue }
      // Unreadable notes belong to another version.
      guard let value = try? await state.value(type, for: key), isSettled(value) else { continue }
      try await state.remove(key)
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
