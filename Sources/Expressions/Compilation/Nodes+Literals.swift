internal import Localization

/// `[a, b, ?c]`.
final class ListNode: Evaluable {
  let elements: [(node: any Evaluable, isOptional: Bool, range: Range<Int>)]

  init(_ elements: [(node: any Evaluable, isOptional: Bool, range: Range<Int>)]) {
    self.elements = elements
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1 + elements.count)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.node.evaluate(&frame)
      if !element.isOptional {
        values.append(value)
      } else if let present = try value.wrappedForLiteral(at: element.range) {
        values.append(present)
      }
    }
    return .list(values)
  }
}

/// `{a: b, ?c: d}`.
final class MapNode: Evaluable {
  struct Entry: Sendable {
    var key: any Evaluable
    var value: any Evaluable
    var isOptional: Bool
    var keyRange: Range<Int>
    var valueRange: Range<Int>
  }

  let entries: [Entry]

  init(_ entries: [Entry]) {
    self.entries = entries
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1 + entries.count)
    var map = ValueMap()
    map.reserveCapacity(entries.count)
    for entry in entries {
      let keyValue = try entry.key.evaluate(&frame)
      guard let key = MapKey(keyValue) else {
        throw Fault.evaluation(
          LocalizedText(
            "keys are bool, int, uint or string, not \(keyValue.typeName)",
            de: "Schlüssel sind bool, int, uint oder string, nicht \(keyValue.typeName)")
        ).at(entry.keyRange)
      }
      var value = try entry.value.evaluate(&frame)
      if entry.isOptional {
        guard let present = try value.wrappedForLiteral(at: entry.valueRange) else { continue }
        value = present
      }
      if map.contains(key) { throw Fault.repeatedKey(key).at(entry.keyRange) }
      map[key] = value
    }
    return .map(map)
  }
}

extension Value {
  /// The value of an optional behind `?` in a literal.
  fileprivate func wrappedForLiteral(at range: Range<Int>) throws(Fault) -> Value? {
    guard case .optional(let wrapped) = self else {
      throw Fault.evaluation(
        LocalizedText(
          "an optional is wanted behind '?', not \(typeName)",
          de: "Hinter '?' wird ein Optional verlangt, nicht \(typeName)")
      ).at(range)
    }
    return wrapped
  }
}

extension Fault {
  static func repeatedKey(_ key: MapKey) -> Fault {
    .evaluation(LocalizedText("the key '\(key.text)' is repeated", de: "Der Schlüssel '\(key.text)' kommt doppelt vor"))
  }
}
