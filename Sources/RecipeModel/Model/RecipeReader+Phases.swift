import Localization
import Plans
import RecipeSyntax

/// The steps beside those that a recipe is for.
extension RecipeReader {
  /// The longest time for which a result may be used again: a year.
  static let longestCache: Double = 366 * 86_400

  /// Reads the steps under `on_failure`.
  func stepsOnFailure(_ node: Node) -> [Recipe.Step] {
    guard !node.isNull, let elements = reader.list(node, "on_failure") else { return [] }
    guard elements.count <= Self.mostSteps else {
      reportTooManySteps(at: node.range)
      return []
    }
    for element in elements { refuseOrder(element) }
    return steps(in: elements, "on_failure", id: "on_failure").map { step in
      var step = step
      step.phase = .onFailure
      step.needs = nil
      step.undo = []
      return step
    }
  }

  /// Reports what says when a step of `on_failure`, or of a branch there, has its turn.
  private func refuseOrder(_ element: Node) {
    for key in ["finally", "needs", "undo"] {
      guard let entry = element.mapping?.entry(key) else { continue }
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "a step under 'on_failure' runs after a failure, one after the other, and has no '\(key)'",
          de: "ein Schritt unter 'on_failure' läuft nach einem Fehlschlag, einer nach dem anderen, und hat kein "
            + "'\(key)'"),
        at: entry.nameRange)
    }
    for branch in Self.branches(of: element) { for inner in branch.sequence ?? [] { refuseOrder(inner) } }
  }

  /// Reads what takes a step back.
  func readUndo(_ entry: Node.Mapping.Entry, _ step: inout Recipe.Step) {
    let id = "\(step.id.value)_undo"
    guard !entry.value.isInvalid, var undo = self.step(entry.value, "undo", id: id, RecipeDefinitions.undo) else {
      return
    }
    undo.id = Located(id, at: entry.nameRange)
    step.undo = [undo]
  }

  /// Reads how long a result may be used again.
  func readCache(_ node: Node, _ place: SourceRange, _ step: inout Recipe.Step) {
    guard let map = reader.map(node, "cache", RecipeDefinitions.cache),
      let lifetime = map["for"], let seconds = reader.duration(lifetime, "cache.for")
    else { return }
    guard seconds <= Self.longestCache else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "a result is kept for 366 days at most", de: "ein Ergebnis wird höchstens 366 Tage lang aufbewahrt"),
        at: lifetime.range)
      return
    }
    step.cache = (map["key"], seconds, place)
  }

  /// Puts the steps of a recipe, or of a block, into one list: those under `steps` as they are written, then what takes them
  /// back, from the last to the first, then those for a failure. Ids that are used twice, there or in a block, are reported.
  ///
  /// - Parameter around: The ids of the blocks around it.
  func arrange(
    _ steps: [Recipe.Step], onFailure: [Recipe.Step] = [], around: [String: SourceRange] = [:]
  ) -> [Recipe.Step] {
    var seen = around
    var all: [Recipe.Step] = []
    func add(_ step: Recipe.Step) {
      var step = step
      if let first = seen[step.id.value] {
        reader.report(
          .duplicateStep,
          LocalizedText(
            "the step id '\(step.id.value)' is used twice", de: "die Schritt-ID '\(step.id.value)' ist doppelt"),
          at: step.id.range,
          related: [Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier festgelegt"), at: first)])
        // The step is still checked, under a name that nothing can refer to.
        step.id.value = "\(step.id.value) (\(all.count + 1))"
      } else {
        seen[step.id.value] = step.id.range
      }
      all.append(step)
    }
    for step in steps { add(step) }
    for (position, step) in steps.enumerated().reversed() {
      for var undo in step.undo {
        undo.phase = .undo(of: position)
        add(undo)
      }
    }
    for step in onFailure { add(step) }
    if all.count > Self.mostSteps, let last = all.last { reportTooManySteps(at: last.range) }
    for index in all.indices {
      if let block = all[index].block { all[index].block = arrange(block, around: seen) }
    }
    return all
  }

  private func reportTooManySteps(at range: SourceRange) {
    reader.report(
      .tooMany,
      LocalizedText(
        "a recipe has at most \(Self.mostSteps) steps", de: "ein Rezept hat höchstens \(Self.mostSteps) Schritte"),
      at: range)
  }
}
