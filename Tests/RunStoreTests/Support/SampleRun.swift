import Engine
import Expressions
import Localization
import Plans

@testable import RunStore

/// Journal entries of runs, as the engine would write them.
enum SampleRun {
  static let start = Timestamp(seconds: 1_700_000_000, nanoseconds: 250_000_000)

  static func time(_ milliseconds: Int64) -> Timestamp {
    let nanoseconds = 250_000_000 + milliseconds * 1_000_000
    return Timestamp(
      seconds: start.seconds + nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  static func started(
    _ id: String, recipe: String = "digest", inputs: Value = .map(["limit": .int(20)]), steps: [RunStart.Step]? = nil,
    at: Timestamp = start
  ) -> JournalEntry {
    .runStarted(
      RunStart(
        run: RunID(rawValue: id), recipe: recipe, path: "workflows/\(recipe).yaml", fingerprint: "f00d",
        trigger: "manual", inputs: inputs,
        steps: steps ?? [
          RunStart.Step(id: "unread", action: "mail.search", effect: .read),
          RunStart.Step(id: "summarise", action: "chat.complete", effect: .pure),
          RunStart.Step(id: "send", action: "mail.send", effect: .once),
        ], at: at))
  }

  static func attemptStarted(
    _ id: String, step: Int, item: Int? = nil, number: Int = 1, provider: String = "home", at: Timestamp = start
  ) -> JournalEntry {
    .attemptStarted(
      AttemptStart(
        run: RunID(rawValue: id), step: step, item: item, number: number, kind: .provider(provider),
        key: "\(id)/\(step)/\(item ?? -1)", inputBytes: 17, at: at))
  }

  static func attemptFinished(
    _ id: String, step: Int, item: Int? = nil, number: Int = 1, failure: ActionFailure? = nil,
    retryDelay: Double? = nil, duration: Double = 0.006, at: Timestamp = start
  ) -> JournalEntry {
    .attemptFinished(
      AttemptEnd(
        run: RunID(rawValue: id), step: step, item: item, number: number, failure: failure,
        outputBytes: failure == nil ? 42 : 0, duration: duration, retryDelay: retryDelay, at: at))
  }

  static func log(_ id: String, _ message: String, step: Int? = nil, level: LogLevel = .info) -> JournalEntry {
    .log(LogLine(run: RunID(rawValue: id), step: step, level: level, message: message, at: start))
  }

  static func finished(
    _ id: String, _ status: RunStatus = .succeeded, outputs: Value = .map([:]), failure: ActionFailure? = nil,
    at: Timestamp = time(1500)
  ) -> JournalEntry {
    .runFinished(RunEnd(run: RunID(rawValue: id), status: status, outputs: outputs, failure: failure, at: at))
  }

  /// A run of three steps: one that succeeds at once; a `for_each` of three items, of which one needs two attempts and
  /// one fails for good after two; one that is skipped.
  static func complete(_ id: String) -> [JournalEntry] {
    let run = RunID(rawValue: id)
    let slow = ActionFailure(
      .rateLimited, LocalizedText("slow down", de: "langsamer"), advice: LocalizedText("wait", de: "warten"),
      retryAfter: 0.5)
    let broken = ActionFailure(.parse, LocalizedText(verbatim: "unexpected end of JSON"))
    return [
      started(id),
      .stepStarted(run: run, step: 0, itemCount: nil, at: time(1)),
      attemptStarted(id, step: 0, at: time(1)),
      log(id, "14 messages", step: 0),
      attemptFinished(id, step: 0, at: time(7)),
      .output(run: run, step: 0, item: nil, value: .map(["messages": .list([.int(1), .int(2), .int(3)])])),
      .stepFinished(StepEnd(run: run, step: 0, status: .succeeded, at: time(7))),

      .stepStarted(run: run, step: 1, itemCount: 3, at: time(8)),
      attemptStarted(id, step: 1, item: 0, provider: "local", at: time(8)),
      attemptFinished(id, step: 1, item: 0, at: time(20)),
      .output(run: run, step: 1, item: 0, value: .map(["summary": .string("one")])),
      attemptStarted(id, step: 1, item: 1, provider: "local", at: time(9)),
      attemptFinished(id, step: 1, item: 1, failure: slow, retryDelay: 0.5, at: time(21)),
      log(id, "item 1 is repeated", step: 1, level: .warning),
      attemptStarted(id, step: 1, item: 1, number: 2, provider: "gpt", at: time(521)),
      attemptFinished(id, step: 1, item: 1, number: 2, at: time(530)),
      .output(run: run, step: 1, item: 1, value: .map(["summary": .string("two")])),
      attemptStarted(id, step: 1, item: 2, provider: "local", at: time(531)),
      attemptFinished(id, step: 1, item: 2, failure: slow, retryDelay: 1, at: time(540)),
      attemptStarted(id, step: 1, item: 2, number: 2, provider: "local", at: time(1040)),
      attemptFinished(id, step: 1, item: 2, number: 2, failure: broken, at: time(1050)),
      .stepFinished(
        StepEnd(
          run: run, step: 1, status: .failed, itemsSucceeded: 2, itemsFailed: 1, failure: broken, at: time(1050))),

      .stepFinished(StepEnd(run: run, step: 2, status: .skipped, at: time(1051))),
      log(id, "gave up", level: .error),
      finished(id, .failed, outputs: .map(["count": .int(2)]), failure: broken),
    ]
  }
}
