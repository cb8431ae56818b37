internal import Engine
internal import Expressions
internal import Synchronization

/// A journal entry whose values are encoded, so that the one writer spends no time on it.
enum PreparedEntry: Sendable {
  indirect case runStarted(RunStart, values: StartValues)
  indirect case output(run: RunID, step: Int, item: Int?, value: StoredValue)
  indirect case runFinished(RunEnd, outputs: StoredValue)
  indirect case runTurned(RunTurn, outputs: [UInt8])
  /// The values a run starts from.
  struct StartValues: Sendable {
    let inputs: StoredValue
    let keywords: StoredValue?
    let event: StoredValue?
    let source: StoredValue?
    /// The recipes that the run's recipe runs; `nil` for none.
    let recipes: StoredRecipes?

    init(_ start: RunStart) {
      inputs = StoredValue(start.inputs)
      keywords =
        start.keywords.isEmpty ? nil : StoredValue(.map(ValueMap(start.keywords.map { (key: .string($0), value: $1) })))
      event = start.event == .null ? nil : StoredValue(start.event)
      source = start.source.map(RecipeText.stored)
      recipes = start.recipes.flatMap(StoredRecipes.init)
    }

    var byteCount: Int {
      inputs.bytes.count + (keywords?.bytes.count ?? 0) + (event?.bytes.count ?? 0) + (source?.bytes.count ?? 0)
        + (recipes?.byteCount ?? 0)
    }
  }

  /// An entry without a value.
  case other(JournalEntry)

  /// Encodes an entry's values.
  init(_ entry: JournalEntry) {
    switch entry {
    case .runStarted(let start): self = .runStarted(start, values: StartValues(start))
    case .output(let run, let step, let item, let value):
      self = .output(run: run, step: step, item: item, value: StoredValue(value))
    case .runFinished(let end): self = .runFinished(end, outputs: StoredValue(end.outputs))
    case .runTurned(let turn): self = .runTurned(turn, outputs: turn.outputs.json())
    default: self = .other(entry)
    }
  }
}

extension PreparedEntry {
  /// About how much memory the entry holds, in bytes: its values exactly, its texts, and something for the rest.
  var byteCount: Int {
    let fixed = 256
    switch self {
    case .runStarted(let start, let values): return fixed + values.byteCount + start.steps.count * fixed
    case .output(_, _, _, let value): return fixed + value.bytes.count
    case .runFinished(_, let outputs): return fixed + outputs.bytes.count
    case .runTurned(_, let outputs): return fixed + outputs.count
    case .other(.log(let line)): return fixed + line.message.utf8.count
    case .other: return 2 * fixed
    }
  }
}

extension [PreparedEntry] {
  /// About how much memory the entries hold, in bytes.
  var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}

/// The last recipe whose text was encoded: many runs of one recipe begin at once.
private enum RecipeText {
  private static let last = Mutex<(text: String, value: StoredValue)?>(nil)

  static func stored(_ text: String) -> StoredValue {
    if let last = last.withLock({ $0 }), last.text == text { return last.value }
    let value = StoredValue(.string(text), isAlwaysBlob: true)
    last.withLock { $0 = (text, value) }
    return value
  }
}
