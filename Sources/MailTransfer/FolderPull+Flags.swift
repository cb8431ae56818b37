import Engine
import Localization
import PluginHost

extension FolderPull {
  /// How many messages one call is for.
  private static let callSize = 500

  /// Flags that copies are to get and to lose.
  private struct Change: Hashable {
    var adding: [String]
    var removing: [String]
  }

  /// Takes over flags that have changed at the source since they were last the same. What was changed at the target alone
  /// stays.
  mutating func takeFlags(_ report: inout MailPullReport) async throws {
    var changes: [Change: [Wanted]] = [:]
    for message in wanted {
      guard let copy = state.copies[message.uid] else { continue }
      guard isThere(copy) else {
        report.removed += 1
        continue
      }
      guard copy.flags != message.flags, !copy.uid.isEmpty else {
        if !message.isRecognized { report.unchanged += 1 }
        continue
      }
      let change = Change(
        adding: message.flags.filter { !copy.flags.contains($0) },
        removing: copy.flags.filter { !message.flags.contains($0) })
      changes[change, default: []].append(message)
    }
    for (change, messages) in changes {
      for start in stride(from: 0, to: messages.count, by: Self.callSize) {
        try await apply(change, Array(messages[start..<min(start + Self.callSize, messages.count)]), &report)
      }
    }
  }

  private mutating func apply(
    _ change: Change, _ messages: [Wanted], _ report: inout MailPullReport
  ) async throws {
    var missing: Set<String> = []
    do {
      let uids = messages.compactMap { state.copies[$0.uid]?.uid }
      missing = try await target.flag(uids, in: folder, adding: change.adding, removing: change.removing)
    } catch let error as TransferFailure
      where [.notFound, .unsupported, .invalidInput, .protocol].contains(error.failure.kind)
    {
      guard messages.count == 1 else {
        // One of them is in the way of the others.
        for message in messages { try await apply(change, [message], &report) }
        return
      }
      if error.failure.kind == .notFound {
        report.removed += 1
      } else {
        report.refuse(messages.map(\.uid), of: folder, error.failure.message)
      }
      return
    }
    for message in messages {
      if let copy = state.copies[message.uid], missing.contains(copy.uid) {
        report.removed += 1
      } else {
        state.note(message.uid, flags: message.flags)
        report.flagged += 1
      }
    }
    try state.save(isOpen: state.isOpen)
  }
}
