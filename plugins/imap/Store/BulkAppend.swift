import MailWire
import PluginKit

/// Stores many messages in a folder, several APPENDs on their way where the server takes literals unasked (LITERAL+).
struct BulkAppend {
  /// Bytes on their way at a time (1 MiB).
  private static let flightBytes = 1 << 20
  private static let flightCount = 32

  let session: Session
  let target: [UInt8]
  let isPipelined: Bool
  private var sent: ArraySlice<(tag: String, command: String, size: Int)> = []
  private var flight = 0
  private var results: [ImportResult] = []

  init(session: Session, target: [UInt8], isPipelined: Bool) {
    (self.session, self.target, self.isPipelined) = (session, target, isPipelined)
  }

  /// Sends a message.
  ///
  /// - Throws: What keeps the server from taking any more: no room, no right, no folder.
  mutating func add(_ message: [UInt8], flags: [String], received: Int?) async throws(ActionError) {
    while let first = sent.first,
      !isPipelined || sent.count >= Self.flightCount || flight + message.count > Self.flightBytes
    {
      try await finish(first)
    }
    let command = await session.appending(message, to: target, flags: flags, received: received)
    sent.append((try await session.send(command), command.name, message.count))
    flight += message.count
  }

  /// Waits for what is on its way.
  ///
  /// - Returns: What came of each message, in their order.
  mutating func finish() async throws(ActionError) -> [ImportResult] {
    while let first = sent.first { try await finish(first) }
    return results
  }

  private mutating func finish(_ command: (tag: String, command: String, size: Int)) async throws(ActionError) {
    sent.removeFirst()
    flight -= command.size
    let status = try await session.end(of: command.tag)
    if status.isOK {
      var uid: String?
      if case .appendUID(let validity, let set)? = status.code, let number = set.ranges.first?.lowerBound {
        uid = "\(validity).\(number)"
      }
      results.append(.stored(uid: uid))
      return
    }
    let refusal = await session.refusal(status, of: Command(command.command))
    // These say something of the message; the others of the account, the folder or the server.
    let isAboutIt = ["TOOBIG", "LIMIT", "CANNOT"].contains(status.code?.name)
    guard isAboutIt || refusal.kind == .unsupported || refusal.kind == .protocol else { throw refusal }
    results.append(.refused(refusal.message))
  }
}

extension Session {
  /// Whether literals of any size may be sent unasked, so that several commands can be on their way.
  var isPipelined: Bool { machine.literalForm == .immediate }

  /// Waits for the end of a command whose untagged data does not matter.
  func end(of tag: String) async throws(ActionError) -> StatusResponse {
    try await finish(tag) { _ throws(ActionError) in }
  }
}
