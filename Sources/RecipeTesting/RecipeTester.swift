public import Engine
import Expressions
import Localization
public import Recipes

/// Runs the tests of recipes: offline, with answers from the test files, on a clock of their own.
public struct RecipeTester: Sendable {
  private let planner: Planner
  private let builtins: any StepProvider

  /// Creates a tester.
  ///
  /// - Parameters:
  ///   - planner: Plans recipes; its providers and defaults are replaced, so that no configuration is needed.
  ///   - builtins: Carries out built-in actions that only compute, where a test has no answer for them.
  public init(planner: Planner, builtins: any StepProvider) {
    self.planner = planner
    self.builtins = builtins
  }

  /// Reads a test file and runs its tests.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isWanted: Which tests to run, by name.
  public func run(_ path: String, where isWanted: (String) -> Bool = { _ in true }) async -> SuiteReport {
    let source: SourceText
    do throws(Diagnostic) {
      source = try SourceText.read(path)
    } catch {
      return SuiteReport(path: path, diagnostics: [error])
    }
    return await run(source, where: isWanted) { path throws(Diagnostic) in try SourceText.read(path) }
  }

  /// Runs the tests of a file that was read.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - isWanted: Which tests to run, by name.
  ///   - read: Reads the recipe.
  public func run(
    _ source: SourceText, where isWanted: (String) -> Bool = { _ in true },
    reading read: (String) throws(Diagnostic) -> SourceText
  ) async -> SuiteReport {
    var report = SuiteReport(path: source.path)
    guard let (suite, plan) = self.read(source, &report, read) else { return report }
    var coverage = Coverage(recipe: plan.path, plan: plan)
    for test in suite.tests where isWanted(test.name.value) {
      let (outcome, facts) = await run(test, plan, path: source.path)
      if let facts { coverage.add(facts) }
      report.tests.append(outcome)
    }
    report.coverage = coverage
    return report
  }

  /// What is wrong with a test file and the recipe that it tests, as far as that shows before a test runs.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - read: Reads the recipe.
  public func problems(
    _ source: SourceText, reading read: (String) throws(Diagnostic) -> SourceText
  ) -> [Diagnostic] {
    var report = SuiteReport(path: source.path)
    _ = self.read(source, &report, read)
    return report.diagnostics
  }

  /// Reads a test file and plans its recipe; what is wrong goes into the report, and nothing comes back then.
  private func read(
    _ source: SourceText, _ report: inout SuiteReport, _ read: (String) throws(Diagnostic) -> SourceText
  ) -> (suite: TestSuite, plan: Plan)? {
    report.sources[source.path] = source
    let (document, problems) = YAMLDocument.parse(source)
    report.diagnostics = problems
    guard let root = document?.root else { return nil }
    var reader = TestSuiteReader(path: source.path)
    let suite = reader.suite(root)
    report.diagnostics += reader.diagnostics
    guard let suite, !report.hasErrors, let plan = plan(suite, &report, read) else { return nil }
    return (suite, plan)
  }

  private func plan(
    _ suite: TestSuite, _ report: inout SuiteReport, _ read: (String) throws(Diagnostic) -> SourceText
  ) -> Plan? {
    let recipe: SourceText
    do throws(Diagnostic) {
      recipe = try read(suite.recipe.value.beside(suite.path))
    } catch {
      report.diagnostics.append(
        Diagnostic(error.code, error.message, path: suite.path, range: suite.recipe.range))
      return nil
    }
    let planning = OfflineProviders.planning(recipe, with: planner)
    report.sources.merge(planning.sources) { $1 }
    report.diagnostics += planning.diagnostics
    report.diagnostics += planning.providerProblems.map {
      Diagnostic(.init(rawValue: $0.code.rawValue), $0.message, path: suite.path, range: suite.recipe.range)
    }
    guard let plan = planning.plan else { return nil }
    for test in suite.tests {
      report.diagnostics += Fixtures.problems(test.scripts, plan, path: suite.path)
      for (name, _) in test.keywords where !plan.keywordNames.contains(name.value) {
        report.diagnostics.append(
          Diagnostic(
            .unknownKeyword,
            LocalizedText(
              "the recipe has no keyword '\(name.value)'", de: "das Rezept hat kein Schlüsselwort '\(name.value)'")
              + Suggestion.text(for: name.value, among: plan.keywordNames),
            path: suite.path, range: name.range))
      }
    }
    return report.hasErrors ? nil : plan
  }

  private func run(_ test: TestCase, _ plan: Plan, path: String) async -> (TestReport, RunFacts?) {
    var report = TestReport(name: test.name)
    let clock = SystemTime()
    let began = clock.monotonic
    defer { report.duration = clock.monotonic - began }
    let plan = Fixtures.replacing(plan, test.scripts)
    let inputs: Value
    do throws(EngineError) {
      inputs = try plan.inputs(from: test.inputs)
    } catch {
      report.diagnostics.append(
        Diagnostic(.invalidValue, error.message, path: path, range: test.inputsRange ?? test.name.range))
      return (report, nil)
    }
    let time = VirtualTime(start: test.clock)
    let providers = ScriptedProviders(builtins: builtins, time: time)
    let transcript = RunTranscript(providers: providers, time: time)
    let runner = Runner(recorder: transcript, providers: providers, time: time, random: { 0.5 })
    var zeros = Zeros()
    let id = RunID(at: test.clock, using: &zeros)
    providers.expect(id, plan: plan, scripts: test.scripts)
    let keywords = Dictionary(test.keywords.map { ($0.name.value, $0.value) }) { $1 }
    let request = RunRequest(
      id: id, inputs: inputs, keywords: keywords, trigger: test.event == .null ? "manual" : "event", event: test.event)
    let result: RunResult
    do {
      result = try await withTaskExecutorPreference(time) { try await runner.run(plan, request) }
    } catch {
      let message = (error as? EngineError)?.message ?? LocalizedText(verbatim: "\(error)")
      report.diagnostics.append(Diagnostic(.expectationFailed, message, path: path, range: test.name.range))
      return (report, nil)
    }
    var facts = RunFacts(plan, run: id, entries: transcript.entries, calls: providers.calls)
    facts.result = result
    for step in providers.unanswered {
      report.diagnostics.append(
        Diagnostic(
          .unansweredCall,
          LocalizedText(
            "step '\(step)' was called, but the test has no answer for it; add it to 'steps'",
            de: "Schritt '\(step)' wurde aufgerufen, aber der Test hat keine Antwort; trage sie unter 'steps' ein"),
          path: path, range: test.name.range))
    }
    if let node = test.expectation, report.diagnostics.isEmpty {
      var expectation = Expectation(plan, facts, path: path)
      expectation.check(node)
      report.diagnostics += expectation.diagnostics
    }
    return (report, facts)
  }
}

/// No randomness: runs of a test look the same.
private struct Zeros: RandomNumberGenerator {
  mutating func next() -> UInt64 { 0 }
}

extension String {
  /// The path, where it is relative, seen from the folder of a file.
  fileprivate func beside(_ file: String) -> String {
    guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
    return file[...slash] + self
  }
}
