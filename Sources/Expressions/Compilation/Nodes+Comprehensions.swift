internal import Localization

/// `cel.bind(name, value, body)`.
final class BindNode: Evaluable {
  let slot: Int
  let value: any Evaluable
  let body: any Evaluable

  init(slot: Int, value: any Evaluable, body: any Evaluable) {
    self.slot = slot
    self.value = value
    self.body = body
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    frame.slots[slot] = try value.evaluate(&frame)
    return try body.evaluate(&frame)
  }
}

/// `target.optMap(name, body)`, `target.optFlatMap(name, body)`.
final class OptionalMapNode: Evaluable {
  let target: any Evaluable
  let slot: Int
  let body: any Evaluable
  let isFlat: Bool
  let range: Range<Int>

  init(target: any Evaluable, slot: Int, body: any Evaluable, isFlat: Bool, range: Range<Int>) {
    self.target = target
    self.slot = slot
    self.body = body
    self.isFlat = isFlat
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let value = try target.evaluate(&frame)
    guard case .optional(let wrapped) = value else {
      throw Fault.noOverload(isFlat ? "optFlatMap" : "optMap", [value]).at(range)
    }
    guard let wrapped else { return value }
    frame.slots[slot] = wrapped
    let result = try body.evaluate(&frame)
    if !isFlat { return .optional(result) }
    guard case .optional = result else { throw Fault.noOverload("optFlatMap", [value, result]).at(range) }
    return result
  }
}

/// A macro over the elements of a list or the entries of a map.
final class ComprehensionNode: Evaluable {
  let macro: ComprehensionMacro
  let target: any Evaluable
  /// The slots of the element, or of index and element, or of key and value.
  let slots: [Int]
  let filter: (any Evaluable)?
  let body: any Evaluable
  let range: Range<Int>

  init(
    macro: ComprehensionMacro, target: any Evaluable, slots: [Int], filter: (any Evaluable)?, body: any Evaluable,
    range: Range<Int>
  ) {
    self.macro = macro
    self.target = target
    self.slots = slots
    self.filter = filter
    self.body = body
    self.range = range
  }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    let value = try evaluate(&frame)
    guard case .bool(let condition) = value else { throw Fault.notBoolean(value).at(range) }
    return condition
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let container = try target.evaluate(&frame)
    switch macro {
    case .exists, .all: return .bool(try quantified(&frame, container, stopsAt: macro == .exists))
    case .existsOne: return .bool(try existsOne(&frame, container))
    case .filter: return .list(try filtered(&frame, container))
    case .map, .transformList: return .list(try transformed(&frame, container))
    case .sortBy: return .list(try sorted(&frame, container))
    case .groupBy: return .map(try grouped(&frame, container))
    case .transformMap: return .map(try transformedMap(&frame, container))
    case .transformMapEntry: return .map(try transformedEntries(&frame, container))
    }
  }

  /// Calls the closure for every element, its names set, until it returns false.
  @inline(__always)
  private func forEach(
    _ frame: inout Frame, _ container: Value,
    _ visit: (inout Frame, _ element: Value) throws(Fault) -> Bool
  ) throws(Fault) {
    switch container {
    case .list(let elements):
      var position: Int64 = 0
      for element in elements {
        try frame.charge(1)
        if slots.count == 1 {
          frame.slots[slots[0]] = element
        } else {
          frame.slots[slots[0]] = .int(position)
          frame.slots[slots[1]] = element
          position += 1
        }
        if try !visit(&frame, element) { return }
      }
    case .map(let map):
      for entry in map.storage {
        try frame.charge(1)
        let key = entry.key.value
        frame.slots[slots[0]] = key
        if slots.count == 2 { frame.slots[slots[1]] = entry.value }
        if try !visit(&frame, key) { return }
      }
    default:
      throw Fault.evaluation(
        LocalizedText(
          "\(macro.rawValue)() goes through lists and maps, not \(container.typeName)",
          de: "\(macro.rawValue)() durchläuft Listen und Maps, nicht \(container.typeName)")
      ).at(range)
    }
  }

  /// `exists` stops at true, `all` at false; a failure counts only where no element decides.
  private func quantified(_ frame: inout Frame, _ container: Value, stopsAt decisive: Bool) throws(Fault) -> Bool {
    var failure: Fault?
    var isDecided = false
    try forEach(&frame, container) { (frame, _) throws(Fault) in
      do throws(Fault) {
        if try body.condition(&frame) == decisive {
          isDecided = true
          return false
        }
      } catch {
        if error.isFinal { throw error }
        failure = failure ?? error
      }
      return true
    }
    if isDecided { return decisive }
    if let failure { throw failure }
    return !decisive
  }

  private func existsOne(_ frame: inout Frame, _ container: Value) throws(Fault) -> Bool {
    var count = 0
    try forEach(&frame, container) { (frame, _) throws(Fault) in
      if try body.condition(&frame) { count += 1 }
      return true
    }
    return count == 1
  }

  private func filtered(_ frame: inout Frame, _ container: Value) throws(Fault) -> [Value] {
    var result: [Value] = []
    try forEach(&frame, container) { (frame, element) throws(Fault) in
      if try body.condition(&frame) { result.append(element) }
      return true
    }
    return result
  }

  private func transformed(_ frame: inout Frame, _ container: Value) throws(Fault) -> [Value] {
    var result: [Value] = []
    try forEach(&frame, container) { (frame, _) throws(Fault) in
      if try passes(&frame) { result.append(try body.evaluate(&frame)) }
      return true
    }
    return result
  }

  private func sorted(_ frame: inout Frame, _ container: Value) throws(Fault) -> [Value] {
    var elements: [Value] = []
    var keys: [Value] = []
    try forEach(&frame, container) { (frame, element) throws(Fault) in
      elements.append(element)
      keys.append(try body.evaluate(&frame))
      return true
    }
    do {
      return try CollectionFunctions.sorted(&frame, elements, by: keys)
    } catch {
      throw error === Fault.noOverload ? Fault.noOverload("sortBy", Array(keys.prefix(2))).at(range) : error.at(range)
    }
  }

  /// The elements by their keys; keys and elements keep the order in which they come.
  private func grouped(_ frame: inout Frame, _ container: Value) throws(Fault) -> ValueMap {
    var groups: [MapKey: [Value]] = [:]
    var keys: [MapKey] = []
    try forEach(&frame, container) { (frame, element) throws(Fault) in
      let value = try body.evaluate(&frame)
      guard let key = MapKey(value) else {
        throw Fault.evaluation(
          LocalizedText(
            "groupBy() takes text, int, uint or bool as key, not \(value.typeName)",
            de: "groupBy() nimmt Text, int, uint oder bool als Schlüssel, nicht \(value.typeName)")
        ).at(range)
      }
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(element)
      return true
    }
    return ValueMap(keys.map { (key: $0, value: .list(groups[$0] ?? [])) })
  }

  private func transformedMap(_ frame: inout Frame, _ container: Value) throws(Fault) -> ValueMap {
    var result = ValueMap()
    try forEach(&frame, container) { (frame, _) throws(Fault) in
      guard let keyValue = frame.slots[slots[0]], let key = MapKey(keyValue) else { return true }
      if try passes(&frame) { result[key] = try body.evaluate(&frame) }
      return true
    }
    return result
  }

  private func transformedEntries(_ frame: inout Frame, _ container: Value) throws(Fault) -> ValueMap {
    var result = ValueMap()
    try forEach(&frame, container) { (frame, _) throws(Fault) in
      guard try passes(&frame) else { return true }
      let value = try body.evaluate(&frame)
      guard case .map(let map) = value else { throw Fault.noOverload("transformMapEntry", [value]).at(range) }
      try frame.charge(map.count)
      for entry in map.storage {
        if result.contains(entry.key) { throw Fault.repeatedKey(entry.key).at(range) }
        result[entry.key] = entry.value
      }
      return true
    }
    return result
  }

  private func passes(_ frame: inout Frame) throws(Fault) -> Bool {
    guard let filter else { return true }
    return try filter.condition(&frame)
  }
}
