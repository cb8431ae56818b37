import Builtins
import Engine
import Expressions
import Localization
import Mail
import Plans
import Providers
import RecipeModel
import RunStore

/// Makes summaries of messages, in advance and when somebody reads one, and keeps them by account and Message-ID.
struct SummaryMaker: MessageSummaries {
  /// Seconds for which summaries in advance are counted.
  static let window = 3600.0
  /// The latest messages of a folder that are looked at in each round.
  private static let latest = 50
  /// The characters of a message that go to a model.
  private static let longest = 24_000
  private static let fields: Value = ["message_id", "date", "from", "subject", "text", "seen", "flagged", "bulk"]

  let project: Project
  let store: RunStore
  let providers: ProviderChain
  var machine = MachineLoad()

  private var settings: ConfiguredSummaries { project.configuration.summaries }

  // MARK: - One message

  func summary(
    account: String?, folder: String, uid: String, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    let account = if let account { account } else { try defaultAccount() }
    let answer = try await providers.call(
      "mail.fetch", ["folder": .string(folder), "uid": .string(uid), "fields": Self.fields], by: account,
      reporter: SilentReporter())
    guard let message = answer["message"], let found = candidate(message, of: account, folder: folder) else {
      throw ActionFailure(.notFound, .init("there is no such message", de: "diese Nachricht gibt es nicht"))
    }
    if let kept = try await kept({ try await store.summary(of: found.record.message, in: account) }),
      kept.state == .done
    {
      let body = try SealedValue.open(kept.body, project.secrets.seal)
      return ["text": body["text"] ?? "", "model": body["model"] ?? "", "cached": true]
    }
    // Short ones are their own summary; no model has to see them.
    guard found.text.count >= settings.shortest else {
      return ["text": .string(found.text), "model": "", "cached": false]
    }
    var record = found.record
    record.isInAdvance = false
    let body = try await make(&record, found.text, reporter)
    return ["text": body["text"] ?? "", "model": body["model"] ?? "", "cached": false]
  }

  // MARK: - In advance

  func round(older: Int, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    var queued = 0
    for account in accounts() {
      do throws(ActionFailure) {
        queued += try await look(at: account, older: older)
      } catch {
        if error.kind == .cancelled { throw error }
        reporter.log(.warning, "\(account): \(error.message.english)")
      }
    }
    var (made, failed) = (0, 0)
    var held = try await reasonToWait()
    while held == nil, let next = try await kept({ try await store.waitingSummaries(limit: 1) }).first {
      switch try await makeWaiting(next, reporter) {
      case .made: made += 1
      case .failed: failed += 1
      case .vanished: break
      case .waits:
        held = "model"
        continue
      }
      held = try await reasonToWait()
    }
    let counts = try await kept { try await store.summaryCounts() }
    return [
      "queued": .int(Int64(queued)), "made": .int(Int64(made)), "failed": .int(Int64(failed)),
      "waiting": .int(Int64(counts[.waiting] ?? 0)), "held": held.map { .string($0) } ?? .null,
    ]
  }

  /// The accounts whose messages are summarised.
  func accounts() -> [String] {
    project.providers.names.filter { name in
      guard !settings.except.contains(name), let offer = try? project.providers.describe(name) else { return false }
      return offer.contracts.contains("mail.store")
    }
  }

  /// What keeps summaries from being made now; `nil` where nothing does.
  func reasonToWait() async throws(ActionFailure) -> String? {
    let since = SystemTime().now.adding(seconds: -Self.window)
    let made = try await kept { try await store.summariesInAdvance(since: since) }
    if made.count >= settings.perHour { return "limit" }
    if let limit = settings.load, let load = machine.load(), load > limit { return "load" }
    if let charge = machine.chargeOnBattery(), charge < settings.battery { return "battery" }
    return nil
  }

  /// Queues the messages of an account that are long enough.
  private func look(at account: String, older: Int) async throws(ActionFailure) -> Int {
    var found = try await search(account, ["limit": .int(Int64(Self.latest))])
    if older > 0, let oldest = try await kept({ try await store.oldestSummary(of: account) }) {
      found += try await search(account, ["limit": .int(Int64(older)), "before": .string(oldest.rfc3339)])
    }
    let records = found.filter { $0.text.count >= settings.shortest }.map(\.record)
    return try await kept { try await store.queueSummaries(records) }
  }

  private func search(_ account: String, _ conditions: ValueMap) async throws(ActionFailure) -> [Candidate] {
    var input = conditions
    input["folder"] = .string(settings.folder)
    input["fields"] = Self.fields
    let answer = try await providers.call("mail.search", .map(input), by: account, reporter: SilentReporter())
    return (answer["messages"]?.listValue ?? []).compactMap { candidate($0, of: account, folder: settings.folder) }
  }

  private struct Candidate {
    var record: SummaryRecord
    /// Its text without boilerplate.
    var text: String
  }

  private func candidate(_ message: Value, of account: String, folder: String) -> Candidate? {
    guard let uid = message["uid"]?.stringValue else { return nil }
    let now = SystemTime().now
    func isSet(_ key: String) -> Bool { message[key]?.boolValue ?? false }
    // Unread first, then those with a star, then those that one person wrote.
    let rank = (isSet("seen") ? 4 : 0) + (isSet("flagged") ? 0 : 2) + (isSet("bulk") ? 1 : 0)
    let body: Value = [
      "subject": .string(message["subject"]?.stringValue ?? ""),
      "from": .string(message["from"]?["name"]?.stringValue ?? message["from"]?["address"]?.stringValue ?? ""),
    ]
    let record = SummaryRecord(
      account: account, message: message["message_id"]?.stringValue ?? "\(folder)/\(uid)", folder: folder, uid: uid,
      rank: rank, date: message["date"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? now, queuedAt: now,
      body: (try? sealed(body)) ?? .map([:]))
    return Candidate(record: record, text: Boilerplate.removed(from: message["text"]?.stringValue ?? ""))
  }

  private enum Outcome {
    case made, failed
    /// The message was deleted or moved; it waits no longer.
    case vanished
    /// The model or the mail server could not be asked; the message is not to blame.
    case waits
  }

  /// Seconds for which a message waits while its model or mail server cannot be asked.
  private static let patience = 86_400.0

  /// Makes the summary of a message that waits.
  private func makeWaiting(
    _ record: SummaryRecord, _ reporter: any ActionReporter
  ) async throws(ActionFailure) -> Outcome {
    var record = record
    var hasAskedModel = false
    do throws(ActionFailure) {
      let answer = try await providers.call(
        "mail.fetch", ["folder": .string(record.folder), "uid": .string(record.uid), "fields": Self.fields],
        by: record.account, reporter: SilentReporter())
      // A store may give the UID of a deleted message to a new one.
      guard let message = answer["message"],
        message["message_id"]?.stringValue.map({ $0 == record.message }) ?? true
      else {
        throw ActionFailure(.notFound, .init("there is no such message", de: "diese Nachricht gibt es nicht"))
      }
      hasAskedModel = true
      _ = try await make(&record, Boilerplate.removed(from: message["text"]?.stringValue ?? ""), reporter)
      return .made
    } catch {
      if error.kind == .cancelled { throw error }
      if error.kind == .notFound, !hasAskedModel {
        try await kept { try await store.removeSummary(of: record.message, in: record.account) }
        return .vanished
      }
      let now = SystemTime().now
      // A model that does not exist is an error of the configuration.
      let waits =
        error.kind != .unsuitable
        && (error.kind.isTransient || [.auth, .quota, .unsupported, .notFound].contains(error.kind))
        && now < record.queuedAt.adding(seconds: Self.patience)
      if !waits {
        record.state = .failed
        record.endedAt = now
        // Only what cost a call of a model counts for the limit of an hour.
        record.isInAdvance = record.isInAdvance && hasAskedModel
      }
      record.trouble = error.kind.rawValue
      try await kept { try await store.keepSummary(record) }
      reporter.log(.warning, "no summary of message \(record.uid) of '\(record.account)': \(error.message.english)")
      return waits ? .waits : .failed
    }
  }

  /// Has a text summarised and keeps the result.
  private func make(
    _ record: inout SummaryRecord, _ text: String, _ reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    let input: Value = [
      "task": "summarise",
      "prompt": "Summarise this message in one or two sentences, in the language it is written in. Write nothing else.",
      "input": .string(String(text.prefix(Self.longest))),
    ]
    let answer = try await ask(input, reporter)
    guard let summary = answer["text"]?.stringValue, !summary.isEmpty else {
      throw ActionFailure(
        .unsuitable, .init("the model gave no summary", de: "das Modell hat keine Zusammenfassung gegeben"))
    }
    var body = try SealedValue.open(record.body, project.secrets.seal)
    if case .map(var map) = body {
      map["text"] = .string(summary)
      map["model"] = .string(answer["model"]?.stringValue ?? "")
      body = .map(map)
    }
    record.body = try sealed(body)
    record.state = .done
    record.endedAt = SystemTime().now
    record.trouble = nil
    let done = record
    try await kept { try await store.keepSummary(done) }
    return body
  }

  /// Asks the providers of language models.
  private func ask(_ input: Value, _ reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let names: [String]
    do throws(UseCaseError) {
      names = try project.chatProviders(named: nil)
    } catch {
      throw ActionFailure(.unsupported, error.message)
    }
    let answer = await providers.ask(names, "chat.complete", input) { _, _ in SilentReporter() }
    return try answer.result.mapError { $0.beside(answer.others) }.get()
  }

  private func defaultAccount() throws(ActionFailure) -> String {
    if let name = project.configuration.defaults(for: "mail.store")?.first { return name }
    let all = accounts()
    guard let only = all.first, all.count == 1 else {
      throw ActionFailure(
        .invalidInput,
        .init(
          "name the account: several providers have mail, or none",
          de: "das Konto nennen: mehrere Provider haben Mail, oder keiner"))
    }
    return only
  }

  /// Where texts are neutralised before they go to a model, they do not stand in the run log either.
  private func sealed(_ body: Value) throws(ActionFailure) -> Value {
    project.neutralises ? try SealedValue.seal(body, project.secrets.seal) : body
  }

  /// Does something with the run log.
  private func kept<Answer>(_ body: () async throws -> Answer) async throws(ActionFailure) -> Answer {
    do {
      return try await body()
    } catch {
      throw ActionFailure(.io, UseCaseError(error).message)
    }
  }
}
