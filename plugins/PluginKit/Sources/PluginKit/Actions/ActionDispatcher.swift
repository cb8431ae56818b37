/// A plugin value together with its actions by name.
package struct ActionDispatcher<Owner: Plugin>: Sendable {
  package let plugin: Owner
  private let entries: [String: ActionEntry<Owner>]
  private let triggers: [String: TriggerEntry<Owner>]

  /// Decodes the configuration and makes the plugin.
  package init(_ type: Owner.Type, host: PluginContext, configuration: [UInt8]) throws(ActionError) {
    let decoded: Owner.Configuration
    do {
      decoded = try JSONCoding.decode(Owner.Configuration.self, from: configuration)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(
        .invalidInput, "The configuration is not usable: \(failure.english)",
        german: "Unbrauchbare Konfiguration: \(failure.german)")
    }
    do {
      plugin = try Owner(configuration: decoded, context: host)
    } catch {
      throw ActionError(any: error)
    }
    let list = Owner.actions
    entries = Dictionary(list.entries.map { ($0.name, $0) }) { first, _ in first }
    triggers = Dictionary(list.triggers.map { ($0.name, $0) }) { first, _ in first }
  }

  package func run(_ action: String, input: [UInt8], context: ActionContext) async throws(ActionError) -> [UInt8] {
    try await entry(action).run(plugin, input, context)
  }

  package func verify(_ action: String, input: [UInt8], context: ActionContext) async throws(ActionError) -> [UInt8] {
    try await entry(action).verify(plugin, input, context)
  }

  package func subscribe(
    _ trigger: String, input: [UInt8], context: ActionContext
  ) async throws(ActionError) -> [UInt8] {
    guard let entry = triggers[trigger] else {
      throw ActionError(
        .unsupported, "The plugin \(Owner.manifest.id) has no trigger '\(trigger)'.",
        german: "Das Plugin \(Owner.manifest.id) hat keinen Auslöser '\(trigger)'.")
    }
    return try await entry.run(plugin, input, context)
  }

  /// Whether what carries this name out blocks its thread.
  package func isBlocking(_ name: String) -> Bool { entries[name]?.isBlocking ?? triggers[name]?.isBlocking ?? false }

  private func entry(_ action: String) throws(ActionError) -> ActionEntry<Owner> {
    guard let entry = entries[action] else {
      throw ActionError(
        .unsupported, "The plugin \(Owner.manifest.id) has no action '\(action)'.",
        german: "Das Plugin \(Owner.manifest.id) hat keine Aktion '\(action)'.")
    }
    return entry
  }
}
