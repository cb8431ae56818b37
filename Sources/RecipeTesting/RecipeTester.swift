public import Builtins
import Engine
import Expressions
import Localization
import Plans
import RecipeModel
public import RecipePlanning
public import RecipeSyntax

/// Runs the tests of recipes: offline, with answers from the test files, on a clock of their own.
public struct RecipeTester: Sendable {
  private let planner: Planner
  private let builtins: BuiltinActions

  /// Creates a tester.
  ///
  /// - Parameters:
  ///   - planner: Plans recipes; its providers and defaults are replaced, so that no configuration is needed.
  ///   - builtins: Carries out built-in actions that only compute, where a test has no answer for them.
  public init(planner: Planner, builtins: BuiltinActions) {
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
    do {
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
    var (report, prepared) = prepare(source, reading: read)
    guard let (suite, plan) = prepared else { return report }
    var coverage = Coverage(recipe: plan.path, plan: plan)
    for test in suite.tests where isWanted(test.name.value) {
      let (outcome, facts) = await run(test, plan, path: source.path)
      if let facts { coverage.add(facts, of: plan) }
      report.tests.append(outcome)
    }
    report.coverage = coverage
    return report
  }

  /// Checks a test file and its recipe without running anything.
  ///
  /// - Parameter path: The file.
  /// - Returns: A report without tests: everything that is wrong with the file, or with its recipe.
  public func check(_ path: String) -> SuiteReport {
    do {
      return prepare(try SourceText.read(path)) { path throws(Diagnostic) in try SourceText.read(path) }.report
    } catch {
      return SuiteReport(path: path, diagnostics: [error])
    }
  }

  /// Checks a test file that was read, and its recipe, without running anything.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - read: Reads the recipe.
  /// - Returns: A report without tests: everything that is wrong with the file, or with its recipe.
  public func check(
    _ source: SourceText, reading read: (String) throws(Diagnostic) -> SourceText
  ) -> SuiteReport {
    prepare(source, reading: read).report
  }

  /// Reads a test file and plans its recipe; every problem of both is in the report.
  ///
  /// - Returns: The tests and the plan, or `nil` where something is wrong.
  private func prepare(
    _ source: SourceText, reading read: (String) throws(Diagnostic) -> SourceText
  ) -> (report: SuiteReport, prepared: (suite: TestSuite, plan: Plan)?) {
    var report = SuiteReport(path: source.path)
    report.sources[source.path] = source
    let (document, problems) = YAMLDocument.parse(source)
    report.diagnostics = problems
    guard let document else { return (report, nil) }
    let reader = TestSuiteReader(document)
    let suite = reader.suite()
    var plan: Plan?
    if let suite { plan = self.plan(suite, reader.fields, &report, read) }
    if let suite, let plan {
      let check = SuiteCheck(fields: reader.fields)
      for test in suite.tests { check.check(test, plan) }
    }
    // What is wrong with the file itself stands before what is wrong with its recipe.
    report.diagnostics = (reader.fields.diagnostics + report.diagnostics).inSourceOrder
    guard let suite, let plan, !report.hasErrors else { return (report, nil) }
    return (report, (suite, plan))
  }

  private func plan(
    _ suite: TestSuite, _ fields: FieldReader, _ report: inout SuiteReport,
    _ read: (String) throws(Diagnostic) -> SourceText
  ) -> Plan? {
    let recipe: SourceText
    do {
      recipe = try read(suite.recipe.value.beside(suite.path))
    } catch {
      fields.report(error.code, error.message, at: suite.recipe.range)
      return nil
    }
    let planning = OfflineProviders.planning(recipe, with: planner)
    report.sources.merge(planning.sources) { own, _ in own }
    report.diagnostics += planning.diagnostics
    for problem in planning.providerProblems {
      fields.report(.init(rawValue: problem.code.rawValue), problem.message, at: suite.recipe.range)
    }
    return planning.plan
  }

  private func run(_ test: TestCase, _ plan: Plan, path: String) async -> (TestReport, RunFacts?) {
    var report = TestReport(name: test.name)
    let clock = SystemTime()
    let began = clock.monotonic
    defer { report.duration = clock.monotonic - began }
    let plan = SuiteCheck.replacing(plan, test.scripts)
    let inputs: Value
    do {
      inputs = try plan.inputs(from: Dictionary(test.inputs.map { ($0.name.value, $0.value.value) }) { $1 })
    } catch {
      report.diagnostics.append(
        Diagnostic(.invalidValue, error.message, path: path, range: test.inputsRange ?? test.name.range))
      return (report, nil)
    }
    let time = VirtualTime(start: test.clock)
    let providers = ScriptedProviders(builtins: builtins, time: time)
    var options = RunEngine.Options()
    options.random = { 0.5 }
    options.parksWaits = false
    var zeros = Zeros()
    let id = RunID(at: test.clock, using: &zeros)
    providers.expect(id, plan: plan, scripts: test.scripts)
    let keywords = Dictionary(test.keywords.map { ($0.name.value, $0.value) }) { $1 }
    let request = RunRequest(
      id: id, inputs: inputs, keywords: keywords, trigger: test.event == .null ? "manual" : "event", event: test.event)
    let result: RunResult
    let transcript: RunTranscript
    do {
      transcript = try RunTranscript(providers: providers, time: time)
      let engine = RunEngine(queue: transcript, providers: providers, time: time, options: options)
      result = try await withTaskExecutorPreference(time) { try await engine.run(plan, request) }
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
            de: "Schritt '\(step)' wurde aufgerufen, aber der Test hat keine Antwort; sie unter 'steps' eintragen"),
          path: path, range: test.name.range))
    }
    if let expectation = test.expectation, report.diagnostics.isEmpty {
      var check = ExpectationCheck(plan, facts, path: path)
      check.check(expectation)
      report.diagnostics += check.diagnostics
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
