package import Engine
import Expressions
import Localization
import Plans
import Providers
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore

/// Tells of runs that fail, and of recipes that work again, as `engine.on_failure` and the recipes say.
///
/// The run log notes the ends in the transactions in which runs end. What is told, and the run that carries it further, are
/// written together with the fact that the end has been judged: nothing is told twice, whoever does it and whenever it dies.
package struct FailureAlerts: Sendable {
  /// Seconds between two looks.
  private static let interval = 2.0
  /// Seconds until the next look where the run log fails.
  private static let pauseAfterTrouble = 10.0
  /// Ends that are judged at a look.
  private static let batch = 100

  private let session: Session
  private let store: RunStore
  private let time: any TimeSource
  private let words: AlertText

  package init(_ session: Session, time: any TimeSource = SystemTime()) {
    self.session = session
    self.time = time
    store = session.store
    words = AlertText(
      language: .preferred(environment: session.project.workspace.surroundings.environment))
  }

  /// Looks again and again, until the session drains or the task is cancelled.
  package func keep() async {
    while !Task.isCancelled, !session.drain.isSet {
      let pause = (try? await turn()) == nil ? Self.pauseAfterTrouble : Self.interval
      try? await time.sleep(seconds: pause)
    }
  }

  /// Judges what has ended, and tells what is due.
  ///
  /// - Returns: How many runs are queued that carry something further.
  @discardableResult
  package func turn() async throws -> Int {
    var queued = 0
    for run in try await store.concludedRuns(limit: Self.batch) { queued += try await judge(run) }
    for digest in try await store.dueFailureDigests(at: time.now) {
      let (title, text) = words.words(digest)
      let target = FailureTarget(json: digest.target) ?? FailureTarget(FailurePolicy())
      let number = digest.parts.last?.number ?? 0
      let (telling, hasRun) = try telling(
        title, text, target, id: "digest\n\(digest.target)\n\(number)", about: nil, priority: .normal)
      if try await store.settle(digest, telling: telling), hasRun { queued += 1 }
    }
    return queued
  }

  private func judge(_ run: ConcludedRun) async throws -> Int {
    let policy = await policy(of: run)
    let before = try await store.failureStreak(of: run.path)
    // Runs of recipes that Sous wrote have a label in common and no history.
    let isAlone = run.recipeOrigin != .file
    let hasReached = !isAlone && before?.isTold == true ? try await hasReached(run.path) : true
    let judgement = FailureJudgement(run, after: isAlone ? nil : before, hasReached: hasReached, policy)
    var telling: FailureTelling?
    var hasRun = false
    if let news = judgement.news {
      let (title, text) = words.words(news, run)
      let target = FailureTarget(policy)
      if let seconds = policy.digest {
        telling = .later(
          target: target.json, title: title, text: text, at: run.at, due: time.now.adding(seconds: seconds))
      } else {
        let made = try self.telling(
          title, text, target, id: "notice\n\(run.run)\n\(run.number)", about: run, priority: news.priority)
        (telling, hasRun) = (made.telling, made.hasRun)
      }
    }
    let streak = isAlone ? nil : judgement.streak
    let isSettled = try await store.settle(run, from: before, to: streak, telling: telling)
    return isSettled && hasRun ? 1 : 0
  }

  /// Whether the last notice about a recipe has reached a person or may still reach one.
  private func hasReached(_ path: String) async throws -> Bool {
    guard let notice = try await store.lastFailureNotice(about: path) else { return true }
    return notice.isDelivered || notice.isUnderWay || time.now.seconds(since: notice.at) < FailureTarget.period
  }

  /// What the recipe says, as the run had it; else what holds for all.
  private func policy(of run: ConcludedRun) async -> FailurePolicy {
    let standard = session.project.trust.failurePolicy
    guard let start = try? await store.snapshot(of: run.run).start, let plan = try? await session.plan(of: start) else {
      return standard
    }
    return plan.onFailure ?? standard
  }

  /// The notification, and the run that carries it further where somebody beside the inbox is to know.
  private func telling(
    _ title: String, _ text: String, _ target: FailureTarget, id: String, about run: ConcludedRun?,
    priority: NotificationRecord.Priority
  ) throws -> (telling: FailureTelling, hasRun: Bool) {
    let name = RunID(at: time.now, of: id)
    var notification = NotificationRecord(
      call: "\(name).\(FailureTarget.step)", recipe: run?.recipe ?? "sous", run: run?.run.rawValue ?? "", text: text,
      at: time.now)
    notification.title = title
    notification.priority = priority
    notification.tags = ["sous"]
    let planning = session.project.planning(SourceText(path: FailureTarget.path, text: target.recipe), from: .notice)
    guard !planning.hasErrors, let plan = planning.plan else {
      notification.provider = target.providers?.first ?? "notify"
      notification.trouble = planning.reason
      return (.now(notification, nil), false)
    }
    let carrier = plan.steps.first { $0.id == FailureTarget.step }?.providers.first
    let isInboxAll = carrier.map { session.project.providers.isInbox($0) } ?? true
    notification.provider = isInboxAll ? nil : carrier
    guard !isInboxAll || !target.mail.isEmpty else { return (.now(notification, nil), false) }
    let inputs = try plan.inputs(
      from: ["title": .string(title), "text": .string(text), "priority": .string(priority.rawValue)])
    let request = RunRequest(id: name, inputs: inputs, trigger: "notice")
    return (.now(notification, try session.start(of: plan, request)), true)
  }
}

extension FailureChange {
  fileprivate var priority: NotificationRecord.Priority {
    switch self {
    case .failed, .needsAttention: .high
    case .recovered: .normal
    }
  }
}

extension Planning {
  /// Why there is no plan.
  fileprivate var reason: LocalizedText {
    diagnostics.first { $0.severity == .error }?.message ?? providerProblems.first?.message
      ?? LocalizedText("it cannot be planned", de: "es lässt sich nicht planen")
  }
}
