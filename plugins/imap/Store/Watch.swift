import MailWire
import PluginKit

/// Watches a folder for new mail over a connection of its own.
///
/// New messages are found by UID after every connection, so lost notifications do no harm. A connection that seems to wait is
/// proved alive each time IDLE is renewed.
struct Watch: Sendable {
  let account: Account
  let folder: String
  let fields: MessageFields
  let emitter: EventEmitter<JSONObject>

  /// The longest pause between attempts to connect, in seconds.
  private static let longestPause = 300.0
  /// The number of reported messages before the folder is checked again.
  private static let batchSize = 100

  private var clock: HostClock { emitter.context.clock }
  private var origin: MailboxOrigin { MailboxOrigin(account.settings) }
  private var stateKey: String { "watch." + KeyDigest.hexadecimal("\(emitter.context.key)\n\(folder)") }

  /// Watches until the subscription ends.
  ///
  /// - Throws: An error that waiting does not fix: a wrong password, a folder that does not exist.
  func run(from cursor: String?) async throws(ActionError) {
    var position = try await start(cursor)
    var failures = 0
    while true {
      guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
      do throws(ActionError) {
        let session = try await account.connect(emitter.context.streams)
        do {
          try await watch(session, &position) {
            if failures > 2 { restored(failures) }; failures = 0
          }
        } catch {
          await session.abandon()
          throw error
        }
      } catch {
        guard Self.mayPass(error) else { throw error }
        failures += 1
        // Short breaks are usual. Each attempt of a longer one warns, so that the trigger is not shown as alive meanwhile; before
        // the first look messages get lost.
        let level: LogLevel = failures >= (position == nil ? 1 : 3) ? .warning : .debug
        emitter.context.log(level, "mail.new \(folder): \(error.message)")
        try await clock.sleep(for: .milliseconds(Int64(pause(failures) * 1000)))
      }
    }
  }

  private static func mayPass(_ error: ActionError) -> Bool {
    [.dns, .timeout, .refused, .unreachable, .io, .rateLimited, .server].contains(error.kind)
  }

  private func pause(_ failures: Int) -> Double {
    var seconds = 1.0
    for _ in 1..<min(failures, 12) { seconds *= 2 }
    return min(seconds, Self.longestPause)
  }

  private func restored(_ failures: Int) {
    emitter.context.log(.info, "mail.new \(folder): connected again after \(failures) attempts")
  }

  /// Where to begin: behind the last event; else where this subscription began; else now.
  ///
  /// Where the last event came from another server or user, what was noted since the settings changed counts first.
  private func start(_ cursor: String?) async throws(ActionError) -> WatchPosition? {
    var last: WatchPosition?
    if let cursor {
      guard let position = WatchPosition(cursor) else {
        throw ActionError(
          .invalidInput, "The cursor of the trigger is none of this plugin's.",
          german: "Der Cursor des Auslösers stammt nicht von diesem Plugin.")
      }
      if position.origin == nil || position.origin == origin { return position }
      last = position
    }
    guard account.context.offers("sous.state/1"),
      let text = try await emitter.context.state.value(String.self, for: stateKey), let noted = WatchPosition(text)
    else { return last }
    return last == nil || noted.origin == origin ? noted : last
  }

  private func note(_ position: WatchPosition) async throws(ActionError) {
    guard account.context.offers("sous.state/1") else { return }
    try await emitter.context.state.set(position.text, for: stateKey)
  }

  // MARK: One connection

  private func watch(
    _ session: Session, _ position: inout WatchPosition?, _ connected: () -> Void
  ) async throws(ActionError) {
    let wire = try await account.wire(of: folder, session)
    var open: OpenFolder
    do {
      open = try await openFolder(wire, session)
    } catch {
      // Everything in a folder that is made later is new.
      if error.kind == .notFound, position == nil { try await note(.absent(origin)) }
      throw error
    }
    var now = try await begin(position, open, session)
    position = now
    connected()
    try await emitter.announceWatching()
    // The server is to speak of what comes, and not of flags (RFC 5465). One that refuses speaks of everything.
    if await session.has("NOTIFY"), await session.has("IDLE") {
      _ = try await session.perform(Command("NOTIFY", "SET (SELECTED (MessageNew MessageExpunge))"))
    }
    while true {
      var arrivals: Int?
      repeat {
        // Messages that are announced during a fetch are not announced again.
        arrivals = await session.mailbox?.arrivals
        try await tell(open, session, &now, &position)
      } while await session.mailbox?.arrivals != arrivals
      if await session.has("IDLE") {
        try await idle(session)
      } else {
        try await clock.sleep(for: account.settings.pollInterval)
      }
      open = try await openFolder(wire, session)
    }
  }

  private func openFolder(_ wire: [UInt8], _ session: Session) async throws(ActionError) -> OpenFolder {
    OpenFolder(name: folder, mailbox: try await session.open(wire, named: folder, writing: false))
  }

  /// The position in the folder as it is numbered now.
  private func begin(
    _ position: WatchPosition?, _ open: OpenFolder, _ session: Session
  ) async throws(ActionError) -> WatchPosition {
    guard var position else {
      let now = try await present(open, session)
      try await note(now)
      return now
    }
    if position.isAbsent, position.origin == origin {
      position.validity = open.validity
      return position
    }
    let isOwn = position.origin == nil || position.origin == origin
    if let other = position.origin, other.user != origin.user {
      emitter.context.log(
        .warning, "mail.new \(folder): the settings name another user now; later messages are new")
      let now = try await present(open, session)
      try await note(now)
      return now
    }
    let hasKept = isOwn ? position.validity == open.validity : try await isContinued(position, open, session)
    let isAhead = hasKept && position.isAhead(of: open.mailbox)
    if hasKept, !isAhead {
      position.origin = origin
      if !isOwn { try await note(position) }
      return position
    }
    // The server has numbered its messages anew, goes on from a backup, or is another one to which the mailbox has moved: those
    // received since count, but for those that are known.
    emitter.context.log(
      .warning,
      isAhead
        ? "mail.new \(folder): the mailbox has fewer numbers than before, as from a backup"
        : isOwn
          ? "mail.new \(folder): the server has numbered its messages anew"
          : "mail.new \(folder): the settings name another server now; messages received since the last one are new")
    let last =
      isAhead ? try await session.search(.all)?.last ?? 0 : try await lastUID(open, session, atLeast: 0)
    let recent = SearchKey.on(.since, SearchDay(seconds: position.received, later: -1))
    let candidates =
      try await session.search(
        isAhead && position.uid < .max ? .or([recent, .uid(UIDSet((position.uid + 1)...UInt32.max))]) : recent) ?? []
    let identities = try await session.identities(of: candidates)
    let told = position
    let new = candidates.filter { uid in
      identities[uid].map { told.isNew($0) || isAhead && uid > told.uid && !told.knows($0) } ?? false
    }
    for uid in new {
      guard let identity = identities[uid] else { continue }
      var next = position
      next.pass(uid, identity)
      if isAhead {
        // Messages after the backup follow all others.
        next.uid = uid
        next.modSeq = open.mailbox.highestModSeq
      } else {
        // The old numbers stay in the cursor until all of these are reported: a restart begins here again.
        next.uid = position.uid
        next.validity = position.validity
      }
      try await emit(uid, open, session, next)
      position = next
    }
    position.validity = open.validity
    position.uid = max(last, candidates.max() ?? 0)
    position.modSeq = open.mailbox.highestModSeq
    position.origin = origin
    try await note(position)
    return position
  }

  /// Whether a server of another name has the same mailbox: the last known message has its number there.
  private func isContinued(
    _ position: WatchPosition, _ open: OpenFolder, _ session: Session
  ) async throws(ActionError) -> Bool {
    guard position.validity == open.validity, position.uid > 0, let last = position.known.last else { return false }
    return try await session.identities(of: [position.uid])[position.uid].map(WatchPosition.digest) == last
  }

  /// The position behind everything that is in the folder.
  private func present(_ open: OpenFolder, _ session: Session) async throws(ActionError) -> WatchPosition {
    let last = try await lastUID(open, session, atLeast: 0)
    var position = WatchPosition(
      validity: open.validity, uid: last, modSeq: open.mailbox.highestModSeq, received: 0, known: [], origin: origin)
    guard last > 0 else { return position }
    let recent = (try await session.search(.uid(UIDSet((last > 500 ? last - 500 : 1)...last))) ?? [])
      .suffix(WatchPosition.memory)
    let identities = try await session.identities(of: Array(recent))
    for uid in recent { if let identity = identities[uid] { position.pass(uid, identity) } }
    return position
  }

  /// The highest UID that was given so far.
  private func lastUID(_ open: OpenFolder, _ session: Session, atLeast least: UInt32) async throws(ActionError)
    -> UInt32
  {
    if let next = open.mailbox.uidNext, next > 0 { return max(least, next - 1) }
    return max(least, (try await session.search(.all) ?? []).max() ?? 0)
  }

  // MARK: News

  /// Reports all messages behind the position.
  private func tell(
    _ open: OpenFolder, _ session: Session, _ now: inout WatchPosition, _ position: inout WatchPosition?
  ) async throws(ActionError) {
    guard now.validity == open.validity else {
      throw ActionError(.io, "The server has numbered its messages anew.", german: "Neu nummeriert.")
    }
    now.reach(open.mailbox.highestModSeq)
    guard now.uid < .max else { return }
    // A set that ends in the highest number holds the last message, even where its number is lower (RFC 9051 §9).
    let found = (try await session.search(.uid(UIDSet((now.uid + 1)...UInt32.max))) ?? []).filter { $0 > now.uid }
    for start in stride(from: 0, to: found.count, by: Self.batchSize) {
      let batch = Array(found[start..<min(start + Self.batchSize, found.count)])
      let identities = try await session.identities(of: batch)
      let loaded = try await MessageLoader(session: session, folder: open).load(batch, FetchFields(fields))
      let contents = Dictionary(loaded.outputs.map { ($0.facts.uid, $0) }) { first, _ in first }
      let unreadable = Dictionary(loaded.unreadable.map { ($0.uid, $0.error) }) { first, _ in first }
      for uid in batch {
        let name = open.name(of: uid)
        if let content = contents[name] {
          now.pass(uid, identities[uid] ?? MessageIdentity(content))
          try await emit(content, now)
        } else if let error = unreadable[name] {
          now.uid = max(now.uid, uid)
          try await emit(unreadable: name, error, now)
        } else {
          continue
        }
        position = now
      }
      // Those that have gone meanwhile are not told of.
      if let last = batch.last { now.uid = max(now.uid, last) }
      position = now
    }
  }

  private func emit(
    _ uid: UInt32, _ open: OpenFolder, _ session: Session, _ position: WatchPosition
  ) async throws(ActionError) {
    let loaded = try await MessageLoader(session: session, folder: open).load([uid], FetchFields(fields))
    if let content = loaded.outputs.first { try await emit(content, position) }
    if let message = loaded.unreadable.first { try await emit(unreadable: message.uid, message.error, position) }
  }

  /// Emits an event for a message that the server does not send. It has no fields, so that a step that reads one fails and names it.
  private func emit(
    unreadable uid: String, _ error: ActionError, _ position: WatchPosition
  ) async throws(ActionError) {
    emitter.context.log(.warning, "mail.new \(folder): \(error.message)")
    let event: JSONObject = [
      "folder": .string(folder), "uid": .string(uid), "message": ["uid": .string(uid), "folder": .string(folder)],
    ]
    try await emitter.emit(event, id: "\(uid)@\(origin.text)#", cursor: position.text)
  }

  private func emit(_ content: MessageContent, _ position: WatchPosition) async throws(ActionError) {
    let event: JSONObject = [
      "folder": .string(content.facts.folder), "uid": .string(content.facts.uid),
      "message": account.writer.json(content, fields),
    ]
    // Another server, or this one after it was put back from a backup, may have given the same number to another message.
    let name = "\(content.facts.uid)@\(origin.text)#\(position.known.last ?? "")"
    try await emitter.emit(event, id: name, cursor: position.text)
  }

  // MARK: Waiting

  /// Waits until the server says that something is new, or it is time to prove that it is still there (RFC 2177).
  private func idle(_ session: Session) async throws(ActionError) {
    let tag = try await session.beginIdle()
    let deadline = clock.monotonic + account.settings.idleRenewal
    let end = await session.bytesRead + Session.newsLimit
    while await session.isIdling(tag) {
      guard await session.bytesRead <= end else { throw await session.tooMuch }
      let left = deadline - clock.monotonic
      guard left > .zero else { break }
      guard let event = try await session.idleNews(tag, within: left) else { break }
      if case .untagged(.exists) = event { break }
      if case .untagged(.recent) = event { break }
    }
    try await session.endIdle(tag)
  }
}
