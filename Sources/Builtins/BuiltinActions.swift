public import Engine
public import Expressions
import Localization
public import Recipes

/// The actions that Sous carries out itself, without a plugin.
///
/// They stand in the journal like any other, with the provider name `builtin`.
public struct BuiltinActions: StepProvider {
  private let actions: [String: BuiltinAction]

  /// Creates the provider with every built-in action.
  public init() {
    let all = [BuiltinAction.template, .values, .mailClassify]
    actions = Dictionary(uniqueKeysWithValues: all.map { ($0.signature.name, $0) })
  }

  /// What recipes can know about the actions, by name.
  public var signatures: [ActionSignature] {
    actions.values.map(\.signature).sorted { $0.name < $1.name }
  }

  /// Carries a built-in action out.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` for a name that is not built in.
  public func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    guard let action = actions[request.action] else { throw .notBuiltin(request.action) }
    return try action.body(request.input)
  }

  /// Answers that an attempt may be repeated: every built-in action so far is pure.
  public func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .notDone
  }
}

/// One built-in action: what recipes can know about it, and the code.
struct BuiltinAction: Sendable {
  let signature: ActionSignature
  let body: @Sendable (Value) throws(ActionFailure) -> Value
}

extension ActionFailure {
  fileprivate static func notBuiltin(_ name: String) -> ActionFailure {
    ActionFailure(
      .unsupported, .init("'\(name)' is not a built-in action", de: "'\(name)' ist keine eingebaute Aktion"))
  }
}
