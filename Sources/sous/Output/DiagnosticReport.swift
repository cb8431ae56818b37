import Expressions
import Localization
import Recipes

/// What is wrong with recipes and configurations, in words for a terminal.
struct DiagnosticReport {
  private let renderer: DiagnosticRenderer
  private let terminal: Terminal

  init(terminal: Terminal) {
    self.terminal = terminal
    var renderer = DiagnosticRenderer(language: Speech.language, usesColor: terminal.hasColor)
    renderer.escapeStart = Terminal.Style.markStart
    self.renderer = renderer
  }

  /// The diagnostics with their source lines, then the problems with providers; empty where all is well.
  func text(_ planning: Planning) -> String {
    let placed = planning.providerProblems.compactMap(\.diagnostic)
    var text = self.text(planning.diagnostics + placed, sources: planning.sources)
    var told: Set<String> = []
    for problem in planning.providerProblems where problem.diagnostic == nil {
      let place = problem.provider.map { say("provider '\($0)': ", de: "Provider '\($0)': ") } ?? ""
      // Several steps may need the same broken plugin.
      guard told.insert(place + problem.message.english).inserted else { continue }
      text += terminal.styled(say("error: ", de: "Fehler: "), .red) + place + problem.message.spoken + "\n"
    }
    return text
  }

  /// Diagnostics with their source lines; empty where there are none.
  func text(_ diagnostics: [Diagnostic], sources: [String: SourceText]) -> String {
    guard !diagnostics.isEmpty else { return "" }
    let text = renderer.render(diagnostics, sources: sources)
    return text.hasSuffix("\n") ? text : text + "\n"
  }
}

extension Diagnostic {
  /// The diagnostic for machines, in the language of the process.
  var json: Value { value(in: Speech.language) }
}

extension ProviderProblem {
  /// The problem for machines: `{severity, code, message, path, provider, step}`, and a place where it has one.
  func json(recipe: String) -> Value {
    let placed = Diagnostic(
      Diagnostic.Code(rawValue: code.rawValue), message, path: path ?? recipe, range: range)
    var map = placed.json.mapValue ?? [:]
    map["provider"] = provider.map { .string($0) } ?? .null
    map["step"] = step.map { .string($0) } ?? .null
    return .map(map)
  }
}
