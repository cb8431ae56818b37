import Engine
public import Expressions
import Localization
import Plans
public import RecipeModel
import RecipeSyntax
import RunStore
import Schedules
public import UseCases

/// What is to be different about a message that waits; what is absent stays.
public struct MailChange: Sendable {
  /// Fields of `mail.send`; null takes a field away. Attachments are maps with `path`, or those that it has.
  public var fields: [String: Value] = [:]
  /// Who sends it.
  public var providers: [String]?
  /// When it is to go out.
  public var at: SendMoment?

  /// Changes nothing.
  public init() {}
}

extension Session {
  /// Changes a message that waits: as a whole before it begins to go out, or not at all.
  ///
  /// - Parameter reference: Its run, a unique beginning of its name, or `last`.
  /// - Returns: The message as it stands now.
  /// - Throws: ``UseCaseError``: `run_state` with the reason where it is too late; `wrong_input` where the message would
  ///   be wrong.
  public func edit(_ reference: String, _ change: MailChange) async throws(UseCaseError) -> OutboxItem {
    let named = reference == "last" ? try await outboxItem(reference).run.rawValue : reference
    let (item, start) = try await mail(named)
    guard var message = item.message?.fields else { throw .isUnreadable(item.run) }
    for (name, value) in change.fields { message[name] = value.isNull ? nil : value }
    let old = try? await plan(of: start)
    var order = MailOrder(
      .map(message), providers: change.providers ?? old?.steps.last?.providers ?? [], at: change.at, undoFor: 0,
      name: item.name)
    order.settings = OutboxRecipe.settings(of: start.source ?? "")
    let mail = try project.check(order)
    // It keeps its time: one that is late still asks.
    let keptTime = start.inputs["send_at"] == "now" ? "now" : item.time?.rfc3339Milliseconds
    let at = change.at == nil ? keptTime ?? mail.at : mail.at
    var kept: [String: String] = [:]
    let request = RunRequest(
      id: item.run, inputs: OutboxRecipe.inputs(try keep(mail.files, of: mail.message, &kept), at: at),
      trigger: start.trigger, event: start.event)
    try await amend(item.run, seeing: start) { engine throws(EngineError) in
      .restart(try self.start(of: mail.plan, request))
    }
    return try await outboxItem(item.run.rawValue)
  }

  /// Lets a message go out at another time.
  public func reschedule(_ reference: String, to moment: SendMoment) async throws(UseCaseError) -> OutboxItem {
    var change = MailChange()
    change.at = moment
    return try await edit(reference, change)
  }

  /// Lets a message go out now, also one that is late, and in quiet hours; whoever works through the queue sends it.
  public func sendNow(_ reference: String) async throws(UseCaseError) -> OutboxItem {
    let moment: SendMoment
    do throws(ScheduleError) {
      moment = try SendMoment("now", now: SystemTime().now)
    } catch {
      throw .wrongInput(error.message)
    }
    return try await reschedule(reference, to: moment)
  }

  /// Cancels a message: it is never sent, or the reason says why it is too late.
  ///
  /// - Throws: ``UseCaseError`` with code `run_state` where it is being sent, was sent, or nobody knows.
  public func cancelMail(_ reference: String) async throws(UseCaseError) -> OutboxItem {
    let item = try await outboxItem(reference)
    try await amend(item.run, seeing: nil) { _ throws(EngineError) in
      .withdraw(reason: LocalizedText("the message was cancelled", de: "die Nachricht wurde abgebrochen"))
    }
    return try await outboxItem(item.run.rawValue)
  }

  // MARK: - The change

  /// So often, every tenth of a second, a run that is at work without sending is tried again: it is about to be parked.
  private static var tries: Int { 50 }

  private func amend(
    _ run: RunID, seeing start: RunStart?, _ amendment: (RunEngine) throws(EngineError) -> RunAmendment
  ) async throws(UseCaseError) {
    let wanted: RunAmendment
    do throws(EngineError) { wanted = try amendment(engine) } catch { throw UseCaseError(error) }
    try await mapErrors {
      try await store.requireOriginal()
      for _ in 0..<Self.tries {
        let outcome = try await store.amend(
          run, wanted, replacing: start?.inputs, of: start?.fingerprint, at: SystemTime().now)
        switch outcome {
        case .done: return
        case .taken(let owner):
          let send = try await store.run(run.rawValue, limit: 1).steps.last
          guard send?.status == .pending else { throw UseCaseError.isGoingOut(run, owner) }
          try await SystemTime().sleep(seconds: 0.1)
        case .begun: throw try await begun(run)
        case .ended(let status): throw UseCaseError.hasEnded(run, status)
        case .changed: throw UseCaseError.hasChanged(run)
        case .part, .absent: throw UseCaseError.isUnreadable(run)
        }
      }
      throw UseCaseError.isGoingOut(run, "")
    }
  }

  /// Why a message that was tried before is not changed.
  private func begun(_ run: RunID) async throws -> UseCaseError {
    guard try await store.doubts(of: run).isEmpty else { return .isInDoubt(run) }
    let last = try await store.run(run.rawValue, limit: 1).steps.last?.attempts.last
    if let last, last.endedAt == nil || last.failure.map({ $0.kind == .cancelled }) ?? true {
      return .runState(
        .init(
          "message \(run) may have been sent: 'sous outbox run' finds out, or asks for 'sous answer settle \(run)'",
          de:
            "Nachricht \(run) ist vielleicht gesendet: 'sous outbox run' klärt es oder verlangt 'sous answer settle \(run)'"
        )
      )
    }
    return .runState(
      .init(
        "message \(run) was tried before and keeps its text until it is sent or fails; 'sous outbox cancel \(run)' cancels it",
        de: "Nachricht \(run) wurde schon versucht und behält ihren Text, bis sie gesendet ist oder scheitert; "
          + "'sous outbox cancel \(run)' bricht sie ab"))
  }
}

extension Value {
  fileprivate var fields: ValueMap? { if case .map(let map) = self { map } else { nil } }
}

extension UseCaseError {
  fileprivate static func isUnreadable(_ run: RunID) -> UseCaseError {
    .runState(
      .init(
        "the message of run \(run) cannot be read: its recipe cannot be planned any more, or it belongs to another run",
        de:
          "die Nachricht von Lauf \(run) ist nicht lesbar: ihr Rezept lässt sich nicht mehr planen, oder sie gehört zu "
          + "einem anderen Lauf"))
  }

  fileprivate static func isGoingOut(_ run: RunID, _ owner: String) -> UseCaseError {
    let who = owner.isEmpty ? "" : " (\(owner))"
    return .runState(
      .init(
        "message \(run) is being sent just now\(who): too late, nothing was changed",
        de: "Nachricht \(run) wird gerade gesendet\(who): zu spät, nichts wurde geändert"))
  }

  fileprivate static func isInDoubt(_ run: RunID) -> UseCaseError {
    .runState(
      .init(
        "whether message \(run) was sent is not known: look whether it arrived, then 'sous answer settle \(run)'",
        de:
          "ob Nachricht \(run) gesendet wurde, ist ungewiss: nachsehen, ob sie ankam, dann 'sous answer settle \(run)'")
    )
  }

  fileprivate static func hasEnded(_ run: RunID, _ status: RunStatus) -> UseCaseError {
    switch status {
    case .succeeded:
      .runState(.init("message \(run) was sent: too late", de: "Nachricht \(run) ist gesendet: zu spät"))
    case .failed:
      .runState(
        .init(
          "message \(run) has failed: 'sous outbox retry \(run)' tries it again",
          de: "Nachricht \(run) ist fehlgeschlagen: 'sous outbox retry \(run)' versucht es noch einmal"))
    default:
      .runState(.init("message \(run) was cancelled already", de: "Nachricht \(run) ist schon abgebrochen"))
    }
  }

  fileprivate static func hasChanged(_ run: RunID) -> UseCaseError {
    .runState(
      .init(
        "message \(run) was changed meanwhile: look at it and try again",
        de: "Nachricht \(run) wurde inzwischen geändert: ansehen und noch einmal versuchen"))
  }
}
