import Engine
import Expressions

/// The schedules that a process serves, by when each is decided next.
///
/// A heap says what is due, so that a look costs what is due and not what there is. An entry of the heap whose time is not
/// that of its schedule any more is passed over.
struct ScheduleBoard {
  /// A schedule, how far it has come, and when it is decided next. What it is stands in its recipe: there are many of them.
  struct Kept {
    var record: ScheduleRecord
    /// The recipe's file.
    var path: String
    /// Its position among the schedules of the recipe.
    var position: Int32
    fileprivate(set) var wake: Timestamp?

    init(_ record: ScheduleRecord, path: String, position: Int) {
      self.record = record
      self.path = path
      self.position = Int32(clamping: position)
    }
  }

  private struct Entry {
    var wake: Timestamp
    var slot: Int32
  }

  private var kept: [Kept?] = []
  private var slots: [String: Int32] = [:]
  private var heap: [Entry] = []

  /// How many there are.
  var count: Int { slots.count }

  /// Puts schedules in the place of all that are there.
  init(_ schedules: [(kept: Kept, wake: Timestamp?)] = []) {
    kept.reserveCapacity(schedules.count)
    heap.reserveCapacity(schedules.count)
    slots.reserveCapacity(schedules.count)
    for (var schedule, wake) in schedules {
      let slot = Int32(clamping: kept.count)
      schedule.wake = wake
      slots[schedule.record.source] = slot
      kept.append(schedule)
      if let wake { heap.append(Entry(wake: wake, slot: slot)) }
    }
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// A schedule by its source.
  subscript(source: String) -> Kept? { slots[source].flatMap { kept[Int($0)] } }

  /// When something is due next.
  var nextWake: Timestamp? { heap.first?.wake }

  /// Takes out what is due, the earliest first, at most so many. Each is to be put back with ``put(_:wake:)`` or
  /// ``remove(_:)``.
  mutating func takeDue(at now: Timestamp, limit: Int) -> [Kept] {
    var due: [Kept] = []
    while due.count < limit, let first = heap.first, first.wake <= now {
      removeFirst()
      guard let schedule = kept[Int(first.slot)], schedule.wake == first.wake else { continue }
      kept[Int(first.slot)]?.wake = nil
      due.append(schedule)
    }
    return due
  }

  /// Takes a schedule over as it is now.
  mutating func put(_ schedule: Kept, wake: Timestamp?) {
    guard let slot = slots[schedule.record.source] else { return }
    var schedule = schedule
    schedule.wake = wake
    kept[Int(slot)] = schedule
    if let wake { push(Entry(wake: wake, slot: slot)) }
  }

  /// Forgets a schedule.
  mutating func remove(_ source: String) {
    guard let slot = slots.removeValue(forKey: source) else { return }
    kept[Int(slot)] = nil
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
