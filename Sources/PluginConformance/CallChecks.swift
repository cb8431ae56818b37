import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import Synchronization

/// The checks that call actions.
struct CallChecks {
  let suite: ConformanceSuite
  let provider: any StepProvider

  typealias Look = @Sendable () async -> CheckResult

  /// The checks, in order.
  var all: [(Check, () async -> CheckResult)] {
    [
      (.actions, actions), (.badInput, badInput), (.cancellation, cancellation), (.concurrency, concurrency),
      (.verification, verification), (.memory, memory),
    ]
  }

  private var manifest: PluginManifest { suite.manifest }
  private var options: ConformanceOptions { suite.options }

  /// Actions that may be carried out, with a valid input each.
  private var callable: [(action: PluginManifest.Action, input: Value)] {
    guard options.isLive || manifest.hosts.isEmpty else { return [] }
    return manifest.actions.compactMap { action in
      guard isHarmless(action) || options.includesEffects,
        let input = SampleInput(schema: suite.inputSchema(of: action)).valid
      else { return nil }
      return (action, suite.inputSchema(of: action).fillingDefaults(input))
    }
  }

  private func isHarmless(_ action: PluginManifest.Action) -> Bool {
    action.effect == .pure || action.effect == .read
  }

  private var nothingToCall: LocalizedText {
    manifest.hosts.isEmpty
      ? LocalizedText(
        "no action without effects; --effects calls the others too",
        de: "keine Aktion ohne Wirkung; --effects ruft auch die anderen auf")
      : LocalizedText(
        "it talks to other machines; --live calls its actions all the same",
        de: "es spricht mit anderen Rechnern; --live ruft seine Aktionen trotzdem auf")
  }

  // MARK: The checks

  private func actions() async -> CheckResult {
    let callable = callable
    guard !callable.isEmpty else { return CheckResult(.actions, nothingToCall, isSkipped: true) }
    var findings: [Finding] = []
    for (action, input) in callable {
      if case .failed(let failure) = await call(action.name, input) {
        findings += finding(failure, action.name, input, isValid: true)
      }
    }
    let count = callable.count
    return CheckResult(
      .actions,
      count == 1
        ? LocalizedText("1 action", de: "1 Aktion") : LocalizedText("\(count) actions", de: "\(count) Aktionen"),
      findings)
  }

  private func badInput() async -> CheckResult {
    var count = 0
    var findings: [Finding] = []
    for action in manifest.actions {
      let isFree = isHarmless(action) && (options.isLive || manifest.hosts.isEmpty)
      for input in SampleInput(schema: suite.inputSchema(of: action)).hostile(onlyForbidden: !isFree) {
        count += 1
        // What the schema allows may take its time, as long as it ends when it is told to.
        let isAllowed = suite.inputSchema(of: action).validate(input).isEmpty
        let outcome = await call(action.name, input, seconds: isAllowed ? 1 : options.callSeconds)
        if case .failed(let failure) = outcome, !(isAllowed && failure.kind == .timeout) {
          findings += finding(failure, action.name, input, isValid: false)
        }
        if findings.count >= 10 { break }
      }
    }
    return CheckResult(.badInput, LocalizedText("\(count) cases", de: "\(count) Fälle"), findings)
  }

  private func cancellation() async -> CheckResult {
    let callable = callable
    guard !callable.isEmpty else { return CheckResult(.cancellation, nothingToCall, isSkipped: true) }
    var findings: [Finding] = []
    for (action, input) in callable {
      for round in 0..<10 {
        let task = Task { await call(action.name, input) }
        for _ in 0..<round { await Task.yield() }
        task.cancel()
        // An answer that was quicker is as good as `cancelled`.
        if case .failed(let failure) = await task.value, failure.kind != .cancelled {
          findings += finding(failure, action.name, input, isValid: true)
        } else if case .abandoned = await task.value {
          findings.append(
            .error(
              LocalizedText(
                "'\(action.name)' goes on after it was cancelled; 'cancel' must end in the completion",
                de: "„\(action.name)“ läuft weiter, nachdem es abgebrochen wurde; „cancel“ muss in der Antwort enden")))
        }
        if !findings.isEmpty { break }
      }
    }
    return CheckResult(
      .cancellation, LocalizedText("\(callable.count * 10) calls", de: "\(callable.count * 10) Aufrufe"), findings)
  }

  private func concurrency() async -> CheckResult {
    let callable = callable
    guard !callable.isEmpty else { return CheckResult(.concurrency, nothingToCall, isSkipped: true) }
    var findings: [Finding] = []
    for (action, input) in callable {
      let alone = await call(action.name, input)
      let outcomes = await withTaskGroup(of: CallOutcome.self) { group in
        for _ in 0..<options.parallelCalls { group.addTask { await call(action.name, input) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      var reported = 0
      for case .failed(let failure) in outcomes where reported == 0 {
        let found = finding(failure, action.name, input, isValid: true)
        reported += found.count
        findings += found
      }
      if action.effect == .pure, case .answered(let first) = alone,
        outcomes.contains(where: { if case .answered(let other) = $0 { other != first } else { false } })
      {
        findings.append(
          .error(
            LocalizedText(
              "'\(action.name)' is declared pure and answers differently when it is called at the same time",
              de: "„\(action.name)“ ist als pure angegeben und antwortet gleichzeitig aufgerufen verschieden")))
      }
    }
    return CheckResult(
      .concurrency,
      LocalizedText(
        "\(options.parallelCalls) calls at once", de: "\(options.parallelCalls) Aufrufe zugleich"), findings)
  }

  private func verification() async -> CheckResult {
    let verifying = manifest.actions.filter(\.verifies)
    guard !verifying.isEmpty, options.isLive || manifest.hosts.isEmpty else {
      return CheckResult(
        .verification,
        LocalizedText("nothing that verifies without a network", de: "nichts, das ohne Netz nachprüft"), isSkipped: true
      )
    }
    var findings: [Finding] = []
    for action in verifying {
      let sample = SampleInput(schema: suite.inputSchema(of: action)).valid ?? .map([:])
      do throws(ActionFailure) {
        let verdict = try await provider.verify(
          request(action.name, suite.inputSchema(of: action).fillingDefaults(sample)), reporter: SilentReporter())
        if case .done = verdict {
          findings.append(
            .error(
              LocalizedText(
                "'\(action.name)' says 'done' of an attempt that never was",
                de: "„\(action.name)“ sagt „done“ von einem Versuch, den es nie gab")))
        }
      } catch {
        findings += finding(error, action.name, sample, isValid: true)
      }
    }
    let count = verifying.count
    return CheckResult(
      .verification,
      count == 1
        ? LocalizedText("1 action", de: "1 Aktion") : LocalizedText("\(count) actions", de: "\(count) Aktionen"),
      findings)
  }

  /// Calls the first action that answers without effects, or one with input that it refuses, over and over.
  private func memory() async -> CheckResult {
    let target: (String, Value)? =
      callable.first { $0.action.effect == .pure }.map { ($0.action.name, $0.input) }
      ?? callable.first.map { ($0.action.name, $0.input) }
      ?? manifest.actions.lazy.compactMap { action in
        SampleInput(schema: suite.inputSchema(of: action)).hostile(onlyForbidden: true).first.map { (action.name, $0) }
      }.first
    guard let (action, input) = target else { return CheckResult(.memory, nothingToCall, isSkipped: true) }
    // What is kept for good, caches and pools, the host's memory of the last calls among it, has its size after these.
    for _ in 0..<max(2500, options.memoryCalls / 5) { _ = await call(action, input) }
    let before = suite.heap()
    for _ in 0..<options.memoryCalls { _ = await call(action, input) }
    let growth = suite.heap() - before
    // A byte lost per call shows; noise of the process itself does not.
    let allowed = 64 * 1024 + options.memoryCalls * 4
    var findings: [Finding] = []
    if growth > allowed {
      let perCall = growth / max(1, options.memoryCalls)
      findings.append(
        .error(
          LocalizedText(
            "\(options.memoryCalls) calls of '\(action)' left \(growth) bytes behind, about \(perCall) each",
            de: "\(options.memoryCalls) Aufrufe von „\(action)“ ließen \(growth) Byte zurück, etwa \(perCall) je Aufruf"
          )))
    }
    return CheckResult(
      .memory,
      LocalizedText("\(options.memoryCalls) calls of \(action)", de: "\(options.memoryCalls) Aufrufe von \(action)"),
      findings)
  }

  // MARK: Calls

  private enum CallOutcome: Sendable {
    case answered(Value)
    case failed(ActionFailure)
    case abandoned
  }

  private func request(_ action: String, _ input: Value, seconds: Double? = nil) -> ActionRequest {
    ActionRequest(
      run: RunID(rawValue: "CHECK"), step: "check", attempt: 1, action: action, input: input,
      key: "conformance-\(action)", timeout: seconds ?? options.callSeconds)
  }

  private func call(_ action: String, _ input: Value, seconds: Double? = nil) async -> CallOutcome {
    let started = suite.time.monotonic
    do throws(ActionFailure) {
      return .answered(try await provider.perform(request(action, input, seconds: seconds), reporter: SilentReporter()))
    } catch {
      // The host gives a plugin two seconds to end what was cancelled.
      if error.kind == .cancelled, suite.time.monotonic - started > 1.9 { return .abandoned }
      return .failed(error)
    }
  }

  /// What a failure says about a plugin: a typed error is fine where the input was wrong or the world is.
  private func finding(_ failure: ActionFailure, _ action: String, _ input: Value, isValid: Bool) -> [Finding] {
    let wrong: Set<ActionFailure.Kind> = [.protocol, .crashed, .timeout]
    let shown = input.jsonString
    let excerpt = shown.utf8.count > 120 ? String(shown.prefix(117)) + "…" : shown
    if wrong.contains(failure.kind) {
      return [.error(LocalizedText(verbatim: "'\(action)' \(excerpt): ") + failure.message)]
    }
    if isValid, failure.kind == .invalidInput || failure.kind == .unsupported {
      return [
        .advice(
          LocalizedText(
            "'\(action)' refuses an input that its schema allows, \(excerpt): ",
            de: "„\(action)“ lehnt eine Eingabe ab, die sein Schema erlaubt, \(excerpt): ") + failure.message)
      ]
    }
    return []
  }
}

/// Takes what calls report and keeps nothing.
private struct SilentReporter: ActionReporter {
  func log(_ level: LogLevel, _ message: String) {}
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}
