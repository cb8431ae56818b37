import Engine
import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import Schemas

/// Reads a test file and collects every problem it meets.
///
/// The keys it knows are those of ``RecipeDefinitions``. A value behind a YAML anchor is reported once, where it stands.
struct TestSuiteReader {
  let fields: FieldReader

  init(_ document: YAMLDocument) { fields = FieldReader(document) }

  var path: String { fields.path }

  /// Reads the file; `nil` where it names no recipe.
  ///
  /// What can be read is returned beside the problems, so that it can be checked against the recipe as well.
  func suite() -> TestSuite? {
    guard let root = fields.document.root else { return nil }
    if let keys = root.mapping, keys["tests"] == nil, let key = keys.entry("steps") ?? keys.entry("kind") {
      fields.report(
        .notSupported,
        .init(
          "this is a recipe; its tests stand in a file of their own (NAME.test.yaml) with 'recipe' and 'tests'",
          de: "das ist ein Rezept; seine Tests stehen in einer eigenen Datei (NAME.test.yaml) mit 'recipe' und 'tests'"
        ),
        at: key.nameRange)
      return nil
    }
    guard let map = map(root, "test file", .testFile) else { return nil }
    var tests: [TestCase] = []
    if let node = map["tests"], let elements = fields.list(node, "tests") {
      tests = elements.compactMap { test($0) }
      if elements.isEmpty {
        fields.report(
          .invalidValue, .init("'tests' must not be empty", de: "'tests' darf nicht leer sein"), at: node.range)
      }
    }
    var seen: [String: SourceRange] = [:]
    for test in tests where !test.name.value.isEmpty {
      if let first = seen.updateValue(test.name.range, forKey: test.name.value) {
        fields.report(
          .duplicateKey, .init("two tests have the same name", de: "zwei Tests haben denselben Namen"),
          at: test.name.range, related: [.init(.init("the first one", de: "der erste"), at: first)])
      }
    }
    guard let recipe = map["recipe"].flatMap({ fields.name($0, "recipe") }) else { return nil }
    return TestSuite(path: path, recipe: recipe, tests: tests)
  }

  private func test(_ node: Node) -> TestCase? {
    guard let map = map(node, "test", .testCase) else { return nil }
    let name = map["name"].flatMap { fields.name($0, "name") }
    // A test without a name is reported and read all the same.
    var test = TestCase(name: name ?? Located("", at: map.entries.first?.nameRange ?? node.range))
    if let inputs = map["inputs"], let entries = fields.map(inputs, "inputs", keys: nil)?.entries {
      test.inputs = entries.map { (Located($0.name, at: $0.nameRange), $0.value) }
      test.inputsRange = inputs.range
    }
    if let keywords = map["keywords"], let entries = fields.map(keywords, "keywords", keys: nil)?.entries {
      test.keywords = entries.map { (Located($0.name, at: $0.nameRange), $0.value.value) }
    }
    test.event = map["event"]?.value ?? .null
    if let clock = map["clock"], let written = fields.string(clock, "clock") {
      if let time = Timestamp(rfc3339: written) {
        test.clock = time
      } else {
        fields.report(
          .invalidValue,
          .init(
            "'clock' must be a time such as 2026-11-21T07:00:00Z",
            de: "'clock' muss eine Zeit wie 2026-11-21T07:00:00Z sein"),
          at: clock.range)
      }
    }
    if let steps = map["steps"] { test.scripts = scripts(steps) }
    test.expectation = map["expect"].flatMap { expectation($0) }
    return test
  }

  // MARK: Values

  /// A map with the keys of a definition.
  func map(_ node: Node, _ field: String, _ name: MappingDefinition.Name) -> Node.Mapping? {
    fields.map(node, field, RecipeDefinitions.definition(name))
  }

  /// One of the words that a key takes by its definition.
  func word(_ node: Node, _ field: String, of key: String, in name: MappingDefinition.Name) -> String? {
    guard let text = fields.string(node, field) else { return nil }
    let words = RecipeDefinitions.definition(name).key(key)?.shape.words ?? []
    if words.contains(text) { return text }
    fields.report(
      .invalidValue,
      .init(
        "'\(field)' must be one of \(words.joined(separator: ", "))",
        de: "'\(field)' muss eines von \(words.joined(separator: ", ")) sein"),
      at: node.range, suggestion: fields.suggestion(for: text, among: words))
    return nil
  }
}

extension ValueShape {
  /// The words that a value may be.
  fileprivate var words: [String] {
    switch self {
    case .word(let words): words
    case .any(let shapes): shapes.flatMap(\.words)
    default: []
    }
  }
}
