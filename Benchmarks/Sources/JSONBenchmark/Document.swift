import Expressions

/// A JSON text that is read and written.
struct Document {
  let name: String
  let text: String

  private init(_ name: String, _ value: Value) {
    self.name = name
    text = value.jsonString
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
    Document("30 levels", nested(30)),
  ]

  private static func mailText(lines: Int) -> String {
    (0..<lines).map { line in
      (line % 9 == 0 ? "> \"Zitat\" " : "")
        + "Die Lieferung \(line) kommt am Montag; bitte prüfen Sie, ob alles stimmt. "
    }.joined(separator: "\n")
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
