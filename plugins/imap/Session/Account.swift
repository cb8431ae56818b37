import Mail
import MailWire
import PluginKit
import SASL
import Synchronization

/// The account of a provider: its connections, and what is known of its folders.
final class Account: Sendable {
  let settings: IMAPSettings
  let context: PluginContext
  let writer: MessageJSON
  let connections: Connections
  let tidying = DatedState.Tidying()
  private let configured: (password: String?, token: String?)

  private struct Known {
    var table: FolderTable
    var at: Duration
  }
  private let known = Mutex<Known?>(nil)

  init(_ settings: IMAPSettings, _ configuration: IMAPConfiguration, _ context: PluginContext) {
    self.settings = settings
    self.context = context
    configured = (configuration.password, configuration.token)
    connections = Connections(limit: settings.connections, clock: context.clock)
    let address = settings.owner?.address ?? (settings.user.contains("@") ? settings.user : nil)
    writer = MessageJSON(owners: address.map { [$0] } ?? [])
  }

  /// Makes a connection of its own.
  func connect(_ streams: StreamClient) async throws(ActionError) -> Session {
    try await Session.open(settings, try await credentials(), streams: streams, clock: context.clock)
  }

  private func credentials() async throws(ActionError) -> SASLCredentials {
    let name = settings.hasToken ? "token" : "password"
    let given = settings.hasToken ? configured.token : configured.password
    // It may have been changed since the plugin was made, as tokens are.
    var secret = given ?? ""
    if context.offers("sous.secret/1"), let current = try? await context.secrets.read(name) { secret = current }
    return SASLCredentials(
      user: settings.user, secret: settings.hasToken ? .token(secret) : .password(secret), host: settings.host,
      port: settings.port)
  }

  // MARK: Borrowing

  /// Works with a connection that is signed in.
  func withSession<Result: Sendable>(
    _ body: (Session) async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    let (session, isFresh) = try await connections.borrow(preferring: nil) { () async throws(ActionError) in
      try await self.connect(self.context.streams)
    }
    var usable = session
    if !isFresh {
      // It may be dead without any error so far.
      do {
        try await session.require(Command("NOOP"))
      } catch {
        usable = try await connections.replace(session) { () async throws(ActionError) in
          try await self.connect(self.context.streams)
        }
      }
    }
    return try await carry(usable, body)
  }

  /// Works with a folder that is open.
  ///
  /// - Parameters:
  ///   - folder: As users call it.
  ///   - isWriting: Whether messages are to be changed.
  func withFolder<Result: Sendable>(
    _ folder: String, writing isWriting: Bool,
    _ body: (Session, OpenFolder) async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    try FolderNaming.check(folder)
    let isInbox = folder.uppercased() == "INBOX"
    var wire: [UInt8]? = isInbox ? Array("INBOX".utf8) : fresh?.folder(folder)?.wire
    let (borrowed, isFresh) = try await connections.borrow(preferring: wire) { () async throws(ActionError) in
      try await self.connect(self.context.streams)
    }
    var session = borrowed
    var opened: OpenFolder?
    do {
      if wire == nil { wire = try await self.wire(of: folder, session) }
      opened = try await open(wire ?? [], folder, isWriting, session)
    } catch {
      let isDead = await session.isBroken
      guard isDead, !isFresh, error.kind != .cancelled else {
        await connections.give(back: session)
        throw error
      }
      // Nothing was asked of it yet that could have had an effect.
      session = try await connections.replace(session) { () async throws(ActionError) in
        try await self.connect(self.context.streams)
      }
    }
    return try await carry(session) { session throws(ActionError) in
      let folder =
        if let opened { opened } else {
          try await self.open(try await self.wire(of: folder, session), folder, isWriting, session)
        }
      return try await body(session, folder)
    }
  }

  private func carry<Result: Sendable>(
    _ session: Session, _ body: (Session) async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    do {
      let result = try await body(session)
      await connections.give(back: session)
      return result
    } catch {
      await connections.give(back: session)
      throw error
    }
  }

  private func open(
    _ wire: [UInt8], _ name: String, _ isWriting: Bool, _ session: Session
  ) async throws(ActionError) -> OpenFolder {
    let mailbox = try await session.open(wire, named: name, writing: isWriting)
    return OpenFolder(name: name.uppercased() == "INBOX" ? "INBOX" : name, mailbox: mailbox)
  }

  // MARK: Folders

  /// The folders, if they were listed a short while ago.
  private var fresh: FolderTable? {
    let now = context.clock.monotonic
    return known.withLock { known in
      guard let known, now - known.at < .seconds(60) else { return nil }
      return known.table
    }
  }

  func remember(_ table: FolderTable) {
    let now = context.clock.monotonic
    known.withLock { $0 = Known(table: table, at: now) }
  }

  func forgetFolders() { known.withLock { $0 = nil } }

  /// The folders of the account, listed at most once a minute.
  func folders(_ session: Session) async throws(ActionError) -> FolderTable {
    if let fresh { return fresh }
    let (table, _) = try await session.folders(counting: false)
    remember(table)
    return table
  }

  /// The server's name of a folder, which need not exist.
  func wire(of name: String, _ session: Session) async throws(ActionError) -> [UInt8] {
    if name.uppercased() == "INBOX" { return Array("INBOX".utf8) }
    if let known = fresh?.folder(name) { return known.wire }
    // It may have been made since.
    forgetFolders()
    return try await folders(session).wire(of: name)
  }
}

/// A folder that is open.
struct OpenFolder: Sendable {
  /// As users call it.
  var name: String
  var mailbox: ConnectionMachine.Mailbox

  var validity: UInt32 { mailbox.uidValidity }

  /// The ID of a message in inputs and outputs: `UIDVALIDITY.UID`, so that a UID of a recreated folder does not mean another
  /// message.
  func name(of uid: UInt32) -> String { "\(validity).\(uid)" }

  /// The IDs of messages in inputs and outputs.
  func names(of uids: some Sequence<UInt32>) -> [String] { uids.map(name) }

  /// The UIDs of messages.
  ///
  /// - Throws: `not_found` for IDs of a removed folder; `invalid_input` for an invalid ID.
  func uids(_ names: [String]) throws(ActionError) -> [UInt32] {
    var uids: [UInt32] = []
    var seen: Set<UInt32> = []
    for name in names {
      let uid = try uid(name)
      if seen.insert(uid).inserted { uids.append(uid) }
    }
    return uids
  }

  /// The UID of a message.
  func uid(_ text: String) throws(ActionError) -> UInt32 {
    guard let (validity, uid) = Self.parse(text) else {
      throw ActionError(
        .invalidInput, "'\(String(text.prefix(60)))' is not a uid of this provider.",
        german: "'\(String(text.prefix(60)))' ist keine uid dieses Providers.",
        advice: "Pass on the 'uid' of a message as mail.search returns it.",
        adviceGerman: "Die 'uid' einer Nachricht wird so weitergegeben, wie mail.search sie liefert.")
    }
    guard validity == self.validity else {
      throw ActionError(
        .notFound, "The server has numbered the messages of '\(name)' anew; '\(text)' names none any more.",
        german: "Der Server hat die Nachrichten von '\(name)' neu nummeriert; '\(text)' benennt keine mehr.",
        advice: "Search for the messages again.", adviceGerman: "Die Nachrichten neu suchen.")
    }
    return uid
  }

  static func parse(_ text: String) -> (validity: UInt32, uid: UInt32)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let validity = UInt32(parts[0]), let uid = UInt32(parts[1]), uid > 0 else { return nil }
    return (validity, uid)
  }

  /// Messages that are not there.
  func notFound(_ uids: some Collection<UInt32>) -> ActionError {
    let list = uids.prefix(3).map { name(of: $0) }.joined(separator: ", ")
    return ActionError(
      .notFound, "The folder '\(name)' has no message \(list)\(uids.count > 3 ? " …" : "").",
      german: "Im Ordner '\(name)' gibt es keine Nachricht \(list)\(uids.count > 3 ? " …" : "").")
  }
}
