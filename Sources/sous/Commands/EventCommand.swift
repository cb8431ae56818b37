import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// `sous event`: delivers an event to whichever run waits for it.
struct EventCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "event",
      abstract: say(
        "Deliver an event that runs wait for; without a name, list what is waited for.",
        de: "Ein Ereignis zustellen, auf das Läufe warten; ohne Namen: zeigen, worauf gewartet wird."),
      shouldDisplay: false)
  }

  @OptionGroup var eventDelivery: EventDelivery

  func run() async throws { try await eventDelivery.run() }
}

/// Delivers an event; `sous event` and `sous answer event`.
struct EventDelivery: ParsableArguments {
  @Argument(help: ArgumentHelp(say("The event's name.", de: "Der Name des Ereignisses."), valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      say("The key that distinguishes events of one name.", de: "Was Ereignisse eines Namens unterscheidet."),
      valueName: "key"))
  var key = ""

  @Option(help: ArgumentHelp(say("Its payload, as JSON.", de: "Was es sagt, als JSON."), valueName: "json"))
  var data: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if name == nil, data != nil || !key.isEmpty {
      throw ValidationError(say("--key and --data need an event's name", de: "--key und --data brauchen einen Namen"))
    }
    if name?.isEmpty == true {
      throw ValidationError(say("an event has a name", de: "ein Ereignis hat einen Namen"))
    }
  }

  func run() async throws {
    guard let name else { return try await EventListing.tell(global, format) }
    var payload = Value.null
    if let data {
      do throws(ExpressionError) {
        payload = try Value(json: data)
      } catch {
        throw CommandError(
          ExitStatus.wrongInput, LocalizedText(verbatim: "--data: ") + error.message, code: error.code.rawValue)
      }
    }
    let key = key
    let delivery = try await Workspace(global).recordingRunLog { [payload] in
      try await Events($0).deliver(name, key: key, payload: payload)
    }
    if format.json {
      writeJSON(.map(["run": delivery.run.map { .string($0.rawValue) } ?? .null, "kept": .bool(delivery.isKept)]))
      if case .dropped = delivery { throw CommandError(ExitStatus.runFailed) }
      return
    }
    switch delivery {
    case .taken(let run): write(say("run \(run) takes it\n", de: "Lauf \(run) nimmt es\n"))
    case .kept(let waits):
      write(
        say(
          "no run waits for it; kept for those that have begun or are queued\n",
          de: "kein Lauf wartet darauf; aufbewahrt für die, die begonnen haben oder eingereiht sind\n"))
      write(EventListing.hint(name, key, waits))
    case .dropped(let waits):
      write(
        say(
          "no run can receive it: none has begun or is queued, and one that begins later does not get it\n",
          de:
            "kein Lauf kann es bekommen: keiner hat begonnen oder ist eingereiht, und ein späterer bekommt es nicht\n"
        ))
      write(EventListing.hint(name, key, waits))
      throw CommandError(ExitStatus.runFailed)
    }
  }
}

extension Events.Delivery {
  /// The run that takes the event.
  fileprivate var run: RunID? { if case .taken(let run) = self { run } else { nil } }

  /// Whether the event is kept.
  fileprivate var isKept: Bool { if case .kept = self { true } else { false } }
}
