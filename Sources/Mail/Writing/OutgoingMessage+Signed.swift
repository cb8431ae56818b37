extension OutgoingMessage {
  /// A signature over a message's content, for a message of the type `multipart/signed` (RFC 1847 §2.1).
  public struct Signature: Sendable, Hashable {
    /// How signatures are made and written.
    public enum Form: Sendable, Hashable {
      /// CMS in DER, detached (RFC 8551 §3.5.3).
      case smime
      /// OpenPGP, with ASCII armour (RFC 3156 §5).
      case openPGP
    }

    /// How the signature is written.
    public var form: Form
    /// The hash function as `micalg` names it: `sha-256` for S/MIME, `pgp-sha256` for OpenPGP.
    public var hash: String
    /// The signature.
    public var data: [UInt8]

    /// Creates a signature.
    public init(form: Form, hash: String, data: [UInt8]) {
      self.form = form
      self.hash = hash
      self.data = data
    }
  }

  /// The bytes that a signature is made over: header and body of the content, ASCII only, lines ended by CRLF.
  ///
  /// - Parameter messageID: The identifier that is given to ``encoded(messageID:date:signature:)`` as well.
  /// - Throws: ``MailError``, also where the content of a file is not in memory.
  public func signableContent(messageID: String) throws(MailError) -> [UInt8] {
    var stream = MessageStream(pieces: try entity(isSevenBit: true).pieces(boundarySeed: messageID))
    return try stream.wholeBytes()
  }

  /// Writes the message as `multipart/signed`.
  ///
  /// - Parameters:
  ///   - messageID: The identifier without angle brackets, the one the signed content was made with.
  ///   - date: When it was written.
  ///   - signature: The signature over ``signableContent(messageID:)``.
  /// - Throws: ``MailError`` as ``encoded(messageID:date:)`` does.
  public func encoded(messageID: String, date: MessageDate, signature: Signature) throws(MailError) -> [UInt8] {
    let content = try signableContent(messageID: messageID)
    return try signed(content, messageID: messageID, date: date, signature: signature)
  }

  /// Writes the message as `multipart/signed`.
  ///
  /// - Parameters:
  ///   - messageID: The identifier without angle brackets.
  ///   - date: When it was written.
  ///   - sign: Makes the signature over the bytes it is given.
  /// - Throws: ``MailError``, and what `sign` throws.
  public func encoded(
    messageID: String, date: MessageDate, signedBy sign: (_ content: [UInt8]) throws -> Signature
  ) throws -> [UInt8] {
    let content = try signableContent(messageID: messageID)
    return try signed(content, messageID: messageID, date: date, signature: try sign(content))
  }

  private func signed(
    _ content: [UInt8], messageID: String, date: MessageDate, signature: Signature
  ) throws(MailError) -> [UInt8] {
    var header = HeaderWriter()
    let hash = try HeaderWriter.checked(signature.hash, field: "micalg").filter { $0 != "\"" && $0 != "\\" }
    let type: String
    let body: Entity.Body
    switch signature.form {
    case .smime:
      type = "application/pkcs7-signature"
      try header.parameterized("Content-Type", type, [("name", "smime.p7s")])
      header.plain("Content-Transfer-Encoding", "base64")
      try header.parameterized("Content-Disposition", "attachment", [("filename", "smime.p7s")])
      body = .base64(signature.data)
    case .openPGP:
      type = "application/pgp-signature"
      try header.parameterized("Content-Type", type, [("name", "signature.asc")])
      body = .encoded(signature.data.withNetworkLineEnds)
    }
    let entity = Entity.multipart(
      "signed", [("protocol", type), ("micalg", hash)], [.finished(content), .leaf(header: header, body: body)])
    let fields = try self.header(messageID: messageID, date: date)
    var stream = MessageStream(pieces: [.bytes(fields)] + entity.pieces(boundarySeed: messageID))
    return try stream.wholeBytes()
  }
}
