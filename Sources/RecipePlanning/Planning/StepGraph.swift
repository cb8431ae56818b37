/// Which step waits for which.
///
/// Steps without `needs` form a line, each waiting for the one before it; a step with `needs` waits for those alone.
struct StepGraph {
  /// What each step waits for directly, in ascending order.
  private(set) var needs: [[Int]]
  /// The steps, each after all it waits for; steps of a cycle are left out.
  private(set) var order: [Int] = []
  /// Each cycle as the steps on it, every one waiting for the next and the last for the first.
  private(set) var cycles: [[Int]] = []
  private var reach: [BitSet]

  /// Builds the graph.
  ///
  /// - Parameter explicit: The positions a step `needs`; `nil` for a step of the line.
  init(explicit: [[Int]?]) {
    var last: Int?
    var all: [[Int]] = []
    for (position, needs) in explicit.enumerated() {
      if let needs {
        all.append(Array(Set(needs)).sorted())
      } else {
        all.append(last.map { [$0] } ?? [])
        last = position
      }
    }
    needs = all
    reach = Array(repeating: BitSet(count: all.count), count: all.count)
    sort()
    for step in order {
      for need in needs[step] {
        reach[step].formUnion(reach[need])
        reach[step].insert(need)
      }
    }
  }

  /// Whether one step has certainly ended before another begins.
  func runs(_ earlier: Int, before later: Int) -> Bool { reach[later].contains(earlier) }

  /// Makes a step wait for another one as well.
  mutating func add(need: Int, to step: Int) {
    guard !needs[step].contains(need) else { return }
    needs[step] = (needs[step] + [need]).sorted()
    reach[step].formUnion(reach[need])
    reach[step].insert(need)
  }

  /// Takes over what the steps it waits for have gained meanwhile.
  mutating func refresh(_ step: Int) {
    for need in needs[step] { reach[step].formUnion(reach[need]) }
  }

  private mutating func sort() {
    var waiting = needs.map(\.count)
    var dependents: [[Int]] = Array(repeating: [], count: needs.count)
    for (step, list) in needs.enumerated() {
      for need in list { dependents[need].append(step) }
    }
    var ready = waiting.indices.filter { waiting[$0] == 0 }
    var next = 0
    while next < ready.count {
      let step = ready[next]
      next += 1
      order.append(step)
      for dependent in dependents[step] {
        waiting[dependent] -= 1
        if waiting[dependent] == 0 { ready.append(dependent) }
      }
    }
    if order.count < needs.count { findCycles(left: Set(waiting.indices.filter { waiting[$0] > 0 })) }
  }

  /// Follows the first unfinished need of each unfinished step until a step comes round again.
  private mutating func findCycles(left: Set<Int>) {
    var done: Set<Int> = []
    for start in left.sorted() where !done.contains(start) {
      var path: [Int] = []
      var positions: [Int: Int] = [:]
      var current = start
      while !done.contains(current) {
        if let position = positions[current] {
          cycles.append(Array(path[position...]))
          break
        }
        positions[current] = path.count
        path.append(current)
        guard let next = needs[current].first(where: { left.contains($0) }) else { break }
        current = next
      }
      done.formUnion(path)
    }
  }

  /// A set of small numbers.
  private struct BitSet {
    private var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

    func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }

    mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

    mutating func formUnion(_ other: BitSet) {
      for index in words.indices { words[index] |= other.words[index] }
    }
  }
}
