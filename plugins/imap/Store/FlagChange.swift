import MailWire
import PluginKit

/// Adds and removes flags and labels, and checks the result: an OK of the server alone is not a success.
struct FlagChange: Sendable {
  let session: Session
  let folder: OpenFolder
  let isGmail: Bool

  /// One command for several messages.
  private struct Step {
    var names: [String]
    var isAdded: Bool
    var isLabel: Bool

    /// Whether the step changes this message: it lacks a name to add, or has a name to remove. `true` if its flags are unknown.
    func concerns(_ message: FetchedMessage) -> Bool {
      guard let present = present(message) else { return true }
      return names.contains { present.contains($0.lowercased()) != isAdded }
    }

    private func present(_ message: FetchedMessage) -> Set<String>? {
      let present = isLabel ? message.gmailLabels?.map(GmailLabel.name) : message.flags
      return present.map { Set($0.map { $0.lowercased() }) }
    }
  }

  /// Carries the change out.
  ///
  /// - Returns: The number of changed messages, and the missing ones.
  /// - Throws: `unsupported` for flags that the folder does not keep; `protocol` if a message exists and has not changed.
  func carryOut(_ uids: [UInt32], adding: [String], removing: [String]) async throws(ActionError) -> ChangeReport {
    let steps = steps(adding, isAdded: true) + steps(removing, isAdded: false)
    try folder.requirePermanent(steps.filter { !$0.isLabel && $0.isAdded }.flatMap(\.names))
    var messages = try await state(of: uids)
    var changed: Set<UInt32> = []
    for step in steps {
      let concerned = uids.filter { messages[$0].map(step.concerns) ?? false }
      guard !concerned.isEmpty else { continue }
      let set = UIDSet(concerned)
      let sign = step.isAdded ? "+" : "-"
      let answers =
        step.isLabel
        ? try await session.storeLabel(set, sign, step.names.first ?? "")
        : try await session.store(set, sign, step.names)
      // A removed message has no response, and some servers send no responses at all.
      let untold = concerned.filter { uid in
        answers[uid].map { step.isLabel ? $0.gmailLabels == nil : $0.flags == nil } ?? true
      }
      let now = try await state(of: untold)
      for uid in concerned {
        if let answer = answers[uid], !untold.contains(uid) {
          messages[uid]?.merge(answer)
        } else {
          messages[uid] = now[uid]
        }
        if messages[uid] != nil { changed.insert(uid) }
      }
    }
    let failed = uids.filter { uid in messages[uid].map { message in steps.contains { $0.concerns(message) } } ?? false
    }
    guard failed.isEmpty else {
      throw folder.unchanged(failed, "changed", german: "geändert", by: session.settings.host)
    }
    let missing = uids.filter { messages[$0] == nil }
    return ChangeReport(
      count: changed.subtracting(missing).count, missing: folder.names(of: missing))
  }

  /// One command sets all flags, so that none is set without the others. Each label needs its own command.
  private func steps(_ names: [String], isAdded: Bool) -> [Step] {
    let labels = isGmail ? names.filter(MailFlag.isLabel) : []
    let flags = names.filter { !labels.contains($0) }
    return (flags.isEmpty ? [] : [Step(names: flags, isAdded: isAdded, isLabel: false)])
      + labels.map { Step(names: [$0], isAdded: isAdded, isLabel: true) }
  }

  /// The flags and labels of the existing messages. If the server sends nothing about an existing message, its flags are `nil`.
  private func state(of uids: [UInt32]) async throws(ActionError) -> [UInt32: FetchedMessage] {
    guard !uids.isEmpty else { return [:] }
    var messages = try await session.fetchAvailable(uids, isGmail ? "FLAGS X-GM-LABELS" : "FLAGS").messages
    let untold = uids.filter { messages[$0] == nil }
    for uid in try await session.present(untold) { messages[uid] = FetchedMessage(sequenceNumber: 0) }
    return messages
  }
}

extension OpenFolder {
  /// Checks PERMANENTFLAGS: a server answers OK to other flags and forgets them with the connection (RFC 9051 §7.1).
  ///
  /// - Throws: `unsupported` with the first flag that the folder does not keep.
  func requirePermanent(_ flags: [String]) throws(ActionError) {
    guard let kept = mailbox.permanentFlags, !kept.contains("\\*") else { return }
    let known = Set(kept.map { $0.lowercased() })
    guard let flag = flags.first(where: { !known.contains($0.lowercased()) }) else { return }
    throw ActionError(
      .unsupported, "The folder '\(name)' does not keep the flag \(flag).",
      german: "Der Ordner '\(name)' behält die Markierung \(flag) nicht.",
      advice: "It keeps: \(kept.joined(separator: ", ")).",
      adviceGerman: "Er behält: \(kept.joined(separator: ", ")).")
  }
}
