import Engine
import Expressions
import Localization
import Mail
import Plans
import Schemas

extension BuiltinAction {
  /// `json.parse`: makes a value of a JSON text.
  static let jsonParse = BuiltinAction(
    "json.parse", .init("Reads a JSON text", de: "Liest einen JSON-Text"), effect: .pure, required: ["text"],
    input: [
      "text": ["type": "string", "description": "The JSON text (RFC 8259), at most 64 MiB and 128 levels deep."],
      "schema": ["type": "object", "description": "A JSON Schema that the value must satisfy."],
    ],
    output: ["value": ["description": "The value."]]
  ) { call in
    ["value": try parsed(json: call.text("text"), schema: call.input["schema"].map { Schema(document: $0) })]
  }

  /// The value of a JSON text.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `parse` for a text that is none or does not satisfy the schema, and of kind
  ///   `invalid_input` for a schema that is none.
  static func parsed(json text: String, schema: Schema? = nil) throws(ActionFailure) -> Value {
    if let problem = schema?.problems().first {
      throw ActionFailure(
        .invalidInput,
        LocalizedText("the schema cannot be used: ", de: "das Schema ist nicht brauchbar: ")
          + problem.message)
    }
    let value: Value
    do {
      // RFC 8259, section 8.1: a reader may skip a byte order mark.
      value = try Value(json: text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
    } catch {
      throw ActionFailure(.parse, error.message)
    }
    guard let schema else { return value }
    let violations = schema.validate(value)
    guard let first = violations.first else { return schema.fillingDefaults(value) }
    let more = violations.count - 1
    throw ActionFailure(
      .parse,
      LocalizedText(verbatim: first.path.isEmpty ? "" : "\(first.pathText): ") + first.message
        + (more == 0
          ? LocalizedText(verbatim: "")
          : LocalizedText(" (and \(more) more)", de: " (und \(more) weitere)")))
  }

  /// `csv.parse`: makes rows of comma-separated values.
  static let csvParse = BuiltinAction(
    "csv.parse", .init("Reads comma-separated values", de: "Liest kommagetrennte Werte"), effect: .pure,
    required: ["text"],
    input: [
      "text": ["type": "string", "description": "The text (RFC 4180); lines may end with CR LF, LF or CR."],
      "header": [
        "type": "boolean", "default": true,
        "description": "Whether the first row names the columns; rows are then maps, otherwise lists.",
      ],
      "delimiter": [
        "type": "string", "minLength": 1, "maxLength": 1, "default": ",",
        "description": "The character between two fields.",
      ],
    ],
    output: [
      "rows": ["type": "array", "description": "The rows; every field is a text."],
      "columns": ["type": "array", "items": ["type": "string"], "description": "The names of the columns, if any."],
    ]
  ) { call in
    let records = try CSVReader.read(call.text("text"), delimiter: call.text("delimiter").unicodeScalars.first ?? ",")
    guard call.input["header"]?.boolValue != false else {
      return ["rows": .list(records.map { .list($0.fields.map { .string($0) }) }), "columns": []]
    }
    guard let header = records.first?.fields else { return ["rows": [], "columns": []] }
    var seen: Set<String> = []
    if let column = header.first(where: { !seen.insert($0).inserted }) {
      throw ActionFailure(
        .parse,
        LocalizedText("two columns are named '\(column)'", de: "zwei Spalten heißen '\(column)'"),
        advice: LocalizedText("use 'header: false'", de: "'header: false' verwenden"))
    }
    let rows = records.dropFirst().map { record in
      Value.map(ValueMap(zip(header, record.fields).map { (key: .string($0), value: .string($1)) }))
    }
    return ["rows": .list(rows), "columns": .list(header.map { .string($0) })]
  }

  /// `html.text`: makes plain text of HTML.
  static let htmlText = BuiltinAction(
    "html.text", .init("Makes readable text of HTML", de: "Macht aus HTML lesbaren Text"), effect: .pure,
    required: ["html"],
    input: [
      "html": ["type": "string", "description": "The HTML, of a page or a message."],
      "links": [
        "type": "string", "enum": ["inline", "omitted"], "default": "inline",
        "description": "Whether the addresses of links follow their words.",
      ],
    ],
    output: ["text": ["type": "string", "description": "The text, its lines ended by LF."]]
  ) { call in
    ["text": .string(HTMLText.convert(call.text("html"), links: call.text("links") == "omitted" ? .omitted : .inline))]
  }
}
