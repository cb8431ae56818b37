import Expressions
import Localization
import Plans
import Providers
import RecipePlanning
import RecipeSyntax
import UseCases

/// The problems of recipes and configurations, formatted for a terminal.
struct DiagnosticReport {
  private let renderer: DiagnosticRenderer
  private let terminal: Terminal

  init(terminal: Terminal) {
    self.terminal = terminal
    // Beside a source line its number and the signs of cut ends take ten columns.
    let width = terminal.columns.map { $0 - 10 } ?? 160
    var renderer = DiagnosticRenderer(language: Speech.language, usesColor: terminal.hasColor, width: min(width, 160))
    renderer.escapeStart = Terminal.Style.markStart
    self.renderer = renderer
  }

  /// The diagnostics with their source lines, then the problems with providers; empty if all is well.
  func text(_ planning: Planning) -> String {
    let placed = planning.providerProblems.compactMap(\.diagnostic)
    let settings = planning.providerProblems.flatMap(\.settings)
    var sources = planning.sources
    for path in Set(settings.map(\.path)) where sources[path] == nil { sources[path] = try? SourceText.read(path) }
    var text = self.text(planning.diagnostics + placed + settings, sources: sources)
    var told: Set<String> = []
    for problem in planning.providerProblems where problem.diagnostic == nil && problem.findings.isEmpty {
      let place = problem.provider.map { say("provider '\($0)': ", de: "Provider '\($0)': ") } ?? ""
      // Several steps may need the same broken plugin.
      guard told.insert(place + problem.message.english).inserted else { continue }
      text += terminal.styled(say("error: ", de: "Fehler: "), .red) + place + problem.message.spoken + "\n"
    }
    return text
  }

  /// Diagnostics with their source lines; empty if there are none.
  func text(_ diagnostics: [Diagnostic], sources: [String: SourceText]) -> String {
    guard !diagnostics.isEmpty else { return "" }
    // The line with a secret is not shown once more.
    let secret = diagnostics.filter { $0.code == .secretInConfiguration }
    let others = diagnostics.filter { $0.code != .secretInConfiguration }
    let text = renderer.render(others, sources: sources) + renderer.render(secret, sources: [:])
    return text.hasSuffix("\n") ? text : text + "\n"
  }
}

extension Diagnostic {
  /// The diagnostic for machines, in the language of the process.
  var json: Value { value(in: Speech.language) }
}

extension ProviderProblem {
  /// The problems of its settings, with the provider's name.
  var settings: [Diagnostic] {
    findings.map { finding in
      var finding = finding
      let name = provider ?? ""
      finding.message = LocalizedText("provider '\(name)': ", de: "Provider '\(name)': ") + finding.message
      return finding
    }
  }
}
