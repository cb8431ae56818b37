import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Recipes
import RunStore

/// `sous approve`: makes a decision that a run waits for, or lists those that are open.
struct ApproveCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "approve",
      abstract: say(
        "Agree to what a run asks; without a run, list what is open.",
        de: "Zustimmen, wo ein Lauf fragt; ohne Lauf: zeigen, was offen ist."))
  }

  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"))
  var run: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("A field of the form; may be repeated.", de: "Ein Feld des Formulars; mehrfach möglich."),
      valueName: "name=value"))
  var field: [String] = []

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    guard let run else { return try await list() }
    try await decision.decide(run, format, global) { wait throws(CommandError) in
      .approved(fields: try fields(for: wait.wait.form), by: decision.person)
    }
  }

  private func list() async throws {
    let open = try await Workspace(global).runLog(
      { log throws(RunStoreError) in try await log.openWaits() }, ifMissing: { [] }
    ).filter { $0.wait.kind == .approval && !$0.isAnswered }
    if format.json {
      writeJSON(.list(open.map(\.json)))
      return
    }
    if open.isEmpty { write(say("no decision is open\n", de: "keine Entscheidung ist offen\n")) }
    for wait in open {
      let until = wait.wait.until.map { say("  until \($0.spokenLocalTime)", de: "  bis \($0.spokenLocalTime)") } ?? ""
      write("\(wait.wait.run)  \(wait.recipe.singleLine)  \(wait.step)\(until)\n")
      if let message = wait.wait.message { write("  \(message.singleLine)\n") }
      if let form = wait.wait.form { write("  \(form.jsonString.singleLine)\n") }
    }
  }

  /// A field that the form does not ask for: what was meant by it would be left out.
  private func unknown(_ name: String, _ properties: Value?) -> CommandError {
    var names: [String] = []
    if case .map(let map)? = properties {
      names = map.entries.compactMap { if case .string(let name) = $0.key { name } else { nil } }
    }
    guard !names.isEmpty else {
      return CommandError(
        ExitStatus.wrongInput,
        .init(
          "there is no field to fill in, '\(name)' neither", de: "es gibt kein Feld auszufüllen, auch nicht '\(name)'"))
    }
    return CommandError(
      ExitStatus.wrongInput,
      LocalizedText("the form has no field '\(name)'", de: "das Formular hat kein Feld '\(name)'")
        + Suggestion.text(for: name, among: names))
  }

  /// The fields, in the types that the form gives them.
  private func fields(for form: Value?) throws(CommandError) -> Value {
    var map = ValueMap()
    let properties = form?["properties"]
    let others = form?["additionalProperties"]
    let isOpen = form?["patternProperties"] != nil || others.map { $0 != .bool(false) } ?? false
    for text in field {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("--field takes NAME=VALUE, not '\(text)'", de: "--field erwartet NAME=WERT, nicht '\(text)'"))
      }
      let name = String(text[..<sign])
      let value = String(text[text.index(after: sign)...])
      guard map[name] == nil else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("field '\(name)' is given twice", de: "Feld '\(name)' ist zweimal angegeben"))
      }
      guard isOpen || properties?[name] != nil else { throw unknown(name, properties) }
      guard let schema = properties?[name] ?? others, case .map = schema else {
        map[name] = .string(value)
        continue
      }
      do throws(SchemaViolation) {
        map[name] = try Schema(document: schema).coerce(value)
      } catch {
        throw CommandError(
          ExitStatus.wrongInput, LocalizedText("field '\(name)': ", de: "Feld '\(name)': ") + error.message)
      }
    }
    guard let form else { return .map(map) }
    let schema = Schema(document: form)
    let filled = schema.fillingDefaults(.map(map))
    if let violation = schema.validate(filled).first {
      let place = violation.pathText.isEmpty ? "" : "\(violation.pathText): "
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("the form is not filled in: \(place)", de: "das Formular ist nicht ausgefüllt: \(place)")
          + violation.message)
    }
    return filled
  }
}

/// `sous reject`: refuses what a run asks.
struct RejectCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reject", abstract: say("Refuse what a run asks.", de: "Ablehnen, was ein Lauf fragt."))
  }

  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"))
  var run: String

  @Option(help: ArgumentHelp(say("Why.", de: "Warum."), valueName: "text"))
  var reason = ""

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await decision.decide(run, format, global) { _ in .rejected(reason: reason, by: decision.person) }
  }
}

/// Which decision is meant, and who makes it.
struct DecisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say("The step, where several ask.", de: "Der Schritt, wo mehrere fragen."), valueName: "step"))
  var step: String?

  @Option(
    help: ArgumentHelp(
      say("The item of the step's for_each, from 0.", de: "Das Element der Schleife, ab 0."), valueName: "number"))
  var item: Int?

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      say("Who decides; the user's name where it is absent.", de: "Wer entscheidet; sonst der Name des Benutzers."),
      valueName: "name"))
  var by: String?

  /// Who decides.
  var person: String { by ?? Self.user }

  /// The user's name.
  static var user: String { ProcessInfo.processInfo.environment["USER"] ?? NSUserName() }

  /// Makes the decision that is meant.
  func decide(
    _ reference: String, _ format: FormatOptions, _ global: GlobalOptions, _ answer: (OpenWait) throws -> WaitAnswer
  ) async throws {
    let database = try Workspace(global).database
    let store: RunStore
    do throws(RunStoreError) {
      store = try RunStore(path: database, time: SystemTime())
    } catch {
      throw CommandError(error)
    }
    do {
      let run = try await store.resolve(reference)
      let open = try await store.openWaits(of: run, includesParts: true).filter(isMeant)
      guard let wait = open.first, open.count == 1 else {
        let late = open.isEmpty ? try await store.run(run.rawValue).waits.first { isMeant($0) && $0.isOver } : nil
        throw CommandError.runState(Self.refusal(run, isAmbiguous: !open.isEmpty, late: late))
      }
      switch try answer(wait) {
      case .approved(let fields, let person):
        try await store.decide(
          run: wait.wait.run, step: wait.step, item: wait.wait.item, approved: true, fields: fields, by: person)
        tell(say("approved; run \(run) goes on\n", de: "zugestimmt; Lauf \(run) geht weiter\n"), wait, true, format)
      case .rejected(let reason, let person):
        try await store.decide(
          run: wait.wait.run, step: wait.step, item: wait.wait.item, approved: false, reason: reason, by: person)
        tell(say("rejected; run \(run) goes on\n", de: "abgelehnt; Lauf \(run) geht weiter\n"), wait, false, format)
      case .event: break
      }
      try await store.close()
    } catch {
      try? await store.close()
      if let error = error as? RunStoreError { throw CommandError(error) }
      throw error
    }
  }
}

extension DecisionOptions {
  /// Whether a wait is the decision that is meant, or one of them.
  private func isMeant(_ wait: OpenWait) -> Bool {
    wait.wait.kind == .approval && !wait.isAnswered && (step == nil || wait.step == step)
      && (item == nil || wait.wait.item == item)
  }

  /// Why no decision can be made.
  ///
  /// - Parameter late: A decision that is meant and whose time is up.
  private static func refusal(_ run: RunID, isAmbiguous: Bool, late: OpenWait?) -> LocalizedText {
    if isAmbiguous {
      return .init(
        "run \(run) waits for several decisions: name one with --step and --item",
        de: "Lauf \(run) wartet auf mehrere Entscheidungen: nenne eine mit --step und --item")
    }
    if let late, let until = late.wait.until {
      return .init(
        "the time for this decision of run \(run) was up at \(until.spokenLocalTime)",
        de: "die Zeit für diese Entscheidung von Lauf \(run) lief ab um \(until.spokenLocalTime)")
    }
    return .init("run \(run) waits for no such decision", de: "Lauf \(run) wartet auf keine solche Entscheidung")
  }

  private func tell(_ words: String, _ wait: OpenWait, _ isApproved: Bool, _ format: FormatOptions) {
    guard format.json else { return write(words) }
    writeJSON(
      .map([
        "run": .string(wait.wait.run.rawValue), "step": .string(wait.step),
        "item": wait.wait.item.map { .int(Int64($0)) } ?? .null, "approved": .bool(isApproved), "by": .string(person),
      ]))
  }
}

/// `sous event`: delivers an event to whichever run waits for it.
struct EventCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "event",
      abstract: say(
        "Deliver an event that runs wait for; without a name, list what is waited for.",
        de: "Ein Ereignis zustellen, auf das Läufe warten; ohne Namen: zeigen, worauf gewartet wird."))
  }

  @Argument(help: ArgumentHelp(say("The event's name.", de: "Der Name des Ereignisses."), valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      say("What tells events of one name apart.", de: "Was Ereignisse eines Namens unterscheidet."), valueName: "key"))
  var key = ""

  @Option(help: ArgumentHelp(say("What it says, as JSON.", de: "Was es sagt, als JSON."), valueName: "json"))
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
    let database = try Workspace(global).database
    let store: RunStore
    do throws(RunStoreError) {
      store = try RunStore(path: database, time: SystemTime())
    } catch {
      throw CommandError(error)
    }
    do {
      let run = try await store.deliver(event: name, key: key, payload: payload)
      let isKept = if run == nil { try await store.hasOpenRuns() } else { false }
      let waits = run == nil ? try await store.eventWaits() : []
      try await store.close()
      if format.json {
        writeJSON(.map(["run": run.map { .string($0.rawValue) } ?? .null, "kept": .bool(isKept)]))
      } else if let run {
        write(say("run \(run) takes it\n", de: "Lauf \(run) nimmt es\n"))
      } else if isKept {
        write(
          say(
            "no run waits for it; kept for those that have begun or are queued\n",
            de: "kein Lauf wartet darauf; aufbewahrt für die, die begonnen haben oder eingereiht sind\n"))
        write(EventListing.hint(name, key, waits))
      } else {
        write(
          say(
            "nobody can receive it: no run has begun or is queued, and one that begins later does not get it\n",
            de:
              "niemand kann es bekommen: kein Lauf hat begonnen oder ist eingereiht, und ein späterer bekommt es nicht\n"
          ))
        write(EventListing.hint(name, key, waits))
      }
    } catch let error as RunStoreError {
      try? await store.close()
      throw CommandError(error)
    }
  }
}
