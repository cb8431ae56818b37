import Expressions
import Localization
import Plans
import RecipeSyntax

/// How the answers to the parts of a text become one.
enum PartCombination: String, CaseIterable {
  /// One after the other.
  case join
  /// By a prompt of its own.
  case reduce
}

/// Makes steps of a prompt that works on a long text part by part.
///
/// `ID_parts` divides the text, `ID_map` asks the prompt for each part, `ID_reduce` asks for one answer where that is
/// wanted and there are several, and `ID` has the text and what was answered to each part.
struct PartLowering {
  /// What `reduce` asks for where the recipe does not say.
  static let standardPrompt =
    "The following texts are answers to the parts of one long text, in their order. Make one text of them in the same"
    + " form and language, without repetitions and without saying that there were parts."

  let reader: FieldReader
  let prompt: ChainPrompt

  func steps(_ step: Recipe.Step, _ node: Node, _ names: inout StepNames) -> [Recipe.Step] {
    guard let map = reader.map(node, "parts", RecipeDefinitions.parts) else { return [] }
    let id = step.id.value
    func text(_ text: String) -> PlacedText { PlacedText(text: text, node: node, document: reader.document) }
    func implied(_ suffix: String, _ action: String) -> Recipe.Step {
      var made = Recipe.Step(
        id: names.id(nil, otherwise: id + suffix, at: step.id.range), range: node.range)
      made.uses = Located(action, at: node.range)
      made.isImplied = true
      return made
    }
    let subject = step.made.first { $0.name == "input" }?.value ?? .text(text("{{ previous }}"))
    var split = implied("_parts", "text.split")
    (split.condition, split.madeCondition, split.variables) = (step.condition, step.madeCondition, step.variables)
    split.made = [("text", subject)]
    for name in ["by", "size", "overlap"] { if let node = map[name] { split.made.append((name, .node(node))) } }

    let goesOn = text("steps.\(split.id.value).status != 'skipped'")
    let isConditional = step.condition != nil || step.madeCondition != nil
    var ask = implied("_map", "chat.complete")
    (ask.title, ask.providers, ask.keywords) = (step.title, step.providers, step.keywords)
    (ask.retry, ask.retryKey, ask.timeout) = (step.retry, step.retryKey, step.timeout)
    ask.uses = step.uses
    ask.input = step.input
    ask.madeItems = text("{{ steps.\(split.id.value).output.parts }}")
    // What the prompt calls the text before is the part at hand.
    ask.variable = Located("previous", at: node.range)
    ask.parallel = map["parallel"].flatMap { reader.integer($0, "parallel", in: 1...1000) } ?? 1
    ask.variables = step.variables.filter { $0.name != "previous" }
    if step.made.contains(where: { $0.name == "input" }) { ask.made = [("input", .text(text("{{ previous }}")))] }
    if isConditional { ask.madeCondition = goesOn }

    let separator = map["separator"].flatMap { reader.string($0, "separator") } ?? "\n\n"
    let answers = "steps.\(ask.id.value).output"
    let joined = "\(answers).map(o, o.text).join(\(PlacedText.quoted(separator)))"
    let combination = map["combine"].flatMap { reader.choice($0, "combine", of: PartCombination.self) } ?? .join
    var result = [split, ask]
    var whole = joined
    if combination == .reduce {
      var reduce = implied("_reduce", "chat.complete")
      (reduce.providers, reduce.keywords, reduce.retry) = (step.providers, step.keywords, step.retry)
      (reduce.retryKey, reduce.timeout) = (step.retryKey, step.timeout)
      let passed = (step.input?.mapping?.entries ?? []).filter {
        ["model", "temperature", "max_tokens", "allow_truncated", "system"].contains($0.name)
      }
      reduce.input = Node.map(passed.map { ($0.name, $0.value) }, at: node.range)
      reduce.made = [
        ("prompt", map["prompt"].map { .node($0) } ?? .literal(.string(Self.standardPrompt))),
        ("input", .text(text("{{ \(joined) }}"))),
      ]
      reduce.madeCondition = text("size(steps.\(split.id.value).output.?parts.orValue([])) > 1")
      result.append(reduce)
      whole = "steps.\(reduce.id.value).status == 'skipped' ? \(joined) : steps.\(reduce.id.value).output.text"
    } else if let entry = map.entry("prompt") {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'prompt' has no meaning without 'combine: reduce'", de: "'prompt' hat ohne 'combine: reduce' keinen Sinn"),
        at: entry.nameRange)
    }
    var end = Recipe.Step(id: step.id, range: node.range)
    end.uses = Located("values", at: node.range)
    end.made = [("text", .text(text("{{ \(whole) }}"))), ("parts", .text(text("{{ \(answers) }}")))]
    if isConditional { end.madeCondition = goesOn }
    result.append(end)
    return result
  }
}
