import Builtins
import Engine
import Expressions
import Foundation
import Plans
import Schemas
import Synchronization
import Testing

/// Calls built-in actions as the engine does: input checked and filled with defaults, output held against its schema.
struct BuiltinCaller {
  /// Keeps what actions report.
  final class Report: ActionReporter {
    private let lines = Mutex<[(LogLevel, String)]>([])

    var log: [String] { lines.withLock { $0.map { "\($0.0.rawValue): \($0.1)" } } }

    func log(_ level: LogLevel, _ message: String) { lines.withLock { $0.append((level, message)) } }
    func progress(done: UInt64, total: UInt64, label: String) {}
    func delta(_ delta: Value) {}
  }

  let actions: BuiltinActions
  let report = Report()

  init(_ surroundings: BuiltinSurroundings = BuiltinSurroundings()) {
    actions = BuiltinActions(surroundings)
  }

  func request(_ action: String, _ input: Value, key: String = "R.a", recipe: String = "test", file: String = "") throws
    -> ActionRequest
  {
    let signature = try #require(actions.signatures.first { $0.name == action })
    let filled = signature.input.fillingDefaults(input)
    #expect(signature.input.validate(filled).isEmpty)
    return ActionRequest(
      run: RunID(rawValue: "R"), step: "a", attempt: 1, action: action, input: filled, key: key, recipe: recipe,
      recipePath: file)
  }

  func perform(_ action: String, _ input: Value, key: String = "R.a", recipe: String = "test", file: String = "")
    async throws -> Value
  {
    let signature = try #require(actions.signatures.first { $0.name == action })
    let output = try await actions.perform(
      try request(action, input, key: key, recipe: recipe, file: file), reporter: report)
    #expect(signature.output.validate(output).isEmpty, "\(output.jsonString)")
    return output
  }

  func verify(_ action: String, _ input: Value, key: String = "R.a", recipe: String = "test", file: String = "")
    async throws -> Verdict
  {
    try await actions.verify(try request(action, input, key: key, recipe: recipe, file: file), reporter: report)
  }

  /// The kind of failure an action ends with; `nil` where it succeeds.
  func failure(
    _ action: String, _ input: Value, key: String = "R.a", file: String = ""
  ) async throws -> ActionFailure.Kind? {
    do {
      _ = try await perform(action, input, key: key, file: file)
      return nil
    } catch let error as ActionFailure {
      return error.kind
    }
  }
}
