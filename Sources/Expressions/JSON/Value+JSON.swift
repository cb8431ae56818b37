internal import JSONSyntax

extension Value {
  /// Reads a JSON text (RFC 8259): exactly one value, in UTF-8.
  ///
  /// Whole numbers without fraction and exponent become ``int(_:)``, or ``uint(_:)`` where only that holds them; others
  /// ``double(_:)``. Of equal keys the last counts.
  ///
  /// - Throws: ``ExpressionError`` with the code `json` and the offset in bytes, for malformed text and beyond limits.
  public init(json bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(ExpressionError) {
    let result = bytes.withContiguousStorageIfAvailable { buffer in
      Result { () throws(ExpressionError) in try JSONReader.read(buffer, limits) }
    }
    if let result {
      self = try result.get()
    } else {
      try self.init(json: Array(bytes), limits: limits)
    }
  }

  /// Reads a JSON text.
  ///
  /// - Throws: ``ExpressionError`` with the code `json` and the offset in UTF-8 bytes.
  public init(json text: String, limits: JSONLimits = .standard) throws(ExpressionError) {
    try self.init(json: text.utf8, limits: limits)
  }

  /// The value as JSON in UTF-8.
  ///
  /// Points in time are RFC 3339 strings, spans `"1.5s"`, byte strings base64, types their names; NaN and the infinities are
  /// strings as well, an optional without value is null, keys are turned into strings. Values nested deeper than 1000 levels
  /// become null.
  ///
  /// - Parameter pretty: Whether to break lines and indent by two spaces.
  public func json(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: pretty)
    writer.write(self, depth: 0)
    return writer.buffer.bytes
  }

  /// The value as compact JSON; see ``json(pretty:)``.
  public var jsonString: String {
    var writer = JSONWriter(isPretty: false)
    writer.write(self, depth: 0)
    return writer.buffer.text
  }
}
