public import Expressions
public import RecipeModel
public import RecipeSyntax

/// A test file: tests of one recipe.
public struct TestSuite: Sendable {
  /// The file, as the user named it.
  public var path: String
  /// The recipe's path, relative to the file's folder.
  public var recipe: Located<String>
  /// The tests, in source order.
  public var tests: [TestCase]
}

/// One test: what a run starts from, what its steps are answered with, and what is expected.
public struct TestCase: Sendable {
  /// What the test shows.
  public var name: Located<String>
  /// The inputs given for the run, each with its place.
  public var inputs: [(name: Located<String>, value: Node)] = []
  /// The keywords given for the run, each with its place.
  public var keywords: [(name: Located<String>, value: Value)] = []
  /// The event that starts the run.
  public var event: Value = .null
  /// What the clock shows when the run begins.
  public var clock = TestCase.standardClock
  /// The answers by step.
  public var scripts: [StepScript] = []
  /// What is expected.
  public var expectation: Expectation?
  /// Where the inputs stand.
  var inputsRange: SourceRange?

  /// The beginning of 2026.
  static let standardClock = Timestamp(seconds: 1_767_225_600)
}

/// What the calls of one step are answered with.
public struct StepScript: Sendable {
  /// The step's name.
  public var step: Located<String>
  /// The answers of the attempts, the last one repeating; for a loop the same for each item.
  var answers: [CannedAnswer] = []
  /// The answers item by item, the last ones repeating.
  var items: [[CannedAnswer]] = []
  /// Whether the answers are given item by item.
  var hasItems = false
  /// The answers of the steps of the block or recipe that the step runs: by item, and in that by repetition; the last ones
  /// repeat.
  var nested: [[[StepScript]]] = []
  /// Whether the step's block or recipe runs, its steps answered by ``nested``.
  var isNested = false

  /// The answer of an attempt.
  func answer(item: Int?, attempt: Int) -> CannedAnswer? {
    let sequence = items.isEmpty ? answers : items[min(max(item ?? 0, 0), items.count - 1)]
    guard !sequence.isEmpty else { return nil }
    return sequence[min(max(attempt, 1), sequence.count) - 1]
  }

  /// The answers for a run of the step's block or recipe.
  ///
  /// - Parameter number: Which repetition it is, 1 for the first.
  func nested(item: Int?, number: Int) -> [StepScript] {
    guard let runs = Self.element(item ?? 0, of: nested) else { return [] }
    return Self.element(number - 1, of: runs) ?? []
  }

  /// An element, or the last one if there are not so many.
  private static func element<Element>(_ index: Int, of list: [Element]) -> Element? {
    list.isEmpty ? nil : list[min(max(index, 0), list.count - 1)]
  }

  /// Every answer.
  var all: [CannedAnswer] { answers + items.flatMap { $0 } }
  /// The answers of all runs of the step's block or recipe.
  var allNested: [StepScript] { nested.flatMap { $0.flatMap { $0 } } }
}
