import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  private static let switches: Value = [
    "type": "object", "additionalProperties": false,
    "description": "Which rules make a message primary; each is on if it is absent.",
    "properties": .map(
      ValueMap(
        MailBriefing.Rule.allCases.lazy.map { rule in
          (key: .string(rule.rawValue), value: ["type": "boolean", "default": true])
        })),
  ]

  private static func addresses(_ description: String) -> Value {
    ["type": "array", "items": ["type": "string"], "default": [], "description": .string(description)]
  }

  private static let entry: Value = [
    "type": "object", "additionalProperties": false,
    "required": ["uid", "folder", "date", "from", "address", "subject", "seen", "category", "reasons"],
    "properties": [
      "uid": ["type": "string"], "folder": ["type": "string"], "date": ["type": "string"],
      "from": ["type": "string", "description": "The sender's name, or the address if there is none."],
      "address": ["type": "string"], "subject": ["type": "string"], "seen": ["type": "boolean"],
      "category": ["type": "string"],
      "reasons": [
        "type": "array", "items": ["type": "string"],
        "description": "The subject of the message and the words that show it: `deadline: bis Freitag`.",
      ],
    ],
  ]

  /// `mail.briefing`: messages in views, as a mail program shows them in tabs.
  static let mailBriefing = BuiltinAction(
    "mail.briefing",
    .init("Sorts messages into the views of a briefing", de: "Sortiert Nachrichten in die Ansichten einer Übersicht"),
    effect: .pure, required: ["messages"],
    input: [
      "messages": [
        "type": "array", "items": ["type": "object"], "description": "Messages of mail.search, with their texts.",
      ],
      "vip": addresses("Addresses and domains of important people."),
      "blocked": addresses("Addresses and domains whose messages are in no view."),
      "owners": addresses("The addresses of the reader."), "rules": switches,
      "pinned": [
        "type": "string", "enum": .list(MailBriefing.View.allCases.map { .string($0.rawValue) }), "default": "other",
        "description": "The third view, beside primary and all.",
      ],
      "filter": [
        "type": ["string", "null"], "default": .null,
        "enum": .list(MailBriefing.filters.map { .string($0.rawValue) } + [.null]),
        "description": "Only such messages in every view; the counts are those without it.",
      ],
    ],
    output: [
      "counts": [
        "type": "object", "additionalProperties": ["type": "integer"],
        "description":
          "How many messages are in `primary`, in the pinned view and in `all`, and how many are `blocked`.",
      ],
      "views": [
        "type": "array", "description": "`primary`, the pinned view, `all`; the newest message first.",
        "items": [
          "type": "object", "required": ["view", "count", "messages"], "additionalProperties": false,
          "properties": [
            "view": ["type": "string"], "count": ["type": "integer"], "messages": ["type": "array", "items": entry],
          ],
        ],
      ],
    ]
  ) { call in
    MailBriefing(call.input).value
  }
}
