import Glibc
import RunStore
import Synchronization

/// Shows the upgrade of a run log on standard error: any command may be the first of a new version.
final class UpgradeProgress: Sendable {
  private let shown = Mutex("")

  /// Prints a step: on a terminal as a line that changes, elsewhere once for each kind of step.
  func show(_ step: UpgradeStep) {
    guard !FormatOptions.isJSONWanted else { return }
    let text = Self.text(step)
    if Terminal(descriptor: STDERR_FILENO).isInteractive {
      // The last line goes when it is over, so that an error has a line of its own.
      if text == nil, shown.withLock({ $0.isEmpty }) { return }
      let end = if case .finished = step { "\n" } else { "" }
      _ = writeAll("\r" + (text ?? "").printable + "\u{1B}[K" + end, to: STDERR_FILENO)
      shown.withLock { $0 = end.isEmpty ? text ?? "" : "" }
      return
    }
    guard let text else { return }
    // The share that is copied would be a line each time.
    if case .copying = step { return }
    guard
      shown.withLock({ shown in
        defer { shown = text }
        return shown != text
      })
    else { return }
    writeError(text + "\n")
  }

  /// The line of a step; `nil` if it is over.
  private static func text(_ step: UpgradeStep) -> String? {
    switch step {
    case .ended: return nil
    case .waitingForUpgrade:
      return say(
        "run log: waiting for another process that upgrades it",
        de: "Laufprotokoll: warten auf einen anderen Prozess, der es auf das neue Schema bringt")
    case .waiting(let users):
      let names = users.isEmpty ? "" : ": " + users.map { "\($0.pid)" }.joined(separator: ", ")
      return say(
        "run log: waiting for processes of an older version\(names)",
        de: "Laufprotokoll: warten auf Prozesse einer älteren Version\(names)")
    case .copying(let bytes, let all):
      let share = all > 0 ? Int(Double(bytes) / Double(all) * 100) : 100
      return say(
        "run log: copying, \(share) % of \(all.spokenSize)",
        de: "Laufprotokoll: kopieren, \(share) % von \(all.spokenSize)")
    case .changing(let from, let to):
      return say(
        "run log: schema version \(from) → \(to) …", de: "Laufprotokoll: Schemaversion \(from) → \(to) …")
    case .finished(let from, let to, let copy):
      return say(
        "run log: schema version \(from) → \(to)" + (copy.map { "; copy of the old run log: \($0)" } ?? ""),
        de: "Laufprotokoll: Schemaversion \(from) → \(to)"
          + (copy.map { "; Kopie des alten Laufprotokolls: \($0)" } ?? ""))
    }
  }
}
