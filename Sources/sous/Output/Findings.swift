import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import UseCases

/// The problems of several files; those of a shared recipe or provider are reported once.
struct Findings {
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var values: [Value] = []
  private let files: CheckedFiles
  private var seen: Set<Key> = []
  private var toldProblems: [ProviderProblem] = []

  /// The identity of a diagnostic, for any spelling of its file.
  private struct Key: Hashable {
    var code: Diagnostic.Code
    var file: String
    var range: SourceRange?
    var message: LocalizedText
  }

  init(_ files: CheckedFiles) {
    self.files = files
  }

  /// Adds the problems of a file.
  ///
  /// - Returns: The new problems, with files in the user's spelling.
  mutating func add(_ planning: Planning, path: String) -> Planning {
    var fresh = planning
    fresh.sources = [:]
    for (path, source) in planning.sources { fresh.sources[files.spelling(of: path)] = source }
    fresh.diagnostics = planning.diagnostics.map(spelled).filter { diagnostic in
      let key = Key(
        code: diagnostic.code, file: CheckedFiles.canonical(diagnostic.path), range: diagnostic.range,
        message: diagnostic.message)
      return seen.insert(key).inserted
    }
    fresh.providerProblems = []
    for var problem in planning.providerProblems {
      problem.path = problem.path.map { files.spelling(of: $0) }
      problem.findings = problem.findings.map(spelled)
      let isTold = toldProblems.contains {
        $0 == problem && $0.message == problem.message && $0.path == problem.path && $0.range == problem.range
      }
      guard !isTold else { continue }
      toldProblems.append(problem)
      fresh.providerProblems.append(problem)
      values.append(problem.value(recipe: path, in: Speech.language))
      let place = problem.provider.map { LocalizedText("provider '\($0)': ", de: "Provider '\($0)': ") }
      diagnostics.append(
        Diagnostic(
          Diagnostic.Code(rawValue: problem.code.rawValue),
          (place ?? LocalizedText(verbatim: "")) + problem.message, path: problem.path ?? path, range: problem.range))
    }
    diagnostics += fresh.diagnostics
    values += fresh.diagnostics.map(\.json)
    return fresh
  }

  /// A diagnostic whose files are spelled as the user does.
  private func spelled(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.path = files.spelling(of: diagnostic.path)
    for index in diagnostic.related.indices {
      if let path = diagnostic.related[index].path { diagnostic.related[index].path = files.spelling(of: path) }
    }
    return diagnostic
  }
}
