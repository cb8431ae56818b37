import Engine
import Expressions
import FixturePlugins
import Localization
import RunStore
import Synchronization
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// What plugins get from the host, through the C tables and with the real run log behind them.
@Suite(.timeLimit(.minutes(5)))
struct ProviderServicesTests {
  let log = HostLog()
  let folder: String
  let store: RunStore

  init() throws {
    folder = try FixtureLibrary.makeFolder()
    store = try RunStore(path: folder + "/sous.db", time: SystemTime())
  }

  private func host(
    _ settings: ValueMap = [:], storage: Bool = true, configure: (inout ProviderConfiguration) -> Void = { _ in }
  ) async throws -> PluginHost {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.services()), settings: .map(settings), log: log, storage: storage ? store : nil,
      configure: configure)
    return host
  }

  private func perform(
    _ action: String, _ input: ValueMap, on host: PluginHost
  ) async throws(ActionFailure) -> ValueMap {
    let output = try await host.provider(named: "home")
      .perform(.forTests("services." + action, input), reporter: RecordingReporter())
    guard case .map(let map) = output else { return [:] }
    return map
  }

  // MARK: - Secrets

  @Test func secretsOfTheManifestAndOfTheConfigurationCanBeRead() async throws {
    let secrets = RotatingSecrets(["accounts.0.token": "first token"], beside: ["api_key": "literal key"])
    let host = try await host(["api_key": "literal key"]) { $0.secretSource = secrets }
    #expect(try await perform("secret", ["name": "api_key"], on: host)["status"] == .int(0))
    let before = try await perform("secret", ["name": "accounts.0.token"], on: host)
    #expect(before["status"] == .int(0))
    secrets.set("accounts.0.token", "second token")
    let after = try await perform("secret", ["name": "accounts.0.token"], on: host)
    // What a plugin says is masked, also what it has read later.
    #expect(before["value"] == .string("***"))
    #expect(after["value"] == .string("***"))
    secrets.set("accounts.0.token", nil)
    #expect(try await perform("secret", ["name": "accounts.0.token"], on: host)["status"] == .int(1))
    await host.shutdown()
  }

  @Test(arguments: ["password", "accounts.1.token", "", "api_key.x", "../other"])
  func otherSettingsAreNoSecretsOfThePlugin(name: String) async throws {
    let host = try await host(["password": "not declared"]) {
      $0.secretSource = RotatingSecrets(["accounts.0.token": "a token"], beside: ["password": "not declared"])
    }
    let found = try await perform("secret", ["name": .string(name)], on: host)
    #expect(found["status"] == .int(2))
    #expect(found["value"] == .string(""))
    #expect(log.lines.contains { $0.contains("error") && $0.contains("'\(name)'") })
    await host.shutdown()
  }

  @Test func secretThatCannotBeReadIsNotedWithItsReason() async throws {
    let host = try await host { $0.secretSource = BrokenSecrets() }
    #expect(try await perform("secret", ["name": "password"], on: host)["status"] == .int(5))
    #expect(log.lines.contains { $0.contains("the vault is locked") })
    await host.shutdown()
  }

  // MARK: - State

  @Test func stateLastsAndIsTransactional() async throws {
    let host = try await host()
    func state(_ operation: String, _ key: String, _ value: String = "", version: Int64? = nil) async throws -> ValueMap
    {
      var input: ValueMap = ["operation": .string(operation), "key": .string(key), "value": .string(value)]
      if let version { input["version"] = .int(version) }
      return try await perform("state", input, on: host)
    }
    #expect(try await state("read", "cursor")["status"] == .int(1))
    #expect(try await state("set", "cursor", "41", version: 0)["status"] == .int(0))
    let found = try await state("read", "cursor")
    #expect(found["value"] == .string("41"))
    guard case .int(let version)? = found["version"] else { return #expect(found["version"] != nil) }
    #expect(try await state("set", "cursor", "42", version: version)["status"] == .int(0))
    #expect(try await state("set", "cursor", "43", version: version)["status"] == .int(3))
    #expect(try await state("read", "cursor")["value"] == .string("42"))
    #expect(try await state("set", "cache/1", "x")["status"] == .int(0))
    #expect(try await state("set", "cache/2", "x")["status"] == .int(0))
    #expect(try await state("list", "cache/")["value"] == .string("cache/1 cache/2"))
    #expect(try await state("remove", "cache/1")["status"] == .int(0))
    #expect(try await state("list", "cache/")["value"] == .string("cache/2"))
    #expect(try await state("flood", "")["status"] == .int(4))
    #expect(try await state("set", String(repeating: "k", count: 513), "x")["status"] == .int(4))
    await host.shutdown()
    #expect(try store.state(of: "home", key: "cursor")?.value == Array("42".utf8))
  }

  @Test func withoutAStoreThereIsNoState() async throws {
    let host = try await host(storage: false)
    #expect(try await perform("state", ["operation": "read", "key": "x"], on: host)["status"] == .int(99))
    await host.shutdown()
  }

  // MARK: - Blobs

  @Test func blobsAreReadByWhoMadeThemAndByWhoWasGivenThem() async throws {
    let host = try await host()
    let made = try await perform("make_blob", ["pieces": 3, "size": 1_500_000], on: host)
    #expect(made["status"] == .int(0))
    let name = try #require(made["value"]?.stringValue)
    #expect(name.hasPrefix("blob:sha256:") && name.utf8.count == 76)
    let tail = try await perform(
      "read_blob", ["blob": .string(name), "offset": 4_499_998, "length": 100], on: host)
    #expect(tail["value"] == .string("cc"))
    let whole = try await perform("read_blob", ["blob": .string(name), "offset": 0, "length": 5_000_000], on: host)
    #expect(whole["version"] == .int(4_500_000))
    await host.shutdown()

    // Another instance has to be given it.
    let other = try await self.host()
    let given = try await perform("read_blob", ["blob": .string(name), "offset": 0, "length": 3], on: other)
    #expect(given["value"] == .string("aaa"))
    let guessed = try await perform(
      "read_blob",
      ["guess": .string(String(name.prefix(20))), "rest": .string(String(name.dropFirst(20))), "length": 3], on: other)
    #expect(guessed["status"] == .int(2))
    let absent = "blob:sha256:" + String(repeating: "0", count: 64)
    #expect(try await perform("read_blob", ["blob": .string(absent), "length": 3], on: other)["status"] == .int(1))
    await other.shutdown()
  }

  // MARK: - Triggers

  private func listen(
    _ settings: ValueMap, on host: PluginHost, reporter: RecordingReporter = RecordingReporter(),
    until count: Int, of signal: Arrivals
  ) async throws {
    let provider = try await host.pluginProvider(named: "home")
    let listening = Task { [store] in
      do throws(ActionFailure) {
        try await provider.subscribe(
          to: "services.ticks", settings: .map(settings), as: "test/0", store: store, reporter: reporter,
          arrived: { signal.add() })
      } catch {
        return error
      }
    }
    await signal.wait(for: count)
    listening.cancel()
    #expect(await listening.value.kind == .cancelled)
  }

  @Test func eventsAreKeptAndTheCursorIsHandedBack() async throws {
    let host = try await host()
    try await listen(["count": 3, "then": "wait"], on: host, until: 3, of: Arrivals())
    #expect(try store.pendingEvents(of: "test/0", limit: 10).map(\.id) == ["tick-1", "tick-2", "tick-3"])
    #expect(try store.cursor(of: "test/0") == "3")
    // Goes on where it was; an event emitted twice counts once.
    try await listen(["count": 5, "then": "twice"], on: host, until: 2, of: Arrivals())
    #expect(try store.pendingEvents(of: "test/0", limit: 10).map(\.cursor) == ["1", "2", "3", "4", "5"])
    await host.shutdown()
  }

  /// One that announces watches once it does; all others as soon as they are asked to listen.
  @Test(arguments: Isolation.allCases) func aTriggerWatchesOnceItHasAnnouncedThat(isolation: Isolation) async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.services()), probe: PluginProbe(executable: FixtureLibrary.executable),
      isolation: isolation, log: log, storage: store)
    let provider = try await host.pluginProvider(named: "home")
    func watching(_ trigger: String, then: String, _ watches: Arrivals) throws -> Task<Void, any Error> {
      let subscription = try provider.subscription(
        to: trigger, settings: .map(["count": 0, "then": .string(then)]), as: "test/\(trigger)/\(then)", store: store,
        reporter: RecordingReporter(), watches: { watches.add() })
      return Task { for try await _ in subscription {} }
    }
    let (slow, prompt, plain) = (Arrivals(), Arrivals(), Arrivals())
    let tasks = [
      try watching("services.looks", then: "slow", slow), try watching("services.looks", then: "look", prompt),
      try watching("services.ticks", then: "wait", plain),
    ]
    await prompt.wait(for: 1)
    await plain.wait(for: 1)
    #expect(slow.count == 0)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    #expect(try store.pendingEvents(of: "test/services.looks/look", limit: 10) == [])
    await host.shutdown()
  }

  @Test func subscriptionThatFailsIsStartedAgain() async throws {
    let time = JumpingTime()
    let host = PluginHost.forTests(.path(try FixtureLibrary.services()), time: time, log: log, storage: store)
    let reporter = RecordingReporter()
    try await listen(["count": 3, "then": "fail"], on: host, reporter: reporter, until: 3, of: Arrivals())
    #expect(try store.pendingEvents(of: "test/0", limit: 10).map(\.id) == ["tick-1", "tick-2", "tick-3"])
    #expect(reporter.lines.contains { $0.contains("again in 1.0 s") })
    await host.shutdown()
  }

  @Test(arguments: Isolation.allCases)
  func eventsComeAsASequenceUntilTheyAreSettled(isolation: Isolation) async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.services()), probe: PluginProbe(executable: FixtureLibrary.executable),
      isolation: isolation, log: log, storage: store)
    let provider = try await host.pluginProvider(named: "home")
    func subscription(_ count: Int64) throws -> TriggerSubscription {
      try provider.subscription(
        to: "services.ticks", settings: .map(["count": .int(count), "then": "wait"]), as: "test/0", store: store,
        reporter: RecordingReporter())
    }
    let first = try subscription(3)
    var events = first.makeAsyncIterator()
    for number in 1...3 {
      let event = try #require(try await events.next())
      #expect(event == TriggerEvent(id: "tick-\(number)", event: event.event, cursor: "\(number)"))
      #expect(try Value(json: event.event) == .map(["tick": .int(Int64(number))]))
      // The second is not dealt with.
      if number != 2 { try await first.settle(event) }
    }
    #expect(try store.cursor(of: "test/0") == "3")
    // After a restart it comes first, and the plugin goes on behind the third.
    let again = Task { [subscription = try subscription(5)] in
      var ids: [String] = []
      for try await event in subscription {
        ids.append(event.id)
        try await subscription.settle(event)
        if ids.count == 3 { break }
      }
      return ids
    }
    #expect(try await again.value == ["tick-2", "tick-4", "tick-5"])
    #expect(try store.pendingEvents(of: "test/0", limit: 10) == [])
    await host.shutdown()
  }

  @Test func sequenceOfEventsEndsWithItsTask() async throws {
    let host = try await host()
    let provider = try await host.pluginProvider(named: "home")
    let subscription = try provider.subscription(
      to: "services.ticks", settings: .map(["count": 0, "then": "wait"]), as: "test/0", store: store,
      reporter: RecordingReporter())
    let listening = Task {
      var count = 0
      for try await _ in subscription { count += 1 }
      return count
    }
    listening.cancel()
    #expect(try await listening.value == 0)
    #expect(throws: ActionFailure(.unsupported)) {
      try provider.subscription(
        to: "services.none", settings: .map([:]), as: "test/0", store: store, reporter: RecordingReporter())
    }
    #expect(throws: ActionFailure(.invalidInput)) {
      try provider.subscription(
        to: "services.ticks", settings: .map([:]), as: "test/0", store: store, reporter: RecordingReporter())
    }
    #expect(await host.shutdown(grace: 10).isEmpty)
  }

  @Test func eventThatDoesNotFitIsRefused() async throws {
    let host = try await host()
    let provider = try await host.pluginProvider(named: "home")
    let listening = Task { [store] in
      do throws(ActionFailure) {
        try await provider.subscribe(
          to: "services.ticks", settings: .map(["count": 1, "then": "nonsense"]), as: "test/0", store: store,
          reporter: RecordingReporter(), arrived: {})
      } catch {
        return error
      }
    }
    await log.wait(for: "does not fit its schema")
    listening.cancel()
    _ = await listening.value
    #expect(try store.pendingEvents(of: "test/0", limit: 10) == [])
    #expect(try store.cursor(of: "test/0") == nil)
    await host.shutdown()
  }

  @Test(
    arguments: [
      ("services.none", 1, ActionFailure.Kind.unsupported), ("services.ticks", nil, .invalidInput),
    ] as [(String, Int64?, ActionFailure.Kind)])
  func subscriptionThatCannotBeginIsRefused(
    trigger: String, count: Int64?, expected: ActionFailure.Kind
  ) async throws {
    let host = try await host()
    let provider = try await host.pluginProvider(named: "home")
    do throws(ActionFailure) {
      try await provider.subscribe(
        to: trigger, settings: .map(count.map { ["count": .int($0)] } ?? [:]), as: "test/0", store: store,
        reporter: RecordingReporter(), arrived: {})
    } catch {
      #expect(error.kind == expected)
    }
    await host.shutdown()
  }
}

struct RestartPauseTests {
  @Test func pausesGrowUpToALimit() {
    var pause = RestartPause()
    let pauses = (0..<11).map { _ in pause.afterEnd(lasted: 0, brought: false, retryAfter: nil) }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  }

  @Test func successBeginsAnew() {
    var pause = RestartPause()
    for _ in 0..<5 { _ = pause.afterEnd(lasted: 0, brought: false, retryAfter: nil) }
    #expect(pause.afterEnd(lasted: 0, brought: true, retryAfter: nil) == 1)
    #expect(pause.afterEnd(lasted: 59, brought: false, retryAfter: nil) == 2)
    #expect(pause.afterEnd(lasted: 60, brought: false, retryAfter: nil) == 1)
  }

  @Test func whatTheOtherSideAsksForCounts() {
    var pause = RestartPause()
    #expect(pause.afterEnd(lasted: 0, brought: false, retryAfter: 600) == 600)
    #expect(pause.afterEnd(lasted: 0, brought: false, retryAfter: 0.5) == 2)
  }
}

/// Secrets that a test changes.
final class RotatingSecrets: SecretReading {
  private let values: Mutex<[String: String]>
  let settings: Set<String>

  private let others: Value

  init(_ values: [String: String], beside others: Value = .map([:])) {
    self.others = others
    settings = Set(values.keys)
    self.values = Mutex(values)
  }

  func set(_ setting: String, _ value: String?) { values.withLock { $0[setting] = value } }
  func filledSettings() throws(PluginError) -> FilledSettings {
    FilledSettings(settings: others, secrets: values.withLock { Array($0.values) })
  }
  func read(_ setting: String) throws(PluginError) -> String? { values.withLock { $0[setting] } }
}

/// Secrets that nobody can read.
struct BrokenSecrets: SecretReading {
  let settings: Set = ["password"]

  func filledSettings() throws(PluginError) -> FilledSettings { FilledSettings(settings: .map([:]), secrets: []) }
  func read(_ setting: String) throws(PluginError) -> String? {
    throw PluginError(.secretUnavailable, LocalizedText(verbatim: "the vault is locked"))
  }
}

/// Counts events and lets a test wait for them.
final class Arrivals: Sendable {
  private let state = Mutex((count: 0, wanted: 0, waiter: nil as CheckedContinuation<Void, Never>?))

  var count: Int { state.withLock { $0.count } }

  func add() {
    let waiter = state.withLock { state in
      state.count += 1
      guard state.count >= state.wanted else { return nil as CheckedContinuation<Void, Never>? }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func wait(for count: Int) async {
    await withCheckedContinuation { waiter in
      let isThere = state.withLock { state in
        if state.count >= count { return true }
        state.wanted = count
        state.waiter = waiter
        return false
      }
      if isThere { waiter.resume() }
    }
  }
}

/// A clock on which short pauses are over at once; long ones, which bound what plugins may take, last.
struct JumpingTime: TimeSource {
  var now: Timestamp { SystemTime().now }
  var monotonic: Double { SystemTime().monotonic }
  func sleep(seconds: Double) async throws {
    if seconds > 3 { try await SystemTime().sleep(seconds: seconds) } else { await Task.yield() }
  }
}
