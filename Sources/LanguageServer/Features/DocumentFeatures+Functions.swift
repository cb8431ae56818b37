import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

extension DocumentFeatures {
  /// The forms of the call that the cursor is in, with the argument that is being written; `null` outside of calls.
  func signatureHelp(at offset: Int) -> Value {
    guard file == .recipe, let entry = entry(before: offset), !entry.isCollection,
      let cursor = cursor(in: entry, to: offset), let call = cursor.calls.last
    else { return .null }
    let environment = cursor.environment(scope.environment(at: entry.path))
    let position = max(call.arguments.count - 1, 0)
    var forms: [(label: String, parameters: [String])] = []
    for macro in Macro.standard where macro.name == call.name && macro.isMethod == (call.receiver != nil) {
      forms += macro.forms.map { ($0, Self.arguments(of: $0)) }
    }
    let receiver = call.receiver.flatMap { ExpressionCursor.type(of: $0, environment) }
    for signature in FunctionSignature.known
    where signature.name == call.name && signature.isMethod == (call.receiver != nil) {
      if let receiver, let taken = signature.parameters.first, !taken.accepts(receiver) { continue }
      let parameters = signature.parameters.dropFirst(signature.isMethod ? 1 : 0).map(\.description)
      forms.append((signature.description, parameters))
    }
    guard !forms.isEmpty else { return .null }
    let summary = FunctionSignature.summary(of: call.name)?.string(in: language) ?? ""
    // The first form with as many arguments.
    let active = forms.firstIndex { $0.parameters.count > position } ?? 0
    return [
      "signatures": .list(forms.map { form in signature(form.label, form.parameters, summary) }),
      "activeSignature": .int(Int64(active)), "activeParameter": .int(Int64(position)),
    ]
  }

  private func signature(_ label: String, _ parameters: [String], _ summary: String) -> Value {
    [
      "label": .string(label), "documentation": markup(summary, for: .signature),
      "parameters": .list(parameters.map { ["label": .string($0)] }),
    ]
  }

  /// The arguments in a form of a macro: `e` and `test` of `list.all(e, test)`.
  static func arguments(of form: String) -> [String] {
    var arguments: [String] = []
    var depth = 0
    var current = ""
    for character in form.drop(while: { $0 != "(" }).dropFirst().dropLast() {
      if "({[".contains(character) { depth += 1 }
      if ")}]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        arguments.append(current)
        current = ""
      } else if !(character == " " && current.isEmpty) {
        current.append(character)
      }
    }
    return current.isEmpty ? arguments : arguments + [current]
  }

  /// The documentation of a function or macro; `nil` if there is none of that name.
  func functionText(_ name: String, isMethod: Bool, on receiver: ValueType? = nil) -> String? {
    let signatures = FunctionSignature.known.filter { $0.name == name && $0.isMethod == isMethod }
    let fitting = signatures.filter { signature in
      guard isMethod, let receiver, let taken = signature.parameters.first else { return true }
      return taken.accepts(receiver)
    }
    let macros = Macro.standard.filter { $0.name == name && $0.isMethod == isMethod }
    let forms = (fitting.isEmpty ? signatures : fitting).map(\.description) + macros.flatMap(\.forms)
    guard !forms.isEmpty else { return nil }
    let summary = FunctionSignature.summary(of: name).map { "\n\n" + $0.string(in: language) } ?? ""
    return "```\n" + forms.joined(separator: "\n") + "\n```" + summary
  }

  /// The entry whose value an offset is in, or behind on the same line with nothing but blanks between.
  func entry(before offset: Int) -> Outline.Entry? {
    if let entry = outline.entry(valueAt: offset) { return entry }
    let line = buffer.lineRange(buffer.line(of: offset))
    return outline.entries.last { entry in
      !entry.value.isEmpty && entry.value.upperBound > line.lowerBound && entry.value.upperBound <= offset
        && buffer.bytes[entry.value.upperBound..<offset].allSatisfy { $0 == 32 }
    }
  }

  /// The cursor at an offset of a value; `nil` if no expression is there.
  func cursor(in entry: Outline.Entry, to offset: Int) -> ExpressionCursor? {
    var written = buffer.text(entry.value.lowerBound..<max(offset, entry.value.lowerBound))
    if written.hasPrefix("\"") || written.hasPrefix("'") { written.removeFirst() }
    return ExpressionCursor(written, isExpression: isExpression(entry.path))
  }
}

extension FunctionSignature {
  /// Callable functions, without operators.
  static let known = (standard + variadic).filter { $0.name.first?.isLetter == true && $0.name != "in" }
}

extension ValueType {
  /// Whether a parameter of this type takes a value of another, as far as the outermost types tell.
  func accepts(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.dynamic, _), (.parameter, _), (_, .dynamic), (_, .parameter): true
    default: name == other.name
    }
  }
}
