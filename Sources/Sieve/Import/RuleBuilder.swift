import Localization
import Plans
import RecipeSyntax

/// Makes the rules of a filter from what a script does.
///
/// A filter moves a message once, and no later rule sees it then; a script collects what to do and files the message
/// everywhere at its end. So where later actions may apply to the same message as well, two rules take the place of one:
/// the first moves what nothing else applies to, the second copies, and the last action of the message moves or deletes it.
struct RuleBuilder {
  /// The most rules of a filter.
  private static let most = 500

  let problems: Problems
  /// The default name of a rule: by the place of its first action.
  let title: (Range<Int>) -> String
  private(set) var rules: [RecipeRule] = []
  /// The conditions under which messages have been taken out of the way of later rules.
  private var ended: [Set<Formula>] = []
  /// The conditions under which messages were stored elsewhere, redirected or discarded, and still lie in their folder.
  private var pending: [Formula] = []
  private var kept: [Formula] = []
  /// The conditions under which a copy lies in a folder.
  private var copied: [String: [Formula]] = [:]
  /// Bytes of the conditions of all rules.
  private var length = 0
  /// The parts of the conditions of all that the script does.
  private var conjuncts: [Set<Formula>] = []

  init(_ problems: Problems, title: @escaping (Range<Int>) -> String) {
    self.problems = problems
    self.title = title
  }

  /// Adds the rules for all that a script does.
  ///
  /// - Throws: Where the conditions alone are longer than a recipe may be.
  mutating func build(_ items: [ScriptItem]) throws(RecipeTooLong) {
    conjuncts = items.map(\.condition.conjuncts)
    for (position, item) in items.enumerated() {
      guard rules.count <= Self.most - 4 else {
        _ = problems.refuse(
          .init(
            "the script becomes more than \(Self.most) rules", de: "das Skript wird zu mehr als \(Self.most) Regeln"),
          at: item.place)
        return
      }
      add(item, at: position, items)
      guard length <= YAMLLimits.standard.size else { throw RecipeTooLong(place: item.place) }
    }
    let rest = pending.filter { condition in !isEnded(condition) }
    if !rest.isEmpty {
      var rule = RecipeRule(
        title: "filed or discarded above", place: items.last?.place ?? 0..<0, condition: .any(of: rest),
        effects: ScriptEffects(), end: .delete)
      rule.condition = simplified(rule.condition)
      append(rule)
    }
    dropTrailingStops()
    giveNames()
  }

  private mutating func add(_ item: ScriptItem, at position: Int, _ items: [ScriptItem]) {
    let others = item.stops ? [] : later(than: position, items)
    if others.isEmpty {
      finish(item, item.condition)
      return
    }
    if item.effects.hasOwnFlags {
      _ = problems.refuse(
        .init(
          "the script goes on after this; flags of one copy alone cannot be said in a filter",
          de: "das Skript geht danach weiter; Markierungen nur einer Kopie lassen sich in einem Filter nicht sagen"),
        at: item.place)
      return
    }
    let known = conjuncts[position]
    let isAlwaysFollowed = others.contains { $0.conjuncts.isSubset(of: known) }
    let rest = Formula.any(of: others.map { Formula.all(of: $0.parts.filter { !known.contains($0) }) })
    if item.effects.cancels, !item.effects.keeps, !isAlwaysFollowed {
      finish(item, .all(of: [item.condition, rest.negated]))
    }
    goOn(item)
  }

  /// The conditions of later actions on the same messages that do more than this item has done.
  private func later(than position: Int, _ items: [ScriptItem]) -> [Formula] {
    let item = items[position]
    let isStoring = item.effects.cancels && !item.effects.keeps && !item.effects.stores.isEmpty
    let folders = isStoring ? Set(item.effects.stores.map(\.folder)) : []
    return items.indices.dropFirst(position + 1).compactMap { index in
      let other = items[index]
      if other.isStop || Formula.exclude(conjuncts[index], conjuncts[position]) { return nil }
      if isStoring, other.effects.isCovered(by: folders) { return nil }
      // Flags count for what is stored after them alone.
      if item.effects.cancels, !item.effects.keeps, other.effects.isOfFlags { return nil }
      return other.condition
    }
  }

  /// Adds the rules for messages that nothing else is done with.
  private mutating func finish(_ item: ScriptItem, _ condition: Formula) {
    let condition = simplified(condition)
    if condition == .constant(false) { return }
    let effects = item.effects
    let kept = overlapping(self.kept, condition)
    let pending = overlapping(self.pending, condition)
    var rule = RecipeRule(title: name(item), place: item.place, condition: condition, effects: effects)
    if effects.keeps {
      rule.copies = effects.stores.map(\.folder)
      rule.stops = true
      appendWithoutDoubles(rule)
    } else if effects.cancels {
      if !kept.isEmpty {
        var staying = rule
        staying.condition = .all(of: [condition, .any(of: kept)])
        staying.copies = effects.stores.map(\.folder)
        staying.stops = true
        appendWithoutDoubles(staying)
      }
      var folders = effects.stores.map(\.folder)
      guard let last = folders.popLast() else {
        rule.end = .delete
        append(rule)
        return
      }
      rule.copies = folders
      if let earlier = copied[last].map({ overlapping($0, condition) }), !earlier.isEmpty {
        var known = rule
        known.condition = .all(of: [condition, .any(of: earlier)])
        known.end = .delete
        appendWithoutDoubles(known)
      }
      rule.end = .move(last)
      appendWithoutDoubles(rule)
    } else {
      rule.copies = effects.stores.map(\.folder)
      if !pending.isEmpty {
        var leaving = rule
        leaving.condition = .all(of: [condition, .any(of: pending)])
        leaving.end = .delete
        appendWithoutDoubles(leaving)
      }
      rule.stops = true
      appendWithoutDoubles(rule)
    }
  }

  /// Adds the rule for messages that something else may be done with.
  private mutating func goOn(_ item: ScriptItem) {
    let condition = simplified(item.condition)
    if condition == .constant(false) { return }
    var rule = RecipeRule(title: name(item), place: item.place, condition: condition, effects: item.effects)
    rule.copies = item.effects.stores.map(\.folder)
    rule.keeps = item.effects.keeps
    appendWithoutDoubles(rule)
    for folder in rule.copies { copied[folder, default: []].append(item.condition) }
    if item.effects.keeps { kept.append(item.condition) }
    if item.effects.cancels { pending.append(item.condition) }
  }

  // MARK: Conditions

  /// The conditions of earlier actions that messages may fulfil as well.
  private func overlapping(_ earlier: [Formula], _ condition: Formula) -> [Formula] {
    earlier.filter { !$0.excludes(condition) && !isEnded($0) }.map { simplified($0) }
  }

  private func isEnded(_ condition: Formula) -> Bool { simplified(condition) == .constant(false) }

  /// A condition without what earlier rules have settled: what they took out of the way need not be excluded again.
  private func simplified(_ condition: Formula) -> Formula {
    var parts = condition.parts
    var held = Set(parts)
    for wanted in ended {
      if wanted.isSubset(of: held) { return .constant(false) }
      for part in parts {
        guard case .not(let inner) = part else { continue }
        let settled = inner.conjuncts
        // All that the earlier rule asks for beside it holds here.
        if settled.isSubset(of: wanted), wanted.subtracting(settled).isSubset(of: held) {
          parts.removeAll { $0 == part }
          held.remove(part)
        }
      }
    }
    return .all(of: parts)
  }

  // MARK: Rules

  private mutating func append(_ rule: RecipeRule) {
    var rule = rule
    if rule.isEmpty || simplified(rule.condition) == .constant(false) { return }
    if rule.end == .delete, rule.copies.isEmpty, rule.effects.redirects.isEmpty, rule.effects.answer == nil {
      // A discarded message needs no flags.
      rule.effects.addedFlags = []
      rule.effects.removedFlags = []
    }
    rules.append(rule)
    length += rule.condition.length(upTo: YAMLLimits.standard.size)
    if rule.ends, rule.end == nil || kept.isEmpty { ended.append(rule.condition.conjuncts) }
  }

  /// Adds a rule; where one of its copies may lie in its folder already, it copies there only what does not.
  private mutating func appendWithoutDoubles(_ rule: RecipeRule) {
    var rule = rule
    for folder in rule.copies {
      guard let earlier = copied[folder].map({ overlapping($0, rule.condition) }), !earlier.isEmpty else { continue }
      rule.copies.removeAll { $0 == folder }
      var copying = RecipeRule(
        title: rule.title, place: rule.place, condition: rule.condition, effects: ScriptEffects())
      copying.condition = .all(of: [rule.condition, Formula.any(of: earlier).negated])
      copying.copies = [folder]
      append(copying)
    }
    append(rule)
  }

  private func name(_ item: ScriptItem) -> String { item.title ?? title(item.place) }

  /// After the last rule nothing has to be stopped.
  private mutating func dropTrailingStops() {
    while var last = rules.last {
      last.stops = false
      if !last.isEmpty {
        rules[rules.count - 1] = last
        return
      }
      rules.removeLast()
    }
  }

  /// Gives rules of the same name numbers.
  private mutating func giveNames() {
    var counts: [String: Int] = [:]
    for index in rules.indices {
      let title = rules[index].title
      let count = counts[title, default: 0] + 1
      counts[title] = count
      if count > 1 { rules[index].title = "\(title) (\(count))" }
    }
  }
}
