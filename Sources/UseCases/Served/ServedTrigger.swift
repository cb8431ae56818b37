import Expressions
import Hashing
import Localization
package import Plans
import Schemas

/// A trigger of a recipe that waits for events.
package struct ServedTrigger: Sendable, Hashable {
  /// Where events come from.
  package enum Source: Sendable, Hashable {
    /// A trigger of a plugin, with its settings as JSON.
    case plugin(provider: String, trigger: String, settings: String)
    /// A folder.
    case file(FileEvent)
    /// Requests of other programs.
    case webhook(Webhook)
    /// The run log.
    case recipe(RecipeEnd)
  }

  /// What names its subscription in the run log: made from the recipe's file and from what is waited for, so that it stays
  /// the same where triggers of the recipe change places.
  package let subscription: String
  /// The recipe's file.
  package let path: String
  package let source: Source

  /// What people call what is waited for.
  package var name: String {
    switch source {
    case .plugin(_, let trigger, _): trigger
    case .file: "file"
    case .webhook: "webhook"
    case .recipe: "recipe"
    }
  }

  /// Who is listened to, for people.
  package var place: String {
    switch source {
    case .plugin(let provider, _, _): provider
    case .file(let event): "\(event.folder)/\(event.match)"
    case .webhook(let hook): "/hooks/\(hook.name)"
    case .recipe(let end): "\(end.recipe) \(end.endings)"
    }
  }

  /// The name of the webhook that it waits for.
  package var webhook: String? { if case .webhook(let hook) = source { hook.name } else { nil } }

  /// Whether another trigger waits for the same events in its place, so that both never wait at once.
  package func isReplaced(by other: ServedTrigger) -> Bool {
    subscription == other.subscription || webhook != nil && webhook == other.webhook
  }

  /// What the runs say that started them: `mail`, `file`, `webhook`, `recipe`, or the plugin's name of it.
  package var word: String { name == "mail.new" ? "mail" : name }
}

extension ServedTrigger {
  /// - Parameters:
  ///   - trigger: The trigger as the recipe has it; `nil` is returned for one that waits for no events.
  ///   - path: The recipe's file.
  ///   - providers: Says who is listened to where a trigger names nobody.
  package init?(_ trigger: Trigger, path: String, _ providers: TriggerProviders) throws(ServedProblem) {
    self.path = path
    switch trigger.kind {
    case .manual, .schedule: return nil
    case .mail(let event):
      let provider = try providers.mailbox(event.provider)
      source = .plugin(
        provider: provider, trigger: "mail.new", settings: Value.map(["folder": .string(event.folder)]).jsonString)
      subscription = "recipe/\(path)/mail.new/\(provider)/\(event.folder)"
    case .plugin(let event):
      let provider = try providers.provider(of: event)
      source = .plugin(provider: provider, trigger: event.trigger, settings: event.settings)
      let settings = ContentHash.hexadecimal(of: Array(event.settings.utf8)).prefix(8)
      subscription = "recipe/\(path)/\(event.trigger)/\(provider)/\(settings)"
    case .file(let event):
      source = .file(event)
      subscription = "file \(path) \(event.folder)/\(event.match)"
    case .webhook(let hook):
      source = .webhook(hook)
      subscription = "webhook \(path) \(hook.name)"
    case .recipe(let end):
      source = .recipe(end)
      subscription = "end \(path) \(end.recipe) \(end.endings)"
    }
  }
}

/// Who is listened to where a trigger names nobody.
package struct TriggerProviders {
  /// The default for `mail.store`.
  var mailbox: String?
  /// The configured providers whose plugin has a trigger, by its name.
  var offering: (String) -> [String]

  func mailbox(_ named: String?) throws(ServedProblem) -> String {
    if let provider = named ?? mailbox { return provider }
    throw ServedProblem(
      message: .init(
        "no provider for 'mail': name one, or set defaults.mail.store in sous.yaml",
        de: "kein Provider für 'mail': einen nennen oder defaults.mail.store in sous.yaml setzen"))
  }

  func provider(of event: PluginEvent) throws(ServedProblem) -> String {
    if let provider = event.provider { return provider }
    let found = offering(event.trigger)
    if found.count == 1 { return found[0] }
    throw ServedProblem(
      message: found.isEmpty
        ? .init(
          "no provider has the trigger '\(event.trigger)'", de: "kein Provider hat den Auslöser '\(event.trigger)'")
        : .init(
          "several providers have the trigger '\(event.trigger)', name one: \(found.joined(separator: ", "))",
          de: "mehrere Provider haben den Auslöser '\(event.trigger)', einen nennen: \(found.joined(separator: ", "))"))
  }
}
