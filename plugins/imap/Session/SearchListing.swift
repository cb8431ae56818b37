import MailWire

/// The result of a search on the server.
struct SearchListing: Sendable {
  var query: MailQuery
  var isNewestFirst: Bool
  var mailbox: ConnectionMachine.Mailbox
  /// In the order of the result.
  var uids: [UInt32]
  /// Whether all of them belong to the result.
  var isExact: Bool
}
