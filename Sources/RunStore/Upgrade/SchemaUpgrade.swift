internal import GRDB
internal import Glibc
internal import OperatingSystem
internal import RunLogSchema

/// Brings the run log of an older version to the schema of this program: alone, after a copy, in one transaction.
///
/// A process of the older version that goes on would write rows of the old schema. Each process that writes shares the
/// ``PresenceLock``, so the upgrade takes it alone. A process that is killed leaves the run log as it was.
struct SchemaUpgrade {
  let file: DatabaseFile
  let presence: PresenceLock
  var options = UpgradeOptions()
  /// Seconds between two looks at the lock.
  private static let pause = 0.05

  /// Upgrades the run log if no other process does; the presence is given up.
  ///
  /// - Parameter found: The schema version of the file.
  /// - Throws: ``RunStoreError``: `schema_in_use`, `no_room_for_copy`, and those of opening.
  func run(from found: Int) throws(RunStoreError) {
    presence.unlock()
    defer { UpgradeStep.ended.report() }
    guard try becomeAlone(from: found) else { return }
    defer { presence.unlock() }
    do {
      let queue = try file.openUnchanged()
      let copy = try keepCopy(of: queue, found)
      UpgradeStep.changing(from: found, to: file.version).report()
      try queue.writeWithoutTransaction { database in
        try file.migrate(database)
        // Else the old version stays in the file itself until the next checkpoint. It may fail: a reader is enough.
        _ = try? database.checkpoint(.truncate)
      }
      try queue.close()
      UpgradeStep.finished(from: found, to: file.version, copy: copy).report()
    } catch {
      throw RunStoreError(error, path: file.path)
    }
  }

  // MARK: - Other processes

  /// Waits until no other process works with the run log, and takes the presence alone.
  ///
  /// - Returns: `false` if another process has upgraded the run log meanwhile.
  private func becomeAlone(from found: Int) throws(RunStoreError) -> Bool {
    let deadline = MonotonicClock.seconds + (options.patience ?? file.busyTimeout)
    var nextLook = 0.0
    while !presence.isAlone() {
      let now = MonotonicClock.seconds
      if now >= nextLook || now >= deadline {
        nextLook = now + 1
        let (version, users) = try look()
        if version >= file.version { return false }
        // Another process of this version upgrades the run log: that ends.
        guard now < deadline || presence.isTakenAlone() else {
          throw .schemaInUse(path: file.path, file: found, program: file.version, users: users, lock: presence.path)
        }
        UpgradeStep.waiting(for: users).report()
      }
      usleep(UInt32(Self.pause * 1_000_000))
    }
    return try look().version < file.version
  }

  private func look() throws(RunStoreError) -> (version: Int, users: [RunLogUser]) {
    do {
      let queue = try file.openUnchanged()
      let found = try queue.unsafeRead { (try file.schemaVersion($0), try RunLogUser.all($0, path: file.path)) }
      try queue.close()
      return found
    } catch {
      throw RunStoreError(error, path: file.path)
    }
  }

  // MARK: - Copy

  /// Copies the run log before the first change.
  ///
  /// - Returns: The copy.
  private func keepCopy(of queue: DatabaseQueue, _ version: Int) throws -> String? {
    let destination: String
    switch options.copy {
    case .none: return nil
    case .beside: destination = file.copy(ofVersion: version)
    case .file(let path): destination = path
    }
    guard !RunStore.isPart(destination, of: file.path) else { throw RunStoreError.destinationInUse(path: destination) }
    try requireRoom(for: destination)
    let copy: AtomicFile
    do throws(SystemError) {
      // One name, so that the rest of a killed upgrade is removed. No other process makes a copy meanwhile.
      let partial = destination + ".partial"
      for end in ["-journal", "-wal", "-shm"] { unlink(partial + end) }
      copy = try AtomicFile(destination, temporary: partial, mode: 0o600)
    } catch {
      throw RunStore.writeFailure(error.code, destination)
    }
    let size = try queue.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 4096 }
    do {
      let target = try DatabaseQueue(path: copy.temporary)
      // Whole or not at all: the file is brought to the disk before it gets its name.
      try target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
      try queue.backup(to: target, pagesPerStep: 2048) { progress in
        UpgradeStep.copying(bytes: progress.completedPageCount * size, of: progress.totalPageCount * size).report()
      }
      try target.close()
      for end in ["-wal", "-shm"] { unlink(copy.temporary + end) }
    } catch {
      throw RunStoreError(error, path: destination)
    }
    do throws(SystemError) {
      try copy.finish()
    } catch {
      throw RunStore.writeFailure(error.code, destination)
    }
    return destination
  }

  /// Room that the change itself may need, beside the copy.
  private static let reserve = 16 << 20

  private func requireRoom(for destination: String) throws(RunStoreError) {
    let needed = [file.path, file.path + "-wal"].reduce(Self.reserve) { $0 + max(0, RunStore.size(of: $1)) }
    let folder = destination.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
    guard let free = options.freeBytes(folder), free < needed else { return }
    throw .noRoomForCopy(path: file.path, copy: destination, needed: needed, free: free)
  }
}

extension RunStore {
  /// The schema version that this program writes.
  public static var schemaVersion: Int { Migration.newest }

  /// The copies beside a run log that upgrades have left, those of the oldest schema first.
  public static func schemaCopies(beside path: String) -> [String] {
    let file = DatabaseFile(path, Configuration())
    return (1...Migration.newest).map(file.copy).filter { access($0, F_OK) == 0 }
  }
}
