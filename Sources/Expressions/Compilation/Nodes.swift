internal import Localization

/// A value known before evaluation.
final class ConstantNode: Evaluable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { value }
}

/// A declared variable; looked up in the bindings once per evaluation.
final class VariableNode: Evaluable {
  let name: String
  let slot: Int
  let range: Range<Int>

  init(name: String, slot: Int, range: Range<Int>) {
    self.name = name
    self.slot = slot
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    if let value = frame.slots[slot] { return value }
    guard let value = frame.bindings.variables[name] else { throw Self.unknown(name).at(range) }
    frame.slots[slot] = value
    return value
  }

  static func unknown(_ name: String) -> Fault {
    Fault(
      .unknownName,
      LocalizedText("nothing is bound to the name '\(name)'", de: "An den Namen '\(name)' ist nichts gebunden"))
  }
}

/// A name that a macro introduced.
final class LocalNode: Evaluable {
  let slot: Int

  init(slot: Int) {
    self.slot = slot
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    return frame.slots[slot] ?? .null
  }
}

/// A keyword.
final class KeywordNode: Evaluable {
  let name: String
  let range: Range<Int>

  init(name: String, range: Range<Int>) {
    self.name = name
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    guard let value = frame.bindings.keywords[name] else {
      throw Fault(
        .unknownName,
        LocalizedText("the keyword '\(name)' has no value", de: "Das Schlüsselwort '\(name)' hat keinen Wert"),
        range: range)
    }
    return value
  }
}

/// All keywords as a map, in the order of their names.
final class KeywordsNode: Evaluable {
  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1 + frame.bindings.keywords.count)
    return .map(
      ValueMap(frame.bindings.keywords.sorted { $0.key < $1.key }.map { (key: MapKey.string($0.key), value: $0.value) })
    )
  }
}

/// A chain of names that only the bindings can tell apart: `a.b.c` may be the variable `a.b` with a field.
final class UncheckedNameNode: Evaluable {
  /// Full names with the number of components they take, most wanted first.
  let candidates: [(name: String, length: Int)]
  let components: [SyntaxNode.Name]
  /// The meaning of the name if no value is bound to it.
  let fallback: (value: Value, length: Int)?

  init(
    candidates: [(name: String, length: Int)], components: [SyntaxNode.Name], fallback: (value: Value, length: Int)?
  ) {
    self.candidates = candidates
    self.components = components
    self.fallback = fallback
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(components.count)
    for candidate in candidates {
      guard let value = frame.bindings.variables[candidate.name] else { continue }
      return try fields(of: value, from: candidate.length)
    }
    if let fallback { return try fields(of: fallback.value, from: fallback.length) }
    throw VariableNode.unknown(components[0].text).at(components[0].range)
  }

  private func fields(of value: Value, from start: Int) throws(Fault) -> Value {
    var value = value
    for component in components.dropFirst(start) {
      value = try value.field(component.text, isOptional: false, at: component.range)
    }
    return value
  }
}

/// Something that always fails: a function that does not exist.
final class FailingNode: Evaluable {
  let fault: Fault

  init(_ fault: Fault) {
    self.fault = fault
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { throw fault }
}

/// `target.field`, `target.?field`.
final class SelectNode: Evaluable {
  let target: any Evaluable
  let field: String
  let isOptional: Bool
  let range: Range<Int>

  init(target: any Evaluable, field: SyntaxNode.Name, isOptional: Bool) {
    self.target = target
    self.field = field.text
    self.isOptional = isOptional
    range = field.range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let value = try target.evaluate(&frame)
    if !isOptional, case .map(let map) = value, let found = map[field] { return found }
    return try value.field(field, isOptional: isOptional, at: range)
  }
}

/// `has(target.field)`.
final class PresenceNode: Evaluable {
  let target: any Evaluable
  let field: String
  let range: Range<Int>

  init(target: any Evaluable, field: SyntaxNode.Name) {
    self.target = target
    self.field = field.text
    range = field.range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    try frame.charge(1)
    switch try target.evaluate(&frame) {
    case .map(let map): return map[field] != nil
    case .optional(nil): return false
    case .optional(.map(let map)?): return map[field] != nil
    case let value: throw value.withoutFields(field).at(range)
    }
  }
}

/// `target[index]`, `target[?index]`.
final class IndexNode: Evaluable {
  let target: any Evaluable
  let index: any Evaluable
  let isOptional: Bool
  let range: Range<Int>

  init(target: any Evaluable, index: any Evaluable, isOptional: Bool, range: Range<Int>) {
    self.target = target
    self.index = index
    self.isOptional = isOptional
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let value = try target.evaluate(&frame)
    let position = try index.evaluate(&frame)
    do {
      if case .optional(let wrapped) = value {
        guard let wrapped else { return value }
        return .optional(try wrapped.element(position))
      }
      if let found = try value.element(position) { return isOptional ? .optional(found) : found }
    } catch {
      throw error.at(range)
    }
    if isOptional { return .optional(nil) }
    switch (value, position) {
    case (.list, .int(let number)): throw Fault.indexOutOfRange(number).at(range)
    default: throw Fault.noSuchKey(MapKey(lookingUp: position)?.text ?? position.typeName).at(range)
    }
  }
}

extension Value {
  /// The value of a field of a map, or of a map in an optional.
  func field(_ name: String, isOptional: Bool, at range: Range<Int>) throws(Fault) -> Value {
    switch self {
    case .map(let map):
      if let found = map[name] { return isOptional ? .optional(found) : found }
      if isOptional { return .optional(nil) }
      throw Fault.noSuchKey(name).at(range)
    case .optional(nil):
      return self
    case .optional(.map(let map)?):
      return .optional(map[name])
    // As cel-go has it: what is null has no field, and `.?` asks whether it has.
    case .null where isOptional, .optional(.null?) where isOptional:
      return .optional(nil)
    default:
      throw withoutFields(name).at(range)
    }
  }

  /// The fault for selecting from something that has no fields.
  func withoutFields(_ name: String) -> Fault {
    .evaluation(
      LocalizedText("\(typeName) has no field '\(name)'", de: "\(typeName) hat kein Feld '\(name)'"))
  }

  /// The element of a list or a map; `nil` if there is none.
  fileprivate func element(_ index: Value) throws(Fault) -> Value? {
    switch self {
    case .list(let elements):
      guard let position = index.intValue else { throw Fault.noOverload("[]", [self, index]) }
      return elements.indices.contains(Int(position)) ? elements[Int(position)] : nil
    case .map(let map):
      guard let key = MapKey(lookingUp: index) else {
        if case .double = index { return nil }
        throw Fault.noOverload("[]", [self, index])
      }
      return map[key]
    default:
      throw Fault.noOverload("[]", [self, index])
    }
  }
}
