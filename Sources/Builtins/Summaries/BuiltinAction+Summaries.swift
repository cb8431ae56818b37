public import Engine
public import Expressions
import Localization
import Plans

/// Makes summaries of messages and keeps them, for the actions of their names.
public protocol MessageSummaries: Sendable {
  /// The summary of a message: the kept one, or one that is made now.
  func summary(
    account: String?, folder: String, uid: String, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value
  /// Looks for messages and makes summaries in advance, as many as the limits allow.
  ///
  /// - Parameter older: How many older messages to look at beside the latest.
  func round(older: Int, reporter: any ActionReporter) async throws(ActionFailure) -> Value
}

extension BuiltinAction {
  /// `mail.summary`: the summary of one message.
  static let mailSummary = BuiltinAction(
    "mail.summary",
    .init(
      "Gives the summary of a message, a kept one first",
      de: "Gibt die Zusammenfassung einer Nachricht, zuerst eine aufgehobene"),
    effect: .idempotent, required: ["folder", "uid"],
    input: [
      "account": [
        "type": "string", "minLength": 1, "description": "The provider; default: that of mail.store.",
      ],
      "folder": ["type": "string", "minLength": 1, "description": "The folder that the message is in."],
      "uid": ["type": "string", "minLength": 1, "description": "The message, as mail.search names it."],
    ],
    output: [
      "text": ["type": "string", "description": "The summary."],
      "cached": ["type": "boolean", "description": "Whether it was there already."],
      "model": ["type": "string", "description": "The model that wrote it."],
    ]
  ) { call in
    try await call.summaryMaker.summary(
      account: call.input["account"]?.stringValue, folder: call.text("folder"), uid: call.text("uid"),
      reporter: call.reporter)
  }

  /// `mail.summaries`: summaries in advance.
  static let mailSummaries = BuiltinAction(
    "mail.summaries", .init("Makes summaries in advance", de: "Macht Zusammenfassungen im Voraus"), effect: .idempotent,
    required: [],
    input: [
      "older": [
        "type": "integer", "minimum": 0, "maximum": 1000, "default": 0,
        "description": "How many older messages of each account to look at beside the latest.",
      ]
    ],
    output: [
      "queued": ["type": "integer", "description": "Messages that are new in the queue."],
      "made": ["type": "integer", "description": "Summaries that were made."],
      "failed": ["type": "integer", "description": "Summaries that could not be made."],
      "waiting": ["type": "integer", "description": "Messages that wait now."],
      "held": [
        "type": ["string", "null"],
        "description": "The reason why no further ones are made: limit, load, battery, model.",
      ],
    ]
  ) { call in
    try await call.summaryMaker.round(
      older: call.number("older", default: 0, in: 0...1000), reporter: call.reporter)
  }
}

extension BuiltinCall {
  fileprivate var summaryMaker: any MessageSummaries {
    get throws(ActionFailure) {
      guard let summaries else {
        throw ActionFailure(
          .unsupported,
          .init(
            "there is no run log to keep summaries in", de: "es gibt kein Laufprotokoll, das Zusammenfassungen aufhebt")
        )
      }
      return summaries
    }
  }
}
