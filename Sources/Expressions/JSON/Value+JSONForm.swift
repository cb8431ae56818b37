extension Value {
  /// The value as it comes back from its JSON: with the kinds of values that JSON has, and no others.
  ///
  /// Points in time, spans and byte strings are texts then, an optional is what it wraps or null, keys are names, and small
  /// unsigned numbers are plain ones; see ``json(pretty:)``. A value that is written and read again equals the value that was
  /// there before.
  public var jsonForm: Value {
    if isJSONForm { return self }
    switch self {
    case .null, .optional(nil): return .null
    case .bool, .int, .string: return self
    case .uint(let number): return Int64(exactly: number).map(Value.int) ?? self
    case .double(let number): return number.isFinite ? self : .string(number.text)
    case .bytes(let content): return .string(Base64.encode(content))
    case .timestamp(let time): return .string(time.rfc3339)
    case .duration(let span): return .string(span.text)
    case .type(let type): return .string(type.name)
    case .optional(let wrapped?): return wrapped.jsonForm
    case .list(let elements): return .list(elements.map(\.jsonForm))
    case .map(let map): return .map(ValueMap(map.storage.map { (.string($0.key.text), $0.value.jsonForm) }))
    }
  }

  /// Whether JSON gives the very value back.
  private var isJSONForm: Bool {
    switch self {
    case .null, .bool, .int, .string: return true
    case .uint(let number): return number > UInt64(Int64.max)
    case .double(let number): return number.isFinite
    case .bytes, .timestamp, .duration, .type, .optional: return false
    case .list(let elements): return elements.allSatisfy(\.isJSONForm)
    case .map(let map):
      return map.storage.allSatisfy { entry in
        guard case .string = entry.key else { return false }
        return entry.value.isJSONForm
      }
    }
  }
}

extension ValueType {
  /// The type of a value's ``Value/jsonForm``.
  public var jsonForm: ValueType {
    switch self {
    case .null, .bool, .int, .double, .string, .dynamic, .parameter, .abstract: self
    // Above what an int holds they stay unsigned.
    case .uint, .optional: .dynamic
    case .bytes, .timestamp, .duration, .type: .string
    case .list(let element): .list(element.jsonForm)
    case .map(_, let value): .map(.string, value.jsonForm)
    case .object(let object):
      .object(ObjectType(name: object.name, fields: object.fields.mapValues(\.jsonForm), isOpen: object.isOpen))
    }
  }
}
