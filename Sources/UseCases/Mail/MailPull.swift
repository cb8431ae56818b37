import Engine
import Expressions
import Localization
import PluginHost
import Recipes

/// Copies the messages of one provider's folders to another provider: a backup, or a move to another server.
///
/// What is copied is kept in the run log, so that a second pull copies only what is new and takes flags over that have
/// changed. A pull that was cut off resumes where it was. Nothing is removed on either side.
public struct MailPull: Sendable {
  /// How far a folder is.
  public struct Progress: Sendable {
    /// The folder.
    public let folder: String
    /// How many of its messages are there.
    public let done: Int
    /// How many messages it has.
    public let total: Int
  }

  /// What was done.
  public struct Report: Sendable {
    /// Folders that were looked through.
    public var folders = 0
    /// Messages that were copied.
    public var copied = 0
    /// Messages whose flags were taken over.
    public var flagged = 0
    /// Messages that were there already, as they are.
    public var unchanged = 0
  }

  /// Messages that are copied before that is written down.
  private static let batch = 64
  /// Messages that are copied at the same time.
  private static let width = 4
  private static let page = 1000

  let project: Project
  let source: String
  let target: String
  let folders: [String]

  /// Prepares a pull.
  ///
  /// - Parameters:
  ///   - source: The provider that has the messages.
  ///   - target: The provider that gets them, in folders of the same names.
  ///   - folders: Only these folders; none for all.
  /// - Throws: ``UseCaseError`` with code `wrong_input` where both are the same.
  public init(_ project: Project, from source: String, to target: String, folders: [String]) throws(UseCaseError) {
    guard source != target else {
      throw .wrongInput(
        LocalizedText(
          "'\(source)' cannot be pulled to itself; name another provider with --to",
          de: "'\(source)' lässt sich nicht in sich selbst kopieren; mit --to einen anderen Provider nennen"))
    }
    (self.project, self.source, self.target, self.folders) = (project, source, target, folders)
  }

  /// Pulls.
  ///
  /// - Parameter tell: Told of progress.
  /// - Throws: ``UseCaseError``: `wrong_input` where a folder is not there; with an `ActionFailure` as its cause where a
  ///   provider fails. What was copied before stays copied.
  public func run(_ tell: @escaping @Sendable (Progress) -> Void) async throws(UseCaseError) -> Report {
    try await project.workspace.recordingRunLog { store in
      // Messages pass through; nothing of them stays in the run log.
      let storage = PassingStorage(store)
      await project.host.use(storage)
      let existing = Set(try await names(of: target))
      var report = Report()
      for folder in try await chosenFolders() {
        if !existing.contains(folder) {
          _ = try await call("mail.folder", ["operation": "create", "folder": .string(folder)], by: target)
        }
        try await pull(folder, storage, &report, tell)
        report.folders += 1
      }
      return report
    }
  }

  private func chosenFolders() async throws -> [String] {
    let there = try await names(of: source)
    if let missing = folders.first(where: { !there.contains($0) }) {
      throw UseCaseError.wrongInput(
        LocalizedText("'\(source)' has no folder '\(missing)'", de: "'\(source)' hat keinen Ordner '\(missing)'")
          + Suggestion.text(for: missing, among: there))
    }
    return folders.isEmpty ? there : folders
  }

  private func names(of provider: String) async throws -> [String] {
    let answer = try await call("mail.folders", [:], by: provider)
    return (answer["folders"]?.listValue ?? []).compactMap { $0["name"]?.stringValue }
  }

  // MARK: One folder

  private func pull(
    _ folder: String, _ storage: PassingStorage, _ report: inout Report, _ tell: @Sendable (Progress) -> Void
  ) async throws {
    var state = try PulledFolder(storage, of: "pull/\(source)/\(target)", folder: folder)
    var cursor: Value = .null
    var done = 0
    repeat {
      var input: ValueMap = [
        "folder": .string(folder), "fields": ["flags", "received"], "order": "oldest", "limit": .int(Int64(Self.page)),
      ]
      if cursor != .null { input["cursor"] = cursor }
      let answer = try await call("mail.search", .map(input), by: source)
      let total = Int(clamping: answer["total"]?.intValue ?? 0)
      let messages = (answer["messages"]?.listValue ?? []).compactMap(PulledMessage.init)
      for start in stride(from: 0, to: messages.count, by: Self.batch) {
        let batch = messages[start..<min(start + Self.batch, messages.count)]
        try await take(batch, folder, &state, &report)
        storage.forget()
        done += batch.count
        tell(Progress(folder: folder, done: done, total: max(total, done)))
      }
      cursor = answer["cursor"] ?? .null
    } while cursor != .null
  }

  /// Copies what is new of some messages and takes over flags that have changed; then writes that down.
  private func take(
    _ batch: ArraySlice<PulledMessage>, _ folder: String, _ state: inout PulledFolder, _ report: inout Report
  ) async throws {
    var fresh: [PulledMessage] = []
    for message in batch {
      guard let known = state.messages[message.uid] else {
        fresh.append(message)
        continue
      }
      if known.flags == message.flags {
        report.unchanged += 1
        continue
      }
      let added = message.flags.filter { !known.flags.contains($0) }
      let removed = known.flags.filter { !message.flags.contains($0) }
      _ = try await call(
        "mail.flag",
        [
          "folder": .string(folder), "uids": [.string(known.uid)], "add": .list(added.map { .string($0) }),
          "remove": .list(removed.map { .string($0) }),
        ], by: target)
      state.messages[message.uid] = .init(uid: known.uid, flags: message.flags)
      report.flagged += 1
    }
    for start in stride(from: 0, to: fresh.count, by: Self.width) {
      let some = fresh[start..<min(start + Self.width, fresh.count)]
      let copies = try await withThrowingTaskGroup(of: (String, PulledFolder.Copy).self) { group in
        for message in some { group.addTask { (message.uid, try await copy(message, folder)) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (uid, copy) in copies { state.messages[uid] = copy }
      report.copied += copies.count
    }
    try state.save()
  }

  private func copy(_ message: PulledMessage, _ folder: String) async throws -> PulledFolder.Copy {
    let raw = try await call("mail.raw", ["folder": .string(folder), "uid": .string(message.uid)], by: source)
    var input: ValueMap = [
      "folder": .string(folder), "blob": raw["blob"] ?? .null,
      "flags": .list(message.flags.map { .string($0) }),
    ]
    if let received = message.received { input["received"] = .string(received) }
    // The same key after a crash: what has arrived already does not arrive twice.
    let stored = try await call(
      "mail.append", .map(input), by: target, key: "pull/\(source)/\(folder)/\(message.uid)")
    return .init(uid: stored["uid"]?.stringValue ?? "", flags: message.flags)
  }

  private func call(_ action: String, _ input: Value, by provider: String, key: String? = nil) async throws -> Value {
    try await project.call(action, input, by: provider, key: key, reporter: SilentReporter())
  }
}

/// A message as the source lists it.
private struct PulledMessage: Sendable {
  let uid: String
  let flags: [String]
  let received: String?

  init?(_ value: Value) {
    guard let uid = value["uid"]?.stringValue else { return nil }
    self.uid = uid
    // Which messages are recent is the server's own business.
    flags = (value["flags"]?.listValue ?? []).compactMap(\.stringValue).filter { $0 != "\\Recent" }.sorted()
    received = value["received"]?.stringValue
  }
}
