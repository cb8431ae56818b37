import ArgumentParser
import Engine
import Expressions
import Localization
import OperatingSystem
import RecipeSyntax
import UseCases

/// `sous eval`: evaluates CEL expressions, one for people or many for programs.
struct EvalCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "eval",
      abstract: say("Evaluate a CEL expression.", de: "Einen CEL-Ausdruck auswerten."))
  }

  /// An expression may begin with a minus, which looks like an option.
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp(say("The expression.", de: "Der Ausdruck."), valueName: "expr"))
  var expression: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "A YAML or JSON file whose top-level keys are variables of the expression.",
        de: "Eine YAML- oder JSON-Datei, deren oberste Schlüssel Variablen des Ausdrucks sind."), valueName: "file"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The value of now(), as 2026-11-21T07:00:00Z (default: the system's clock).",
        de: "Was now() sagt, wie 2026-11-21T07:00:00Z (Vorgabe: die Uhr des Systems)."), valueName: "time"))
  var at: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Answer with the value and its type in CEL's protobuf JSON form.",
        de: "Wert und Typ in der Protobuf-JSON-Form von CEL ausgeben.")))
  var typed = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Read cases as JSON lines from standard input, write one JSON line for each.",
        de: "Fälle als JSON-Zeilen von der Standardeingabe lesen, je eine JSON-Zeile schreiben.")))
  var batch = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    // ArgumentParser keeps the terminator.
    if expression.first == "--" { expression.removeFirst() }
    if batch, !expression.isEmpty || data != nil || at != nil {
      throw ValidationError(
        say(
          "--batch takes neither an expression nor --data nor --at",
          de: "--batch verträgt weder Ausdruck noch --data noch --at"))
    }
    if let at, Timestamp(rfc3339: at) == nil {
      throw ValidationError(
        say(
          "--at is a time such as 2026-11-21T07:00:00Z, not '\(at)'",
          de: "--at ist eine Zeit wie 2026-11-21T07:00:00Z, nicht '\(at)'"))
    }
    if !batch, expression.count != 1 {
      throw ValidationError(
        say("give one expression, or --batch", de: "einen Ausdruck angeben, oder --batch"))
    }
  }

  func run() throws {
    if batch {
      var lines = InputLines(from: 0)
      while let line = lines.next() {
        writeJSON(ExpressionCase.answer(to: line, typed: typed))
      }
      return
    }
    try evaluate(expression.first ?? "")
  }

  private func evaluate(_ text: String) throws(CommandError) {
    let variables = try variables()
    let source = SourceText(path: "<expression>", text: text)
    let expression: Expressions.Expression
    do throws(ExpressionErrors) {
      expression = try Expressions.Expression(
        text, in: Environment(variables: variables.mapValues { _ in .dynamic }))
    } catch {
      report(error.all, in: source)
      throw CommandError(ExitStatus.wrongInput)
    }
    let value: Value
    do throws(ExpressionError) {
      value = try expression.evaluate(
        Bindings(variables: variables, now: at.flatMap { Timestamp(rfc3339: $0) } ?? SystemTime().now))
    } catch {
      report([error], in: source)
      throw CommandError(ExitStatus.runFailed)
    }
    if typed {
      let answer: Value = ["value": value.protobufJSON, "type": expression.resultType.protobufJSON]
      writeJSON(answer)
    } else if format.json {
      writeJSON(value)
    } else {
      writeOutput((value.stringValue ?? value.prettyJSON) + "\n")
    }
  }

  private func report(_ errors: [ExpressionError], in source: SourceText) {
    let diagnostics = errors.map { error in
      Diagnostic(
        .init(rawValue: error.code.rawValue), error.message, path: source.path,
        range: error.range.map { source.range($0) }, suggestion: error.suggestion)
    }
    if format.json {
      writeJSON(Value.list(diagnostics.map(\.json)))
    } else {
      writeError(
        DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [source.path: source]))
    }
  }

  /// The variables that the data file gives.
  private func variables() throws(CommandError) -> [String: Value] {
    guard let data else { return [:] }
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(data)
    } catch {
      throw CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: data + ": ") + error.message)
    }
    let value: Value
    if data.hasSuffix(".json") {
      do throws(ExpressionError) {
        value = try Value(json: source.bytes.withoutByteOrderMark)
      } catch {
        throw CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: data + ": ") + error.message)
      }
    } else {
      let (document, diagnostics) = YAMLDocument.parse(source, allowsEmpty: true)
      writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [data: source]))
      guard let document, !diagnostics.contains(where: { $0.severity == .error }) else {
        throw CommandError(ExitStatus.wrongInput)
      }
      value = document.root?.value ?? .map([:])
    }
    guard case .map(let map) = value else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "\(data): a map of variables is wanted at the top",
          de: "\(data): ganz oben muss eine Map mit Variablen stehen"))
    }
    var variables: [String: Value] = [:]
    for (key, value) in map.entries { variables[key.text] = value }
    return variables
  }
}
