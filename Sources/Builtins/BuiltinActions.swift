public import Engine
public import Expressions
import Localization
public import Plans

/// The actions that Sous carries out itself, without a plugin.
///
/// They are in the journal like any other, with the provider name `builtin`. Their dependencies are in ``BuiltinSurroundings``.
public struct BuiltinActions: StepProvider {
  private let surroundings: BuiltinSurroundings
  private var sorting: MessageSorting?
  private var summaries: (any MessageSummaries)?

  /// Creates the provider with every built-in action. Opens, starts and makes nothing.
  ///
  /// - Parameter surroundings: The files, hosts and state the actions may work with; without an argument none, which
  ///   is enough to know their signatures and for those that only compute.
  public init(_ surroundings: BuiltinSurroundings = BuiltinSurroundings()) {
    self.surroundings = surroundings
  }

  /// The actions for one step that sorts messages: `mail.select` needs its rules and the provider of the messages.
  public func sorting(_ sorting: MessageSorting) -> BuiltinActions {
    var actions = self
    actions.sorting = sorting
    return actions
  }

  /// The actions with a maker of summaries of messages.
  public func summarising(with summaries: any MessageSummaries) -> BuiltinActions {
    var actions = self
    actions.summaries = summaries
    return actions
  }

  /// The signatures of the actions, by name; without those that only mail filters and reminders lower to.
  public var signatures: [ActionSignature] {
    let hidden = ActionSignature.ofMailFilters.union(ActionSignature.ofSends).union(ActionSignature.ofTools)
    return BuiltinAction.all.map(\.signature).filter { signature in
      !hidden.contains(signature.name) && !signature.name.hasPrefix("reminder.")
    }.sorted { $0.name < $1.name }
  }

  /// The signature of one action; `nil` if it is not built in. Those of other actions are not created.
  public func signature(named name: String) -> ActionSignature? { BuiltinAction.named(name)?.signature }

  /// Carries a built-in action out.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` for a name that is not built in, otherwise what the action
  ///   fails with.
  public func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let action = try action(of: request)
    do {
      return try await action.body(call(request, reporter))
    } catch {
      throw ActionFailure(of: error)
    }
  }

  /// Finds out whether an attempt whose result was lost took effect, as far as this can be known.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` for a name that is not built in.
  public func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    let action = try action(of: request)
    do {
      return try await action.verification(call(request, reporter))
    } catch {
      throw ActionFailure(of: error)
    }
  }

  private func call(_ request: ActionRequest, _ reporter: any ActionReporter) -> BuiltinCall {
    BuiltinCall(
      request: request, sorting: sorting, summaries: summaries, reporter: reporter, surroundings: surroundings)
  }

  private func action(of request: ActionRequest) throws(ActionFailure) -> BuiltinAction {
    guard let action = BuiltinAction.named(request.action) else { throw .notBuiltin(request.action) }
    return action
  }
}

extension BuiltinActions {
  /// The first words of built-in actions; a plugin cannot use one of them as its ID.
  public static let words = [
    "exec", "http", "file", "state", "json", "csv", "html", "mail", "notify", "log", "assert", "fail", "template",
    "values", "outbox", "reminder", "text", "tools",
  ]
}

extension BuiltinAction {
  /// Every built-in action.
  static var all: [BuiltinAction] { BuiltinActions.words.flatMap(family) }

  /// The action of a name. Those of other families are not made: a start of the program costs what its recipe uses.
  static func named(_ name: String) -> BuiltinAction? {
    family(String(name.prefix { $0 != "." })).first { $0.signature.name == name }
  }

  /// The actions whose names begin with a word.
  private static func family(_ word: String) -> [BuiltinAction] {
    switch word {
    case "exec": execs
    case "http": httpActions
    case "file": fileActions
    case "state": [stateGet, stateSet, stateIncrement]
    case "json": [jsonParse]
    case "csv": [csvParse]
    case "html": [htmlText]
    case "mail":
      [
        mailClassify, mailBriefing, mailSelect, mailNote, mailNoted, mailClaim, mailOutcome, mailDeparted, mailReturned,
        mailResult,
        mailSummary, mailSummaries,
      ]
    case "notify": [notifyCommand]
    case "log": [log]
    case "assert": [assert]
    case "fail": [fail]
    case "template": [template]
    case "values": [.values]
    case "text": [textSplit, textNeutralise, textResolve]
    case "tools": [toolCalls, toolResults]
    case "outbox": [outboxDue, outboxTurn]
    case "reminder": [reminderPlan, reminderText, reminderNext, reminderResult]
    default: []
    }
  }
}

extension ActionFailure {
  fileprivate static func notBuiltin(_ name: String) -> ActionFailure {
    ActionFailure(
      .unsupported, .init("'\(name)' is not a built-in action", de: "'\(name)' ist keine eingebaute Aktion"))
  }
}
