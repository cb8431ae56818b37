import Builtins
public import Engine
public import Expressions
import Localization
import Plans
import RecipeSyntax
import RunStore
public import UseCases

/// A message that was queued.
public struct QueuedMail: Sendable {
  /// Its run.
  public let run: RunID
  /// When it goes out as far as that is known.
  public let time: Timestamp
  /// Whether it had been queued before, under the same name, so that nothing was done.
  public let isKnown: Bool
}

extension Session {
  /// Queues messages, all or none; their files are kept, whatever becomes of them on the disk.
  ///
  /// - Parameters:
  ///   - mails: The messages.
  ///   - areMerged: Whether their names stay known when their runs are gone.
  /// - Returns: Their runs in the same order. One that is known by its name already is not queued again.
  /// - Throws: ``UseCaseError`` where a file cannot be kept or the run log not be written; then nothing is queued.
  public func queue(
    _ mails: [CheckedMail], areMerged: Bool = false
  ) async throws(UseCaseError) -> [QueuedMail] {
    try await mapErrors { try await store.requireOriginal() }
    var kept: [String: String] = [:]
    var queued: [QueuedMail] = []
    var runs: [(plan: Plan, request: RunRequest)] = []
    for mail in mails {
      if let id = mail.id, try await mapErrors({ try await isKnown(id, isMerged: areMerged) }) {
        queued.append(QueuedMail(run: id, time: mail.expected, isKnown: true))
        continue
      }
      let request = RunRequest(
        id: mail.id ?? .new(), inputs: OutboxRecipe.inputs(try keep(mail.files, of: mail.message, &kept), at: mail.at),
        trigger: "send")
      runs.append((mail.plan, request))
      queued.append(QueuedMail(run: request.id, time: mail.expected, isKnown: false))
    }
    try await mapErrors { [runs] in _ = try await engine.enqueue(runs) }
    if areMerged { try await mapErrors { try await remember(mails.compactMap(\.id?.rawValue)) } }
    return queued
  }

  /// Sends a message at once and waits for its end, or for the end of the first try: where no server is reached, it may wait
  /// for long, and whoever works through the queue goes on.
  ///
  /// - Throws: ``UseCaseError`` as ``queue(_:)``; a run that fails, or waits for its next try, has an outcome.
  public func send(_ mail: CheckedMail) async throws(UseCaseError) -> RunOutcome {
    try await mapErrors { try await store.requireOriginal() }
    var kept: [String: String] = [:]
    let message = try keep(mail.files, of: mail.message, &kept)
    let request = RunRequest(
      id: mail.id ?? .new(), inputs: OutboxRecipe.inputs(message, at: mail.at), trigger: "send")
    let (plan, log) = (mail.plan, store)
    return try await execute(request.id, of: plan) { claimLoop in
      let first = try await claimLoop.engine.run(
        plan, request, observer: claimLoop.observer, control: claimLoop.control)
      guard first.status == .waiting else { return first }
      let waits = try await log.run(request.id.rawValue, limit: 1).waits
      if waits.contains(where: { $0.wait.kind == .retry && !$0.isAnswered }) { return first }
      return try await claimLoop.follow(plan, first)
    }
  }

  /// The space of ``mergedNames``.
  static var merges: String { "outbox:merges" }

  /// The names of merged messages, which outlive their runs.
  var mergedNames: ProviderRecipeState { ProviderRecipeState(store) { _ in true } }

  private func remember(_ names: [String]) async throws {
    try mergedNames.set(names, to: true, in: Self.merges)
  }

  private func isKnown(_ run: RunID, isMerged: Bool) async throws -> Bool {
    if try await store.hasRun(run) { return true }
    return isMerged ? try mergedNames.value(of: run.rawValue, in: Self.merges) != nil : false
  }

  /// Keeps files, and names what was kept in the message.
  func keep(
    _ files: [AttachedFile], of message: Value, _ kept: inout [String: String]
  ) throws(UseCaseError) -> Value {
    guard !files.isEmpty, case .map(var fields) = message, var attachments = message["attachments"]?.listValue else {
      return message
    }
    for file in files where attachments.indices.contains(file.position) {
      let name: String
      if let known = kept[file.path] { name = known } else { name = try file.keep(in: store) }
      kept[file.path] = name
      guard case .map(var attachment) = attachments[file.position] else { continue }
      attachment["path"] = nil
      attachment["blob"] = .string(name)
      if attachment["name"] == nil {
        attachment["name"] = .string(file.shown.split(separator: "/").last.map(String.init) ?? file.shown)
      }
      attachments[file.position] = .map(attachment)
    }
    fields["attachments"] = .list(attachments)
    return .map(fields)
  }
}
