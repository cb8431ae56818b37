import Dispatch
import Localization
import Synchronization

/// Writes a run's report on a thread of its own, so that a stopped terminal does not block the run.
final class OutputQueue: Sendable {
  private let queue = DispatchQueue(label: "sous.output")
  private let pending = Atomic(0)
  private let dropped = Atomic(0)

  /// How many texts may wait before those that can be read elsewhere are left out.
  static let room = 10_000

  /// Whether everything so far has been written.
  var isIdle: Bool { pending.load(ordering: .acquiring) == 0 }

  /// Writes a text, after all before it.
  func write(_ text: String) {
    enqueue { sous.write(text) }
  }

  /// Writes a text that can be read elsewhere, unless too much waits to be written already.
  func writeIfRoom(_ text: String) {
    if pending.load(ordering: .acquiring) < Self.room {
      write(text)
    } else {
      dropped.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Takes back so many of the last lines of a terminal.
  func eraseLines(_ count: Int) {
    enqueue { StandardOutput.write("\u{1B}[\(count)A\u{1B}[0J") }
  }

  /// Waits until everything has been written.
  func drain() async {
    let count = dropped.exchange(0, ordering: .acquiringAndReleasing)
    if count > 0 {
      let lines = LocalizedText.count(count, "line", "lines", de: "Zeile", "Zeilen")
      write(
        say("  … \(lines.english) left out: sous logs last\n", de: "  … \(lines.german) ausgelassen: sous logs last\n"))
    }
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    pending.add(1, ordering: .acquiringAndReleasing)
    queue.async { [self] in
      body()
      pending.subtract(1, ordering: .acquiringAndReleasing)
    }
  }
}
