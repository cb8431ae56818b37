import Builtins
import Engine
import Expressions
import Localization
import Neutralisation
import Plans
import RecipeModel
import RunStore
import Synchronization

/// A run log that writes what private runs are given and give sealed, and reads it open. Failures and lines of such runs
/// are neutralised before they are written; what `approve` asks a person stays as it is.
final class SealingRunQueue: ForwardingRunQueue {
  let base: RunStore
  private let seal: VaultSeal
  private let plans: PrivatePlans
  /// The private runs that this process has seen.
  private let runs = Mutex<Set<RunID>>([])
  /// What is replaced in what is said about a run.
  private let settings: ConfiguredNeutralisation
  /// What private runs were given and have given, and the names that were found in it, until they end.
  private let known = Mutex<Known>(Known())

  private struct Known {
    var texts: [RunID: KnownTexts] = [:]
    /// Made for the first text of a private run, as most processes see none.
    var neutralisers: Neutralisers?
  }

  private struct Neutralisers {
    /// Learns the names in what a run was given and has given.
    let reader: Neutraliser
    /// Takes personal data out of what is said about a run. It has no vocabulary, as that text has names of programs and actions,
    /// which stand in no dictionary.
    let neutraliser: Neutraliser

    init(_ settings: ConfiguredNeutralisation) throws(NeutralisationError) {
      var options = Neutraliser.Options(settings)
      options.keepsPlaceholders = true
      reader = try Neutraliser(options)
      options.vocabulary = nil
      neutraliser = try Neutraliser(options)
    }
  }

  private struct KnownTexts {
    /// Those that have not been looked through.
    var values: [Value] = []
    var mapping = PlaceholderMapping()
  }

  init(base: RunStore, seal: VaultSeal, plans: PrivatePlans, _ configuration: Configuration) {
    // All that is replaced anywhere; nothing is kept because one provider may see it.
    var settings = configuration.providers.compactMap(\.neutralise).reduce(configuration.neutralise) { $0.adding($1) }
    settings.kinds = nil
    self.settings = settings
    self.base = base
    self.seal = seal
    self.plans = plans
  }

  var executor: (any TaskExecutor)? { base.executor }

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    guard !plans.isEmpty || !runs.withLock(\.isEmpty) else {
      return try await base.record(entries, durability: durability)
    }
    try await base.record(try entries.map(sealed), durability: durability)
  }

  /// The beginning of a run as it is to be written, where something else than ``record(_:durability:)`` writes it.
  func sealing(_ start: RunStart) throws(EngineError) -> RunStart {
    do {
      guard case .runStarted(let start) = try sealed(.runStarted(start)) else { return start }
      return start
    } catch {
      throw .journal(start.run, error)
    }
  }

  func snapshot(of run: RunID) async throws -> RunSnapshot {
    var snapshot = try await base.snapshot(of: run)
    guard SealedValue.isSealed(snapshot.start.inputs) else { return snapshot }
    runs.withLock { _ = $0.insert(run) }
    snapshot.start.inputs = try opened(snapshot.start.inputs)
    snapshot.start.event = try opened(snapshot.start.event)
    note(snapshot.start.inputs, of: run)
    note(snapshot.start.event, of: run)
    snapshot.start.keywords = try snapshot.start.keywords.mapValues(opened)
    for value in snapshot.start.keywords.values { note(value, of: run) }
    for step in snapshot.steps.indices {
      for unit in snapshot.steps[step].units.indices {
        let failure = snapshot.steps[step].units[unit].lastAttempt?.failure
        snapshot.steps[step].units[unit].lastAttempt?.failure = try opened(failure, of: run)
        guard let output = snapshot.steps[step].units[unit].output else { continue }
        let value = try opened(output)
        snapshot.steps[step].units[unit].output = value
        note(value, of: run)
      }
      snapshot.steps[step].failure = try opened(snapshot.steps[step].failure, of: run)
    }
    if let turn = snapshot.turn { snapshot.turn?.outputs = try opened(turn.outputs) }
    if case .failed(let failure, let step)? = snapshot.turn?.reason {
      snapshot.turn?.reason = .failed(try opened(failure, of: run) ?? failure, step: step)
    }
    return snapshot
  }

  func result(of run: RunID) async throws -> RunResult? {
    guard var result = try await base.result(of: run) else { return nil }
    result.outputs = try opened(result.outputs)
    if let output = result.failure?.output { result.failure?.output = try opened(output) }
    return result
  }

  // MARK: - Sealing

  private func isPrivate(_ run: RunID) -> Bool { runs.withLock { $0.contains(run) } }

  private func sealed(_ entry: JournalEntry) throws -> JournalEntry {
    switch entry {
    case .runStarted(var start):
      guard plans.contains(start.fingerprint) || start.parent.map(isPrivate) ?? false else { return entry }
      runs.withLock { _ = $0.insert(start.run) }
      note(start.inputs, of: start.run)
      note(start.event, of: start.run)
      for value in start.keywords.values { note(value, of: start.run) }
      start.inputs = try sealed(start.inputs)
      if !start.event.isNull { start.event = try sealed(start.event) }
      start.keywords = try start.keywords.mapValues(sealed)
      return .runStarted(start)
    case .output(let run, let step, let item, let value):
      guard isPrivate(run) else { return entry }
      note(value, of: run)
      return .output(run: run, step: step, item: item, value: try sealed(value))
    case .attemptFinished(var end):
      guard isPrivate(end.run) else { return entry }
      end.failure = try neutral(end.failure, end.run)
      return .attemptFinished(end)
    case .stepFinished(var end):
      guard isPrivate(end.run) else { return entry }
      end.failure = try neutral(end.failure, end.run)
      return .stepFinished(end)
    case .runTurned(var turn):
      guard isPrivate(turn.run) else { return entry }
      if case .failed(let failure, let step) = turn.reason {
        turn.reason = .failed(try neutral(failure, turn.run) ?? failure, step: step)
      }
      turn.outputs = try sealed(turn.outputs)
      return .runTurned(turn)
    case .runFinished(var end):
      guard isPrivate(end.run) else { return entry }
      end.outputs = try sealed(end.outputs)
      end.failure = try neutral(end.failure, end.run)
      known.withLock { _ = $0.texts.removeValue(forKey: end.run) }
      return .runFinished(end)
    case .log(var line):
      guard isPrivate(line.run) else { return entry }
      line.message = neutral(line.message, line.run)
      return .log(line)
    case .stepStarted, .attemptStarted, .runParked, .waitStarted, .waitEnded, .breaker: return entry
    }
  }

  private func sealed(_ value: Value) throws(ActionFailure) -> Value { try SealedValue.seal(value, seal) }
  private func opened(_ value: Value) throws(ActionFailure) -> Value { try SealedValue.open(value, seal) }

  /// A failure with neutral words; what the failed action gave is sealed like an output.
  private func neutral(_ failure: ActionFailure?, _ run: RunID) throws(ActionFailure) -> ActionFailure? {
    guard var failure else { return nil }
    if let output = failure.output {
      note(output, of: run)
      failure.output = try sealed(output)
    }
    failure.message = LocalizedText(neutral(failure.message.english, run), de: neutral(failure.message.german, run))
    failure.advice = failure.advice.map { LocalizedText(neutral($0.english, run), de: neutral($0.german, run)) }
    return failure
  }

  private func opened(_ failure: ActionFailure?, of run: RunID) throws(ActionFailure) -> ActionFailure? {
    guard var failure, let output = failure.output else { return failure }
    let value = try opened(output)
    note(value, of: run)
    failure.output = value
    return failure
  }

  private func note(_ value: Value, of run: RunID) {
    guard !value.isNull else { return }
    known.withLock { $0.texts[run, default: KnownTexts()].values.append(value) }
  }

  /// A text without what is found in it, and without the names that the texts of the run have given away.
  private func neutral(_ text: String, _ run: RunID) -> String {
    known.withLock { known in
      do {
        let neutralisers = try known.neutralisers ?? Neutralisers(settings)
        known.neutralisers = neutralisers
        var texts = known.texts[run] ?? KnownTexts()
        _ = try neutralisers.reader.neutralise(texts.values.flatMap(Self.strings), into: &texts.mapping)
        texts.values = []
        if known.texts[run] != nil { known.texts[run] = texts }
        return try neutralisers.neutraliser.neutralise(text, format: .text, into: &texts.mapping).text
      } catch {
        // The names are not known: nothing is said, and the next text tries again.
        return "***"
      }
    }
  }

  private static func strings(of value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .list(let elements): elements.flatMap(strings)
    case .map(let map): map.entries.flatMap { strings(of: $0.value) }
    default: []
    }
  }
}

/// A value as it stands sealed in the run log: `{"sealed": "…"}`.
enum SealedValue {
  private static let key = "sealed"

  /// Whether a value is sealed.
  static func isSealed(_ value: Value) -> Bool {
    guard case .map(let map) = value, map.count == 1, let text = map[key]?.stringValue else { return false }
    return text.hasPrefix("sealed:1:") || text.hasPrefix("sealed-in-memory:1:")
  }

  static func seal(_ value: Value, _ seal: any PersonalDataSeal) throws(ActionFailure) -> Value {
    .map([key: .string(try seal.seal(Array(value.jsonString.utf8)))])
  }

  /// The value; what is not sealed stays as it is.
  static func open(_ value: Value, _ seal: any PersonalDataSeal) throws(ActionFailure) -> Value {
    guard isSealed(value), case .map(let map) = value, let text = map[key]?.stringValue else { return value }
    let bytes = try seal.open(text)
    do {
      return try Value(json: bytes)
    } catch {
      throw ActionFailure(.parse, error.message)
    }
  }
}

/// Kept results, sealed where a provider gets neutral texts only.
struct SealingCache: ResultCache {
  let base: RunStore
  let seal: VaultSeal
  let isNeeded: Bool

  func cachedResult(_ key: String, at now: Timestamp) async throws -> Value? {
    try await base.cachedResult(key, at: now).map { try SealedValue.open($0, seal) }
  }

  func keepResult(_ value: Value, key: String, until expiry: Timestamp) async throws {
    try await base.keepResult(isNeeded ? SealedValue.seal(value, seal) : value, key: key, until: expiry)
  }
}
