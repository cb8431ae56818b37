public import Engine
public import Expressions
import Localization
import Plans
import PluginBoundary
import RecipeModel
import Schemas
import Synchronization

extension PluginProvider {
  /// The events of a trigger as a sequence, with what was not settled before first.
  ///
  /// - Parameters:
  ///   - trigger: The trigger, as the manifest spells it.
  ///   - settings: The settings of the trigger, a map; checked against the manifest.
  ///   - name: The key of the subscription in the store: stable across restarts, different for every trigger of every
  ///     recipe.
  ///   - store: Where events and cursor are kept.
  ///   - reporter: Takes what the plugin reports, and why it was started again.
  ///   - watches: Called each time the trigger watches: after its first look if it announces that, otherwise when it is
  ///     asked to listen. Must return soon.
  /// - Returns: The sequence; the plugin starts to listen when the iteration begins.
  /// - Throws: `ActionFailure` of kind `unsupported` or `invalid_input`.
  public func subscription(
    to trigger: String, settings: Value, as name: String, store: any TriggerStore, reporter: any ActionReporter,
    watches: @escaping @Sendable () -> Void = {}
  ) throws(ActionFailure) -> TriggerSubscription {
    let (_, settings) = try checked(trigger, settings)
    return TriggerSubscription(name: name, store: store) { [self] arrived in
      do throws(ActionFailure) {
        try await subscribe(
          to: trigger, settings: settings, as: name, store: store, reporter: reporter, watches: watches,
          arrived: arrived)
      } catch {
        return error
      }
    }
  }

  /// Listens to a trigger until the surrounding task is cancelled.
  ///
  /// Events and their cursor are kept in the store, in one transaction, before the plugin goes on; a program that wants them
  /// reads them there. A subscription that ends is started again, from the cursor, after pauses that grow up to five
  /// minutes.
  ///
  /// - Parameters:
  ///   - trigger: The trigger, as the manifest spells it.
  ///   - settings: The settings of the trigger, a map; checked against the manifest.
  ///   - subscription: The key of the subscription in the store: stable across restarts, different for every
  ///     trigger of every recipe.
  ///   - store: Where events and cursor are kept.
  ///   - reporter: Takes what the plugin reports, and why it was started again.
  ///   - watches: Called each time the trigger watches, as for `subscription`.
  ///   - arrived: Called for every event that is new, after it is on disk; must return soon.
  /// - Throws: `ActionFailure`: `cancelled` in the end; `unsupported` or `invalid_input` if starting again cannot
  ///   help.
  public func subscribe(
    to trigger: String, settings: Value, as subscription: String, store: any TriggerStore,
    reporter: any ActionReporter, watches: @escaping @Sendable () -> Void = {},
    arrived: @escaping @Sendable () -> Void
  ) async throws(ActionFailure) -> Never {
    let (described, settings) = try checked(trigger, settings)
    var pause = RestartPause()
    while true {
      let brought = Atomic(false)
      let begin = time.monotonic
      let end = await outcome(
        of: trigger, settings: settings,
        Subscription(
          name: subscription, store: store, schema: described.event ?? contractTrigger(trigger)?.event ?? .anything,
          arrived: {
            brought.store(true, ordering: .relaxed)
            arrived()
          },
          watches: watches), announces: described.announcesWatching, reporter)
      if Task.isCancelled { throw cancelled(trigger) }
      if [.unsupported, .invalidInput].contains(end.kind) { throw end }
      let seconds = pause.afterEnd(
        lasted: time.monotonic - begin, brought: brought.load(ordering: .relaxed), retryAfter: end.retryAfter)
      reporter.log(.warning, "'\(trigger)' ended (\(end.kind.rawValue)): \(end.message.english); again in \(seconds) s")
      do {
        try await time.sleep(seconds: seconds)
      } catch {
        throw cancelled(trigger)
      }
    }
  }

  /// The trigger in the manifest, and its settings with the defaults filled in.
  private func checked(
    _ trigger: String, _ settings: Value
  ) throws(ActionFailure) -> (PluginManifest.Trigger, Value) {
    guard let described = manifest.trigger(named: trigger) else {
      throw ActionFailure(
        .unsupported,
        LocalizedText(
          "The plugin '\(manifest.id)' of the provider '\(name)' has no trigger '\(trigger)'.",
          de: "Das Plugin '\(manifest.id)' des Providers '\(name)' hat keinen Auslöser '\(trigger)'."))
    }
    let shape = described.settings ?? contractTrigger(trigger)?.configuration ?? .anything
    let settings = shape.fillingDefaults(settings)
    if let violation = shape.validate(settings).first {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "The settings of the trigger '\(trigger)' do not suit the plugin '\(manifest.id)': ",
          de: "Die Einstellungen des Auslösers '\(trigger)' passen nicht zum Plugin '\(manifest.id)': ")
          + LocalizedText(verbatim: violation.pathText.isEmpty ? "" : "'\(violation.pathText)': ") + violation.message)
    }
    return (described, settings)
  }

  /// Why a subscription ended.
  private func outcome(
    of trigger: String, settings: Value, _ subscription: Subscription, announces: Bool, _ reporter: any ActionReporter
  ) async -> ActionFailure {
    do throws(ActionFailure) {
      var input: ValueMap = ["settings": settings]
      if let cursor = try await cursor(of: subscription) { input["cursor"] = .string(cursor) }
      if !announces { subscription.watches() }
      let request = ActionRequest(
        run: RunID(rawValue: ""), step: subscription.name, attempt: 1, action: trigger, input: .map(input),
        key: subscription.name)
      let answer = try await call(.subscribe, request, reporter, subscription: subscription)
      _ = try reader(request).output(answer)
      return ActionFailure(
        .io, LocalizedText("The subscription ended by itself.", de: "Das Abonnement endete von selbst."))
    } catch {
      return error
    }
  }

  private func cursor(of subscription: Subscription) async throws(ActionFailure) -> String? {
    try await onServiceThread { () throws(StorageFailure) in try subscription.store.cursor(of: subscription.name) }
  }
}
