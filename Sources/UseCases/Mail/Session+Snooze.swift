public import Engine
public import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Schemas

/// A message that is away until its time, as a view over the run that brings it back.
public struct SnoozedMessage: Sendable {
  /// The run that brings it back.
  public var run: RunID
  /// What the message was called in its folder.
  public var uid: String
  /// The folder that it comes back to.
  public var folder: String
  /// What it is about; empty where the run has not come so far.
  public var subject: String
  /// When it comes back.
  public var until: Timestamp?
  /// Where the run stands.
  public var status: RunStatus

  /// The message for programs: `{run, uid, folder, subject, until, status}`.
  public var json: Value {
    [
      "run": .string(run.rawValue), "uid": .string(uid), "folder": .string(folder), "subject": .string(subject),
      "until": until.map { .string($0.rfc3339) } ?? .null, "status": .string(status.rawValue),
    ]
  }
}

extension Session {
  /// Archives a message and lets a run wait that brings it back.
  ///
  /// - Parameters:
  ///   - uid: The message's name in its folder.
  ///   - folder: The folder.
  ///   - provider: Whose mailbox it is; `nil` for the default of `mail.store`.
  ///   - until: When it comes back.
  /// - Returns: The run as it waits; one that has failed brought the message back, or has not touched it.
  /// - Throws: ``UseCaseError`` where it cannot begin.
  public func snooze(
    uid: String, folder: String, provider: String?, until: Timestamp
  ) async throws(UseCaseError) -> RunOutcome {
    let path = project.configuration.resolve(SnoozeRecipe.name + ".yaml")
    let plan = try project.plan(of: SourceText(path: path, text: SnoozeRecipe.text(provider: provider)), from: .snooze)
    let given: [String: Value] = ["uid": .string(uid), "folder": .string(folder), "until": .string(until.rfc3339)]
    let inputs = try mapErrors { try plan.inputs(from: given) }
    try project.openSecrets(for: plan)
    var random = SystemRandomNumberGenerator()
    let id = RunID(at: SystemTime().now, using: &random)
    // Up to its wait; whoever works through the queue goes on from there.
    return try await execute(id, of: plan) { claimLoop in
      let request = RunRequest(id: id, inputs: inputs)
      return try await claimLoop.engine.run(plan, request, observer: claimLoop.observer, control: claimLoop.control)
    }
  }

  /// Brings a message back before its time.
  ///
  /// - Parameter reference: The run that brings it back, or a beginning of its name, or the message's name.
  /// - Throws: ``UseCaseError``: `not_found` or `wrong_input` if none or several are meant, `run_state` where it comes back just now.
  public func wake(_ reference: String) async throws(UseCaseError) -> RunOutcome {
    let all = try await mapErrors { try await Self.snoozed(in: store) }
    let named = all.filter { $0.run.rawValue.hasPrefix(reference.uppercased()) }
    let found = named.isEmpty ? all.filter { $0.uid == reference } : named
    guard let message = found.first, found.count == 1 else {
      guard !found.isEmpty else {
        throw .notFound(
          .init("no message '\(reference)' is snoozed", de: "keine Nachricht '\(reference)' ist zurückgestellt"))
      }
      let runs = found.map(\.run.rawValue).joined(separator: ", ")
      throw .wrongInput(
        .init(
          "several messages are meant, name the run: \(runs)",
          de: "mehrere Nachrichten sind gemeint, den Lauf nennen: \(runs)"))
    }
    let taker = try await mapErrors {
      try await store.deliver(event: "wake", key: message.run.rawValue, payload: .null)
    }
    guard taker == message.run else {
      throw .runState(
        .init(
          "the message comes back just now, or run \(message.run) has not archived it yet",
          de: "die Nachricht kommt gerade zurück, oder Lauf \(message.run) hat sie noch nicht archiviert"))
    }
    return try await resume(message.run.rawValue)
  }

  /// The messages that are away, those that come back first before the others.
  static func snoozed(in store: RunStore) async throws -> [SnoozedMessage] {
    let open: Set<RunStatus> = [.queued, .running, .waiting, .interrupted, .needsAttention]
    var found: [SnoozedMessage] = []
    for summary in try await store.runs(RunFilter(statuses: open, recipe: SnoozeRecipe.name, limit: 2000)) {
      let snapshot = try await store.snapshot(of: summary.id)
      let inputs = snapshot.start.inputs
      guard snapshot.start.recipeOrigin == .snooze, let uid = inputs["uid"]?.stringValue,
        let until = inputs["until"]?.stringValue
      else { continue }
      let subject = snapshot.steps.first?.units.first?.output?["message"]?["subject"]?.stringValue ?? ""
      found.append(
        SnoozedMessage(
          run: summary.id, uid: uid, folder: inputs["folder"]?.stringValue ?? "INBOX", subject: subject,
          until: Timestamp(rfc3339: until), status: summary.status))
    }
    return found.sorted { ($0.until?.seconds ?? .max, $0.run) < ($1.until?.seconds ?? .max, $1.run) }
  }
}

extension Workspace {
  /// The messages that are away, those that come back first before the others.
  public func snoozedMessages() async throws(UseCaseError) -> [SnoozedMessage] {
    try await readingFile({ try await Session.snoozed(in: $0) }, ifMissing: { [] })
  }
}
