import Engine
import Expressions
import Glibc
import Localization
import Recipes
import RunStore

extension TriggerWatch {
  /// Files of one folder that are watched, at most.
  private static let mostFiles = 100_000
  /// Seconds between two looks where nothing is told, as on folders of other machines.
  private static let lookInterval = 60.0
  /// Seconds between two looks at least.
  private static let shortestPause = 0.05

  /// Watches a folder: a file that has come or changed and has come to rest begins a run.
  ///
  /// What was dealt with is known in the run log by name and state of each file, so what came while nobody watched is found
  /// by comparing.
  func watchFiles(_ event: FileEvent) async throws {
    let watcher = try FolderWatcher(event.folder)
    var known = try await store.settledEvents(of: trigger.subscription)
    if try await store.position(of: trigger.subscription) == nil {
      // What is there when it is looked at for the first time is not new.
      let files = try Self.files(event)
      known = Set(files.map(Self.name(of:)))
      try await store.settle(events: known, of: trigger.subscription)
      try await store.move(trigger.subscription, to: time.now.rfc3339Milliseconds)
    }
    var settling = SettlingFiles(settle: event.settle)
    var wakes = watcher.wakes.makeAsyncIterator()
    while !Task.isCancelled {
      try Self.take(watcher.changes(), &settling, event.folder)
      let files = try Self.files(event)
      let (ready, wait) = settling.look(
        files.filter { !known.contains(Self.name(of: $0)) }, at: time.monotonic)
      health.recover()
      for name in ready {
        guard let stamp = files[name] else { continue }
        let id = Self.name(of: (name, stamp))
        try await begin(id, Self.value(event, name, stamp), since: time.monotonic)
        known.insert(id)
      }
      try await forget(&known, files)
      let pause = max(Self.shortestPause, min(wait ?? Self.lookInterval, Self.lookInterval))
      let alarm = Task { [time] in
        try await time.sleep(seconds: pause)
        watcher.wake()
      }
      _ = await wakes.next(isolation: nil)
      alarm.cancel()
      try await time.sleep(seconds: Self.shortestPause)
    }
  }

  private static func take(
    _ changes: [FolderWatcher.Change], _ settling: inout SettlingFiles, _ folder: String
  ) throws {
    for change in changes {
      switch change {
      case .written(let name): settling.write(name)
      case .closed(let name): settling.close(name)
      case .overflow: settling.forgetWriting()
      case .gone: throw FolderWatcher.failure(folder, ENOENT)
      }
    }
  }

  /// Forgets states that no file is in any more.
  private func forget(_ known: inout Set<String>, _ files: [String: FileStamp]) async throws {
    guard known.count > files.count else { return }
    let current = Set(files.map(Self.name(of:)))
    let gone = known.subtracting(current)
    try await store.forget(events: gone, of: trigger.subscription)
    known.subtract(gone)
  }

  /// What names a state of a file among the events.
  private static func name(of file: (key: String, value: FileStamp)) -> String { "\(file.key)\n\(file.value.text)" }

  private static func value(_ event: FileEvent, _ name: String, _ stamp: FileStamp) -> Value {
    let modified = Timestamp(seconds: Int64(stamp.seconds), nanoseconds: Int32(clamping: stamp.nanoseconds))
    return [
      "type": "file", "path": .string(event.folder + "/" + name), "name": .string(name),
      "folder": .string(event.folder), "size": .int(stamp.size), "modified_at": .string(modified.rfc3339Milliseconds),
    ]
  }

  /// The files whose names count, without folders and links.
  private static func files(_ event: FileEvent) throws(UseCaseError) -> [String: FileStamp] {
    guard let folder = opendir(event.folder) else { throw FolderWatcher.failure(event.folder, errno) }
    defer { closedir(folder) }
    var files: [String: FileStamp] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, event.matches(name) else { continue }
      var facts = stat()
      guard fstatat(dirfd(folder), name, &facts, Int32(AT_SYMLINK_NOFOLLOW)) == 0, facts.st_mode & S_IFMT == S_IFREG
      else { continue }
      files[name] = FileStamp(
        size: Int64(facts.st_size), seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec,
        inode: UInt64(facts.st_ino))
      guard files.count <= mostFiles else {
        throw .wrongInput(
          LocalizedText(
            "the folder '\(event.folder)' has more than \(mostFiles) files",
            de: "der Ordner '\(event.folder)' hat mehr als \(mostFiles) Dateien"))
      }
    }
    return files
  }
}
