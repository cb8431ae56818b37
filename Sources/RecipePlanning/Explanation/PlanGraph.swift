import Expressions
public import Localization
public import Plans
import Schemas

/// The steps of a plan as a drawing shows them: nodes, and arrows from what must be done first.
///
/// Arrows that others imply are left out, so a step at the end of a run is drawn after the last steps only.
public struct PlanGraph: Sendable {
  /// One step.
  public struct Node: Sendable {
    /// The step's name.
    public var id: String
    /// What stands in its box, one line each: name, action and providers, condition, loop.
    public var lines: [String]
    /// Whether it may be left out.
    public var isConditional: Bool
    /// Whether it runs once for each item of a list.
    public var isLoop: Bool
    /// When in a run it has its turn.
    public var phase: PlanStep.Phase
    /// Whether it runs at the end, however the run ends.
    public var isFinally: Bool { phase == .finally }
    /// Positions of the nodes with an arrow to this one.
    public var needs: [Int]
    /// How many nodes lie on the longest way to this one; 0 for a node that waits for none.
    public var layer: Int
  }

  /// The plan's name.
  public var name: String
  /// The steps in source order.
  public var nodes: [Node]

  /// Draws a plan.
  ///
  /// - Parameter language: The language of the words in the boxes.
  public init(_ plan: Plan, in language: Language = .english) {
    name = plan.name
    let needs = plan.steps.map { step in step.needs.filter { plan.steps.indices.contains($0) } }
    let order = Self.order(needs)
    var ancestors = Array(repeating: Set<Int>(), count: needs.count)
    nodes = zip(plan.steps, needs).map { step, needs in
      Node(
        id: step.id, lines: Self.lines(step, in: plan, language), isConditional: step.condition != nil,
        isLoop: step.loop != nil,
        phase: step.phase, needs: needs.sorted(), layer: 0)
    }
    for position in order {
      var implied: Set<Int> = []
      for need in needs[position] { implied.formUnion(ancestors[need]) }
      ancestors[position] = implied.union(needs[position])
      let direct = needs[position].filter { !implied.contains($0) }.sorted()
      nodes[position].needs = direct
      nodes[position].layer = direct.map { nodes[$0].layer + 1 }.max() ?? 0
    }
  }

  /// Positions in an order in which each comes after all it needs; those on a cycle, which no checked plan has, are left
  /// out.
  private static func order(_ needs: [[Int]]) -> [Int] {
    var open = needs.map { Set($0).count }
    var dependents = Array(repeating: [Int](), count: needs.count)
    for (position, needs) in needs.enumerated() {
      for need in Set(needs) { dependents[need].append(position) }
    }
    var order = open.indices.filter { open[$0] == 0 }
    var next = 0
    while next < order.count {
      for dependent in dependents[order[next]] {
        open[dependent] -= 1
        if open[dependent] == 0 { order.append(dependent) }
      }
      next += 1
    }
    return order
  }

  private static func lines(_ step: PlanStep, in plan: Plan, _ language: Language) -> [String] {
    func say(_ english: String, de german: String) -> String { language == .german ? german : english }
    var lines = [step.title ?? step.id]
    let action =
      step.child.map { child in
        child.block == nil
          ? say("recipe", de: "Rezept") + " \(child.name)"
          : say("block of ", de: "Block aus ")
            + child.steps.filter { !$0.isImplied }.map(\.id).joined(separator: ", ").singleLine(40)
      } ?? step.action.name
    lines.append(step.providers.isEmpty ? action : "\(action) · \(step.providers.joined(separator: " → "))")
    if let condition = step.condition { lines.append(say("when", de: "wenn") + " \(condition.source.singleLine(40))") }
    if let loop = step.loop {
      let items = loop.items.source.stringValue ?? loop.items.source.jsonString
      let list = items.singleLine(40)
      lines.append(say("for each \(loop.variable) of \(list)", de: "für jedes \(loop.variable) aus \(list)"))
    }
    if let cache = step.cache { lines.append(say("cache", de: "Zwischenspeicher") + " \(cache.seconds.secondsText)") }
    switch step.phase {
    case .main, .finally: break
    case .undo(let target):
      if plan.steps.indices.contains(target) {
        let id = plan.steps[target].id
        lines.append(say("undo of \(id)", de: "Zurücknehmen von \(id)"))
      }
    case .onFailure: lines.append(say("on failure", de: "bei Fehler"))
    }
    return lines
  }
}

extension String {
  /// The text on one line, cut to so many characters.
  func singleLine(_ limit: Int) -> String {
    let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > limit ? line.prefix(max(1, limit - 1)) + "…" : line
  }
}
