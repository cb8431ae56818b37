import Expressions
import Plans

extension ReusedResults {
  /// The loops whose items take something over from the earlier run.
  var loops: [Int] {
    fates.indices.filter { index in
      guard fates[index] != .anew else { return false }
      // What takes nothing over begins again, with the list that it then has.
      guard fates[index] == .kept || steps[index].units.contains(where: { isCarried($0, of: index) }) else {
        return false
      }
      let (was, isNow) = (steps[index].itemCount != nil, plan[index].loop != nil)
      return was || isNow && !steps[index].units.isEmpty
    }
  }

  /// Gives each item of the loops that go on what belongs to it, by its value: its position may be another one.
  ///
  /// Where items are not in the list any more that had begun, and others are in it that were not, they may be the same
  /// ones in other words.
  ///
  /// - Parameters:
  ///   - lists: What the loops go through now.
  ///   - before: What they went through in the earlier run.
  /// - Returns: The first step of which nobody can say what belongs to which item.
  mutating func fit(_ lists: LoopLists, before: LoopLists) -> Int? {
    for index in loops {
      guard let new = lists.items[index], let old = before.items[index], steps[index].itemCount == old.count else {
        return index
      }
      if new == old { continue }
      guard fates[index] == .goesOn else { return index }
      var places: [Value: [Int]] = [:]
      for (place, value) in new.enumerated().reversed() { places[value, default: []].append(place) }
      let moved = old.map { places[$0]?.popLast() }
      let hasNew = places.values.contains { !$0.isEmpty }
      var units: [UnitSnapshot] = []
      for var unit in steps[index].units {
        guard let item = unit.item, moved.indices.contains(item) else { continue }
        guard let place = moved[item] else {
          if hasNew { return index }
          continue
        }
        unit.item = place
        units.append(unit)
      }
      steps[index].units = units.sorted { ($0.item ?? 0) < ($1.item ?? 0) }
      steps[index].itemCount = new.count
    }
    return nil
  }
}
