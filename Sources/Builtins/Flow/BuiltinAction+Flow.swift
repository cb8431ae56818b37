import Engine
import Expressions
import Localization
import Plans
import RecipeModel

extension BuiltinAction {
  /// `log`: adds a line to the run log.
  static let log = BuiltinAction(
    "log", .init("Adds a line to the run log", de: "Schreibt eine Zeile ins Laufprotokoll"), effect: .pure,
    required: ["message"],
    input: [
      "message": ["type": "string", "description": "The line; longer lines are cut off after 4000 characters."],
      "level": [
        "type": "string", "enum": .list(LogLevel.allCases.map { .string($0.rawValue) }), "default": "info",
        "description": "How important it is.",
      ],
    ], output: [:]
  ) { call in
    let message = call.text("message")
    let line = message.count > 4000 ? message.prefix(4000) + " …" : message
    call.reporter.log(LogLevel(rawValue: call.text("level")) ?? .info, String(line))
    return [:]
  }

  /// `assert`: fails where a condition does not hold.
  static let assert = BuiltinAction(
    "assert", .init("Fails unless a condition holds", de: "Scheitert, wenn eine Bedingung nicht gilt"), effect: .pure,
    required: ["condition"],
    input: [
      "condition": ["type": "boolean", "description": "The condition for the run to continue."],
      "message": ["type": "string", "description": "The message if it is not true."],
    ], output: [:]
  ) { call in
    guard !call.flag("condition") else { return [:] }
    throw ActionFailure(
      .failed,
      call.input["message"]?.stringValue.map { LocalizedText(verbatim: $0) }
        ?? LocalizedText("the condition does not hold", de: "die Bedingung gilt nicht"))
  }

  /// `fail`: ends the step with a failure.
  static let fail = BuiltinAction(
    "fail", .init("Fails with a message", de: "Scheitert mit einer Meldung"), effect: .pure,
    required: ["message"],
    input: [
      "message": ["type": "string", "description": "The message."],
      "kind": [
        "type": "string", "enum": .list(RecipeDefinitions.failureKinds.map { .string($0) }), "default": "failed",
        "description": "The kind of failure; some kinds are retried.",
      ],
    ], output: [:]
  ) { call in
    throw ActionFailure(.init(rawValue: call.text("kind")), LocalizedText(verbatim: call.text("message")))
  }
}
