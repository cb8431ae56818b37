/// The input of `mail.search`; every condition that is given must hold.
struct SearchRequest: Decodable, Sendable {
  /// The folder; the inbox where absent.
  var folder: String?
  /// Only unread messages, or only read ones.
  var unseen: Bool?
  /// Only flagged messages, or only others.
  var flagged: Bool?
  /// Only answered messages, or only others.
  var answered: Bool?
  /// Part of the sender's name or address.
  var from: String?
  /// Part of a recipient's name or address.
  var to: String?
  /// Part of the subject.
  var subject: String?
  /// Part of the readable text.
  var text: String?
  /// This date or later.
  var since: String?
  /// Before this date.
  var before: String?
  /// More bytes than this.
  var larger: Int?
  /// Fewer bytes than this.
  var smaller: Int?
  /// At most this many messages; 50 where absent.
  var limit: Int?
  /// `newest` or `oldest` first.
  var order: String?
}
