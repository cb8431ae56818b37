import Engine
import Expressions
import Localization
import RunStore
import TestWorkspace
import Testing

@testable import Providers
@testable import UseCases

/// `notify.send` without a provider: the inbox.
@Suite(.timeLimit(.minutes(5))) struct NotifyTests {
  @Test func withoutAProviderTheInboxGetsIt() async throws {
    let place = try Place()
    try place.write(
      "n.yaml",
      """
      name: hello
      steps:
        - id: tell
          uses: notify.send
          with: { title: T, text: "x {{ 1 + 1 }}", priority: high, tags: [a], link: "https://example.com", key: k }
      outputs: { duplicate: "{{ steps.tell.output.duplicate }}" }

      """)
    try await place.withSession { session in
      #expect(try await session.run("n.yaml").result.outputs["duplicate"] == false)
      #expect(try await session.run("n.yaml").result.outputs["duplicate"] == true)
      let notifications = try await session.store.notifications(limit: 10)
      let found = try #require(notifications.first)
      #expect(notifications.count == 1)
      #expect(found.recipe == "hello" && found.title == "T" && found.text == "x 2" && found.priority == .high)
      #expect(found.tags == ["a"] && found.link == "https://example.com" && found.provider == nil)
    }
    #expect(try await place.workspace.unreadNotifications() == 1)
    #expect(try await place.workspace.readNotification(1).readAt != nil)
    #expect(try await place.workspace.unreadNotifications() == 0)
    await #expect(throws: UseCaseError(.notFound, .init(verbatim: ""))) {
      try await place.workspace.readNotification(2)
    }
  }

  @Test func theInboxMayBeNamed() async throws {
    let place = try Place(configuration: "defaults: { notify: inbox }\n")
    try place.write(
      "n.yaml", "steps: [{ id: t, uses: notify.send, provider: inbox, with: { text: x } }]\n")
    try await place.withSession { session in
      let outcome = try await session.run("n.yaml")
      #expect(outcome.result.status == .succeeded)
      #expect(try await session.store.unreadNotifications() == 1)
    }
  }

  @Test func eachItemOfALoopIsOne() async throws {
    let place = try Place()
    try place.write(
      "n.yaml",
      """
      steps:
        - { id: t, for_each: "{{ ['a', 'b', 'a'] }}", uses: notify.send, with: { text: "{{ item }}", key: "k_{{ item }}" } }

      """)
    try await place.withSession { session in
      _ = try await session.run("n.yaml")
      #expect(try await session.store.notifications(limit: 10).map(\.text).sorted() == ["a", "b"])
    }
  }

  /// What is already in the inbox is what a lost attempt has done.
  @Test func aLostAttemptIsFound() async throws {
    let place = try Place()
    try await place.withSession { session in
      let provider = NotifyingProvider(inbox: session.store, name: "inbox", carrier: nil)
      let request = ActionRequest(
        run: RunID(rawValue: "01A"), step: "t", attempt: 1, action: "notify.send", input: ["text": "x"], key: "01A.t")
      #expect(try await provider.verify(request, reporter: Silence()) == .notDone)
      _ = try await provider.perform(request, reporter: Silence())
      #expect(try await provider.verify(request, reporter: Silence()) == .done(output: ["duplicate": false]))
    }
  }

  @Test func aProviderThatFailsLeavesItInTheInbox() async throws {
    let place = try Place()
    try await place.withSession { session in
      let carrier = Carrier()
      let provider = NotifyingProvider(inbox: session.store, name: "phone", carrier: carrier)
      var request = ActionRequest(
        run: RunID(rawValue: "01A"), step: "t", attempt: 1, action: "notify.send",
        input: ["text": "x", "key": "k"], key: "01A.t")
      await carrier.fail(true)
      await #expect(throws: ActionFailure.self) { try await provider.perform(request, reporter: Silence()) }
      #expect(try await session.store.notification(1)?.trouble?.english == "down")
      // The next attempt of the same step, then a later run with the same key.
      await carrier.fail(false)
      request.attempt = 2
      #expect(try await provider.perform(request, reporter: Silence())["id"] == "7")
      request.key = "01B.t"
      #expect(try await provider.perform(request, reporter: Silence())["duplicate"] == true)
      let found = try await session.store.notification(1)
      #expect(found?.deliveredAt != nil && found?.trouble == nil)
      // The key is dealt with before the provider gets it.
      #expect(await carrier.calls == [["text": "x"], ["text": "x"]])
      #expect(await carrier.keys == ["01A.t", "01A.t"])
    }
  }

  private struct Silence: ActionReporter {
    func log(_ level: LogLevel, _ message: String) {}
    func progress(done: UInt64, total: UInt64, label: String) {}
    func delta(_ delta: Value) {}
  }

  private actor Carrier: StepProvider {
    private(set) var calls: [Value] = []
    private(set) var keys: [String] = []
    private var isDown = false

    func fail(_ isDown: Bool) { self.isDown = isDown }

    func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
      calls.append(request.input)
      keys.append(request.key)
      guard !isDown else { throw ActionFailure(.refused, .init("down", de: "aus")) }
      return ["id": "7"]
    }

    func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
      .unknown
    }
  }
}
