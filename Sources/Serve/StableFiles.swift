import UseCases

/// The facts by which one state of a file differs from another.
struct FileStamp: Sendable, Hashable {
  var size: Int64
  /// When it was changed, seconds and nanoseconds since 1970.
  var seconds: Int
  var nanoseconds: Int
  var inode: UInt64

  /// The state as a part of an event's name.
  var text: String { "\(size).\(seconds).\(nanoseconds).\(inode)" }
}

/// Decides which files of a folder have come to rest. It is pure: what is seen and times in, files out.
///
/// A file counts once it has stayed as it is for a while, and nobody who has written to it since it is watched still has it
/// open.
struct StableFiles {
  /// Seconds for which a file has to stay as it is.
  let settle: Double
  private var seen: [FileName: (stamp: FileStamp, since: Double)] = [:]
  /// Files that were written to and not closed since.
  private var open: Set<FileName> = []

  init(settle: Double) { self.settle = settle }

  /// A file was written to.
  mutating func write(_ name: FileName) { open.insert(name) }

  /// A file was closed after it was written to, or has got its name.
  mutating func close(_ name: FileName) { open.remove(name) }

  /// What was missed of writing and closing is not known any more.
  mutating func forgetWriting() { open = [] }

  /// Which files are ready, by what a look shows.
  ///
  /// - Parameters:
  ///   - files: The files that have not been dealt with in the state that they are in.
  ///   - monotonic: When the look was, in seconds.
  /// - Returns: Those that are ready, in the order in which they came to rest, and seconds until the next one may be.
  mutating func look(_ files: [FileName: FileStamp], at monotonic: Double) -> (ready: [FileName], wait: Double?) {
    seen = seen.filter { files[$0.key] != nil }
    open = open.filter { files[$0] != nil }
    var ready: [(name: FileName, since: Double)] = []
    var wait: Double?
    for (name, stamp) in files {
      let known = seen[name]
      let since = known?.stamp == stamp ? known?.since ?? monotonic : monotonic
      seen[name] = (stamp, since)
      let left = since + settle - monotonic
      if left > 0 {
        wait = min(wait ?? left, left)
      } else if !open.contains(name) {
        ready.append((name, since))
      }
    }
    return (ready.sorted { ($0.since, $0.name) < ($1.since, $1.name) }.map(\.name), wait)
  }
}
