public import Expressions

/// A member of an object that a change has changed.
public struct AuditChange: Sendable, Hashable {
  /// The names that lead to the member: `rules`, `engine.budget.day`; empty for the object itself.
  public var path: String
  /// The value before; null if the member did not exist.
  public var before: Value
  /// The value after; null if the member does not exist any more.
  public var after: Value

  /// Creates a change.
  public init(path: String, before: Value, after: Value) {
    (self.path, self.before, self.after) = (path, before, after)
  }

  /// The change for programs.
  public var json: Value { ["path": .string(path), "before": before, "after": after] }

  /// The change in a line: `roles: viewer → viewer, editor`.
  public var text: String {
    let values = "\(Self.short(before)) → \(Self.short(after))"
    return path.isEmpty ? values : "\(path): \(values)"
  }

  /// Whether people can see the difference in ``text``: an empty list is not, where nothing was before.
  public var isVisible: Bool { Self.short(before) != Self.short(after) }

  /// A value in a few characters.
  private static func short(_ value: Value) -> String {
    let text: String
    switch value {
    case .null: text = "–"
    case .string(let string): text = string
    case .list(let items) where items.allSatisfy({ $0.stringValue != nil }):
      text = items.isEmpty ? "–" : items.compactMap(\.stringValue).joined(separator: ", ")
    default: text = value.jsonString
    }
    // The beginning of a SHA-256 identifies it.
    let isDigest =
      text.utf8.count == 64
      && text.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
    let longest = isDigest ? 13 : 40
    if text.isEmpty { return "–" }
    return text.count > longest ? text.prefix(longest - 1) + "…" : text
  }

  /// Members that are compared at most: an entry is for people.
  private static let most = 100

  /// The members that differ, in the order of their names.
  ///
  /// Maps are compared member by member, and so are lists of maps with different names. A member that is missing is the same as
  /// null.
  public static func all(_ before: Value?, _ after: Value?) -> [AuditChange] {
    var changes: [AuditChange] = []
    compare("", before ?? .null, after ?? .null, &changes)
    return Array(changes.prefix(most))
  }

  private static func compare(_ path: String, _ before: Value, _ after: Value, _ changes: inout [AuditChange]) {
    guard before != after, changes.count < most else { return }
    guard let old = members(before), let new = members(after), !(old.isEmpty && new.isEmpty) else {
      changes.append(AuditChange(path: path, before: before, after: after))
      return
    }
    for name in Set(old.keys).union(new.keys).sorted() {
      compare(path.isEmpty ? name : path + "." + name, old[name] ?? .null, new[name] ?? .null, &changes)
    }
  }

  /// The members of a map, or of a list of maps that have names; `nil` for other values. Null has none.
  private static func members(_ value: Value) -> [String: Value]? {
    switch value {
    case .null: return [:]
    case .map(let map): return Dictionary(map.entries.map { ($0.key.text, $0.value) }) { first, _ in first }
    case .list(let items):
      let named = items.compactMap { item in item["name"]?.stringValue.map { ($0, item) } }
      guard !items.isEmpty, named.count == items.count, Set(named.map(\.0)).count == items.count else { return nil }
      return Dictionary(named) { first, _ in first }
    default: return nil
    }
  }

  /// The values of the members that differ, as two objects that ``all(_:_:)`` compares to the same changes.
  static func differing(_ before: Value, _ after: Value) -> (before: Value, after: Value) {
    var (old, new) = (ValueMap(), ValueMap())
    for change in all(before, after) {
      if change.before != .null { old[change.path] = change.before }
      if change.after != .null { new[change.path] = change.after }
    }
    return (.map(old), .map(new))
  }
}

extension AuditEntry {
  /// The members of the object that were changed.
  public var changes: [AuditChange] { AuditChange.all(before, after) }
}
