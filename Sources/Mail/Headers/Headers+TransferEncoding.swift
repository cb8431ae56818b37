extension TransferEncoding {
  /// The value of `Content-Transfer-Encoding`; `identity` if the field is missing.
  init(headers: Headers) {
    guard let field = headers.first("Content-Transfer-Encoding") else {
      self = .identity
      return
    }
    // Nearly always a word, and one of three.
    let word = field.rawValue.trimmingMailWhitespace
    let isWord = word.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    self.init(name: isWord ? String(decoding: word, as: UTF8.self) : ParameterizedValue(parsing: field.rawValue).value)
  }
}

extension TransferDecoder {
  /// Creates a decoder for a part, by its `Content-Transfer-Encoding`.
  public init(headers: Headers) { self.init(TransferEncoding(headers: headers)) }
}
