import MailWire
import PluginKit

/// What came of a FETCH.
struct Fetched: Sendable {
  /// What the server said of the messages, by UID. Those that have gone are missing, and those that it left out.
  var messages: [UInt32: FetchedMessage] = [:]
  /// The messages that the server refused to give, each with its words; under 0 a refusal after something came of all messages
  /// that were asked for: of one of them it may be not all.
  var refused: [UInt32: ActionError] = [:]
}

extension Session {
  /// How many messages one FETCH is for.
  private static let fetchSize = 400
  /// The most bytes that the answers of one call may have together, where nobody says otherwise (128 MiB).
  static let fetchLimit = 128 << 20
  /// Of how many messages something is made at a time.
  private static let partSize = 64
  /// How many further commands look for the messages that a refusal is about.
  private static let patienceForRefusals = 200
  /// After so many refusals and no message the server is taken at its word: it refuses all.
  private static let refusalsOfAll = 8

  /// Fetches items of messages; several hundred a command, several commands on their way.
  ///
  /// - Parameters:
  ///   - uids: The messages.
  ///   - items: What is wanted, `FLAGS RFC822.SIZE`; the UID comes with it.
  ///   - limit: The most bytes that may come for it.
  /// - Returns: What came, by UID. Messages that are gone are missing.
  /// - Throws: `protocol` where the server sends more than that; what the server refused a message with.
  func fetch(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit
  ) async throws(ActionError) -> [UInt32: FetchedMessage] {
    let fetched = try await fetchWhatComes(uids, items, limit: limit)
    if let (uid, error) = fetched.refused.min(by: { $0.key < $1.key }) { throw uid == 0 ? error : error.about(uid) }
    return fetched.messages
  }

  /// As ``fetch(_:_:limit:)``, but a message that the server refuses holds up no other.
  func fetchWhatComes(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit
  ) async throws(ActionError) -> Fetched {
    var fetched = Fetched()
    fetched.refused = try await fetch(uids, items, limit: limit) { uid, message in
      if fetched.messages[uid] == nil { fetched.messages[uid] = message } else { fetched.messages[uid]?.merge(message) }
    }
    return fetched
  }

  /// Fetches items of messages, and makes something of them on another thread while the server is still sending others.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the first response for a message has all that is wanted; else it is put together with others.
  ///   - make: Makes something of such a response.
  /// - Returns: What was made, and what came of the other messages, by UID.
  /// - Throws: `protocol` where the server sends more than the limit.
  func fetch<Output: Sendable>(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit, where isWhole: (FetchedMessage) -> Bool,
    _ make: @escaping @Sendable (FetchedMessage, UInt32) -> Output
  ) async throws(ActionError) -> (made: [UInt32: Output], rest: Fetched) {
    typealias Part = [(uid: UInt32, message: FetchedMessage)]
    var rest = Fetched()
    let result: Result<[UInt32: Output], ActionError> = await withTaskGroup(of: [(UInt32, Output)].self) { group in
      var whole = Set<UInt32>()
      var part: Part = []
      func finishPart() {
        let finished = part
        part = []
        if !finished.isEmpty { group.addTask { finished.map { ($0.uid, make($0.message, $0.uid)) } } }
      }
      do throws(ActionError) {
        rest.refused = try await fetch(uids, items, limit: limit) { uid, message in
          guard !whole.contains(uid) else { return }
          guard rest.messages[uid] == nil, isWhole(message) else {
            if rest.messages[uid] == nil { rest.messages[uid] = message } else { rest.messages[uid]?.merge(message) }
            return
          }
          whole.insert(uid)
          part.append((uid, message))
          if part.count == Self.partSize { finishPart() }
        }
      } catch {
        return .failure(error)
      }
      finishPart()
      var made: [UInt32: Output] = [:]
      for await outputs in group {
        for (uid, output) in outputs { made[uid] = output }
      }
      return .success(made)
    }
    return (try result.get(), rest)
  }

  /// Fetches items of messages and gives what comes of them, in the order of the server.
  ///
  /// A server that refuses a command for one of its messages names none: it is asked again for the halves of what did not come.
  ///
  /// - Returns: The messages that it refuses, each asked for by itself.
  /// - Throws: A refusal that concerns all messages.
  private func fetch(
    _ uids: [UInt32], _ items: String, limit: Int, _ take: (UInt32, FetchedMessage) -> Void
  ) async throws(ActionError) -> [UInt32: ActionError] {
    guard !uids.isEmpty else { return [:] }
    let wanted = Set(uids)
    let host = settings.host
    var size = 0
    var came: Set<UInt32> = []
    func receive(_ data: Untagged) throws(ActionError) {
      guard case .fetch(let message) = data else { return }
      size += message.byteCount
      guard size <= limit else { throw ActionError(ProtocolFault(.tooLarge, "what it sends of messages"), host: host) }
      guard let uid = message.uid, wanted.contains(uid) else { return }
      came.insert(uid)
      take(uid, message)
    }
    func command(_ uids: some Sequence<UInt32>) -> Command {
      Command("UID FETCH", "\(UIDSet(uids).text) (UID \(items))")
    }
    let parts = stride(from: 0, to: uids.count, by: Self.fetchSize).map { start in
      Array(uids[start..<min(start + Self.fetchSize, uids.count)])
    }
    var open: [(uids: [UInt32], error: ActionError)] = []
    let statuses = try await perform(pipelined: parts.map { command($0) }, upTo: limit) { data throws(ActionError) in
      try receive(data)
    }
    for (part, status) in zip(parts, statuses) where !status.isOK {
      open.append((part, try refusalOfMessages(status)))
    }
    var refused: [UInt32: ActionError] = [:]
    var commands = 0
    while let (part, error) = open.popLast() {
      let left = part.filter { !came.contains($0) }
      guard left.count > 1 else {
        // Some servers send what they have of a message before they refuse it.
        refused[left.first ?? (part.count == 1 ? part.first : nil) ?? 0] = error
        guard refused.count < Self.refusalsOfAll || !came.isEmpty else { throw error }
        continue
      }
      for half in [left[..<(left.count / 2)], left[(left.count / 2)...]] {
        commands += 1
        guard commands <= Self.patienceForRefusals else { throw error }
        let tag = try await send(command(half))
        let status = try await finish(tag, upTo: limit) { data throws(ActionError) in try receive(data) }
        if !status.isOK { open.append((Array(half), try refusalOfMessages(status))) }
      }
    }
    return refused
  }

  /// What a refusal of FETCH means for the messages that did not come.
  ///
  /// - Throws: The refusal, where it concerns the account or the server and no single message.
  func refusalOfMessages(_ status: StatusResponse) throws(ActionError) -> ActionError {
    let refusal = refusal(status, of: Command("UID FETCH"))
    let isTemporary = ["UNAVAILABLE", "INUSE", "LIMIT"].contains(status.code?.name)
    guard !isTemporary, ![.auth, .quota, .rateLimited].contains(refusal.kind) else { throw refusal }
    return refusal
  }

  /// One piece of a section of a message.
  ///
  /// - Parameter isDecoded: Whether the server is to take the transfer encoding off (BINARY, RFC 3516); the piece is one of what
  ///   comes of that.
  /// - Returns: `nil` where the message is gone or has no such section; fewer bytes than asked for at the end. Whether the
  ///   server sent the whole section, as it does not know pieces.
  /// - Throws: `protocol` where bytes behind the first piece do not say where they begin.
  func piece(
    of uid: UInt32, section: String, from offset: Int, count: Int, isDecoded: Bool = false
  ) async throws(ActionError) -> (bytes: ArraySlice<UInt8>, isWhole: Bool)? {
    let item = "\(isDecoded ? "BINARY" : "BODY").PEEK[\(section)]<\(offset).\(count)>"
    guard let message = try await fetch([uid], item)[uid] else { return nil }
    guard !message.isDamaged else {
      throw ActionError(ProtocolFault(.syntax, "a part of a message"), host: settings.host)
    }
    guard let found = message.sections.first(where: { $0.origin == offset || $0.origin == nil }) else { return nil }
    // Behind the end some servers say NIL.
    guard let content = found.content ?? (offset > 0 ? [] : nil) else { return nil }
    let isWhole = found.origin == nil
    // Behind a piece nobody knows what bytes without a place are, and to leave them out would cut the part off.
    guard !isWhole || offset == 0 || content.isEmpty else {
      throw ActionError(
        ProtocolFault(.syntax, "a piece of a message that does not say where it begins"), host: settings.host)
    }
    return (content, isWhole)
  }
}

extension ActionError {
  /// The same error, which names the message that it is about.
  func about(_ uid: some CustomStringConvertible) -> ActionError {
    var error = self
    error.message = "Message \(uid): \(message)"
    error.messageGerman = messageGerman.map { "Nachricht \(uid): \($0)" }
    return error
  }
}
