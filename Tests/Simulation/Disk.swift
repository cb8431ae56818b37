import Glibc
import Synchronization

/// The disk. It can be made to refuse every write, and it knows what of the run log it was told to keep: all else is gone
/// when the power fails.
enum Disk {
  // MARK: - Failing

  private static let usual: rlimit = {
    // A refused write is an error for whoever writes, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    return limit
  }()

  static func fail() {
    var limit = usual
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  static func mend() {
    var limit = usual
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  // MARK: - What is on it

  private static let log = Mutex(WriteAheadLog())

  /// Begins with another run log, of which nothing is there.
  static func begin(_ path: String) { log.withLock { $0.begin(path + "-wal") } }

  /// A point in the sequence of all commits of the run log: that of the newest one.
  static var position: Int { log.withLock { $0.position } }
  /// How often the run log was synced.
  static var syncs: Int { log.withLock { $0.syncs } }

  /// Somebody has a file synced.
  fileprivate static func sync(_ descriptor: Int32) { log.withLock { $0.sync(descriptor) } }

  /// What is left of the run log when the power fails: the commits that were synced, and of those after them as many as
  /// the disk has happened to write, the last one perhaps by half.
  static func leftovers(of path: String, _ chance: inout Chance) throws -> Leftovers {
    let database = try contents(of: path)
    let log = try contents(of: path + "-wal")
    return Disk.log.withLock { state in
      let commits = state.unsynced
      let kept = chance.one(of: [0, 0, commits.count, chance.within(0...commits.count)])
      let lost = commits.count - kept
      let cut = kept == 0 ? state.synced : commits[kept - 1]
      // A part of a page, which its checksum gives away.
      let torn = lost > 0 && chance.happens(0.5) ? 500 : 0
      return Leftovers(
        database: database, log: Array(log.prefix(state.offset(of: cut) + torn)), position: cut, lost: lost)
    }
  }

  /// Puts what is left in the place of the run log, which nobody has open.
  static func restore(_ leftovers: Leftovers, at path: String) throws {
    guard access(path + "-wal", F_OK) != 0 else { throw SimulationError("somebody has the run log open still") }
    try write(leftovers.database, to: path)
    if !leftovers.log.isEmpty { try write(leftovers.log, to: path + "-wal") }
    log.withLock { $0.goOn(at: leftovers.position) }
  }

  /// What a power failure leaves of the run log.
  struct Leftovers {
    var database: [UInt8]
    var log: [UInt8]
    /// The newest commit that is left.
    var position: Int
    /// How many commits are gone.
    var lost: Int
  }

  private static func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return [] }
    guard descriptor >= 0 else { throw SimulationError("cannot read \(path)") }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw SimulationError("cannot read \(path)") }
    let size = Int(information.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, size))
    }
    guard bytes.count == size else { throw SimulationError("cannot read \(path)") }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SimulationError("cannot write \(path)") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SimulationError("cannot write \(path)")
    }
  }
}

/// The commits in SQLite's -wal file, and which of them were synced; see <https://www.sqlite.org/fileformat.html#walformat>.
private struct WriteAheadLog: ~Copyable {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private var path = ""
  private var descriptor: Int32 = -1
  private var inode: ino_t = 0
  /// What the frames of this turn of the file have in common.
  private var salts: [UInt8] = []
  /// What the file held in earlier turns.
  private var base = 0
  /// Where the newest commit ends in the file.
  private var end = 0
  private(set) var synced = 0
  /// The commits after those that were synced.
  private(set) var unsynced: [Int] = []
  private(set) var syncs = 0

  mutating func begin(_ path: String) {
    leave()
    self.path = path
    salts = []
    (base, end, synced, syncs) = (0, 0, 0, 0)
    unsynced = []
  }

  var position: Int {
    mutating get {
      look()
      return base + end
    }
  }

  mutating func sync(_ descriptor: Int32) {
    look()
    var information = stat()
    guard self.descriptor >= 0, fstat(descriptor, &information) == 0, information.st_ino == inode else { return }
    syncs += 1
    synced = base + end
    unsynced = []
  }

  /// Where a commit ends in the file.
  func offset(of commit: Int) -> Int { max(0, commit - base) }

  /// The file is another one now, in which the commits up to one of them are.
  mutating func goOn(at commit: Int) {
    leave()
    end = offset(of: commit)
    synced = commit
    unsynced = []
  }

  private mutating func leave() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Finds commits that have come since the last look.
  private mutating func look() {
    if descriptor < 0 {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return }
    inode = information.st_ino
    let size = Int(information.st_size)
    let header = bytes(Self.headerSize, at: 0)
    guard header.count == Self.headerSize else { return }
    if Array(header[16..<24]) != salts {
      // Everything before is in the database file, and synced there.
      base += end
      end = Self.headerSize
      salts = Array(header[16..<24])
    }
    let page = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
    var offset = end
    while offset + Self.frameHeaderSize + page <= size {
      let frame = bytes(Self.frameHeaderSize, at: offset)
      guard frame.count == Self.frameHeaderSize, Array(frame[8..<16]) == salts else { return }
      offset += Self.frameHeaderSize + page
      // The last frame of a commit has the size of the database.
      guard frame[4..<8].contains(where: { $0 != 0 }) else { continue }
      end = offset
      unsynced.append(base + end)
    }
  }

  private func bytes(_ count: Int, at offset: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
      found = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}

/// Stands in the place of the C library's function, also for SQLite. The run log lies in memory, where nothing is to be done.
@_cdecl("fdatasync") public func synchronizeData(_ descriptor: Int32) -> Int32 {
  Disk.sync(descriptor)
  return 0
}

/// As ``synchronizeData(_:)``, for an SQLite that was built without `fdatasync`.
@_cdecl("fsync") public func synchronize(_ descriptor: Int32) -> Int32 {
  Disk.sync(descriptor)
  return 0
}
