import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// The positions each step needs; unknown ones are reported and left out.
  static func needs(_ recipe: Recipe, _ reader: FieldReader, isBlock: Bool = false) -> [[Int]?] {
    let positions = Dictionary(recipe.steps.enumerated().map { ($1.id.value, $0) }) { first, _ in first }
    var byPhase: [[Int]] = [[], [], [], []]
    for (position, step) in recipe.steps.enumerated() { byPhase[step.phase.rank].append(position) }
    var branches = BranchNeeds(recipe)
    return recipe.steps.enumerated().map { position, step in
      if step.phase != .main {
        // The undo steps are already in the order from the last to the first.
        return byPhase[..<step.phase.rank].flatMap { $0 } + byPhase[step.phase.rank].filter { $0 < position }
      }
      guard step.needs != nil else { return branches.line(position) }
      let own = step.needs?.compactMap { need -> Int? in
        guard let other = positions[need.value] else {
          let block = recipe.steps.block(with: need.value)?.id.value
          reader.report(
            .unknownStep, unknown(need.value, in: block, isBlock: isBlock), at: need.range,
            suggestion: block == nil ? reader.suggestion(for: need.value, among: positions.keys) : nil)
          return nil
        }
        if let reason = recipe.steps[other].phase.reason(need.value) {
          reader.report(.stepNotReached, reason, at: need.range)
          return nil
        }
        guard other != position else {
          reader.report(
            .dependencyCycle,
            LocalizedText(
              "the step '\(need.value)' needs itself", de: "der Schritt '\(need.value)' braucht sich selbst"),
            at: need.range)
          return nil
        }
        return other
      }
      return branches.complete(own ?? [], of: position)
    }
  }

  /// The problem of a name in `needs` that is not a step of this list.
  ///
  /// - Parameters:
  ///   - block: The block of the list that has such a step.
  ///   - isBlock: Whether the list is a block.
  private static func unknown(_ name: String, in block: String?, isBlock: Bool) -> LocalizedText {
    if let block {
      return LocalizedText(
        "'\(name)' is a step of the block '\(block)'; wait for the block: 'needs: [\(block)]'",
        de: "'\(name)' ist ein Schritt des Blocks '\(block)'; auf den Block warten: 'needs: [\(block)]'")
    }
    let unknown = LocalizedText("unknown step '\(name)'", de: "unbekannter Schritt '\(name)'")
    guard isBlock else { return unknown }
    return unknown
      + LocalizedText(
        " in this block; a step outside of it belongs to 'needs' of the block",
        de: " in diesem Block; ein Schritt außerhalb gehört in 'needs' des Blocks")
  }
}

extension [Recipe.Step] {
  /// The block among these steps in which a step has an id, at any depth.
  func block(with id: String) -> Recipe.Step? { first { $0.block?.contains(id) == true } }

  /// Whether a step has an id, here or in a block among them.
  private func contains(_ id: String) -> Bool { contains { $0.id.value == id || $0.block?.contains(id) == true } }
}

extension LocalizedText {
  /// How a step in a block is read from outside.
  static func readFromOutside(_ step: String, of block: Recipe.Step) -> LocalizedText {
    let id = block.id.value
    let isInner = block.block?.contains { $0.id.value == step } == true
    let form = "steps.\(id).output" + (block.isLoop ? "[0]" : "") + (isInner ? ".\(step)" : "")
    return LocalizedText(
      "'\(step)' is a step of the block '\(id)'; outside of the block its output is '\(form)'",
      de: "'\(step)' ist ein Schritt des Blocks '\(id)'; außerhalb des Blocks ist seine Ausgabe '\(form)'")
  }
}
