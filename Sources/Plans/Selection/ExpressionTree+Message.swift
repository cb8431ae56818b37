public import Expressions

extension ExpressionTree {
  /// The field of `message` that this is: `seen` for `message.seen`; `nil` for anything else.
  var messageField: String? {
    guard let path, path.variable == "message", path.fields.count == 1 else { return nil }
    return path.fields.first
  }

  /// Whether it speaks of the message, or of a variable of a macro, which may stand for a part of one.
  var mentionsMessage: Bool {
    switch kind {
    case .variable(let name): return name == "message"
    case .local: return true
    default: return parts.contains(where: \.mentionsMessage)
    }
  }

  /// The parts it is made of.
  private var parts: [ExpressionTree] {
    switch kind {
    case .literal, .variable, .keyword, .keywords, .local, .type, .unknown: []
    case .field(let target, _, _), .presence(let target, _): [target]
    case .element(let target, let index, _): [target, index]
    case .call(_, let arguments): arguments
    case .and(let operands), .or(let operands): operands
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(let comprehension):
      [comprehension.target, comprehension.body] + (comprehension.condition.map { [$0] } ?? [])
    case .bind(_, let value, let body): [value, body]
    case .optionalMap(let target, _, let body, _): [target, body]
    }
  }

  /// Collects the fields of `message` that it reads.
  ///
  /// - Returns: `false` where it reads the message as a whole.
  package func collectMessageFields(into fields: inout Set<String>) -> Bool {
    switch kind {
    case .variable(let name): return name != "message"
    case .field(let target, let name, _), .presence(let target, let name):
      if case .variable("message") = target.kind {
        fields.insert(name)
        return true
      }
      return target.collectMessageFields(into: &fields)
    default:
      var isPartial = true
      for part in parts { isPartial = part.collectMessageFields(into: &fields) && isPartial }
      return isPartial
    }
  }

  /// Collects the names that header fields are compared with: `message.headers.exists(h, h.name == "X-Spam")`.
  ///
  /// - Returns: `false` where it reads header fields without such a comparison.
  package func collectHeaderNames(into names: inout Set<String>) -> Bool {
    if case .comprehension(let comprehension) = kind, comprehension.target.messageField == "headers" {
      var found: Set<String> = []
      comprehension.body.collectComparedNames(into: &found)
      comprehension.condition?.collectComparedNames(into: &found)
      names.formUnion(found)
      return !found.isEmpty
    }
    if messageField == "headers" { return false }
    var isBounded = true
    for part in parts { isBounded = part.collectHeaderNames(into: &names) && isBounded }
    return isBounded
  }

  /// Collects the texts that a field `name` is compared with.
  private func collectComparedNames(into names: inout Set<String>) {
    if case .call("_==_", let arguments) = kind, arguments.count == 2 {
      for (side, other) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])] {
        var side = side
        if case .call("lowerAscii", let inner) = side.kind, let only = inner.first { side = only }
        guard case .field(let owner, "name", _) = side.kind, case .local = owner.kind,
          case .literal(.string(let name)) = other.kind
        else { continue }
        names.insert(name)
      }
    }
    for part in parts { part.collectComparedNames(into: &names) }
  }

  /// The value of a part without variables of its own, with what is known of names; `nil` where it has none.
  ///
  /// - Parameter lookup: The value of a variable and the fields gone through, or of a keyword.
  public func constantValue(now: Timestamp?, _ lookup: (_ path: [String], _ isKeyword: Bool) -> Value?) -> Value? {
    if let path { return lookup([path.variable] + path.fields, false) }
    switch kind {
    case .literal(let value): return value
    case .keyword(let name): return lookup([name], true)
    case .list(let elements):
      let values = elements.map { $0.isOptional ? nil : $0.value.constantValue(now: now, lookup) }
      return values.contains { $0 == nil } ? nil : .list(values.compactMap { $0 })
    case .call(let function, let arguments):
      let values = arguments.compactMap { $0.constantValue(now: now, lookup) }
      guard values.count == arguments.count else { return nil }
      return Self.result(of: function, values, now: now)
    default: return nil
    }
  }

  /// The functions that dates and texts of conditions are usually made with.
  private static func result(of function: String, _ values: [Value], now: Timestamp?) -> Value? {
    switch (function, values.first, values.dropFirst().first) {
    case ("now", nil, nil): return now.map { .timestamp($0) }
    case ("timestamp", .string(let text)?, nil): return Timestamp(rfc3339: text).map { .timestamp($0) }
    case ("timestamp", .timestamp(let time)?, nil): return .timestamp(time)
    case ("duration", .string(let text)?, nil): return TimeSpan(text).map { .duration($0) }
    case ("lowerAscii", .string(let text)?, nil): return .string(text.lowercased())
    case ("_-_", .timestamp(let time)?, .duration(let span)?):
      return TimeSpan(nanoseconds: 0).subtracting(span).flatMap { time.adding($0) }.map { .timestamp($0) }
    case ("_+_", .timestamp(let time)?, .duration(let span)?): return time.adding(span).map { .timestamp($0) }
    case ("_+_", .string(let left)?, .string(let right)?): return .string(left + right)
    default: return nil
    }
  }
}
