import Engine
import Expressions
import Glibc
import Localization
import Recipes
import RunStore
import UseCases

extension TriggerWatch {
  /// Files of one folder that are watched, at most.
  private static let mostFiles = 100_000
  /// Seconds between two looks where nothing is told, as on folders of other machines.
  private static let lookInterval = 60.0
  /// Seconds between two looks at least.
  private static let shortestPause = 0.05
  /// How much longer than a look the pause after it is at least: a large folder is looked at less often.
  private static let pauseShare = 50.0
  /// Seconds for which a state has to be missing before it is forgotten, unless inotify reports that its file has left: files in
  /// a network folder can be out of sight for a while.
  private static let memory = 86_400.0

  /// Watches a folder: a file that has come or changed and has come to rest begins a run.
  ///
  /// What was dealt with is known in the run log by name and state of each file, so what came while nobody watched is found
  /// by comparing.
  func watchFiles(_ event: FileEvent) async throws {
    let watcher = try FolderWatcher(event.folder)
    var known = Set(try await store.settledEvents(of: trigger.subscription).map { FileName($0) })
    let position = try await store.position(of: trigger.subscription)
    let first = try await FolderLook.at(event, most: Self.mostFiles)
    if position == nil {
      // What is there when it is looked at for the first time is not new.
      known = Set(first.files.map(Self.name(of:)))
      try await store.settle(events: known.map(\.text), of: trigger.subscription)
    }
    let inode = position.flatMap(Self.inode) ?? first.inode
    if position.flatMap(Self.inode) == nil {
      try await store.move(trigger.subscription, to: "\(time.now.rfc3339Milliseconds) \(inode)")
    }
    // Where a disk is not mounted, another folder stands in its place, and all files would be new when it is back.
    guard first.inode == inode else { throw Self.otherFolder(event.folder) }
    await watches()
    var missing: [FileName: Double] = [:]
    var settling = StableFiles(settle: event.settle)
    var wakes = watcher.wakes.makeAsyncIterator()
    while !Task.isCancelled {
      let changes = watcher.changes()
      try Self.take(changes, &settling, event.folder)
      try await forget(&known, missing, changes)
      let began = time.monotonic
      let look = try await FolderLook.at(event, most: Self.mostFiles)
      let cost = time.monotonic - began
      guard look.inode == inode else { throw Self.otherFolder(event.folder) }
      let files = look.files
      let (ready, wait) = settling.look(
        files.filter { !known.contains(Self.name(of: $0)) }, at: time.monotonic)
      if look.unusable.isEmpty {
        if health.recover() { try await note() }
      } else {
        await warn(of: look.unusable, in: event.folder)
      }
      for name in ready {
        guard let stamp = files[name] else { continue }
        let id = Self.name(of: (name, stamp))
        try await begin(id.text, Self.value(event, name, stamp), since: time.monotonic)
        known.insert(id)
      }
      try await forget(&known, files, &missing)
      let pause = max(Self.shortestPause, min(wait ?? Self.lookInterval, Self.lookInterval))
      let alarm = Task { [time] in
        try await time.sleep(seconds: pause)
        watcher.wake()
      }
      _ = await wakes.next(isolation: nil)
      alarm.cancel()
      try await time.sleep(seconds: min(Self.lookInterval, max(Self.shortestPause, cost * Self.pauseShare)))
    }
  }

  /// The inode of the folder that a position tells; `nil` where whatever folder is there counts.
  private static func inode(_ position: String) -> UInt64? {
    let parts = position.split(separator: " ")
    return parts.count == 2 ? UInt64(parts[1]) : nil
  }

  private static func otherFolder(_ folder: String) -> UseCaseError {
    .wrongInput(
      LocalizedText(
        "'\(folder)' is another folder than before; if that is right, disable and enable the recipe",
        de: "'\(folder)' ist ein anderer Ordner als zuvor; wenn das stimmt, das Rezept aus- und einschalten"))
  }

  private static func take(
    _ changes: [FolderWatcher.Change], _ settling: inout StableFiles, _ folder: String
  ) throws {
    for change in changes {
      switch change {
      case .written(let name): settling.write(FileName(name))
      case .closed(let name): settling.close(FileName(name))
      case .overflow: settling.forgetWriting()
      case .came, .left, .other: break
      case .gone: throw FolderWatcher.failure(folder, ENOENT)
      }
    }
  }

  /// Reports files that begin no run because no text can name them.
  private func warn(of names: [String], in folder: String) async {
    let list = names.prefix(5).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    let reason = LocalizedText(
      "files in '\(folder)' start no run because their names are not UTF-8; rename them: \(list)",
      de: "Dateien in '\(folder)' starten keinen Lauf, weil ihre Namen kein UTF-8 sind; umbenennen: \(list)")
    if health.warn(reason, at: time.monotonic) {
      try? await note()
      await server.fails(trigger, reason)
    }
  }

  /// Forgets the states of files that have left, so that a file that comes back unchanged begins a run too.
  private func forget(
    _ known: inout Set<FileName>, _ missing: [FileName: Double], _ changes: [FolderWatcher.Change]
  ) async throws {
    var (came, left): (Set<FileName>, Set<FileName>) = ([], [])
    for change in changes {
      switch change {
      case .came(let name): came.insert(FileName(name))
      case .left(let name): left.insert(FileName(name))
      case .written, .closed, .other, .overflow, .gone: break
      }
    }
    guard !left.isEmpty || !came.isEmpty && !missing.isEmpty else { return }
    // A file that has come was away only if the last look did not show it; otherwise it has begun its run already.
    let gone = known.filter { state in
      let name = FileName(String(decoding: state.text.utf8.prefix { $0 != 10 }, as: UTF8.self))
      return left.contains(name) || came.contains(name) && missing[state] != nil
    }
    guard !gone.isEmpty else { return }
    try await store.forget(events: gone.map(\.text), of: trigger.subscription)
    known.subtract(gone)
  }

  /// Forgets states that no file has been in for a while.
  private func forget(
    _ known: inout Set<FileName>, _ files: [FileName: FileStamp], _ missing: inout [FileName: Double]
  ) async throws {
    let absent = known.subtracting(files.map(Self.name(of:)))
    missing = missing.filter { absent.contains($0.key) }
    let now = time.monotonic
    for name in absent where missing[name] == nil { missing[name] = now }
    let gone = Set(missing.filter { now - $0.value >= Self.memory }.keys)
    try await store.forget(events: gone.map(\.text), of: trigger.subscription)
    known.subtract(gone)
  }

  /// What names a state of a file among the events.
  private static func name(of file: (key: FileName, value: FileStamp)) -> FileName {
    FileName("\(file.key.text)\n\(file.value.text)")
  }

  private static func value(_ event: FileEvent, _ name: FileName, _ stamp: FileStamp) -> Value {
    let modified = Timestamp(seconds: Int64(stamp.seconds), nanoseconds: Int32(clamping: stamp.nanoseconds))
    return [
      "type": "file", "path": .string(event.folder + "/" + name.text), "name": .string(name.text),
      "folder": .string(event.folder), "size": .int(stamp.size), "modified_at": .string(modified.rfc3339Milliseconds),
    ]
  }
}
