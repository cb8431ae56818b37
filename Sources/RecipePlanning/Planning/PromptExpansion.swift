import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

/// Puts a prompt of the catalog in the place of its name, and collects the keywords of a step.
///
/// Keywords are inherited from the preset's folders, the preset, the recipe and the step; later ones override earlier
/// ones. A step's list holds what the recipe itself does not say.
struct PromptExpansion {
  /// The action whose `prompt` may name a preset.
  static let action = "chat.complete"

  let builder: PlanBuilder
  let step: Recipe.Step
  let isChat: Bool
  /// The step's keywords.
  private(set) var keywords: [(name: String, value: BoundValue)] = []
  /// The names among ``keywords`` that the preset and its folders bring.
  private(set) var inheritedNames: Set<String> = []
  /// What stands in `with:` in place of the keys in ``replaced``.
  private(set) var input: [(name: String, bound: ValueBinder.Bound)] = []
  /// What kind of work the step asks for, by its own word or that of its preset.
  private(set) var task = StepTask.computed
  /// Keys of `with:` that are not taken as they stand.
  private(set) var replaced: Set<String> = []

  init(builder: PlanBuilder, step: Recipe.Step, isChat: Bool) {
    self.builder = builder
    self.step = step
    self.isChat = isChat
  }

  /// Whether `with.keywords` are keywords of the step rather than input of the action.
  var takesKeywords: Bool { isChat }

  /// Binds the step's keywords and its preset; the scope gains the keywords.
  mutating func expand(_ scope: inout Scope) {
    var sources = step.keywords
    if isChat, let node = step.input?.mapping?["keywords"] {
      let added = KeywordReader(reader: builder.reader).keywords(node)
      sources = sources.filter { old in !added.contains { $0.name == old.name } } + added
    }
    let own = builder.bind(keywords: sources, scope)
    let preset = presetNode.flatMap { self.preset($0) }
    var seen = Set(own.map(\.name)).union(scope.keywords.keys)
    var inherited: [KeywordSource] = []
    // From the end, since later ones count.
    for keyword in (preset?.keywords ?? []).reversed() where seen.insert(keyword.name).inserted {
      inherited.insert(keyword, at: 0)
    }
    var plainScope = scope
    plainScope.allowsSteps = false
    plainScope.variables = plainScope.variables.filter { PlanVariables.reserved.contains($0.key) && $0.key != "index" }
    plainScope.keywords = [:]
    let bound = builder.bind(keywords: inherited, plainScope)
    inheritedNames = Set(bound.map(\.name))
    for keyword in bound + own {
      scope.keywords[keyword.name] = keyword.type
      keywords.append((keyword.name, keyword.value))
    }
    settleTask(preset)
    guard let preset else { return }
    var presetScope = plainScope
    presetScope.keywords = scope.keywords
    replaced.insert("prompt")
    input.append(("prompt", bind(preset.prompt, presetScope)))
    if let system = preset.system, step.input?.mapping?["system"] == nil {
      input.append(("system", bind(system, presetScope)))
    }
  }

  private mutating func settleTask(_ preset: PromptPreset?) {
    guard isChat else { return }
    if let own = step.input?.mapping?["task"] {
      // What is none of them is an expression, or reported with the rest of the input.
      if let name = own.string, StepTask.names.contains(name) { task = .named(name) }
    } else if let named = preset?.task {
      task = .named(named)
      input.append(("task", ValueBinder.Bound(value: .literal(.string(named)), shape: .string(named))))
    } else if !step.isInputBroken, preset != nil || presetNode == nil {
      // Otherwise what is wrong with the input, or with the preset, has been reported.
      task = .unspecified
    }
  }

  private func bind(_ text: PlacedText, _ scope: Scope) -> ValueBinder.Bound {
    builder.binder(scope).bind(text, literal: .string(text.text))
  }

  /// The value of `with.prompt` where it has the form of a preset's name.
  private var presetNode: Node? {
    guard isChat, let node = step.input?.mapping?["prompt"], let text = node.string, PromptCatalog.isName(text) else {
      return nil
    }
    return node
  }

  private func preset(_ node: Node) -> PromptPreset? {
    let name = node.string ?? ""
    let before = builder.reader.diagnostics.count
    if let preset = builder.preset(name) { return preset }
    // A preset whose file is wrong has been reported with its own diagnostics.
    if builder.reader.diagnostics.count == before {
      builder.reader.report(
        .unknownPrompt,
        LocalizedText(
          "the catalog has no prompt '\(name)'", de: "der Katalog hat keinen Prompt '\(name)'"),
        at: node.range, suggestion: builder.reader.suggestion(for: name, among: builder.presetNames))
    }
    return nil
  }
}
