import Engine
import Glibc
import OperatingSystem
import Synchronization

/// A cache of the contents of folders that files are saved in: saving 1000 files must not scan the folder 1000 times.
///
/// Each folder is looked through again when it has changed otherwise than by ``add(_:_:to:)``, and after half a minute:
/// a file may get another size in its place.
final class FolderContents: Sendable {
  private struct Identity: Hashable {
    var device: UInt
    var file: UInt
  }

  /// The hash of a file's contents; on a hit, compare the bytes.
  private struct Content: Hashable {
    var size: Int
    var hash: Int

    init(_ bytes: [UInt8]) {
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      (size, hash) = (bytes.count, hasher.finalize())
    }
  }

  private struct Known {
    var names: Set<String> = []
    /// Files whose contents have not been read yet.
    var unread: [Int: Set<String>] = [:]
    var byContent: [Content: Set<String>] = [:]
    /// When the folder was last changed, and when it was last looked through, in nanoseconds.
    var changed = 0
    var read = 0
  }

  /// The most entries of a folder whose sizes are looked up.
  private static let mostEntries = 20_000
  private static let mostFolders = 16
  /// Nanoseconds.
  private static let lifetime = 30_000_000_000

  private let known = Mutex<[Identity: Known]>([:])

  /// The files of a folder that seem to hold some bytes, by name; compare them.
  ///
  /// Each file is read once at most, however many contents of its size are asked for.
  ///
  /// - Parameter read: Reads a file of the folder; `nil` if that is not possible.
  /// - Throws: ``Engine/ActionFailure`` where the folder cannot be read.
  func names(
    of bytes: [UInt8], in place: FolderAccess.Place, read: (String) -> [UInt8]?
  ) throws(ActionFailure) -> [String] {
    let (identity, changed) = try Self.status(of: place)
    let now = Self.now
    let isKnown = known.withLock { known in
      known[identity].map { $0.changed == changed && now - $0.read < Self.lifetime } ?? false
    }
    if !isKnown {
      let fresh = try Self.read(place, changed: changed, at: now)
      known.withLock { known in
        if known.count >= Self.mostFolders, known[identity] == nil { known = [:] }
        known[identity] = fresh
      }
    }
    for name in known.withLock({ $0[identity]?.unread[bytes.count] ?? [] }) {
      let content = read(name).map(Content.init)
      known.withLock { known in
        guard known[identity]?.unread[bytes.count]?.remove(name) != nil, let content else { return }
        known[identity]?.byContent[content, default: []].insert(name)
      }
    }
    return known.withLock { $0[identity]?.byContent[Content(bytes)]?.sorted() ?? [] }
  }

  /// The lowest number that makes a name free as far as is known, or one near it.
  func freeNumber(of name: SafeFileName, in place: FolderAccess.Place, after least: Int) throws(ActionFailure) -> Int {
    let (identity, _) = try Self.status(of: place)
    return known.withLock { known in
      let names = known[identity]?.names ?? []
      func isTaken(_ number: Int) -> Bool { names.contains(name.numbered(number)) }
      guard isTaken(least) else { return least }
      // Taken numbers mostly follow each other.
      var (low, step) = (least, 1)
      while isTaken(low + step), step < 1 << 30 {
        low += step
        step *= 2
      }
      var high = low + step
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if isTaken(middle) { low = middle } else { high = middle }
      }
      return high
    }
  }

  /// Takes a file to what is known that was saved just now.
  func add(_ name: String, _ bytes: [UInt8], to place: FolderAccess.Place) {
    guard let (identity, changed) = try? Self.status(of: place) else { return }
    known.withLock { known in
      guard known[identity]?.names.insert(name).inserted == true else { return }
      known[identity]?.byContent[Content(bytes), default: []].insert(name)
      known[identity]?.changed = changed
    }
  }

  private static func status(of place: FolderAccess.Place) throws(ActionFailure) -> (Identity, changed: Int) {
    var found = stat()
    guard fstat(place.folder.number, &found) == 0 else { throw .file(place.path, error: errno) }
    return (
      Identity(device: UInt(found.st_dev), file: UInt(found.st_ino)),
      Int(found.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(found.st_mtim.tv_nsec)
    )
  }

  private static func read(
    _ place: FolderAccess.Place, changed: Int, at now: Int
  ) throws(ActionFailure) -> Known {
    var known = Known(changed: changed, read: now)
    for name in try place.folder.names(place.path) {
      known.names.insert(name)
      guard known.names.count <= mostEntries, !name.hasPrefix(".") else { continue }
      var information = stat()
      guard fstatat(place.folder.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      known.unread[Int(information.st_size), default: []].insert(name)
    }
    return known
  }

  private static var now: Int { Int(clamping: MonotonicClock.nanoseconds) }
}
