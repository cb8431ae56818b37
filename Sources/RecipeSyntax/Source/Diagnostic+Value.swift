public import Expressions
public import Localization

extension Diagnostic {
  /// The machine-readable form.
  ///
  /// `{code, severity, message, path, line, column, end_line, end_column, offset, end_offset, suggestion?, related: [{message,
  /// path, line, …}]}`; lines and columns count from 1, columns in Unicode scalars, offsets in UTF-8 bytes from 0. The
  /// place is absent where the file as a whole is meant.
  ///
  /// - Parameter language: The language of the messages.
  public func value(in language: Language) -> Value {
    var map: ValueMap = [
      "code": .string(code.rawValue), "severity": .string(severity.rawValue),
      "message": .string(message.string(in: language)), "path": .string(path),
    ]
    if let range { Self.add(range, to: &map) }
    if let suggestion { map["suggestion"] = .string(suggestion) }
    map["related"] = .list(
      related.map { place in
        var entry: ValueMap = [
          "message": .string(place.message.string(in: language)), "path": .string(place.path ?? path),
        ]
        Self.add(place.range, to: &entry)
        return .map(entry)
      })
    return .map(map)
  }

  private static func add(_ range: SourceRange, to map: inout ValueMap) {
    map["line"] = .int(Int64(range.start.line))
    map["column"] = .int(Int64(range.start.column))
    map["end_line"] = .int(Int64(range.end.line))
    map["end_column"] = .int(Int64(range.end.column))
    map["offset"] = .int(Int64(range.start.offset))
    map["end_offset"] = .int(Int64(range.end.offset))
  }
}
