import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Reads a recipe of kind `chain`: prompts that each work on the text of the one before.
///
/// Every prompt becomes a step `chat.complete`, or several where it works part by part or calls tools. In its expressions
/// `previous` is the text before, for the first prompt the chain's input; `result` is the last text, and an output of the
/// recipe.
struct ChainReader {
  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    if let node = map["input"], let input = input(node) {
      if let other = recipe.inputs.first(where: { $0.name.value == "input" }) {
        reader.report(
          .conflictingKeys,
          LocalizedText("'input' stands beside 'inputs.input'", de: "'input' steht neben 'inputs.input'"),
          at: other.name.range)
      } else {
        recipe.inputs.insert(input, at: 0)
      }
    }
    guard let node = map["prompts"], let prompts = reader.list(node, "prompts") else { return }
    if prompts.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'prompts' must not be empty", de: "'prompts' darf nicht leer sein"),
        at: node.range)
    }
    var builder = ChainBuilder(reader: reader)
    builder.text = map["input"] == nil ? nil : "inputs.input"
    for (position, node) in prompts.enumerated() where builder.steps.count <= RecipeReader.mostSteps {
      builder.add(node, "prompts[\(position)]", condition: nil)
    }
    if prompts.count > RecipeReader.mostSteps || builder.steps.count > RecipeReader.mostSteps {
      reader.report(
        .tooMany,
        LocalizedText(
          "a recipe has at most \(RecipeReader.mostSteps) steps",
          de: "ein Rezept hat höchstens \(RecipeReader.mostSteps) Schritte"), at: node.range)
      return
    }
    recipe.steps = builder.steps
    if let node = map["outputs"], !node.isNull { builder.outputs += RecipeReader(reader: reader).outputs(node) }
    guard let result = builder.text, !recipe.steps.isEmpty else { return }
    let text = PlacedText(text: "{{ \(result) }}", node: node, document: reader.document)
    if let entry = map.entry("save"), let step = save(entry, text, &builder.names) { recipe.steps.append(step) }
    let isGiven = builder.outputs.contains { $0.name.value == "result" }
    recipe.outputs =
      builder.outputs + (isGiven ? [] : [Recipe.Output(name: Located("result", at: node.range), value: .text(text))])
  }

  private func input(_ node: Node) -> Recipe.Input? {
    let name = Located("input", at: node.range)
    if let mapping = node.mapping {
      guard reader.map(node, "input", keys: RecipeDefinitions.chainInput.keyNames) != nil else { return nil }
      if let type = mapping["type"], type.string != "string" {
        reader.report(
          .invalidValue,
          LocalizedText("the input of a chain is a string", de: "die Eingabe einer Kette ist ein Text (string)"),
          at: type.range)
        return nil
      }
    }
    guard var input = RecipeReader(reader: reader).input(name, node) else { return nil }
    guard case .map(var schema) = input.schema.document else { return input }
    if let type = schema["type"], type != "string" {
      reader.report(
        .invalidValue,
        LocalizedText("the input of a chain is a string", de: "die Eingabe einer Kette ist ein Text (string)"),
        at: node.range)
      return nil
    }
    schema["type"] = "string"
    input.schema = Schema(document: .map(schema))
    return input
  }

  private func save(
    _ entry: Node.Mapping.Entry, _ result: PlacedText, _ names: inout StepNames
  ) -> Recipe.Step? {
    let node = entry.value
    // A note that is missing has been reported.
    guard let map = reader.map(node, "save", RecipeDefinitions.note), map["note"] != nil else { return nil }
    let place = entry.nameRange
    var step = Recipe.Step(id: names.id(nil, otherwise: "save", at: place), range: node.range)
    step.uses = Located("note.save", at: place)
    step.providers = map["provider"].flatMap { reader.strings($0, "provider") }
    step.input = Node.map(
      map.entries.filter { $0.name != "provider" && RecipeDefinitions.note.key($0.name) != nil }
        .map { ($0.name == "note" ? "text" : $0.name, $0.value) },
      at: node.range)
    step.variables = [("result", result)]
    return step
  }
}
