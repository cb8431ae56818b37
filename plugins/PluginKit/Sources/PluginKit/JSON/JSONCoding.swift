/// How names of Swift properties are spelled in JSON that is sent to a service.
public enum JSONNames: Sendable {
  /// `pageSize` becomes `page_size`, as everything that crosses the plugin boundary is spelled.
  case snakeCase
  /// As they are declared, or as `CodingKeys` say.
  case asDeclared
}

/// How Codable types cross the boundary.
package enum JSONCoding {
  package static func decode<Result: Decodable>(_ type: Result.Type, from json: [UInt8]) throws -> Result {
    try JSONDecoding.decode(type, from: try JSONReader.read(json))
  }

  package static func encode(_ value: some Encodable, names: JSONNames = .snakeCase) throws -> [UInt8] {
    try JSONEncoding.encode(value, names: names)
  }
}

/// Why something did not decode, in words that name the field.
struct DecodingFailure {
  let english: String
  let german: String

  init(_ error: any Error) {
    switch error {
    case let failure as JSONReader.Failure:
      english = "malformed JSON at byte \(failure.offset): \(failure.english)"
      german = "fehlerhaftes JSON bei Byte \(failure.offset): \(failure.german)"
    case DecodingError.keyNotFound(let key, let context):
      let path = DecodingFailure.path(context.codingPath + [key])
      english = "'\(path)' is missing"
      german = "'\(path)' fehlt"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      let path = DecodingFailure.path(context.codingPath)
      let place = path.isEmpty ? ("", "") : ("'\(path)': ", "'\(path)': ")
      if let mismatch = context.underlyingError as? TypeMismatch {
        english = place.0 + "expected \(mismatch.expected), found \(mismatch.found)"
        german = place.1 + "\(mismatch.expected) erwartet, \(mismatch.found) gefunden"
      } else {
        english = place.0 + context.debugDescription
        german = place.1 + context.debugDescription
      }
    default:
      english = String("\(error)".prefix(500))
      german = english
    }
  }

  /// `messages[2].page_size`
  private static func path(_ keys: [any CodingKey]) -> String {
    var text = ""
    for key in keys {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text
  }
}
