import Expressions
import Foundation
import Localization
import Schemas

/// The schema that `sous chat --schema` names.
enum ChatSchema {
  /// The largest schema, in bytes.
  private static let limit = 1 << 20

  /// Reads a schema from JSON or from a file with JSON.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read, the text is not JSON, or the schema cannot be used.
  static func read(_ text: String) throws(CommandError) -> Value {
    let isInline = text.first { !$0.isWhitespace } == "{"
    let name = isInline ? "--schema" : text
    guard let bytes = isInline ? Array(text.utf8) : contents(of: text) else {
      throw refusal(name, .init("the file cannot be read", de: "die Datei lässt sich nicht lesen"))
    }
    guard bytes.count <= limit else {
      throw refusal(name, .init("the schema has more than 1 MiB", de: "das Schema hat mehr als 1 MiB"))
    }
    let document: Value
    do {
      document = try Value(json: bytes)
    } catch {
      throw refusal(name, .init("this is not JSON: \(error)", de: "das ist kein JSON: \(error)"))
    }
    if let problem = Schema(document: document).problems().first {
      throw refusal(name, problem.located)
    }
    guard document["type"] == "object" || document["properties"] != nil || document["$ref"] != nil else {
      throw refusal(
        name,
        .init(
          "the answer is always an object: write \"type\": \"object\" and put lists and other values into \"properties\"",
          de:
            "die Antwort ist immer ein Objekt: \"type\": \"object\" schreiben, Listen und andere Werte in \"properties\""
        ))
    }
    return document
  }

  private static func contents(of path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map(Array.init)
  }

  private static func refusal(_ name: String, _ message: LocalizedText) -> CommandError {
    CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: "\(name): ") + message)
  }
}
