internal import Engine
internal import Expressions

/// A journal entry whose values are encoded, so that the one writer spends no time on it.
enum PreparedEntry: Sendable {
  case runStarted(RunStart, inputs: StoredValue)
  case output(run: RunID, step: Int, item: Int?, value: StoredValue)
  case runFinished(RunEnd, outputs: StoredValue)
  /// An entry without a value.
  case other(JournalEntry)

  /// Encodes an entry's values.
  init(_ entry: JournalEntry) {
    switch entry {
    case .runStarted(let start): self = .runStarted(start, inputs: StoredValue(start.inputs))
    case .output(let run, let step, let item, let value):
      self = .output(run: run, step: step, item: item, value: StoredValue(value))
    case .runFinished(let end): self = .runFinished(end, outputs: StoredValue(end.outputs))
    default: self = .other(entry)
    }
  }
}
