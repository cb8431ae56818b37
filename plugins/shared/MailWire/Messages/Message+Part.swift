public import Mail

extension Message {
  /// The part of a number as IMAP counts (RFC 9051 §6.4.5.1): `2`, `1.2`, and `3.1` for a part of the message enclosed
  /// as part 3.
  ///
  /// - Returns: A part with content of its own or an enclosed message; `nil` for a multipart and for no part.
  public func part(_ number: String) -> Part? { number.isEmpty ? nil : Self.part(number, in: body) }

  private static func part(_ number: String, in part: Part) -> Part? {
    switch part.content {
    case .leaf: return part.number == number ? part : nil
    case .multipart(let parts):
      for child in parts {
        if let found = Self.part(number, in: child) { return found }
      }
      return nil
    case .message(let message): return part.number == number ? part : Self.part(number, in: message.body)
    }
  }
}
