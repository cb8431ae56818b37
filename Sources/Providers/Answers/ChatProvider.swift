package import Engine
package import Expressions
import Plans
import Synchronization

/// A provider whose answers to `chat.complete` are checked. All other actions go straight to it.
///
/// Before the call the defaults of `sous.yaml` are filled in, and a schema that the plugin cannot pass on is put into words.
/// An answer that does not suit fails with a ``Engine/ActionFailure/Flaw``, by which the caller can have it repaired.
package struct ChatProvider: StepProvider {
  /// The most characters of a truncated answer in the log.
  private static let longestPartialText = 16_000

  let base: any StepProvider
  /// What `sous.yaml` says where the call does not.
  let defaults: ValueMap
  /// Whether the service has ignored a schema before.
  let memory: SchemaMemory?
  /// The provider's route, for the memory.
  let route: String

  package init(
    base: any StepProvider, defaults: ValueMap = ValueMap(), memory: SchemaMemory? = nil, route: String = ""
  ) {
    self.base = base
    self.defaults = defaults
    self.memory = memory
    self.route = route
  }

  package func passesOn(_ field: String, of action: String) -> Bool { base.passesOn(field, of: action) }

  package func verify(
    _ request: ActionRequest, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Verdict {
    try await base.verify(request, reporter: reporter)
  }

  package func perform(
    _ request: ActionRequest, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    guard let check = AnswerCheck(request.action, input: request.input) else {
      return try await base.perform(request, reporter: reporter)
    }
    var prepared = request
    prepared.input = check.input(
      withDefaults(request.input), passesSchemaOn: base.passesOn("schema", of: request.action),
      repeatsSchema: memory?.isIgnored(by: route) ?? false)
    let pieces = ThoughtReporter(reporter)
    defer { pieces.finish() }
    let output = try await base.perform(prepared, reporter: pieces)
    switch check.judge(output) {
    case .suits(let output): return output
    case .misses(let failure): throw failure
    case .violates(var failure, let repair):
      logPartialText(of: output, reporter)
      if repair?.ignoresSchema == true { memory?.noteIgnored(by: route) }
      failure.flaw = repair.map { .repairable($0.input(request.input)) } ?? .final
      throw failure
    }
  }

  private func withDefaults(_ input: Value) -> Value {
    guard case .map(var input) = input else { return input }
    let hasSystemTurn = input["messages"]?.listValue?.contains { $0["role"] == "system" } == true
    for entry in defaults.entries {
      guard case .string(let name) = entry.key, input[name] == nil, name != "system" || !hasSystemTurn else { continue }
      input[name] = entry.value
    }
    return .map(input)
  }

  /// Logs the text of a truncated answer: it was paid for, and it shows how much is missing.
  private func logPartialText(of output: Value, _ reporter: any ActionReporter) {
    guard let text = AnswerCheck.partialText(of: output) else { return }
    let shown = text.prefix(Self.longestPartialText)
    let words = shown.split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
    reporter.log(.info, "the truncated answer: \(words)\(shown.endIndex < text.endIndex ? " …" : "")")
  }
}

/// The providers that have answered without any JSON although a schema went to them. Their next calls get it in words too.
package final class SchemaMemory: Sendable {
  private let routes = Mutex<Set<String>>([])

  package init() {}

  func isIgnored(by route: String) -> Bool { routes.withLock { $0.contains(route) } }

  func noteIgnored(by route: String) { routes.withLock { _ = $0.insert(route) } }
}
