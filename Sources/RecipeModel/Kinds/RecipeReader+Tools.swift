import Localization
import Plans
import RecipeSyntax

extension RecipeReader {
  /// The steps, with those of the tools that chat steps let their model call.
  func withTools(_ steps: [Recipe.Step]) -> [Recipe.Step] {
    guard steps.contains(where: { Self.tools(of: $0) != nil }) else { return steps }
    var names = StepNames(reader: reader)
    for step in steps { names.reserve(step.id) }
    return steps.flatMap { step -> [Recipe.Step] in
      guard let tools = Self.tools(of: step), let input = step.input else { return [step] }
      var plain = step
      let entries = input.mapping?.entries ?? []
      plain.input = Node.map(
        entries.filter { $0.name != "tools" && $0.name != "tool_rounds" }.map { ($0.name, $0.value) }, at: input.range)
      guard !step.isLoop, step.undo.isEmpty, step.phase == .main else {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "a step whose model calls actions has no 'for_each', 'undo' or 'finally'; put it into a recipe of its own",
            de: "ein Schritt, dessen Modell Aktionen ruft, hat kein 'for_each', 'undo' oder 'finally'; in ein eigenes "
              + "Rezept damit"),
          at: tools.range)
        return [plain]
      }
      let made = ToolLowering(reader: reader).steps(plain, tools, input.mapping?["tool_rounds"], &names)
      return made.isEmpty ? [plain] : made
    }
  }

  /// The tools of a step that Sous itself is to call; `nil` where the recipe answers the calls, or there are none.
  private static func tools(of step: Recipe.Step) -> Node? {
    guard step.uses?.value == "chat.complete", let node = step.input?.mapping?["tools"], let tools = node.sequence,
      tools.contains(where: { $0.mapping?["uses"] != nil || $0.mapping?["run"] != nil })
    else { return nil }
    return node
  }
}
