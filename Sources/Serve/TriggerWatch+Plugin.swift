import Engine
import Expressions
import Localization
import PluginHost
import UseCases

extension TriggerWatch {
  /// Listens to a trigger of a plugin: the run log keeps events, with the plugin's cursor, before their runs begin.
  func listen(to name: String, of provider: String, _ settings: String) async throws {
    let opened = try await session.project.host.pluginProvider(named: provider)
    let subscription = try opened.subscription(
      to: name, settings: try Value(json: Array(settings.utf8)), as: trigger.subscription, store: store,
      reporter: TriggerReporter { message in
        let reason = LocalizedText(verbatim: message)
        let isNew = health.fail(reason, at: time.monotonic, reportedAgainAfter: Self.repeatedReport)
        // Nothing waits for it. The note shows the trouble at once; the next regular one may come after it is over.
        Task {
          try? await note()
          if isNew { await server.fails(trigger, reason) }
        }
      },
      watches: {
        health.watch()
        Task { await watches() }
      })
    for try await event in subscription {
      let begin = time.monotonic
      var fields: ValueMap = ["type": .string(trigger.word), "provider": .string(provider)]
      if case .map(let own) = try Value(json: event.event) {
        for (key, value) in own.entries { fields[key.text] = value }
      }
      try await self.begin(event.id, .map(fields), since: begin)
    }
  }
}

/// Passes on why a subscription was started again.
private struct TriggerReporter: ActionReporter {
  let tell: @Sendable (String) -> Void

  func log(_ level: LogLevel, _ message: String) {
    if level >= .warning { tell(message) }
  }
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}
