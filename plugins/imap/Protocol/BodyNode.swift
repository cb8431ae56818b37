/// A part of a message as BODYSTRUCTURE describes it (RFC 9051 §7.5.2).
struct BodyNode: Sendable, Equatable {
  /// A parameter, name in lowercase, value as it was sent.
  struct Parameter: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// `text/plain`, in lowercase.
  var mediaType = ""
  var parameters: [Parameter] = []
  /// With angle brackets where the message has them.
  var contentID: String?
  /// In lowercase: `base64`.
  var encoding = ""
  /// As encoded, in bytes.
  var size = 0
  /// In lowercase: `attachment`.
  var disposition: String?
  var dispositionParameters: [Parameter] = []
  /// The parts of a multipart; of a message its one body.
  var parts: [BodyNode] = []

  var isMultipart: Bool { mediaType.hasPrefix("multipart/") }
}
