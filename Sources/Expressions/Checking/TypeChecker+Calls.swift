internal import Localization

extension TypeChecker {
  typealias Argument = (node: SyntaxNode, type: ValueType)

  func isKnownFunction(_ name: String) -> Bool {
    FunctionLibrary.standard.isGlobal(name)
      || scope.environment.functions.contains { $0.name == name && !$0.isMethod }
  }

  /// Chooses among the overloads of a function; several that fit and disagree give `dyn`.
  mutating func call(
    _ name: SyntaxNode.Name, _ arguments: [Argument], isMethod: Bool, at range: Range<Int>
  ) -> ValueType {
    if !isMethod, name.text == "math.greatest" || name.text == "math.least" {
      return extreme(name, arguments)
    }
    let named =
      (FunctionLibrary.standard.signatures[name.text] ?? [])
      + scope.environment.functions.filter { $0.name == name.text }
    let overloads = named.filter { $0.isMethod == isMethod }
    if overloads.isEmpty { return unknownFunction(name, isMethod: isMethod, otherForm: named.first) }
    if name.text == "matches" { checkPattern(arguments.last?.node) }
    if arguments.count == 2 { checkWords(name.text, arguments[0].node, arguments[1].node) }
    let types = arguments.map(\.type)
    var result: ValueType?
    for overload in overloads where overload.parameters.count == arguments.count {
      let (parameters, candidate) = inference.instantiate(overload)
      guard inference.assign(types, to: parameters) else { continue }
      let resolved = inference.resolved(candidate)
      result = result.map { $0 == resolved ? $0 : .dynamic } ?? resolved
    }
    return result ?? unfitting(name, arguments, overloads, isMethod: isMethod, at: range)
  }

  private mutating func extreme(_ name: SyntaxNode.Name, _ arguments: [Argument]) -> ValueType {
    if arguments.isEmpty {
      return report(
        .wrongType,
        LocalizedText("\(name.text)() takes at least one number", de: "\(name.text)() nimmt mindestens eine Zahl"),
        at: name.range)
    }
    var types = arguments
    if arguments.count == 1, case .list(let element) = inference.resolved(arguments[0].type) {
      types = [(arguments[0].node, element)]
    }
    var result: ValueType?
    for (node, type) in types {
      let found = inference.resolved(type)
      switch found {
      case .int, .uint, .double, .dynamic, .parameter: break
      default:
        return report(
          .wrongType,
          LocalizedText(
            "\(name.text)() compares numbers, not \(found)",
            de: "\(name.text)() vergleicht Zahlen, nicht \(found.words.german)"),
          at: node.range)
      }
      result = result.map { $0 == found ? $0 : .dynamic } ?? found
    }
    return result ?? .dynamic
  }

  /// Reports a pattern that is in the source and is not a regular expression.
  private mutating func checkPattern(_ node: SyntaxNode?) {
    guard let node, case .literal(.string(let pattern)) = node.kind else { return }
    do {
      _ = try RegularExpression(pattern)
    } catch {
      problems.append(ExpressionError(.syntax, error.message, range: node.range))
    }
  }

  /// Reports a comparison of a field with a text that the field never has.
  private mutating func checkWords(_ function: String, _ left: SyntaxNode, _ right: SyntaxNode) {
    switch (function, right.kind) {
    case ("_==_", _), ("_!=_", _):
      check(right, amongWordsOf: left)
      check(left, amongWordsOf: right)
    case ("@in", .list(let elements)):
      for element in elements {
        check(element.value, amongWordsOf: left)
        check(left, amongWordsOf: element.value)
      }
    default: break
    }
  }

  private mutating func check(_ literal: SyntaxNode, amongWordsOf field: SyntaxNode) {
    guard case .literal(.string(let text)) = literal.kind else { return }
    let end: Int
    switch field.kind {
    case .select(_, _, isOptional: false): end = field.range.upperBound
    case .index(_, let index, isOptional: false): end = index.range.upperBound
    default: return
    }
    guard let known = words[end], !known.contains(text) else { return }
    let list = known.prefix(12).map { "'\($0)'" }.joined(separator: ", ") + (known.count > 12 ? " …" : "")
    _ = report(
      .unknownWord,
      LocalizedText("the value is never '\(text)', only \(list)", de: "der Wert ist nie '\(text)', nur \(list)"),
      at: literal.range)
  }

  // MARK: Problems

  /// Reports a method that does not exist, and what else is wrong about the call; `nil` if the method exists.
  mutating func unknownMethod(
    _ target: SyntaxNode, _ name: SyntaxNode.Name, _ arguments: [SyntaxNode]
  ) -> ValueType? {
    let library = FunctionLibrary.standard
    if library.signatures[name.text] != nil || scope.environment.functions.contains(where: { $0.name == name.text }) {
      return nil
    }
    if let (components, isAbsolute) = target.qualifiedName,
      case .unknown = scope.meaning(of: components, isAbsolute: isAbsolute)
    {
      // The target may be a namespace: `math.abs`.
      let namespace = components.map(\.text).joined(separator: ".") + "."
      let known = library.names.filter { $0.hasPrefix(namespace) }
      if !known.isEmpty {
        for argument in arguments { _ = type(of: argument) }
        let suggestion = EditDistance.suggestion(
          for: name.text, among: known.map { String($0.dropFirst(namespace.count)) })
        return report(
          .unknownName,
          LocalizedText(
            "unknown function '\(namespace)\(name.text)'", de: "unbekannte Funktion '\(namespace)\(name.text)'"),
          at: name.range, suggestion: suggestion)
      }
    }
    _ = type(of: target)
    // The names in a mistyped macro (`list.exits(e, e > 1)`) are not unknown, only not introduced.
    if !Self.looksLikeMacro(arguments) {
      for argument in arguments { _ = type(of: argument) }
    }
    return unknownFunction(name, isMethod: true, otherForm: nil)
  }

  private static func looksLikeMacro(_ arguments: [SyntaxNode]) -> Bool {
    guard arguments.count > 1, case .name(_, isAbsolute: false) = arguments[0].kind else { return false }
    return true
  }

  private mutating func unknownFunction(
    _ name: SyntaxNode.Name, isMethod: Bool, otherForm: FunctionSignature?
  ) -> ValueType {
    if let otherForm {
      return report(
        .unknownName,
        LocalizedText(
          "'\(name.text)' is called in another form: \(otherForm)",
          de: "'\(name.text)' wird in anderer Form aufgerufen: \(otherForm)"), at: name.range)
    }
    let library = FunctionLibrary.standard
    let macros = Macro.standard.filter { $0.isMethod == isMethod }.map(\.name)
    let candidates =
      library.names.filter { isMethod ? library.isMethod($0) : library.isGlobal($0) } + macros
      + scope.environment.functions.filter { $0.isMethod == isMethod }.map(\.name)
    return report(
      .unknownName, LocalizedText("unknown function '\(name.text)'", de: "unbekannte Funktion '\(name.text)'"),
      at: name.range, suggestion: EditDistance.suggestion(for: name.text, among: candidates))
  }

  private mutating func unfitting(
    _ name: SyntaxNode.Name, _ arguments: [Argument], _ overloads: [FunctionSignature], isMethod: Bool,
    at range: Range<Int>
  ) -> ValueType {
    let shown = OperatorName.display(name.text)
    let sameCount = overloads.filter { $0.parameters.count == arguments.count }
    if sameCount.isEmpty {
      let forms = overloads.map(\.description).joined(separator: "; ")
      return report(
        .wrongType,
        LocalizedText(
          "'\(shown)' takes another number of arguments: \(forms)",
          de: "'\(shown)' nimmt eine andere Anzahl Argumente: \(forms)"), at: range)
    }
    let types = arguments.map { inference.resolved($0.type).words }
    if OperatorName.isOperator(name.text), arguments.count == 2 {
      return report(
        .wrongType,
        LocalizedText(
          "'\(shown)' does not take \(types[0].english) and \(types[1].english)",
          de: "'\(shown)' nimmt nicht \(types[0].german) und \(types[1].german)"),
        at: range)
    }
    // The first argument that no overload takes, or all of it where only the combination is wrong.
    for (position, argument) in arguments.enumerated() {
      let wanted = sameCount.map { $0.parameters[position] }
      if wanted.contains(where: { fits(argument.type, $0) }) { continue }
      var seen: Set<ValueType> = []
      let list = wanted.filter { seen.insert($0).inserted }.map { Self.shown($0) }
      let (english, german) = (Self.list(list, in: .english), Self.list(list, in: .german))
      return report(
        .wrongType,
        LocalizedText(
          "'\(shown)' takes \(english) here, not \(types[position].english)",
          de: "'\(shown)' nimmt hier \(german), nicht \(types[position].german)"), at: argument.node.range)
    }
    return report(
      .wrongType,
      LocalizedText(
        "'\(shown)' does not take (\(Self.list(types, in: .english)))",
        de: "'\(shown)' nimmt nicht (\(Self.list(types, in: .german)))"), at: range)
  }

  private func fits(_ type: ValueType, _ wanted: ValueType) -> Bool {
    var trial = inference
    let (parameters, _) = trial.instantiate(FunctionSignature("", parameters: [wanted], result: .dynamic))
    return trial.assign([type], to: parameters)
  }

  /// A parameter's type without the type parameters, which say nothing to people.
  private static func shown(_ type: ValueType) -> LocalizedText {
    switch type {
    case .list(.parameter): LocalizedText(verbatim: "list")
    case .map(.parameter, .parameter): LocalizedText(verbatim: "map")
    case .optional(.parameter): LocalizedText(verbatim: "optional")
    case .parameter: LocalizedText("any value", de: "jeden Wert")
    default: type.words
    }
  }

  private static func list(_ words: [LocalizedText], in language: Language) -> String {
    words.map { $0.string(in: language) }.joined(separator: ", ")
  }
}
