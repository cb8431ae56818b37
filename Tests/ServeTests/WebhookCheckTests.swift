import Foundation
import Hashing
import Synchronization
import Testing

@testable import Networking
@testable import Plans
@testable import Serve
@testable import UseCases

@Suite struct WebhookCheckTests {
  private func request(_ fields: [(name: String, value: String)], _ body: String = "") -> IncomingRequest {
    IncomingRequest(method: "POST", path: "/hooks/a", query: "", fields: fields, body: Array(body.utf8))
  }

  private func check(_ signature: Webhook.Signature, _ secret: String) -> WebhookCheck {
    var webhook = Webhook(name: "a", secret: "S")
    webhook.signature = signature
    return WebhookCheck(webhook: webhook, secret: Array(secret.utf8))
  }

  @Test(arguments: [
    ("Bearer right", true), ("bearer right", true), ("Bearer wrong", false), ("Bearer ", false), ("right", false),
    ("Bearer right2", false), ("Basic right", false),
  ])
  func theSecretIsAskedFor(field: String, isGenuine: Bool) {
    let answer = check(.bearer, "right").check(request([("authorization", field)]), at: 0)
    #expect(answer == (isGenuine ? .genuine(nil) : .refused))
  }

  @Test func nothingIsGenuineWithoutASecret() {
    #expect(check(.bearer, "").check(request([("authorization", "Bearer ")]), at: 0) == .refused)
    #expect(check(.bearer, "x").check(request([]), at: 0) == .refused)
  }

  @Test func theSenderCanNameWhatItSends() {
    let named = request([("authorization", "Bearer s"), ("idempotency-key", "42")])
    #expect(check(.bearer, "s").check(named, at: 0) == .genuine("42"))
    // A long name counts as well, and no other one is the same.
    let long = ["x", "x", "y"].map { end in
      let name = String(repeating: "x", count: 500) + end
      return check(.bearer, "s").check(request([("authorization", "Bearer s"), ("idempotency-key", name)]), at: 0)
    }
    #expect(long[0] == long[1] && long[0] != long[2])
    #expect(long[0] != .genuine(nil) && long[0] != .refused)
  }

  /// The example of GitHub's documentation, "Validating webhook deliveries".
  @Test func theExampleOfGitHubIsGenuine() {
    let code = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    let check = check(.github, "It's a Secret to Everybody")
    #expect(
      check.check(request([("x-hub-signature-256", "sha256=\(code)")], "Hello, World!"), at: 0) == .genuine(code))
    #expect(check.check(request([("x-hub-signature-256", "sha256=\(code)")], "Hello, World"), at: 0) == .refused)
    #expect(check.check(request([("x-hub-signature-256", code)], "Hello, World!"), at: 0) == .refused)
    // Another name of the delivery does not make another event of it.
    let again = request([("x-hub-signature-256", "sha256=\(code)"), ("x-github-delivery", "2")], "Hello, World!")
    #expect(check.check(again, at: 0) == .genuine(code))
  }

  @Test func everyDifferenceIsSeen() {
    let text = Array(0..<32 as Range<UInt8>)
    #expect(MessageAuthentication.areEqual(text, text))
    for place in text.indices {
      for bit in 0..<8 {
        var other = text
        other[place] ^= 1 << UInt8(bit)
        #expect(!MessageAuthentication.areEqual(text, other), "byte \(place), bit \(bit)")
      }
    }
    #expect(!MessageAuthentication.areEqual(text, Array(text.dropLast())))
  }

  /// The example of the specification of Standard Webhooks.
  @Test func theExampleOfStandardWebhooksIsGenuineForSomeMinutes() {
    let check = check(.standard, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let body = #"{"test": 2432232314}"#
    let fields = [
      (name: "webhook-id", value: "msg_p5jXN8AQM9LWM0D4loKWxJek"), (name: "webhook-timestamp", value: "1614265330"),
      (name: "webhook-signature", value: "v1,bm90 v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    ]
    let genuine = check.check(request(fields, body), at: 1_614_265_330)
    #expect(genuine == .genuine("msg_p5jXN8AQM9LWM0D4loKWxJek"))
    #expect(check.check(request(fields, body), at: 1_614_265_330 + 299) == genuine)
    #expect(check.check(request(fields, body), at: 1_614_265_330 + 301) == .outOfTime)
    #expect(check.check(request(fields, body), at: 1_614_265_330 - 301) == .outOfTime)
    #expect(check.check(request(fields, body + " "), at: 1_614_265_330) == .refused)
    var other = fields
    other[0].value = "msg_other"
    #expect(check.check(request(other, body), at: 1_614_265_330) == .refused)
    other = fields
    other[1].value = "nan"
    #expect(check.check(request(other, body), at: 1_614_265_330) == .refused)
  }

  @Test func requestsAreTakenUpToARate() {
    var rate = RequestRate()
    #expect((0..<1000).count { _ in rate.take(at: 5) } == 200)
    #expect((0..<1000).count { _ in rate.take(at: 6) } == 50)
    // A clock that goes back gives nothing.
    let isTaken = rate.take(at: 1)
    #expect(!isTaken)
    #expect((0..<1000).count { _ in rate.take(at: 1e9) } == 200)
  }

  @Test func refusedRequestsAreCounted() async {
    let router = WebhookRouter()
    let refused = Mutex(0)
    let hook = WebhookRouter.Hook(
      check: check(.bearer, "s"), begin: { _, _ in .leftOut }, refuse: { refused.withLock { $0 += 1 } })
    #expect(router.add(hook))
    let right = await router.answer(request([("authorization", "Bearer s")], "x"))
    let wrong = await router.answer(request([("authorization", "Bearer t")], "x"))
    #expect(right.status == 202 && wrong.status == 401 && refused.withLock { $0 } == 1)
  }

  @Test func aRouterAsksForWhatItKnows() {
    let router = WebhookRouter()
    let hook = WebhookRouter.Hook(check: check(.bearer, "s")) { _, _ in .leftOut }
    #expect(router.add(hook))
    #expect(!router.add(hook))
    func status(_ method: String, _ path: String) -> Int {
      switch router.admit(IncomingRequest(method: method, path: path, query: "", fields: [])) {
      case .success: 0
      case .failure(let refusal): refusal.answer.status
      }
    }
    #expect(status("POST", "/hooks/a") == 0)
    #expect(status("GET", "/hooks/a") == 405)
    #expect(status("POST", "/hooks/b") == 404 && status("POST", "/a") == 404 && status("GET", "/") == 404)
    #expect((0..<300).contains { _ in status("POST", "/hooks/a") == 429 })
    router.remove("a")
    #expect(status("POST", "/hooks/a") == 404)
    // A recipe has it, and just now nobody waits for it: the sender is to try again.
    router.expect(["a"])
    #expect(status("POST", "/hooks/a") == 503)
    #expect(router.add(hook))
    router.expect([])
    router.remove("a")
    #expect(status("POST", "/hooks/a") == 404)
  }
}
