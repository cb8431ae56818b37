import Expressions

/// A JSON text that is read and written.
struct Document {
  let name: String
  let text: String
  /// How many times as fast as Python's it has to be read, and to be written.
  let least: (read: Double, write: Double)

  private init(_ name: String, _ value: Value, _ form: Form = .compact, isUsual: Bool = true) {
    self.name = name
    // What is nothing but room for very small values, or for characters that are looked at one by one, leaves less to gain.
    least = isUsual ? (3, 5) : (1.5, 2)
    text =
      switch form {
      case .compact: value.jsonString
      case .pretty: String(decoding: value.json(pretty: true), as: UTF8.self)
      case .ascii: Self.ascii(value.jsonString)
      }
  }

  private enum Form { case compact, pretty, ascii }

  /// The same text with `\u` sequences for all that is not ASCII.
  private static func ascii(_ text: String) -> String {
    text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return unit < 128
        ? String(Unicode.Scalar(UInt8(unit))) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// What passes between steps, plugins and the run log.
  static let all = [
    Document(
      "mail, 10 kB",
      [
        "id": "INBOX:1234:5678", "subject": "Rechnung 2026-017 für März",
        "from": ["name": "Ada Lovelace", "address": "ada@example.com"],
        "to": [
          ["name": "Charles Babbage", "address": "charles@example.org"],
          ["name": .null, "address": "team@example.org"],
        ],
        "cc": [], "date": "2026-03-01T08:15:30Z", "message_id": "<20260301081530.12345@mail.example.com>",
        "flags": ["\\Seen", "\\Answered"], "size": 10240, "folder": "INBOX", "has_attachments": false,
        "text": .string(mailText(lines: 140)), "score": 0.25,
      ]),
    Document(
      "list of 100 messages",
      .list(
        (0..<100).map {
          [
            "id": .int($0), "subject": "Rechnung 2026-017 für März", "flags": ["\\Seen"], "size": 20480, "score": 0.25,
            "to": .null,
          ]
        })),
    Document("text, 1 MB", ["text": .string(mailText(lines: 15_000))]),
    Document(
      "1000 numbers",
      .list((0..<1000).map { $0 % 2 == 0 ? .int($0 * $0 * 7919) : .double(Double($0) * 0.37 / 3) })),
    Document("30 levels", nested(30), isUsual: false),
    Document(
      "small answer, 200 bytes",
      [
        "id": "01JD4X8Q6M3T", "status": "succeeded", "attempt": 1, "duration": 0.412,
        "output": ["text": "Hello, world"],
        "error": .null, "tags": ["mail", "daily"], "started_at": "2026-03-01T08:15:30Z", "final": true,
      ]),
    Document("2000 small objects", .list((0..<2000).map { ["x": .int($0), "y": .int($0 * 31)] })),
    Document("200 records", .list((0..<200).map(record))),
    Document("200 records, indented", .list((0..<200).map(record)), .pretty),
    Document("rows of 40 columns", .list((0..<50).map { row(40, from: $0) })),
    Document("object of 500 names", row(500, from: 0), isUsual: false),
    Document(
      "objects by identifier",
      .map(
        ValueMap((0..<300).map { (key: .string("user-\(($0 * 7919) % 99_991)"), value: ["n": .int($0), "ok": true]) })),
      isUsual: false),
    Document("whole numbers", .list((0..<2000).map { .int(($0 * 2_654_435_761) % 1_000_003 - 500_000) })),
    Document("large whole numbers", .list((1...1000).map { .int($0 &* 6_364_136_223_846_793_005) }), isUsual: false),
    Document("measured values", .list((0..<1000).map { .double(Double($0 * 7919 % 10_007) / 100) })),
    Document("numbers of 17 digits", .list((1...1000).map { .double((Double($0) * 1.37).squareRoot()) })),
    Document(
      "polygon of coordinates",
      .list((0..<1000).map { [.double(8.5 + Double($0) * 1.1e-5 / 3), .double(47.3 + Double($0) * 1.3e-5 / 7)] })),
    Document("100 x 100 numbers", .list((0..<100).map { row in .list((0..<100).map { .int($0 * row % 97) }) })),
    Document("2000 short strings", .list((0..<2000).map { .string("entry \($0 * 7919)") }), isUsual: false),
    Document(
      "program text with escapes",
      [
        "source": .string(
          String(repeating: "\tif (a[\"key\"] == \"\\\\n\") {\n\t\treturn \"\\\"\";\r\n\t}\n", count: 200))
      ], isUsual: false),
    Document(
      "Chinese and Greek", ["text": .string(String(repeating: "这是一个测试。Η ταχεία αλεπού πηδά. ", count: 200))],
      isUsual: false),
    Document("pictograms", ["text": .string(String(repeating: "👍🏽 ok 🎉 ", count: 300))], isUsual: false),
    Document(
      "Chinese and Greek, \\u", ["text": .string(String(repeating: "这是一个测试。Η ταχεία αλεπού πηδά. ", count: 200))],
      .ascii, isUsual: false),
    Document("German mail, \\u", ["text": .string(mailText(lines: 140))], .ascii),
  ]

  private static func mailText(lines: Int) -> String {
    (0..<lines).map { line in
      (line % 9 == 0 ? "> \"Zitat\" " : "")
        + "Die Lieferung \(line) kommt am Montag; bitte prüfen Sie, ob alles stimmt. "
    }.joined(separator: "\n")
  }

  private static func record(_ number: Int64) -> Value {
    [
      "id": .int(number), "guid": .string("5f2b9c0e-\(number)-4d1a"), "active": .bool(number % 3 == 0),
      "balance": .double(Double(number * 977 % 100_000) / 100), "name": .string("Zoë Müller-\(number)"),
      "email": .string("zoe.\(number)@example.com"),
      "address": ["street": "Hauptstraße 1", "zip": "8000", "city": "Zürich"],
      "tags": ["a", "customer", "2026"], "friends": [["id": 0, "name": "Carla"], ["id": 1, "name": "Bram"]],
      "note": .null,
    ]
  }

  private static func row(_ columns: Int, from number: Int64) -> Value {
    .map(
      ValueMap(
        (0..<Int64(columns)).map { column in
          (
            key: .string("column_\(column)"),
            value: column % 3 == 0 ? .int(number * column) : column % 3 == 1 ? .string("value \(column)") : .null
          )
        }))
  }

  private static func nested(_ levels: Int) -> Value {
    (0..<levels).reduce(1) { inner, level in
      [
        "name": .string("level \(level)"), "children": [inner, ["leaf": true, "values": [1, 2, 3]]],
        "next": ["a": ["b": ["c": .int(Int64(level))]]],
      ]
    }
  }
}
