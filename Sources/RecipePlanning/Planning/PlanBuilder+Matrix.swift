import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// Lowers a matrix to a loop over its combinations; reports lists and entries that are not any.
  func matrix(_ node: Node, _ step: Recipe.Step, _ scope: Scope) -> (loop: PlanStep.Loop, item: ValueType)? {
    guard let map = node.mapping else { return nil }
    var entries: [(name: String, bound: ValueBinder.Bound)] = []
    var fields: [String: ValueType] = [:]
    var isOpen = false
    let names = Set(map.entries.map(\.name)).subtracting(Matrix.settings)
    for entry in map.entries {
      let isSetting = Matrix.settings.contains(entry.name)
      if !isSetting { _ = IdentifierName.check(Located(entry.name, at: entry.nameRange), as: .loopVariable, reader) }
      if let word = word(entry.value, scope) {
        reader.report(
          .wrongType,
          LocalizedText(
            "'matrix.\(entry.name)' must be a list: write '\(entry.name): [\(word)]'; an expression such as 'inputs.names' gives one too",
            de:
              "'matrix.\(entry.name)' muss eine Liste sein: '\(entry.name): [\(word)]' schreiben; ein Ausdruck wie 'inputs.names' gibt auch eine"
          ),
          at: entry.value.range)
        return nil
      }
      let bound = list(entry.value, scope)
      entries.append((entry.name, bound))
      switch PlanVariables.type(of: bound.shape) {
      case .dynamic:
        if !isSetting { fields[entry.name] = .dynamic }
        isOpen = isOpen || entry.name == "include"
      case .list(let element):
        if !isSetting { fields[entry.name] = element }
        if isSetting { check(entry, names) }
      case let type:
        reader.report(
          .wrongType,
          LocalizedText(
            "'matrix.\(entry.name)' must be a list, not \(type)",
            de: "'matrix.\(entry.name)' muss eine Liste sein, nicht \(type.words.german)"),
          at: entry.value.range)
        return nil
      }
      if entry.value.sequence?.isEmpty == true, !isSetting {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'matrix.\(entry.name)' is empty, so there is no combination",
            de: "'matrix.\(entry.name)' ist leer, also gibt es keine Kombination"),
          at: entry.value.range)
      }
    }
    for added in map["include"]?.sequence ?? [] {
      // An added combination need not have the other values.
      for name in names { fields[name] = .dynamic }
      for entry in added.mapping?.entries ?? [] { fields[entry.name] = .dynamic }
    }
    let bound = ValueBinder.Bound.map(entries)
    // Entries that are not maps are reported at their place.
    let areMaps = Matrix.settings.allSatisfy { (map[$0]?.sequence ?? []).allSatisfy { $0.mapping != nil } }
    if areMaps, case .literal(.map(let lists)) = bound.value {
      do throws(ExpressionError) {
        // All combinations are known: a value that has one type in all of them is checked like any other.
        for (name, type) in Self.types(in: try Matrix.combinations(of: lists)) { fields[name] = type }
      } catch {
        reader.report(.invalidValue, error.message, at: node.range)
      }
    }
    var loop = PlanStep.Loop(items: bound.value, variable: step.variable?.value ?? "matrix", parallel: step.parallel)
    loop.isMatrix = true
    let name = LocalizedText("combination of the matrix", de: "Kombination der Matrix")
    return (loop, .object(ObjectType(name: name, fields: fields, isOpen: isOpen)))
  }

  /// A single value that is written in place of a list: a word that names no variable or keyword, a number, true or false.
  private func word(_ node: Node, _ scope: Scope) -> String? {
    guard let scalar = node.scalar, !node.isNull else { return nil }
    guard case .string(let text) = scalar.value else { return scalar.value.jsonString }
    guard !text.isEmpty, scope.variables[text] == nil, scope.keywords[text] == nil else { return nil }
    return text.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") } ? text : nil
  }

  /// The types of the values by name; ``ValueType/dynamic`` for a value that has several.
  private static func types(in combinations: [Value]) -> [String: ValueType] {
    var types: [String: ValueType] = [:]
    for case .map(let combination) in combinations {
      for (key, value) in combination.entries {
        let type = PlanVariables.type(of: value)
        types[key.text] = types[key.text].map { $0 == type ? type : .dynamic } ?? type
      }
    }
    return types
  }

  /// Reports entries of `include` and `exclude` that are not maps, and names that no list has.
  private func check(_ entry: Node.Mapping.Entry, _ names: Set<String>) {
    for element in entry.value.sequence ?? [] {
      guard let map = element.mapping else {
        reader.mismatch(element, entry.name, wanted: LocalizedText("a map", de: "eine Map"))
        continue
      }
      guard entry.name == "exclude" else { continue }
      for part in map.entries where !names.contains(part.name) {
        reader.report(
          .unknownKey,
          LocalizedText(
            "the matrix has no list '\(part.name)'", de: "die Matrix hat keine Liste '\(part.name)'"),
          at: part.nameRange, suggestion: reader.suggestion(for: part.name, among: names))
      }
    }
  }
}
