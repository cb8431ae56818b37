import Engine
import Expressions
import Localization
import Recipes

/// Reads a test file and collects every problem it meets.
struct TestSuiteReader {
  let path: String
  private(set) var diagnostics: [Diagnostic] = []

  init(path: String) { self.path = path }

  /// Reads the file.
  mutating func suite(_ root: Node) -> TestSuite? {
    guard let map = map(root, "test file", keys: ["recipe", "tests"]) else { return nil }
    var recipe: Located<String>?
    if let node = map["recipe"] {
      recipe = text(node, "recipe")
    } else {
      report(.missingKey, .init("'recipe' is missing", de: "'recipe' fehlt"), at: root.range)
    }
    var tests: [TestCase] = []
    if let node = map["tests"] {
      for element in list(node, "tests") ?? [] {
        if let test = test(element) { tests.append(test) }
      }
    } else {
      report(.missingKey, .init("'tests' is missing", de: "'tests' fehlt"), at: root.range)
    }
    var seen: [String: SourceRange] = [:]
    for test in tests {
      if let first = seen.updateValue(test.name.range, forKey: test.name.value) {
        diagnostics.append(
          Diagnostic(
            .duplicateKey, .init("two tests have the same name", de: "zwei Tests haben denselben Namen"), path: path,
            range: test.name.range, related: [.init(.init("the first one", de: "der erste"), at: first)]))
      }
    }
    return recipe.map { TestSuite(path: path, recipe: $0, tests: tests) }
  }

  private mutating func test(_ node: Node) -> TestCase? {
    let keys = ["name", "inputs", "keywords", "event", "clock", "steps", "expect"]
    guard let map = map(node, "test", keys: keys) else { return nil }
    guard let nameNode = map["name"] else {
      report(.missingKey, .init("a test needs a 'name'", de: "ein Test braucht einen 'name'"), at: node.range)
      return nil
    }
    guard let name = text(nameNode, "name") else { return nil }
    var test = TestCase(name: name)
    if let inputs = map["inputs"], let entries = self.map(inputs, "inputs", keys: nil)?.entries {
      for entry in entries { test.inputs[entry.name] = entry.value.value }
      test.inputsRange = inputs.range
    }
    if let keywords = map["keywords"], let entries = self.map(keywords, "keywords", keys: nil)?.entries {
      test.keywords = entries.map { (Located($0.name, at: $0.nameRange), $0.value.value) }
    }
    test.event = map["event"]?.value ?? .null
    if let clock = map["clock"], let written = text(clock, "clock") {
      if let time = Timestamp(rfc3339: written.value) {
        test.clock = time
      } else {
        report(
          .invalidValue,
          .init(
            "'clock' must be a time such as 2026-11-21T07:00:00Z",
            de: "'clock' muss eine Zeit wie 2026-11-21T07:00:00Z sein"),
          at: clock.range)
      }
    }
    if let steps = map["steps"] { test.scripts = scripts(steps) }
    test.expectation = map["expect"]
    if test.expectation == nil {
      report(.missingKey, .init("a test needs 'expect'", de: "ein Test braucht 'expect'"), at: name.range)
    }
    return test
  }

  private mutating func scripts(_ node: Node) -> [StepScript] {
    (map(node, "steps", keys: nil)?.entries ?? []).map { entry in
      var script = StepScript(step: Located(entry.name, at: entry.nameRange))
      if let mapping = entry.value.mapping, let items = mapping["items"] {
        _ = map(entry.value, entry.name, keys: ["items"])
        script.items = (list(items, "items") ?? []).map { answers($0) }
      } else if let mapping = entry.value.mapping, let steps = mapping["steps"] {
        _ = map(entry.value, entry.name, keys: ["steps"])
        script.nested = scripts(steps)
        script.isNested = true
      } else {
        script.answers = answers(entry.value)
      }
      return script
    }
  }

  /// One answer, or a list of them for one attempt after the other.
  private mutating func answers(_ node: Node) -> [CannedAnswer] {
    guard let elements = node.sequence else { return answer(node).map { [$0] } ?? [] }
    if elements.isEmpty {
      report(
        .invalidValue, .init("at least one answer is wanted", de: "mindestens eine Antwort ist nötig"), at: node.range)
    }
    return elements.compactMap { answer($0) }
  }

  private mutating func answer(_ node: Node) -> CannedAnswer? {
    guard let map = map(node, "answer", keys: ["output", "error", "hang", "after", "verify"]) else { return nil }
    let ends = ["output", "error", "hang"].filter { map[$0] != nil }
    guard ends.count == 1 else {
      report(
        ends.isEmpty ? .missingKey : .conflictingKeys,
        .init("an answer has one of output, error, hang", de: "eine Antwort hat eines von output, error, hang"),
        at: node.range)
      return nil
    }
    var answer = CannedAnswer(end: .hang)
    if let output = map["output"] { answer.end = .output(output) }
    if let error = map["error"] {
      guard let failure = failure(error) else { return nil }
      answer.end = .failure(failure)
    }
    if let after = map["after"], let seconds = duration(after, "after") { answer.after = seconds }
    if let verify = map["verify"], let word = text(verify, "verify") {
      let known = CannedAnswer.Verification.allCases.map(\.rawValue)
      if let verification = CannedAnswer.Verification(rawValue: word.value) {
        answer.verification = verification
      } else {
        unknown(word, "verify", among: known)
      }
    }
    return answer
  }

  private mutating func failure(_ node: Node) -> ActionFailure? {
    var kindNode = node
    var message = "as the test says"
    var retryAfter: Double?
    if node.mapping != nil {
      guard let map = map(node, "error", keys: ["kind", "message", "retry_after"]) else { return nil }
      guard let kind = map["kind"] else {
        report(.missingKey, .init("'kind' is missing", de: "'kind' fehlt"), at: node.range)
        return nil
      }
      kindNode = kind
      if let node = map["message"], let text = text(node, "message") { message = text.value }
      if let node = map["retry_after"] { retryAfter = duration(node, "retry_after") }
    }
    guard let kind = text(kindNode, "kind") else { return nil }
    let known = ActionFailure.Kind.all.map(\.rawValue)
    guard known.contains(kind.value) else {
      unknown(kind, "kind", among: known)
      return nil
    }
    return ActionFailure(.init(rawValue: kind.value), LocalizedText(verbatim: message), retryAfter: retryAfter)
  }

  // MARK: Values

  mutating func report(
    _ code: Diagnostic.Code, _ message: LocalizedText, at range: SourceRange?, suggestion: String? = nil
  ) {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    diagnostics.append(Diagnostic(code, message + tail, path: path, range: range, suggestion: suggestion))
  }

  private mutating func unknown(_ word: Located<String>, _ field: String, among known: [String]) {
    report(
      .invalidValue,
      .init(
        "'\(field)' must be one of \(known.joined(separator: ", "))",
        de: "'\(field)' muss eines von \(known.joined(separator: ", ")) sein"),
      at: word.range, suggestion: Suggestion.closest(to: word.value, among: known))
  }

  private mutating func map(_ node: Node, _ field: String, keys: [String]?) -> Node.Mapping? {
    guard let mapping = node.mapping else {
      if !node.isInvalid {
        report(.wrongType, .init("'\(field)' must be a map", de: "'\(field)' muss eine Map sein"), at: node.range)
      }
      return nil
    }
    for entry in mapping.entries {
      guard let keys, !keys.contains(entry.name) else { continue }
      report(
        .unknownKey,
        .init("unknown key '\(entry.name)' in '\(field)'", de: "unbekannter Schlüssel '\(entry.name)' in '\(field)'"),
        at: entry.nameRange, suggestion: Suggestion.closest(to: entry.name, among: keys))
    }
    return mapping
  }

  private mutating func list(_ node: Node, _ field: String) -> [Node]? {
    guard let elements = node.sequence else {
      if !node.isInvalid {
        report(.wrongType, .init("'\(field)' must be a list", de: "'\(field)' muss eine Liste sein"), at: node.range)
      }
      return nil
    }
    return elements
  }

  private mutating func text(_ node: Node, _ field: String) -> Located<String>? {
    guard let text = node.string, !text.isEmpty else {
      if !node.isInvalid {
        report(.wrongType, .init("'\(field)' must be a text", de: "'\(field)' muss ein Text sein"), at: node.range)
      }
      return nil
    }
    return Located(text, at: node.range)
  }

  private mutating func duration(_ node: Node, _ field: String) -> Double? {
    guard let seconds = node.duration else {
      report(
        .invalidDuration,
        .init(
          "'\(field)' is no duration; write 500ms, 10s, 1m30s",
          de: "'\(field)' ist keine Dauer; schreibe 500ms, 10s, 1m30s"),
        at: node.range)
      return nil
    }
    return seconds
  }
}

extension Node {
  /// The seconds of a duration: `1m30s`, or a number.
  var duration: Double? {
    switch value {
    case .int(let number): number >= 0 ? Double(number) : nil
    case .double(let number): number >= 0 && number.isFinite ? number : nil
    case .string(let text): DurationText.seconds(text)
    default: nil
    }
  }
}
