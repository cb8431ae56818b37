public import Engine
public import Expressions
import Localization
public import Recipes

/// The actions that Sous carries out itself, without a plugin.
///
/// They stand in the journal like any other, with the provider name `builtin`. What they need of the world they get from
/// their ``BuiltinSurroundings``.
public struct BuiltinActions: StepProvider {
  private let actions: [String: BuiltinAction]
  private let surroundings: BuiltinSurroundings

  /// Creates the provider with every built-in action. Opens and starts nothing.
  ///
  /// - Parameter surroundings: The files, hosts and state the actions may work with; without an argument none, which
  ///   is enough to know their signatures and for those that only compute.
  public init(_ surroundings: BuiltinSurroundings = BuiltinSurroundings()) {
    self.surroundings = surroundings
    actions = Dictionary(BuiltinAction.all.map { ($0.signature.name, $0) }) { _, last in last }
  }

  /// What recipes can know about the actions, by name.
  public var signatures: [ActionSignature] {
    actions.values.map(\.signature).sorted { $0.name < $1.name }
  }

  /// Carries a built-in action out.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` for a name that is not built in, otherwise what the action
  ///   fails with.
  public func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let action = try action(of: request)
    return try await action.body(BuiltinCall(request: request, reporter: reporter, surroundings: surroundings))
  }

  /// Finds out whether an attempt whose result was lost took effect, as far as anybody can know.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` for a name that is not built in.
  public func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    let action = try action(of: request)
    return try await action.verification(BuiltinCall(request: request, reporter: reporter, surroundings: surroundings))
  }

  private func action(of request: ActionRequest) throws(ActionFailure) -> BuiltinAction {
    guard let action = actions[request.action] else { throw .notBuiltin(request.action) }
    return action
  }
}

extension BuiltinAction {
  /// Every built-in action.
  static let all: [BuiltinAction] =
    [
      template, .values, mailClassify, jsonParse, csvParse, htmlText, log, assert, fail, stateGet, stateSet,
      stateIncrement,
    ] + execs + fileActions + httpActions
}

extension ActionFailure {
  fileprivate static func notBuiltin(_ name: String) -> ActionFailure {
    ActionFailure(
      .unsupported, .init("'\(name)' is not a built-in action", de: "'\(name)' ist keine eingebaute Aktion"))
  }
}
