import Expressions
import UseCases

/// The schedules that a process serves, by when each is decided next.
///
/// A heap says what is due, so that a look costs what is due and not what there is. An entry of the heap whose time is not
/// that of its schedule any more is passed over. How far a schedule has come stands in the run log, and what it is in its
/// recipe: there are many of them.
struct DueQueue {
  /// A schedule that is due, as ``takeDue(at:limit:)`` gives it.
  struct Due: Sendable {
    let source: String
    fileprivate let slot: Int32
  }

  private struct Entry {
    var wake: Timestamp
    var slot: Int32
  }

  private var sources: [String?] = []
  private var wakes: [Timestamp?] = []
  private var heap: [Entry] = []
  /// How many there are.
  private(set) var count = 0

  /// Puts schedules in the place of all that are there.
  init(_ schedules: [(source: String, wake: Timestamp?)] = []) {
    count = schedules.count
    sources.reserveCapacity(count)
    wakes.reserveCapacity(count)
    heap.reserveCapacity(count)
    for (source, wake) in schedules {
      if let wake { heap.append(Entry(wake: wake, slot: Int32(clamping: sources.count))) }
      sources.append(source)
      wakes.append(wake)
    }
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// Puts the schedules of some recipes in the place of those that they had.
  ///
  /// - Parameters:
  ///   - paths: The recipes' files.
  ///   - schedules: All that these have now.
  mutating func replace(of paths: Set<String>, with schedules: [(source: String, wake: Timestamp?)]) {
    var kept: [(source: String, wake: Timestamp?)] = []
    kept.reserveCapacity(count + schedules.count)
    for (source, wake) in zip(sources, wakes) {
      guard let source, !paths.contains(Self.path(of: source)) else { continue }
      kept.append((source, wake))
    }
    self = DueQueue(kept + schedules)
  }

  /// The file of the recipe that has a schedule.
  static func path(of source: String) -> String {
    source.utf8.lastIndex(of: UInt8(ascii: "#")).map { String(source[..<$0]) } ?? source
  }

  /// Whether there is none.
  var isEmpty: Bool { count == 0 }

  /// When something is due next.
  var nextWake: Timestamp? { heap.first?.wake }

  /// Schedules that are due before a moment, in no order, at most so many.
  func sources(before moment: Timestamp, limit: Int) -> [String] {
    var found: [String] = []
    var open = [0]
    while let position = open.popLast(), found.count < limit {
      guard position < heap.count, heap[position].wake < moment else { continue }
      if let source = sources[Int(heap[position].slot)] { found.append(source) }
      open += [2 * position + 1, 2 * position + 2]
    }
    return found
  }

  /// Takes out what is due, the earliest first, at most so many. Each is to be put back with ``put(_:wake:)`` or
  /// ``remove(_:)``.
  mutating func takeDue(at now: Timestamp, limit: Int) -> [Due] {
    var due: [Due] = []
    while due.count < limit, let first = heap.first, first.wake <= now {
      removeFirst()
      guard let source = sources[Int(first.slot)], wakes[Int(first.slot)] == first.wake else { continue }
      wakes[Int(first.slot)] = nil
      due.append(Due(source: source, slot: first.slot))
    }
    return due
  }

  /// Notes when a schedule is decided next.
  mutating func put(_ schedule: Due, wake: Timestamp?) {
    guard let slot = place(of: schedule) else { return }
    wakes[slot] = wake
    if let wake { push(Entry(wake: wake, slot: Int32(clamping: slot))) }
  }

  /// Where a schedule is now: its place may be another's since it was taken out.
  private func place(of schedule: Due) -> Int? {
    let slot = Int(schedule.slot)
    return sources.indices.contains(slot) && sources[slot] == schedule.source
      ? slot : sources.firstIndex(of: schedule.source)
  }

  /// Forgets a schedule.
  mutating func remove(_ schedule: Due) {
    guard let slot = place(of: schedule) else { return }
    (sources[slot], wakes[slot]) = (nil, nil)
    count -= 1
  }

  // MARK: - The heap

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var position = heap.count - 1
    while position > 0 {
      let parent = (position - 1) / 2
      guard heap[position].wake < heap[parent].wake else { return }
      heap.swapAt(position, parent)
      position = parent
    }
  }

  private mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var position = start
    while true {
      var least = position
      for child in [2 * position + 1, 2 * position + 2] where child < heap.count && heap[child].wake < heap[least].wake
      {
        least = child
      }
      guard least != position else { return }
      heap.swapAt(position, least)
      position = least
    }
  }
}
