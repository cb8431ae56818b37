internal import Localization

extension TypeChecker {
  /// The type of a macro over a list or a map.
  mutating func type(of comprehension: SyntaxNode.Comprehension, at range: Range<Int>) -> ValueType {
    let target = inference.resolved(type(of: comprehension.target))
    let element: (key: ValueType, value: ValueType)
    var isMap = false
    switch target {
    case .list(let type):
      element = (.int, type)
    case .map(let key, let value):
      element = (key, value)
      isMap = true
    case .object(let object):
      element = (.string, fieldsType(object))
      isMap = true
    case .dynamic, .parameter:
      element = (.dynamic, .dynamic)
    default:
      _ = report(
        .wrongType,
        LocalizedText(
          "\(comprehension.macro.rawValue)() goes through lists and maps, not \(target)",
          de: "\(comprehension.macro.rawValue)() durchläuft Listen und Maps, nicht \(target.words.german)"),
        at: comprehension.target.range)
      element = (.dynamic, .dynamic)
    }
    let names = comprehension.variables
    // One name represents the element of a list and for the key of a map.
    let single = isMap ? element.key : element.value
    let locals = names.count == 1 ? [(names[0], single)] : [(names[0], element.key), (names[1], element.value)]
    return withLocals(locals) { checker in
      if let condition = comprehension.condition { checker.expectBool(condition) }
      switch comprehension.macro {
      case .all, .exists, .existsOne:
        checker.expectBool(comprehension.body)
        return .bool
      case .filter:
        checker.expectBool(comprehension.body)
        return .list(single)
      case .map, .transformList:
        return .list(checker.type(of: comprehension.body))
      case .sortBy:
        _ = checker.type(of: comprehension.body)
        return .list(single)
      case .groupBy:
        return .map(checker.type(of: comprehension.body), .list(single))
      case .transformMap:
        return .map(element.key, checker.type(of: comprehension.body))
      case .transformMapEntry:
        return checker.entryType(comprehension.body)
      }
    }
  }

  private mutating func entryType(_ body: SyntaxNode) -> ValueType {
    let found = inference.resolved(type(of: body))
    switch found {
    case .map, .dynamic: return found
    case .object: return .map(.string, .dynamic)
    default:
      return report(
        .wrongType,
        LocalizedText(
          "transformMapEntry() wants a map as result, not \(found)",
          de: "transformMapEntry() verlangt eine Map als Ergebnis, nicht \(found.words.german)"), at: body.range)
    }
  }

  /// The one type all fields have, or `dyn`. More than a few fields are not compared.
  private mutating func fieldsType(_ object: ObjectType) -> ValueType {
    guard !object.isOpen, let first = object.fields.values.first, object.fields.count <= 32 else { return .dynamic }
    return object.fields.values.allSatisfy { $0 == first } ? first : .dynamic
  }
}
