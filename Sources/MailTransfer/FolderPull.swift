import Engine
import Localization
import UseCases

/// Copies one folder.
struct FolderPull {
  let folder: String
  let source: TransferMailStore
  let target: TransferMailStore
  let storage: TransferStorage
  var state: PulledFolder
  let tell: @Sendable (MailPull.Progress) -> Void

  /// A message whose copy is to have its flags.
  struct Wanted {
    var uid: String
    var flags: [String]
    /// Whether its copy was told by its content just now.
    var isRecognized = false
  }

  /// The flags of the messages of the target by uid, as they were when this pull began.
  var present: [String: [String]] = [:]
  /// The messages that were known or recognized.
  var wanted: [Wanted] = []
  private var done = 0
  private var total = 0
  private var recognized = RecognizedCopies()
  /// Whether the target may have copies that are not recorded.
  private var isInDoubt = false

  init(
    folder: String, source: TransferMailStore, target: TransferMailStore, storage: TransferStorage, state: PulledFolder,
    tell: @escaping @Sendable (MailPull.Progress) -> Void
  ) {
    (self.folder, self.source, self.target, self.storage) = (folder, source, target, storage)
    (self.state, self.tell) = (state, tell)
  }

  /// Copies what is new and takes flags over.
  ///
  /// - Parameters:
  ///   - isTargetNew: Whether the folder, or everything in the target, has gone: all is copied again.
  ///   - isRestoring: Whether single copies that have gone are made again.
  mutating func run(isTargetNew: Bool, isRestoring: Bool, _ report: inout MailPullReport) async throws {
    let theirs = try await source.list(folder)
    let ours = try await target.list(folder)
    // Only what the folder lists tells that it is empty: counts can be missing.
    let isTargetNew = isTargetNew && ours.isEmpty
    present = Dictionary(ours.map { ($0.uid, $0.flags) }) { first, _ in first }
    try await bringUpToDate(isTargetNew: isTargetNew, isRestoring: isRestoring)

    let known = theirs.filter { state.copies[$0.uid] != nil }
    let fresh = theirs.filter { state.copies[$0.uid] == nil }
    wanted = known.map { Wanted(uid: $0.uid, flags: $0.flags) }
    (done, total) = (known.count, theirs.count)
    tell(.init(folder: folder, done: done, total: total))
    if !fresh.isEmpty {
      try await recognize(stale: Set(theirs.map(\.uid)))
      try await copy(fresh, &report)
    }
    try await takeFlags(&report)
    // The next pull looks for messages in doubt before it copies.
    try state.save(isOpen: isInDoubt)
  }

  // MARK: What is there

  /// Brings what is noted into line with what the target has.
  private mutating func bringUpToDate(isTargetNew: Bool, isRestoring: Bool) async throws {
    guard !state.copies.isEmpty else { return }
    if isTargetNew { return try state.forgetAll() }
    let isAnyThere = state.copies.values.contains { isThere($0) }
    if !isAnyThere, !present.isEmpty {
      // The target has numbered them anew: each is told by its content.
      var found = try await contents(of: present.keys.sorted())
      for (uid, copy) in state.copies {
        guard let name = found.take(copy.digest) else { continue }
        state.note(uid, name, digest: copy.digest, flags: copy.flags)
      }
      try state.save(isOpen: state.isOpen)
    }
    if isRestoring {
      state.forget(state.copies.filter { !isThere($0.value) }.map(\.key))
      try state.save(isOpen: state.isOpen)
    }
  }

  /// Whether a copy is in the target; one whose name nobody knows counts as there.
  func isThere(_ copy: PulledFolder.Copy) -> Bool { copy.uid.isEmpty || present[copy.uid] != nil }

  /// Finds copies that new messages may have already: those of messages that the source has numbered anew, and, where an
  /// earlier pull did not come to its end or what it noted is lost, all that are in the target for no known reason.
  private mutating func recognize(stale theirs: Set<String>) async throws {
    let live = Set(state.copies.filter { theirs.contains($0.key) }.map(\.value.uid))
    for (uid, copy) in state.copies where !theirs.contains(uid) && present[copy.uid] != nil {
      if !live.contains(copy.uid) { recognized.add(copy.uid, digest: copy.digest) }
    }
    guard state.isOpen || state.copies.isEmpty else { return }
    let noted = Set(state.copies.values.map(\.uid))
    try await addContents(of: present.keys.filter { !noted.contains($0) }.sorted(), to: &recognized)
    for (uid, copy) in state.copies where copy.uid.isEmpty {
      if let name = recognized.take(copy.digest) {
        state.note(uid, name, digest: copy.digest, flags: copy.flags)
      }
    }
  }

  /// Finds out what copies are called of which the target did not say it.
  private mutating func name(_ nameless: [TransferMessage]) async throws {
    guard !nameless.isEmpty else { return }
    let noted = Set(state.copies.values.map(\.uid))
    // What was there before is none of them: only what has come since is read.
    let fresh = try await target.list(folder).map(\.uid).filter { present[$0] == nil && !noted.contains($0) }
    var found = try await contents(of: fresh)
    for message in nameless {
      guard let name = found.take(message.digest) else { continue }
      state.note(message.uid, name, digest: message.digest, flags: message.flags)
    }
    try state.save(isOpen: state.isOpen)
  }

  private func contents(of uids: [String]) async throws -> RecognizedCopies {
    var found = RecognizedCopies()
    try await addContents(of: uids, to: &found)
    return found
  }

  /// Reads messages of the target.
  private func addContents(of uids: [String], to found: inout RecognizedCopies) async throws {
    var rest = uids.map { ListedMessage(uid: $0, flags: present[$0] ?? []) }[...]
    while !rest.isEmpty {
      let taken = try await target.take(rest, from: folder)
      for message in try storage.digested(taken.messages) { found.add(message.uid, digest: message.digest) }
      storage.forget(taken.messages)
      rest = try Self.rest(of: rest, after: taken, target.provider)
    }
  }

  // MARK: Copying

  /// Batches that are on their way at a time, from the source to the target.
  private static let batches = 4

  /// What a task has come to.
  private enum Step: Sendable {
    case taken(TakenMessages)
    case digested([TransferMessage])
    case stored(Batch, [TransferOutcome])
    /// The source or the folder for temporary files failed; what was digested before is stored all the same.
    case failed(any Error)
  }

  /// Messages that were taken together.
  private struct Batch: Sendable {
    var messages: [TransferMessage]
    /// Those that are to be stored.
    var fresh: [TransferMessage]
  }

  /// What remains to be done for a batch that was stored.
  private struct Remainder {
    /// Stored messages whose uid the target did not report.
    var nameless: [TransferMessage] = []
    /// Messages that were sent, but whose answer was lost.
    var doubtful: [(message: TransferMessage, reason: LocalizedText)] = []
    /// The uids of messages that were not sent.
    var unsent: [String] = []
  }

  /// Takes messages from the source, digests and stores them: while a batch is stored, the next are on their way.
  private mutating func copy(_ fresh: [ListedMessage], _ report: inout MailPullReport) async throws {
    let (source, target, storage, folder) = (source, target, storage, folder)
    var rest = fresh[...]
    var taken: [[TransferMessage]] = []
    var digested: [[TransferMessage]] = []
    let listed = Dictionary(fresh.map { ($0.uid, $0) }) { first, _ in first }
    var nameless: [TransferMessage] = []
    var doubtful: [(message: TransferMessage, reason: LocalizedText)] = []
    var (underWay, bytes) = (0, 0)
    // One at a time of each, so that the target gets the messages in the order of the source.
    var (isTaking, isDigesting, isStoring) = (false, false, false)
    var failure: (any Error)?
    try await withThrowingTaskGroup(of: Step.self) { group in
      func addTask(_ body: @escaping @Sendable () async throws -> Step) {
        group.addTask { do { return try await body() } catch { return .failed(error) } }
      }
      while true {
        if !isTaking, failure == nil, !rest.isEmpty, underWay < Self.batches,
          bytes < Self.batches * TransferMailStore.callBytes
        {
          (isTaking, underWay) = (true, underWay + 1)
          let next = rest
          addTask { .taken(try await source.take(next, from: folder)) }
        }
        if !isDigesting, !taken.isEmpty {
          isDigesting = true
          let messages = taken.removeFirst()
          addTask { .digested(try storage.digested(messages)) }
        }
        if !isStoring, !digested.isEmpty {
          let batch = sort(digested.removeFirst(), &report)
          isStoring = true
          // From now on the target may have more than is noted.
          if !batch.fresh.isEmpty, !state.isOpen { try state.save(isOpen: true) }
          let key = "pull/\(source.provider)/\(target.provider)/\(folder)/"
          group.addTask {
            .stored(batch, batch.fresh.isEmpty ? [] : try await target.store(batch.fresh, in: folder, key: key))
          }
        }
        guard let step = try await group.next() else { break }
        switch step {
        case .taken(let some):
          isTaking = false
          do {
            rest = try Self.rest(of: rest, after: some, source.provider)
          } catch {
            failure = failure ?? error
          }
          bytes += some.messages.reduce(0) { $0 + $1.size }
          taken.append(some.messages)
          done += some.missing.count + some.unreadable.count
          report.vanished += some.missing.count
          for message in some.unreadable { report.refuse([message.uid], of: folder, message.reason) }
        case .digested(let messages):
          isDigesting = false
          digested.append(messages)
        case .stored(let batch, let outcomes):
          (isStoring, underWay) = (false, underWay - 1)
          bytes -= batch.messages.reduce(0) { $0 + $1.size }
          let remainder = try note(batch, outcomes, &report)
          nameless += remainder.nameless
          doubtful += remainder.doubtful
          // Each batch stores at least one message before the target stops, so this loop ends.
          rest += remainder.unsent.compactMap { listed[$0] }
        case .failed(let error): failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
    try await name(nameless)
    try await settle(doubtful, &report)
  }

  /// Looks in the target for messages whose answer was lost, until all are found or ``PulledFolder/grace`` has passed.
  private mutating func settle(
    _ doubtful: [(message: TransferMessage, reason: LocalizedText)], _ report: inout MailPullReport
  ) async throws {
    var open = doubtful
    var hasTold = false
    let time = SystemTime()
    let deadline = time.monotonic + PulledFolder.grace
    while true {
      let noted = Set(state.copies.values.map(\.uid))
      var found = try await contents(
        of: try await target.list(folder).map(\.uid).filter { present[$0] == nil && !noted.contains($0) })
      open = open.filter { message, _ in
        guard let name = found.take(message.digest) else { return true }
        state.note(message.uid, name, digest: message.digest, flags: message.flags)
        report.copied += 1
        return false
      }
      try state.save(isOpen: state.isOpen)
      guard !open.isEmpty, time.monotonic < deadline else { break }
      if !hasTold { tell(.init(folder: folder, done: done, total: total, isWaiting: true)) }
      hasTold = true
      try await time.sleep(seconds: 1)
    }
    // The next pull looks for these once more before it sends them again.
    isInDoubt = !open.isEmpty
    for (message, reason) in open { report.refuse([message.uid], of: folder, reason) }
  }

  /// What is left of some messages.
  private static func rest(
    of messages: ArraySlice<ListedMessage>, after taken: TakenMessages, _ provider: String
  ) throws -> ArraySlice<ListedMessage> {
    let settled = taken.covered
    let rest = messages.filter { !settled.contains($0.uid) }
    guard rest.count < messages.count else {
      throw TransferFailure(
        provider: provider,
        failure: ActionFailure(
          .protocol,
          LocalizedText(
            "none of the messages that were asked for came", de: "von den verlangten Nachrichten kam keine")))
    }
    return rest[...]
  }

  /// Sets apart the messages that the target has already, and notes them.
  private mutating func sort(_ messages: [TransferMessage], _ report: inout MailPullReport) -> Batch {
    var batch = Batch(messages: messages, fresh: [])
    for message in messages {
      guard let copy = recognized.take(message.digest) else {
        batch.fresh.append(message)
        continue
      }
      state.note(message.uid, copy, digest: message.digest, flags: present[copy] ?? [])
      wanted.append(Wanted(uid: message.uid, flags: message.flags, isRecognized: true))
      report.recognized += 1
    }
    return batch
  }

  /// Notes what came of the messages of a batch.
  private mutating func note(
    _ batch: Batch, _ outcomes: [TransferOutcome], _ report: inout MailPullReport
  ) throws -> Remainder {
    defer { storage.forget(batch.messages) }
    var remainder = Remainder()
    for (message, outcome) in zip(batch.fresh, outcomes) {
      switch outcome {
      case .stored(let uid):
        state.note(message.uid, uid ?? "", digest: message.digest, flags: message.flags)
        report.copied += 1
        if uid == nil { remainder.nameless.append(message) }
      case .refused(let reason): report.refuse([message.uid], of: folder, reason)
      case .unknown(let reason): remainder.doubtful.append((message, reason))
      case .unsent: remainder.unsent.append(message.uid)
      }
    }
    try state.save(isOpen: state.isOpen)
    done += batch.messages.count - remainder.unsent.count
    tell(.init(folder: folder, done: done, total: total))
    return remainder
  }
}
