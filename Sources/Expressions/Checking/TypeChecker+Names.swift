internal import Localization

extension TypeChecker {
  /// The type of a chain `a.b.c`.
  mutating func type(ofChain components: [SyntaxNode.Name], isAbsolute: Bool, _ node: SyntaxNode) -> ValueType {
    var result: ValueType
    var length = 1
    switch scope.meaning(of: components, isAbsolute: isAbsolute) {
    case .local(let position):
      result = localTypes[position]
    case .variable(_, let type, let consumed):
      result = type
      length = consumed
    case .keyword:
      result = .dynamic
    case .keywords:
      result = .object(keywordsType)
    case .type(let type, let consumed):
      result = .type(type)
      length = consumed
    case .unknown:
      return unknownName(components[0])
    }
    for name in components.prefix(length) { types.append(TypedRange(range: name.range, type: result)) }
    for field in components.dropFirst(length) {
      result = select(field, of: result, isOptional: false)
      types.append(TypedRange(range: field.range, type: result))
    }
    return result
  }

  var keywordsType: ObjectType {
    ObjectType(
      name: "keywords",
      fields: Dictionary(uniqueKeysWithValues: scope.environment.keywords.map { ($0, ValueType.dynamic) }))
  }

  private mutating func unknownName(_ name: SyntaxNode.Name) -> ValueType {
    report(
      .unknownName, LocalizedText("unknown name '\(name.text)'", de: "unbekannter Name '\(name.text)'"),
      at: name.range, suggestion: Self.suggestion(forName: name.text, scope))
  }

  /// The variable, keyword or local name closest to one that does not exist.
  static func suggestion(forName name: String, _ scope: NameScope) -> String? {
    EditDistance.suggestion(
      for: name,
      among: Array(scope.environment.variables.keys) + Array(scope.environment.keywords) + scope.locals)
  }

  // MARK: Fields and elements

  mutating func select(_ field: SyntaxNode.Name, of type: ValueType, isOptional: Bool) -> ValueType {
    let found: ValueType
    switch inference.resolved(type) {
    case .optional(let wrapped):
      // A field of an optional is optional itself; `.?` does not wrap it twice.
      return .optional(select(field, of: wrapped, isOptional: false))
    case .object(let object):
      found = fieldType(field, of: object)
    case .map(let key, let value):
      guard inference.assign(.string, to: key) else {
        return report(
          .wrongType,
          LocalizedText(
            "the keys of this map are \(key), not strings; write map[key]",
            de: "Die Schlüssel dieser Map sind \(key.words.german), keine Strings; schreib map[schlüssel]"),
          at: field.range)
      }
      found = value
    case .dynamic, .parameter:
      found = .dynamic
    case let other:
      return report(
        .wrongType,
        LocalizedText(
          "\(other) has no field '\(field.text)'", de: "\(other.words.german) hat kein Feld '\(field.text)'"),
        at: field.range)
    }
    return isOptional ? .optional(found) : found
  }

  private mutating func fieldType(_ field: SyntaxNode.Name, of object: ObjectType) -> ValueType {
    if let known = object.fields[field.text] {
      words[field.range.upperBound] = object.words[field.text]
      return known
    }
    if object.isOpen { return .dynamic }
    return report(
      .unknownField,
      LocalizedText(
        "\(object.name.english) has no '\(field.text)'", de: "\(object.name.german) hat kein '\(field.text)'"),
      at: field.range, suggestion: EditDistance.suggestion(for: field.text, among: object.fields.keys))
  }

  mutating func element(of target: SyntaxNode, at index: SyntaxNode, isOptional: Bool) -> ValueType {
    let targetType = inference.resolved(type(of: target))
    let found = element(of: targetType, target, at: index)
    if case .optional = targetType { return .optional(found) }
    return isOptional ? .optional(found) : found
  }

  private mutating func element(of type: ValueType, _ target: SyntaxNode, at index: SyntaxNode) -> ValueType {
    switch type {
    case .optional(let wrapped):
      return element(of: inference.resolved(wrapped), target, at: index)
    case .list(let element):
      expect(self.type(of: index), .int, at: index.range)
      return element
    case .map(let key, let value):
      expect(self.type(of: index), key, at: index.range)
      return value
    case .object(let object):
      if case .literal(.string(let name)) = index.kind {
        return fieldType(SyntaxNode.Name(text: name, range: index.range), of: object)
      }
      expect(self.type(of: index), .string, at: index.range)
      return .dynamic
    case .dynamic, .parameter:
      _ = self.type(of: index)
      return .dynamic
    default:
      _ = self.type(of: index)
      return report(
        .wrongType, LocalizedText("\(type) has no elements", de: "\(type.words.german) hat keine Elemente"),
        at: target.range)
    }
  }

  private mutating func expect(_ type: ValueType, _ wanted: ValueType, at range: Range<Int>) {
    if inference.assign(type, to: wanted) { return }
    let shown = (inference.resolved(wanted).words, inference.resolved(type).words)
    _ = report(
      .wrongType,
      LocalizedText(
        "\(shown.0.english) is wanted here, not \(shown.1.english)",
        de: "Hier wird \(shown.0.german) verlangt, nicht \(shown.1.german)"),
      at: range)
  }
}
