import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RunStore
import Synchronization

/// A provider of models whose calls are counted before and after.
///
/// What its budgets, its context or its abilities do not admit fails before it is asked, for good: a step with a list goes to
/// the next one. All other actions go straight to the provider.
struct MeteredProvider: StepProvider {
  /// Seconds to wait for calls that are under way, where they may leave enough of a budget.
  private static let patience = 120.0

  let chain: ProviderChain
  let route: ProviderRoute
  let base: any StepProvider
  /// The budgets of the run that calls, and of those whose steps run it.
  var budgets: [RunBudget] = []
  /// Whether the work has to be done on this machine or in the private network.
  var isLocal = false

  private var configured: ConfiguredProviders { chain.configured }

  func passesOn(_ field: String, of action: String) -> Bool { base.passesOn(field, of: action) }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    try await base.verify(request, reporter: reporter)
  }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    guard ModelAction.isCounted(request.action) else {
      return try await base.perform(request, reporter: reporter)
    }
    var request = request
    if let model = route.model, case .map(var input) = request.input {
      input["model"] = .string(model)
      request.input = .map(input)
    }
    let model = configured.model(of: route, action: request.action, input: request.input)
    let estimate = TokenEstimate(action: request.action, input: request.input)
    try admit(request, model: model, estimate)
    let price = configured.price(of: model, provider: route.provider)
    let number = try await reserve(request, model: model, estimate, price)
    let pieces = PieceWatch(reporter)
    let result: Result<Value, ActionFailure>
    do throws(ActionFailure) {
      result = .success(try await base.perform(request, reporter: pieces))
    } catch {
      result = .failure(error)
    }
    var usage = usage(of: result, number: number, pieces: pieces, price, estimate)
    if usage.model == nil, !model.isEmpty { usage.model = model }
    await note(usage, request)
    return try result.get()
  }

  // MARK: - What it can do

  private func admit(_ request: ActionRequest, model: String, _ estimate: TokenEstimate) throws(ActionFailure) {
    if isLocal, model.hasSuffix("-cloud") || model.hasSuffix(":cloud") {
      throw .passedOver(
        route,
        LocalizedText(
          "'local: required', and the model '\(model)' runs on servers of others",
          de: "'local: required', und das Modell '\(model)' läuft auf fremden Servern"))
    }
    let needs: [(ModelSettings.Capability, String)] = [(.images, "images"), (.tools, "tools"), (.schema, "schema")]
    for (capability, field) in needs where request.input[field].map({ !$0.isEmptyList }) ?? false {
      guard configured.can(capability, provider: route.provider, model: model) == false else { continue }
      guard configured.passesOn(capability, provider: route.provider) else {
        throw .passedOver(
          route,
          LocalizedText("its plugin passes no '\(field)' on", de: "sein Plugin gibt kein '\(field)' weiter"))
      }
      throw .passedOver(
        route,
        LocalizedText(
          "the model '\(model)' takes no \(field)", de: "das Modell '\(model)' nimmt kein '\(field)'"))
    }
    guard let context = configured.context(of: route.provider, model: model) else { return }
    // What an answer may have is part of it only where somebody has said how much that is.
    let answer = request.input["max_tokens"] == nil ? 0 : estimate.completion
    guard estimate.prompt + answer > context else { return }
    throw .passedOver(
      route,
      LocalizedText(
        "the prompt has about \(estimate.prompt) tokens\(answer > 0 ? " and the answer up to \(answer)" : ""), more than "
          + "the \(context) that the model '\(model)' takes",
        de:
          "der Prompt hat etwa \(estimate.prompt) Tokens\(answer > 0 ? " und die Antwort bis zu \(answer)" : ""), mehr "
          + "als die \(context), die das Modell '\(model)' nimmt"))
  }

  // MARK: - Budgets

  private func reserve(
    _ request: ActionRequest, model: String, _ estimate: TokenEstimate, _ price: EngineSettings.Price?
  ) async throws(ActionFailure) -> Int64 {
    let time = SystemTime()
    let began = time.monotonic
    while true {
      let now = time.now
      var call = CallReservation(
        action: request.action, provider: route.provider, model: model, tokens: estimate.reserved,
        cost: price?.cost(prompt: estimate.reservedPrompt, completion: estimate.completion), at: now,
        day: now.localDay)
      if !request.recipe.isEmpty {
        call.run = request.run
        call.recipe = request.recipe
        (call.step, call.item, call.attempt) = (request.step, request.item, request.attempt)
      }
      let admission: CallAdmission
      do {
        admission = try await chain.store.reserve(call, budgets: budgets(of: request))
      } catch {
        var failure = ActionFailure(runLog: error)
        failure.wasSent = false
        throw failure
      }
      switch admission {
      case .admitted(let number): return number
      case .refused(let excess):
        guard excess.mayPass, time.monotonic - began < Self.patience else {
          throw .budget(excess, call, sources: request.recipePath)
        }
        do { try await time.sleep(seconds: 0.2) } catch {
          var failure = ActionFailure(.cancelled, LocalizedText("cancelled", de: "abgebrochen"))
          failure.wasSent = false
          throw failure
        }
      }
    }
  }

  /// The bounds that a call counts for, the narrowest first.
  private func budgets(of request: ActionRequest) -> [BudgetBound] {
    var bounds: [BudgetBound] = []
    let isInRun = !request.recipe.isEmpty
    for outer in budgets.reversed() where isInRun {
      let run = outer.run.isEmpty ? request.run : RunID(rawValue: outer.run)
      if let bound = outer.budget.run { bounds.append(BudgetBound(.run(run), .run, bound)) }
      if let bound = outer.budget.day { bounds.append(BudgetBound(.recipe(outer.recipe), .day, bound)) }
      if let bound = outer.budget.month { bounds.append(BudgetBound(.recipe(outer.recipe), .month, bound)) }
    }
    if let own = configured.configuration.provider(route.provider)?.models.budget {
      if let bound = own.day { bounds.append(BudgetBound(.provider(route.provider), .day, bound)) }
      if let bound = own.month { bounds.append(BudgetBound(.provider(route.provider), .month, bound)) }
    }
    if let all = configured.configuration.engine.budget {
      if let bound = all.run, isInRun { bounds.append(BudgetBound(.run(request.run), .run, bound)) }
      if let bound = all.day { bounds.append(BudgetBound(.all, .day, bound)) }
      if let bound = all.month { bounds.append(BudgetBound(.all, .month, bound)) }
    }
    return bounds
  }

  // MARK: - What it has used

  private func usage(
    of result: Result<Value, ActionFailure>, number: Int64, pieces: PieceWatch, _ price: EngineSettings.Price?,
    _ estimate: TokenEstimate
  ) -> CallUsage {
    var usage = CallUsage(number: number, state: .answered, duration: pieces.elapsed)
    usage.firstPiece = pieces.first
    let counted: TokenCount?
    switch result {
    case .success(let output):
      usage.model = output["model"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
      counted = TokenCount(output["usage"])
      let isSilent = (counted?.total ?? 0) == 0 && output["text"]?.stringValue?.isEmpty == false
      if isSilent { usage.state = .unknown }
    case .failure(let failure):
      usage.failure = failure.kind
      counted = failure.usage
      usage.state = counted != nil || failure.kind.isUnpaid && pieces.first == nil ? .failed : .unknown
    }
    if let counted {
      usage.tokens = counted
      usage.cost = price?.cost(prompt: counted.prompt, cached: counted.cached, completion: counted.completion)
    } else if usage.state == .failed {
      usage.cost = 0
    }
    if usage.state == .unknown {
      usage.heldTokens = estimate.reservedPrompt
      usage.heldCost = price?.cost(prompt: estimate.reservedPrompt, completion: 0) ?? 0
    }
    return usage
  }

  /// Leaves what a call has used to the end of its attempt; outside of runs it is written at once.
  private func note(_ usage: CallUsage, _ request: ActionRequest) async {
    guard request.recipe.isEmpty else { return chain.note(usage, request) }
    let store = chain.store
    // A row that cannot be written stays open, and then unknown.
    _ = await uncancelled { try? await store.settle([usage]) }
  }
}

/// Notes when the first piece of an answer comes.
private final class PieceWatch: ActionReporter {
  private let reporter: any ActionReporter
  private let start = ContinuousClock.now
  private let firstPiece = Mutex<Double?>(nil)

  init(_ reporter: any ActionReporter) { self.reporter = reporter }

  /// Seconds since the call began.
  var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }
  /// Seconds until the first piece.
  var first: Double? { firstPiece.withLock { $0 } }

  func log(_ level: LogLevel, _ message: String) { reporter.log(level, message) }

  func progress(done: UInt64, total: UInt64, label: String) {
    reporter.progress(done: done, total: total, label: label)
  }

  func delta(_ delta: Value) {
    let elapsed = elapsed
    firstPiece.withLock { first in if first == nil { first = elapsed } }
    reporter.delta(delta)
  }
}

extension ActionFailure.Kind {
  /// Whether a call that failed like this was refused, or never reached anybody, so that nobody worked for it.
  fileprivate var isUnpaid: Bool {
    switch self {
    case .dns, .refused, .unreachable, .rateLimited, .server, .auth, .quota, .invalidInput, .notFound, .unsupported:
      true
    default: false
    }
  }
}

extension Value {
  fileprivate var isEmptyList: Bool { listValue?.isEmpty ?? false }
}
