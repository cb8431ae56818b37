public import RecipeModel
public import RecipeSyntax

/// What the tests of one file have shown.
public struct SuiteReport: Sendable {
  /// The test file.
  public var path: String
  /// What is wrong with the file or its recipe; where there are errors, no test ran.
  public var diagnostics: [Diagnostic] = []
  /// The tests that ran, in source order.
  public var tests: [TestReport] = []
  /// What the tests have gone through; `nil` where none ran.
  public var coverage: Coverage?
  /// The texts that diagnostics refer to, by path.
  public var sources: [String: SourceText] = [:]

  /// Whether the file or its recipe is wrong.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  init(path: String, diagnostics: [Diagnostic] = []) {
    self.path = path
    self.diagnostics = diagnostics
  }
}

/// What one test has shown.
public struct TestReport: Sendable {
  /// The test's name.
  public var name: Located<String>
  /// The expectations that were not met, each at its place in the test file.
  public var diagnostics: [Diagnostic] = []
  /// How long it took, in real seconds.
  public var duration = 0.0

  /// Whether everything came out as expected.
  public var hasPassed: Bool { diagnostics.isEmpty }

  init(name: Located<String>) { self.name = name }
}
