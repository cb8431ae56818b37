/// What is known before a run of the kind of work that a step asks of `chat`.
///
/// A provider without a language model carries out only some kinds (``ProviderDescription/Declaration/tasks``).
package enum StepTask: Equatable {
  /// The step names none: any prompt.
  case unspecified
  case named(String)
  /// An expression decides, or the action knows no tasks: the provider itself sees.
  case computed

  /// The kinds that the contract `chat` knows.
  package static let names = ["summarise", "classify", "extract", "correct", "translate", "write", "answer"]

  /// Whether a provider that declares some tasks may be asked.
  package func isAmong(_ tasks: [String]) -> Bool {
    switch self {
    case .unspecified: false
    case .named(let name): tasks.contains(name)
    case .computed: true
    }
  }
}
