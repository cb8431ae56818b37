import Engine
public import Expressions
import Localization
import OperatingSystem
import PluginHost
import Providers
import RunStore
import Secrets

extension Project {
  /// Hands out the messages that come into a folder, until the surrounding task is cancelled.
  ///
  /// Events are kept in the run log before they are handed out, and settled after `body` returns. A process that ends in
  /// between gets them again at its next start, and what came in the meantime as well.
  ///
  /// - Parameters:
  ///   - provider: A provider whose plugin has the trigger `mail.new`.
  ///   - folder: The folder.
  ///   - begins: Called when the folder is known to be there, or its server cannot be asked just now.
  ///   - body: Takes an event: `{folder, uid, message}`.
  /// - Throws: ``UseCaseError``: `unknown_provider`; `unsuitable_provider` where the plugin has no such trigger; `wrong_input`
  ///   where there is no such folder, or another process watches it; with an `ActionFailure` as its cause where nobody may
  ///   sign in; `interrupted` in the end.
  public func watchMail(
    _ provider: String, folder: String, begins: @Sendable () -> Void = {},
    _ body: @escaping @Sendable (Value) throws -> Void
  ) async throws(UseCaseError) {
    try checkIsKnown(provider)
    try await workspace.recordingRunLog { store in
      try await keeping(in: store) { try await $0.watch(folder, of: provider, store, begins, body) }
    }
  }

  private func watch(
    _ folder: String, of provider: String, _ store: RunStore, _ begins: @Sendable () -> Void,
    _ body: @escaping @Sendable (Value) throws -> Void
  ) async throws {
    let opened = try await host.pluginProvider(named: provider)
    try await checkFolder(folder, of: provider)
    let lock = try lockMailbox(
      for: "watch/\(provider)/\(folder)",
      busy: LocalizedText(
        "another process is watching '\(folder)' of '\(provider)'; end it first",
        de: "'\(folder)' von '\(provider)' wird schon von einem anderen Prozess beobachtet; diesen zuerst beenden"))
    defer { lock.release() }
    begins()
    let events = workspace.surroundings.events
    let subscription = try opened.subscription(
      to: "mail.new", settings: ["folder": .string(folder)], as: "watch/\(provider)/\(folder)", store: store,
      reporter: WatchReporter { level, message in events(.provider(provider, level, message: message)) })
    for try await event in subscription {
      try body(try Value(json: event.event))
      try await subscription.settle(event)
    }
    throw CancellationError()
  }
}

extension Project {
  /// Seconds in which a provider says whether it has a folder.
  private static let patience = 60.0
  /// What watching cannot mend by trying again.
  private static let lasting: Set<ActionFailure.Kind> = [.auth, .invalidInput]

  /// Asks whether a folder is there: a trigger would try again and again, as servers come back.
  private func checkFolder(_ folder: String, of provider: String) async throws {
    guard let failure = await failure(of: folder, provider) else { return }
    if failure.kind == .notFound {
      let names = await folders(of: provider)
      guard !names.isEmpty else { throw failure }
      let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
      throw UseCaseError.wrongInput(
        LocalizedText(
          "'\(provider)' has no folder '\(folder)'; there are: \(list)",
          de: "'\(provider)' hat keinen Ordner '\(folder)'; es gibt: \(list)"))
    }
    // Anything else may come back.
    if Self.lasting.contains(failure.kind) { throw failure }
  }

  /// Why a folder cannot be read; `nil` where it can.
  private func failure(of folder: String, _ provider: String) async -> ActionFailure? {
    do throws(ActionFailure) {
      _ = try await call(
        "mail.search", ["folder": .string(folder), "limit": 1, "fields": ["seen"]], by: provider,
        timeout: Self.patience,
        reporter: SilentReporter())
      return nil
    } catch {
      return error
    }
  }

  private func folders(of provider: String) async -> [String] {
    let answer = try? await call(
      "mail.folders", .map([:]), by: provider, timeout: Self.patience, reporter: SilentReporter())
    return (answer?["folders"]?.listValue ?? []).compactMap { $0["name"]?.stringValue }
  }
}

/// Passes on what people should know of.
private struct WatchReporter: ActionReporter {
  let tell: @Sendable (LogLevel, String) -> Void

  func log(_ level: LogLevel, _ message: String) {
    if level >= .warning { tell(level, message) }
  }
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}
