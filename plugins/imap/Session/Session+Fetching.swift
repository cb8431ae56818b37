import MailWire
import PluginKit

/// The result of FETCH commands.
struct Fetched: Sendable {
  /// The responses by UID. Removed messages and messages that the server left out are missing.
  var messages: [UInt32: FetchedMessage] = [:]
  /// The refused messages by UID, each with the server's error. UID 0 is a refusal although a response came for each message: one of
  /// the responses may be incomplete.
  var refused: [UInt32: ActionError] = [:]
}

extension Session {
  /// How many messages one FETCH is for.
  private static let fetchSize = 400
  /// The default limit for the responses of one call together, in bytes (128 MiB).
  static let fetchLimit = 128 << 20
  /// How many messages one task processes.
  private static let partSize = 64
  /// How many further commands search for the messages that caused a refusal.
  private static let refusalSearchLimit = 200
  /// After so many refusals without a single message, the server refuses all of them.
  private static let refusalLimit = 8

  /// Fetches items of messages; several hundred a command, several commands on their way.
  ///
  /// - Parameters:
  ///   - uids: The messages.
  ///   - items: The items of FETCH without the UID, such as `FLAGS RFC822.SIZE`.
  ///   - limit: The most bytes of all responses.
  /// - Returns: The responses by UID. Removed messages are missing.
  /// - Throws: `protocol` if the server sends more than `limit`; the server's refusal of a message.
  func fetch(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit
  ) async throws(ActionError) -> [UInt32: FetchedMessage] {
    let fetched = try await fetchAvailable(uids, items, limit: limit)
    if let (uid, error) = fetched.refused.min(by: { $0.key < $1.key }) { throw uid == 0 ? error : error.about(uid) }
    return fetched.messages
  }

  /// As ``fetch(_:_:limit:)``, but returns refusals beside the other messages.
  func fetchAvailable(
    _ uids: [UInt32], _ items: String, limit: Int = Session.fetchLimit
  ) async throws(ActionError) -> Fetched {
    var fetched = Fetched()
    fetched.refused = try await fetch(uids, items, limit: limit) { uid, message in
      if fetched.messages[uid] == nil { fetched.messages[uid] = message } else { fetched.messages[uid]?.merge(message) }
    }
    return fetched
  }

  /// Fetches items of messages, and processes them on other threads while the server is still sending.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the first response for a message is complete. Incomplete responses are merged.
  ///   - make: Processes a complete response.
  /// - Returns: The outputs of `make` and the merged responses of the other messages, by UID.
  /// - Throws: `protocol` if the server sends more than the limit.
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

  /// Fetches items of messages and passes on each response, in the order of the server.
  ///
  /// A server that refuses a command because of one message does not name it. So the missing messages are fetched again in halves,
  /// until each refused message is known.
  ///
  /// - Returns: The refused messages with the server's errors; see ``Fetched/refused``.
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
        // Some servers send a part of a message before they refuse it.
        refused[left.first ?? (part.count == 1 ? part.first : nil) ?? 0] = error
        guard refused.count < Self.refusalLimit || !came.isEmpty else { throw error }
        continue
      }
      for half in [left[..<(left.count / 2)], left[(left.count / 2)...]] {
        commands += 1
        guard commands <= Self.refusalSearchLimit else { throw error }
        let tag = try await send(command(half))
        let status = try await finish(tag, upTo: limit) { data throws(ActionError) in try receive(data) }
        if !status.isOK { open.append((Array(half), try refusalOfMessages(status))) }
      }
    }
    return refused
  }

  /// The error for each message that a refused FETCH did not return.
  ///
  /// - Throws: The refusal, if it concerns the account or the server and not a single message.
  func refusalOfMessages(_ status: StatusResponse) throws(ActionError) -> ActionError {
    let refusal = refusal(status, of: Command("UID FETCH"))
    let isTemporary = ["UNAVAILABLE", "INUSE", "LIMIT"].contains(status.code?.name)
    guard !isTemporary, ![.auth, .quota, .rateLimited].contains(refusal.kind) else { throw refusal }
    return refusal
  }

  /// One piece of a section of a message.
  ///
  /// - Parameter isDecoded: Whether the server removes the transfer encoding (BINARY, RFC 3516). Then `offset` and `count` are in
  ///   decoded bytes.
  /// - Returns: The bytes, fewer than `count` at the end, and whether the server sent the whole section because it does not support
  ///   pieces; `nil` if the message is gone or has no such section.
  /// - Throws: `protocol` if a piece after the first one does not state its offset.
  func piece(
    of uid: UInt32, section: String, from offset: Int, count: Int, isDecoded: Bool = false
  ) async throws(ActionError) -> (bytes: ArraySlice<UInt8>, isWhole: Bool)? {
    let item = "\(isDecoded ? "BINARY" : "BODY").PEEK[\(section)]<\(offset).\(count)>"
    guard let message = try await fetch([uid], item)[uid] else { return nil }
    guard !message.isDamaged else {
      throw ActionError(ProtocolFault(.syntax, "a part of a message"), host: settings.host)
    }
    guard let found = message.sections.first(where: { $0.origin == offset || $0.origin == nil }) else { return nil }
    // Some servers send NIL for a piece after the end.
    guard let content = found.content ?? (offset > 0 ? [] : nil) else { return nil }
    let isWhole = found.origin == nil
    // The place of a later piece without an offset is unknown, and to ignore it would truncate the part.
    guard !isWhole || offset == 0 || content.isEmpty else {
      throw ActionError(
        ProtocolFault(.syntax, "a piece of a message that does not say where it begins"), host: settings.host)
    }
    return (content, isWhole)
  }
}

extension ActionError {
  /// The same error with the name of the message.
  func about(_ uid: some CustomStringConvertible) -> ActionError {
    var error = self
    error.message = "Message \(uid): \(message)"
    error.messageGerman = messageGerman.map { "Nachricht \(uid): \($0)" }
    return error
  }
}
