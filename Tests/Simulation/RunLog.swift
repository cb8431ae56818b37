import Foundation
import RunStore
import Synchronization

/// The run log's file, and everybody who has it open: when the power fails, all of them lose it at once.
final class RunLog: Sendable {
  private struct State {
    var driver: RunStore
    var stores: [FaultyStore] = []
    var failures = 0
  }

  private let world: World
  private let timers: Timers
  private let clocks: Clocks
  let path: String
  private let state: Mutex<State>

  init(path: String, world: World, timers: Timers, clocks: Clocks) throws {
    self.path = path
    self.world = world
    self.timers = timers
    self.clocks = clocks
    Disk.begin(path)
    state = Mutex(State(driver: try Self.open(path, clocks)))
  }

  private static func open(_ path: String, _ clocks: Clocks) throws -> RunStore {
    try RunStore(path: path, time: SimulatedTime(clocks: clocks, life: Life("driver")))
  }

  /// The way to the run log of people, and of the simulation itself.
  var driver: RunStore { state.withLock { $0.driver } }
  /// How often the power has failed.
  var failures: Int { state.withLock { $0.failures } }

  /// A process opens the run log.
  func add(_ store: FaultyStore) { state.withLock { $0.stores.append(store) } }

  /// A process has closed it.
  func remove(_ store: FaultyStore) { state.withLock { $0.stores.removeAll { $0 === store } } }

  /// Ends a process in the middle of whatever it does, and now and then all others with it, as the power fails.
  func kill(_ life: Life, _ place: String) async {
    var chance = world.chance("power")
    guard chance.happens(world.weather.powerFailure) else {
      world.note("DEATH     \(life.name) \(place)")
      return life.die()
    }
    await failPower(life, place, chance)
  }

  private func failPower(_ life: Life, _ place: String, _ chance: Chance) async {
    let stores: [FaultyStore] = await Scheduler.shared.call {
      // Somebody else was faster.
      guard !life.isDead else { return [] }
      var chance = chance
      do {
        let leftovers = try Disk.leftovers(of: path, &chance)
        let (driver, stores) = state.withLock { ($0.driver, $0.stores) }
        world.note(
          "POWER     fails: \(life.name) \(place); \(leftovers.lost) commits are lost, with "
            + stores.map(\.life.name).sorted().joined(separator: ", "))
        for store in stores { store.abandon() }
        driver.abandon()
        try Disk.restore(leftovers, at: path)
        let next = try Self.open(path, clocks)
        state.withLock { state in
          state.driver = next
          state.stores = []
          state.failures += 1
        }
        for store in stores { store.ledger.losePower(after: leftovers.position) }
        world.archive.losePower(after: leftovers.position)
        world.attempts.losePower(after: leftovers.position)
        timers.losePower(after: leftovers.position)
        world.losePower(after: leftovers.position)
        return stores
      } catch {
        world.violate("after a power failure the run log cannot be used: \(error)")
        return []
      }
    }
    for store in stores { store.life.die() }
    // Apart from this task, which may have been cancelled.
    await Task.detached { [self] in await world.archive.compare(with: driver, process: "somebody") }.value
  }
}
