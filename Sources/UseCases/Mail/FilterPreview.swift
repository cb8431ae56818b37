import Builtins
import Engine
public import Expressions
public import Localization
import Plans
import PluginHost
import Providers
import RecipeModel
import RunStore

/// What a mail filter would do: what its rules say about the messages that are there now.
public struct FilterPreview: Sendable {
  /// The decisions in one account.
  public struct Account: Sendable {
    /// The provider that has the messages; empty where it is not known.
    public let provider: String
    /// The folder.
    public let folder: String
    /// How many messages the rules have looked at.
    public let examined: Int
    /// How many of them stay as they are.
    public let kept: Int
    /// Whether all messages were looked at that the filter speaks of.
    public let isComplete: Bool
    /// The decisions: `{uid, message_id, rules, reason, actions, flags, from, subject}` each.
    public let decisions: [Value]
    /// Messages that stay as a condition failed: `{uid, message_id, rule, error}` each.
    public let errors: [Value]
    /// Why the account could not be read, where it is one of several; `nil` where it was read.
    public let failure: LocalizedText?
  }

  /// The accounts, in the order of the filter.
  public let accounts: [Account]

  /// Whether there are messages about which nothing could be decided: the filter's run would fail at its end.
  public var isUndecided: Bool { accounts.contains { !$0.errors.isEmpty || $0.failure != nil } }
}

extension Project {
  /// Finds out what a mail filter would do; changes nothing and records nothing.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` for a recipe of another kind; otherwise what reading the messages failed with.
  public func preview(_ order: CheckedOrder) async throws(UseCaseError) -> FilterPreview {
    let plan = order.plan.selecting
    guard let request = order.requests.first, !plan.steps.isEmpty else {
      throw .wrongInput(
        .init(
          "only mail filters can be tried without doing anything; 'sous explain' shows what other recipes do",
          de: "nur Mail-Filter lassen sich ohne Wirkung erproben; 'sous explain' zeigt, was andere Rezepte tun"))
    }
    // What was sent, copied or left before is not again.
    if plan.steps.contains(where: { $0.selection?.remembers == true }),
      let preview = try await workspace.readingFile(
        { store -> FilterPreview? in
          try await preview(plan, request, state: ProviderRecipeState(store) { _ in true })
        }, ifMissing: { nil })
    {
      return preview
    }
    return try await preview(plan, request)
  }

  private func preview(
    _ plan: Plan, _ request: RunRequest, state: (any RecipeState)? = nil
  ) async throws(UseCaseError) -> FilterPreview {
    let result: RunResult
    let project: Project
    do {
      let store = try RunStore(inMemory: SystemTime())
      let providers: ProviderChain
      (project, providers) = connected(
        to: store, await breakers(store, probesAtOnce: true), state: state, isTemporary: true)
      let engine = RunEngine(queue: store, providers: providers, time: SystemTime())
      result = try await PluginThreads.run { try await engine.run(plan, request) }
    } catch {
      throw UseCaseError(error)
    }
    _ = await project.host.shutdown()
    guard result.status == .succeeded else {
      let failure = result.failure
      throw UseCaseError(
        .init(rawValue: failure?.kind.rawValue ?? "interrupted"),
        failure?.message ?? LocalizedText("it was interrupted", de: "es wurde unterbrochen"), cause: failure)
    }
    return FilterPreview(
      accounts: plan.steps.map { step in
        FilterPreview.Account(
          result.outputs[step.id] ?? .null, failure: result.outputs[Plan.failure(of: step.id)] ?? .null,
          provider: step.providers.first ?? "")
      })
  }
}

extension FilterPreview.Account {
  init(_ output: Value, failure: Value, provider: String) {
    self.provider = provider
    self.failure = LocalizedText(of: failure, "message")
    folder = output["folder"]?.stringValue ?? ""
    examined = Int(clamping: output["examined"]?.intValue ?? 0)
    kept = Int(clamping: output["kept"]?.intValue ?? 0)
    isComplete = output["complete"]?.boolValue ?? false
    decisions = output["decisions"]?.listValue ?? []
    errors = output["errors"]?.listValue ?? []
  }
}

extension Plan {
  /// The output that says why a step has failed.
  fileprivate static func failure(of step: String) -> String { "\(step).error" }

  /// The plan with nothing but the steps that decide, whose decisions say more of the messages.
  fileprivate var selecting: Plan {
    var plan = self
    plan.steps = steps.compactMap { step in
      guard var selection = step.selection else { return nil }
      selection.describes = true
      var step = step
      step.selection = selection
      step.needs = []
      return step
    }
    let environment = Environment(variables: ["steps": .dynamic])
    plan.outputs = plan.steps.flatMap { step in
      [(step.id, "output"), (Self.failure(of: step.id), "error")].compactMap { name, field in
        guard let template = try? Template("{{ steps.\(step.id).\(field) }}", in: environment) else { return nil }
        return (name, .template(template))
      }
    }
    plan.concurrency = nil
    return plan
  }
}

extension MessageSelection {
  /// Whether something depends on what was done before.
  fileprivate var remembers: Bool {
    rules.contains { $0.takes || !$0.sends.isEmpty || $0.reply != nil || $0.unsubscription != nil }
  }
}
