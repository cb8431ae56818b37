import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension PlanBuilder {
  /// Warns of an expression inside the text of a program (`sh -c`, `python -c`): its value, such as the subject of a message
  /// from a stranger, becomes code. Values belong in `environment` or in arguments after the text.
  ///
  /// - Parameter shape: The step's input, as far as it is known before the run.
  func checkProgramText(of step: Recipe.Step, _ action: ActionSignature, _ shape: Value) {
    guard action.isProgram || action.name == "notify.command", let input = step.input?.mapping,
      let elements = input["command"]?.sequence
    else { return }
    let command = ProgramText(elements.map { $0.scalar?.text })
    var texts = command.texts.map { (node: elements[$0.index], text: $0.text, shape: shape["command"]?[$0.index]) }
    if command.readsInput, let node = input["input"] {
      texts.append((node, node.scalar?.text ?? "", shape["input"]))
    }
    for (node, text, shape) in texts {
      guard let expression = Self.firstExpression(of: text), shape.map(Self.maySayAnything) ?? true else { continue }
      let name = Self.variable(for: expression)
      let form = "environment: { \(name): \"{{ \(expression) }}\" }"
      let use = command.language.reading(name)
      reader.report(
        .programText,
        LocalizedText(
          "the value of '{{ \(expression) }}' becomes part of the program that '\(command.interpreter)' runs, so the "
            + "author of the value can run commands: pass it with '\(form)' and read it in the program as '\(use)'",
          de:
            "der Wert von '{{ \(expression) }}' wird Teil des Programms, das '\(command.interpreter)' ausführt; der "
            + "Verfasser des Werts kann so Befehle ausführen: mit '\(form)' übergeben und im Programm als '\(use)' lesen"
        ),
        at: node.range, severity: .warning)
    }
  }

  /// Warns of a variable under `inherit` that the environment of Sous does not have. A daemon can have another environment.
  func checkInheritedVariables(of step: Recipe.Step, _ action: ActionSignature) {
    guard action.isProgram, let names = step.input?.mapping?["inherit"]?.sequence else { return }
    for node in names {
      guard let name = node.string, !name.contains("{{"), !planner.hasVariable(name) else { continue }
      reader.report(
        .missingVariable,
        LocalizedText(
          "'inherit' names the variable '\(name)', which is missing in the environment of Sous: set it before Sous starts, or "
            + "write its value into 'environment'",
          de:
            "'inherit' nennt die Variable '\(name)', die in der Umgebung von Sous fehlt: vor dem Start von Sous setzen oder "
            + "den Wert in 'environment' schreiben"),
        at: node.range, severity: .warning)
    }
  }

  /// The first expression of a text, without its braces and shortened; `nil` if there is none.
  private static func firstExpression(of text: String) -> String? {
    guard let begin = text.firstRange(of: "{{") else { return nil }
    let rest = text[begin.upperBound...]
    guard let end = rest.firstRange(of: "}}") else { return nil }
    let words = rest[..<end.lowerBound].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 60 ? String(words.prefix(60)) + "…" : words
  }

  /// Whether a value of this shape can be a text; numbers and booleans cannot contain commands.
  private static func maySayAnything(_ shape: Value) -> Bool {
    guard case .type(let type) = shape else { return true }
    return type != .int && type != .bool && type != .double
  }

  /// A name for the environment variable with the value of an expression: `SUBJECT` for `inputs.subject`.
  private static func variable(for expression: String) -> String {
    let names = expression.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    let last = names.last { $0.first?.isNumber == false && $0.count > 1 || names.count == 1 } ?? names.last ?? "VALUE"
    let name = last.uppercased()
    let isOwn = ["PATH", "HOME", "LANG", "IFS", "ENV"].contains(name) || name.first?.isLetter != true
    return isOwn ? "VALUE" : name
  }
}
