import Engine
import Expressions
import Localization
import Plans
import PluginBoundary
import PluginHost
import RecipeModel
import Schemas
import Synchronization

/// The checks that call actions.
struct CallChecks {
  let suite: ConformanceSuite
  let provider: any StepProvider
  /// Carries out what changes something: the same one where that is allowed, otherwise one that reaches nobody; `nil`
  /// where there is none.
  let guarded: (any StepProvider)?
  /// Makes a provider ready that reaches nobody and whose memory is measured.
  let openOffline: ConformanceSuite.Opening
  private let defects = Defects()

  /// Actions that crashed or hung: what they do in further checks is known, and would take its time.
  private final class Defects: Sendable {
    private let names = Mutex<Set<String>>([])
    func insert(_ action: String) { names.withLock { _ = $0.insert(action) } }
    func contains(_ action: String) -> Bool { names.withLock { $0.contains(action) } }
  }

  init(
    suite: ConformanceSuite, provider: any StepProvider, guarded: (any StepProvider)?,
    openOffline: @escaping ConformanceSuite.Opening
  ) {
    self.suite = suite
    self.provider = provider
    self.guarded = guarded
    self.openOffline = openOffline
  }

  /// The checks, in order.
  var all: [(Check, () async -> CheckResult)] {
    [
      (.actions, actions), (.unknownAction, unknownAction), (.badInput, badInput), (.cancellation, cancellation),
      (.concurrency, concurrency),
      (.verification, verification), (.memory, memory),
    ]
  }

  private var manifest: PluginManifest { suite.manifest }
  private var options: ConformanceOptions { suite.options }

  /// Actions that may be carried out, with a valid input each.
  private var callable: [(action: PluginManifest.Action, input: Value)] {
    manifest.actions.compactMap { action in
      guard mayBeCarriedOut(action), !defects.contains(action.name),
        var input = SampleInput(schema: suite.inputSchema(of: action)).valid
      else { return nil }
      // What it does not carry out it refuses: that would try nothing.
      if let task = action.tasks?.first, case .map(var members) = input {
        members["task"] = .string(task)
        if members["input"] == nil { members["input"] = "One sentence. And another one." }
        input = .map(members)
      }
      return (action, suite.inputSchema(of: action).fillingDefaults(input))
    }
  }

  private func mayBeCarriedOut(_ action: PluginManifest.Action) -> Bool {
    !action.changesSomething || options.includesEffects
  }

  /// Who carries an action out: what may change something, and must not, is called only where it reaches nobody, as a
  /// plugin leaves it to the host's schema to refuse wrong input.
  private func provider(for action: PluginManifest.Action) -> (any StepProvider)? {
    mayBeCarriedOut(action) ? provider : guarded
  }

  private var nothingToCall: LocalizedText {
    if manifest.actions.contains(where: { defects.contains($0.name) }) {
      return LocalizedText("no action is left that does not crash or hang", de: "alle Aktionen stürzen ab oder hängen")
    }
    return LocalizedText(
      "no action without effects; --effects calls the others too",
      de: "keine Aktion ohne Wirkung; --effects ruft auch die anderen auf")
  }

  // MARK: The checks

  private func actions() async -> CheckResult {
    let callable = callable
    guard !callable.isEmpty else { return CheckResult(.actions, nothingToCall, isSkipped: true) }
    var findings: [Finding] = []
    var offline = 0
    for (action, input) in callable {
      switch await call(action.name, input) {
      case .failed(let failure):
        if !options.isLive, failure.kind == .unreachable { offline += 1 }
        if [.crashed, .timeout].contains(failure.kind) { defects.insert(action.name) }
        findings += finding(failure, action.name, input, isValid: true)
      case .abandoned: defects.insert(action.name)
      case .answered: break
      }
    }
    let count = callable.count
    var summary = Self.text(count)
    if offline > 0 {
      summary =
        summary
        + LocalizedText(
          "; \(offline) asked for the network, which --live opens",
          de: "; \(offline) wollte\(offline == 1 ? "" : "n") ins Netz, das --live öffnet")
    }
    return CheckResult(.actions, summary, findings)
  }

  /// Asks for an action that does not exist, with input that actions of the plugin take: a plugin that does not look at the name
  /// answers.
  private func unknownAction() async -> CheckResult {
    // A plugin may take the name for any of its actions.
    guard let provider = guarded ?? (manifest.actions.contains(where: \.changesSomething) ? nil : provider) else {
      return CheckResult(.unknownAction, nothingToCall, isSkipped: true)
    }
    let name = "\(manifest.id).no-such-action"
    var findings: [Finding] = []
    var isPossible = false
    for input in callable.map(\.input) + [.map([:])] where !findings.contains(where: \.isError) {
      do throws(ActionFailure) {
        let request = request(name, input)
        guard try await suite.callUnknown(provider, request, SilentReporter()) != nil else { continue }
        isPossible = true
        findings.append(
          .error(
            LocalizedText(
              "the plugin answers '\(name)', an action that it does not have: 'start' must compare the name of the action, and fail "
                + "with the kind 'unsupported' for others",
              de:
                "das Plugin beantwortet '\(name)', eine Aktion, die es nicht hat: 'start' muss den Namen der Aktion vergleichen "
                + "und bei anderen mit der Art 'unsupported' fehlschlagen")))
      } catch {
        isPossible = true
        findings += finding(error, name, input, isValid: false)
      }
    }
    guard isPossible else {
      return CheckResult(
        .unknownAction, LocalizedText("could not be asked", de: "ließ sich nicht fragen"), isSkipped: true)
    }
    return CheckResult(.unknownAction, LocalizedText("refused", de: "abgelehnt"), findings)
  }

  private static func text(_ actions: Int) -> LocalizedText {
    actions == 1
      ? LocalizedText("1 action", de: "1 Aktion") : LocalizedText("\(actions) actions", de: "\(actions) Aktionen")
  }

  private func badInput() async -> CheckResult {
    var count = 0
    var findings: [Finding] = []
    for action in manifest.actions where !defects.contains(action.name) {
      guard let provider = provider(for: action) else { continue }
      let schema = suite.inputSchema(of: action)
      for input in SampleInput(schema: schema).hostile(onlyForbidden: !mayBeCarriedOut(action)) {
        count += 1
        // What the schema allows may take its time, as long as it ends when it is told to.
        let isAllowed = schema.validate(input).isEmpty
        let outcome = await call(action.name, input, seconds: isAllowed ? 1 : options.callSeconds, by: provider)
        guard case .failed(let failure) = outcome, !(isAllowed && failure.kind == .timeout) else { continue }
        findings += finding(failure, action.name, input, isValid: false)
        // Every further one would take as long.
        if failure.kind == .timeout || findings.count >= 10 { break }
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
        switch await task.value {
        case .failed(let failure) where failure.kind != .cancelled:
          findings += finding(failure, action.name, input, isValid: true)
        case .abandoned:
          findings.append(
            .error(
              LocalizedText(
                "'\(action.name)' goes on after it was cancelled; 'cancel' must end in the completion",
                de: "'\(action.name)' läuft weiter, nachdem es abgebrochen wurde; 'cancel' muss in der Antwort enden")))
        default: break
        }
        if findings.contains(where: \.isError) { break }
      }
    }
    return CheckResult(
      .cancellation, LocalizedText("\(callable.count * 10) calls", de: "\(callable.count * 10) Aufrufe"),
      findings)
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
      for case .failed(let failure) in outcomes {
        let found = finding(failure, action.name, input, isValid: true)
        guard !found.isEmpty else { continue }
        findings += found
        break
      }
      if action.effect == .pure, case .answered(let first) = alone,
        outcomes.contains(where: { if case .answered(let other) = $0 { other != first } else { false } })
      {
        findings.append(
          .error(
            LocalizedText(
              "'\(action.name)' is declared pure and answers differently when it is called at the same time",
              de: "'\(action.name)' ist als pure angegeben und antwortet gleichzeitig aufgerufen verschieden")))
      }
    }
    return CheckResult(
      .concurrency,
      LocalizedText(
        "\(options.parallelCalls) calls at once", de: "\(options.parallelCalls) Aufrufe zugleich"), findings)
  }

  private func verification() async -> CheckResult {
    let verifying = manifest.actions.filter(\.verifies)
    guard !verifying.isEmpty else {
      return CheckResult(
        .verification, LocalizedText("no action that verifies", de: "keine Aktion, die nachprüft"), isSkipped: true)
    }
    var findings: [Finding] = []
    for action in verifying {
      guard let provider = provider(for: action) else { continue }
      let sample = SampleInput(schema: suite.inputSchema(of: action)).valid ?? .map([:])
      var question = request(action.name, suite.inputSchema(of: action).fillingDefaults(sample))
      // A key of its own: attempts under that of the other checks there may have been, in this check or an earlier one.
      question.key += "-\(String(UInt64.random(in: .min ... .max), radix: 36))"
      do throws(ActionFailure) {
        let verdict = try await provider.verify(question, reporter: SilentReporter())
        if case .done = verdict {
          findings.append(
            .error(
              LocalizedText(
                "'\(action.name)' says 'done' of an attempt that never was",
                de: "'\(action.name)' sagt 'done' von einem Versuch, den es nie gab")))
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

  /// Calls every action that may be carried out over and over, or one with input that it refuses.
  private func memory() async -> CheckResult {
    var targets = callable.map { ($0.action.name, $0.input) }
    if targets.isEmpty {
      targets = manifest.actions.lazy.filter { !defects.contains($0.name) }.compactMap { action in
        SampleInput(schema: suite.inputSchema(of: action)).hostile(onlyForbidden: true).first.map { (action.name, $0) }
      }.prefix(1).map(\.self)
    }
    guard !targets.isEmpty else { return CheckResult(.memory, nothingToCall, isSkipped: true) }
    let provider: any StepProvider
    do throws(PluginError) {
      provider = try await openOffline()
    } catch {
      return CheckResult(.memory, LocalizedText("not ready", de: "nicht bereit"), [.error(error.message)])
    }
    var findings: [Finding] = []
    var total = 0
    for (action, input) in targets {
      var (count, growth) = await quickGrowth(of: action, input, provider)
      total += count
      if isLeak(growth, of: count) {
        (count, growth) = await settledGrowth(of: action, input, provider, calls: count * 4)
        total += count
      }
      guard isLeak(growth, of: count) else { continue }
      let perCall = growth / max(1, count)
      findings.append(
        .error(
          LocalizedText(
            "\(count) calls of '\(action)' left \(growth) bytes behind, about \(perCall) each",
            de: "\(count) Aufrufe von '\(action)' ließen \(growth) Byte zurück, etwa \(perCall) je Aufruf")))
    }
    let names = Self.text(targets.count)
    return CheckResult(
      .memory, LocalizedText("\(total) calls of ", de: "\(total) Aufrufe von ") + names, findings)
  }

  /// Noise of the process itself does not show; a block lost in each of ten
  /// thousand calls, 32 bytes, does.
  private func isLeak(_ growth: Int, of calls: Int) -> Bool { growth > 96 * 1024 + calls * 8 }

  /// The calls of one action that fit into its time, and the bytes that they keep.
  ///
  /// What is kept for good, caches and pools, the host's memory of the last calls among it, has its size after the first
  /// calls. Of the parts of the rest the one counts that keeps the least: a leak is in every one of them.
  private func quickGrowth(
    of action: String, _ input: Value, _ provider: any StepProvider
  ) async -> (calls: Int, bytes: Int) {
    let parts = 4
    let seconds = options.memorySeconds / Double(parts + 1)
    let first = max(options.memoryCalls / 5, min(2500, options.memoryCalls * 25))
    await call(action, input, provider, times: first, within: seconds)
    var calls = 0
    var perCall = Double.infinity
    for _ in 0..<parts {
      let before = await suite.heap(provider)
      let count = await call(
        action, input, provider, times: max(1, options.memoryCalls / parts), within: seconds)
      perCall = min(perCall, Double(growth(from: before, to: await suite.heap(provider))) / Double(count))
      calls += count
    }
    return (calls, Int(max(0, perCall * Double(calls))))
  }

  /// The bytes that calls, more than before, keep when all is quiet again: threads that have nothing to do for some
  /// seconds end, and what they kept at hand goes with them.
  private func settledGrowth(
    of action: String, _ input: Value, _ provider: any StepProvider, calls: Int
  ) async -> (calls: Int, bytes: Int) {
    try? await suite.time.sleep(seconds: options.settleSeconds)
    let before = await suite.heap(provider)
    let count = await call(action, input, provider, times: calls, within: options.memorySeconds)
    try? await suite.time.sleep(seconds: options.settleSeconds)
    return (count, growth(from: before, to: await suite.heap(provider)))
  }

  /// What was allocated in between; nothing where the process ended, which is another check's finding.
  private func growth(from before: Int?, to after: Int?) -> Int {
    guard let before, let after else { return 0 }
    return after - before
  }

  /// Calls one after the other, as often as wanted or as time allows.
  @discardableResult
  private func call(
    _ action: String, _ input: Value, _ provider: any StepProvider, times: Int, within seconds: Double
  ) async -> Int {
    let end = suite.time.monotonic + seconds
    var count = 0
    repeat {
      _ = await call(action, input, by: provider)
      count += 1
    } while count < times && suite.time.monotonic < end
    return count
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

  private func call(
    _ action: String, _ input: Value, seconds: Double? = nil, by other: (any StepProvider)? = nil
  ) async -> CallOutcome {
    let started = suite.time.monotonic
    do throws(ActionFailure) {
      return .answered(
        try await (other ?? provider).perform(
          request(action, input, seconds: seconds), reporter: SilentReporter()))
    } catch {
      // The host gives a plugin two seconds to end what was cancelled.
      if error.kind == .cancelled, suite.time.monotonic - started > 1.9 { return .abandoned }
      return .failed(error)
    }
  }

  /// What a failure says about a plugin: a typed error is fine where the input was wrong or the world is.
  private func finding(_ failure: ActionFailure, _ action: String, _ input: Value, isValid: Bool) -> [Finding] {
    let rules: [ActionFailure.Kind: LocalizedText] = [
      .protocol: LocalizedText(
        "an answer is JSON as its schema says, and wrong input is 'invalid_input'",
        de: "eine Antwort ist JSON nach ihrem Schema, und falsche Eingabe ist 'invalid_input'"),
      .crashed: LocalizedText("no input ends the process", de: "keine Eingabe beendet den Prozess"),
      .timeout: LocalizedText("every call ends", de: "jeder Aufruf endet"),
    ]
    let shown = input.jsonString
    let excerpt = shown.utf8.count > 120 ? String(shown.prefix(117)) + "…" : shown
    if let rule = rules[failure.kind] {
      let kind = failure.kind.rawValue
      return [
        .error(
          LocalizedText(
            "'\(action)' \(excerpt) fails as '\(kind)' (", de: "'\(action)' \(excerpt) scheitert als '\(kind)' (")
            + rule + LocalizedText(verbatim: "): ") + failure.message)
      ]
    }
    if isValid, failure.kind == .invalidInput || failure.kind == .unsupported {
      return [
        .advice(
          LocalizedText(
            "'\(action)' refuses an input that its schema allows, \(excerpt): ",
            de: "'\(action)' lehnt eine Eingabe ab, die sein Schema erlaubt, \(excerpt): ") + failure.message)
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
