extension JSONValue {
  /// The value as JSON text on one line, members in their order; `null` for what holds a number that JSON cannot express.
  public var json: String {
    (try? JSONCoding.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
