import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension TestSuiteReader {
  /// The answers of steps, by step.
  func scripts(_ node: Node) -> [StepScript] {
    (fields.map(node, "steps", keys: nil)?.entries ?? []).map { entry in
      var script = StepScript(step: Located(entry.name, at: entry.nameRange))
      let field = "steps.\(entry.name)"
      var elements = [entry.value]
      if let items = entry.value.mapping?["items"] {
        _ = map(entry.value, field, .answersByItem)
        elements = fields.list(items, "items") ?? []
        script.hasItems = true
        if items.sequence?.isEmpty == true { reportNoAnswer(items.range) }
      }
      script.isNested = elements.contains { holdsSteps($0) }
      if script.isNested {
        script.nested = elements.map { runs($0, field) }
      } else if script.hasItems {
        script.items = elements.map { answers($0) }
      } else {
        script.answers = answers(entry.value)
      }
      return script
    }
  }

  /// Whether a node has answers for the steps of a block or recipe, of one run or of one run after the other.
  private func holdsSteps(_ node: Node) -> Bool {
    (node.sequence ?? [node]).contains { $0.mapping?["steps"] != nil }
  }

  /// The answers for the steps of a block or recipe, by repetition.
  private func runs(_ node: Node, _ field: String) -> [[StepScript]] {
    (node.sequence ?? [node]).map { node in
      guard let steps = map(node, field, .answersOfRecipe)?["steps"] else { return [] }
      return scripts(steps)
    }
  }

  /// One answer, or a list of them for one attempt after the other.
  private func answers(_ node: Node) -> [CannedAnswer] {
    guard let elements = node.sequence else { return answer(node).map { [$0] } ?? [] }
    if elements.isEmpty { reportNoAnswer(node.range) }
    return elements.compactMap { answer($0) }
  }

  private func reportNoAnswer(_ range: SourceRange) {
    fields.report(
      .invalidValue, .init("at least one answer is wanted", de: "mindestens eine Antwort ist nötig"), at: range)
  }

  private func answer(_ node: Node) -> CannedAnswer? {
    guard let map = map(node, "answer", .answer) else { return nil }
    let verification = map["verify"].flatMap { word($0, "verify", of: "verify", in: .answer) }
      .flatMap { CannedAnswer.Verification(rawValue: $0) }
    var ends = ["output", "error", "hang"].filter { map[$0] != nil }
    // What `verify: done` finds stands beside the failure.
    let mayBeDone = verification == .done || (verification == nil && map["verify"] != nil)
    let isVerified = mayBeDone && ends.count == 2 && ends.first == "output"
    if isVerified { ends.removeFirst() }
    guard ends.count == 1 else {
      // Where a key is misspelt, its own message says what to do.
      if !ends.isEmpty || map.entries.allSatisfy({ RecipeDefinitions.definition(.answer).key($0.name) != nil }) {
        fields.report(
          ends.isEmpty ? .missingKey : .conflictingKeys,
          .init("an answer has one of output, error, hang", de: "eine Antwort hat eines von output, error, hang"),
          at: node.range)
      }
      return nil
    }
    var answer = CannedAnswer(end: .hang)
    if let output = map["output"] {
      if isVerified { answer.verified = output } else { answer.end = .output(output) }
    }
    if let error = map["error"] {
      guard let failure = failure(error) else { return nil }
      answer.end = .failure(failure)
    }
    if let hang = map["hang"], fields.bool(hang, "hang") == false {
      fields.report(
        .invalidValue, .init("'hang' can only be true", de: "'hang' kann nur true sein"), at: hang.range)
    }
    if let after = map["after"], let seconds = fields.duration(after, "after", allowsZero: true) {
      answer.after = seconds
    }
    answer.verification = verification ?? .unknown
    return answer
  }

  private func failure(_ node: Node) -> ActionFailure? {
    var kindNode = node
    var message = LocalizedText("as the test says", de: "wie der Test es sagt")
    var retryAfter: Double?
    var output: Value?
    if node.mapping != nil {
      guard let map = map(node, "error", .answerError) else { return nil }
      if let node = map["message"], let text = fields.string(node, "message") {
        message = LocalizedText(verbatim: text)
      }
      if let node = map["retry_after"] { retryAfter = fields.duration(node, "retry_after", allowsZero: true) }
      output = map["output"]?.value
      guard let kind = map["kind"] else { return nil }
      kindNode = kind
    }
    guard let kind = word(kindNode, node.mapping == nil ? "error" : "kind", of: "kind", in: .answerError) else {
      return nil
    }
    var failure = ActionFailure(.init(rawValue: kind), message, retryAfter: retryAfter)
    failure.output = output
    return failure
  }
}
