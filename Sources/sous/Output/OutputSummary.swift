import Expressions

/// A few words about what a step has given: `14 messages`, `9 people · 4 bulk`, `<id@host>`.
enum OutputSummary {
  /// Words for an output; empty where there is nothing to say.
  static func words(_ output: Value) -> String {
    guard case .map(let map) = output else { return "" }
    if case .map(let counts)? = map["counts"] {
      let parts = counts.entries.compactMap { key, value -> String? in
        guard case .string(let name) = key, case .int(let count) = value, count > 0 else { return nil }
        return "\(count) \(name)"
      }
      if !parts.isEmpty { return parts.joined(separator: " · ") }
    }
    if let id = map["message_id"]?.stringValue { return id }
    for (key, value) in map.entries {
      guard case .string(let name) = key else { continue }
      if case .list(let elements) = value { return "\(elements.count) \(name)" }
    }
    return ""
  }
}
