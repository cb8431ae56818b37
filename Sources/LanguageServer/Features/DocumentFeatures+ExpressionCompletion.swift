import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

extension DocumentFeatures {
  /// The completions in an expression.
  func expression(_ cursor: ExpressionCursor, _ path: Outline.Path, _ offset: Int) -> [Value] {
    guard !cursor.isInText else { return [] }
    let environment = cursor.environment(scope.environment(at: path))
    let replaced = offset - cursor.word.utf8.count..<offset
    guard let receiver = cursor.receiver else { return start(environment, path, replaced) }
    if ExpressionCursor.isNamespace(receiver), environment.variables[receiver] == nil {
      return members(of: receiver, replaced)
    }
    guard let type = ExpressionCursor.type(of: receiver, environment) else { return [] }
    var items: [Value] = []
    if case .object(let object) = type {
      items = object.fields.sorted { $0.key < $1.key }.map { name, type in
        item(name, .field, replaced, detail: type.description(in: language), order: 0)
      }
    }
    // `size()` of all steps or inputs is not useful.
    if ["steps", "inputs", "keywords"].contains(receiver) { return items }
    var methods: [String: [FunctionSignature]] = [:]
    for signature in FunctionSignature.known where signature.isMethod {
      guard let taken = signature.parameters.first, taken.accepts(type) else { continue }
      methods[signature.name, default: []].append(signature)
    }
    items += methods.sorted { $0.key < $1.key }.map { name, signatures in
      function(name, signatures, .method, replaced)
    }
    for macro in Macro.standard where macro.isMethod {
      items += macro.forms.filter { Self.fits($0, type) }.prefix(1).map { self.macro(macro, form: $0, replaced) }
    }
    return items
  }

  /// Whether a form of a macro, `list.all(e, test)`, can occur behind a value.
  private static func fits(_ form: String, _ type: ValueType) -> Bool {
    let receiver = form.prefix { $0 != "." }
    return switch type {
    case .list: receiver == "list"
    case .map, .object: receiver == "list" || receiver == "map"
    case .optional: receiver == "optional"
    case .dynamic: true
    default: false
    }
  }

  /// The functions of a namespace: `abs` of `math`.
  private func members(of namespace: String, _ replaced: Range<Int>) -> [Value] {
    let prefix = namespace + "."
    var functions: [String: [FunctionSignature]] = [:]
    for signature in FunctionSignature.known where !signature.isMethod && signature.name.hasPrefix(prefix) {
      functions[String(signature.name.dropFirst(prefix.count)), default: []].append(signature)
    }
    let macros = Macro.standard.filter { !$0.isMethod && $0.name.hasPrefix(prefix) }
    return functions.sorted { $0.key < $1.key }.map { function($0.key, $0.value, .function, replaced) }
      + macros.map { macro($0, form: $0.forms.first ?? $0.name, replaced, dropping: prefix) }
  }

  private func start(_ environment: Environment, _ path: Outline.Path, _ replaced: Range<Int>) -> [Value] {
    var items = environment.variables.sorted { $0.key < $1.key }.map { name, type in
      item(name, .variable, replaced, detail: type.description(in: language), order: 0)
    }
    let values = scope.keywords(at: path)
    let inherited = scope.inheritedKeywords(at: path)
    items += environment.keywords.sorted().map { name in
      item(
        name, .value, replaced, detail: say("keyword", de: "Schlüsselwort"),
        documentation: values.first { $0.name == name }?.text ?? inherited.first { $0.name == name }.map(\.text) ?? "",
        order: 1000)
    }
    var functions: [String: [FunctionSignature]] = [:]
    for signature in FunctionSignature.known where !signature.isMethod {
      functions[signature.name, default: []].append(signature)
    }
    items += functions.sorted { $0.key < $1.key }.map { name, signatures in
      function(name, signatures, .function, replaced)
    }
    for macro in Macro.standard where !macro.isMethod {
      items += macro.forms.map { self.macro(macro, form: $0, replaced) }
    }
    return items
  }

  private func macro(_ macro: Macro, form: String, _ replaced: Range<Int>, dropping prefix: String = "") -> Value {
    let name = String(macro.name.dropFirst(prefix.count))
    let places = Self.arguments(of: form).enumerated().map { index, argument in
      // Braces and what follows a dollar have a meaning of their own in snippets.
      "${\(index + 1):" + argument.replacing("}", with: "\\}") + "}"
    }
    return item(
      name, macro.isMethod ? .method : .function, replaced, detail: form,
      documentation: functionText(macro.name, isMethod: macro.isMethod) ?? "",
      insert: "\(name)(\(places.joined(separator: ", ")))", isSnippet: true, order: 5000)
  }

  private func function(
    _ name: String, _ signatures: [FunctionSignature], _ kind: CompletionKind, _ replaced: Range<Int>
  ) -> Value {
    let takes = signatures.contains { $0.parameters.count > ($0.isMethod ? 1 : 0) }
    return item(
      name, kind, replaced, detail: signatures[0].description,
      documentation: signatures.map { "`\($0)`" }.joined(separator: "\n\n")
        + (signatures[0].summary.map { "\n\n" + $0.string(in: language) } ?? ""),
      insert: takes ? "\(name)($0)" : "\(name)()", isSnippet: true, order: 4000)
  }
}
