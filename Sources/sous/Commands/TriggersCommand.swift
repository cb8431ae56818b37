import ArgumentParser
import Engine
import Expressions
import Localization
import RecordJSON
import RunStore
import UseCases

/// `sous triggers`: how the triggers fare that 'sous serve' listens to.
struct TriggersCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "triggers",
      abstract: say(
        "Show how the triggers fare that recipes listen to.", de: "Zeigen, wie es den Auslösern der Rezepte geht."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let status = try await Workspace(global).servingStatus()
    let (triggers, now) = (status.triggers, SystemTime().now)
    let isServed = status.servers.contains { $0.isAlive(at: now) }
    if format.json {
      return writeJSON(.list(triggers.map { $0.json(isServed: isServed, in: Speech.language) }))
    }
    guard !triggers.isEmpty else {
      return write(
        say("nothing is listened to; 'sous serve' does it\n", de: "auf nichts wird gehört; 'sous serve' tut es\n"))
    }
    var table = TextTable([
      .init(""), .init(say("recipe", de: "Rezept"), .cut(to: 16)), .init(say("trigger", de: "Auslöser")),
      .time(say("alive", de: "am Leben")), .number(say("events", de: "Ereignisse")),
      .time(say("last event", de: "letztes Ereignis")), .init(say("remarks", de: "Bemerkungen"), .below),
      .init(say("trouble", de: "Problem"), .below),
    ])
    for trigger in triggers {
      let lag = trigger.lag.map { say("lag \($0.spokenDuration)", de: "Verzug \($0.spokenDuration)") } ?? ""
      table.append([
        trigger.trouble == nil ? isServed ? "✓" : "-" : "✗", trigger.recipe, "\(trigger.trigger) \(trigger.provider)",
        trigger.aliveAt?.spokenLocalTime ?? "", String(trigger.events), trigger.eventAt?.spokenLocalTime ?? "",
        [trigger.spokenReconnects, lag].filter { !$0.isEmpty }.joined(separator: " · "),
        trigger.trouble?.spoken ?? "",
      ])
    }
    write(table.text())
    if !isServed {
      write(
        say(
          "nothing listens to them: 'sous serve' is not running\n",
          de: "nichts hört auf sie: 'sous serve' läuft nicht\n"))
    }
  }
}

extension TriggerHealth {
  /// How often it connected again, or how many requests it refused; empty if never.
  var spokenReconnects: String {
    guard reconnects > 0 else { return "" }
    return isWebhook
      ? LocalizedText.count(
        reconnects, "refused request", "refused requests", de: "abgelehnte Anfrage", "abgelehnte Anfragen"
      ).spoken
      : LocalizedText.count(reconnects, "reconnect", "reconnects", de: "neue Verbindung", "neue Verbindungen").spoken
  }
}
