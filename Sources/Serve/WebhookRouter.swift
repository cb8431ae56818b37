import Engine
import Expressions
import Foundation
import Localization
import Networking
import Plans
import Synchronization
import UseCases

/// Takes the requests of other programs and hands them to the triggers that wait for them.
public final class WebhookRouter: Sendable {
  /// A trigger that waits for requests.
  struct Hook: Sendable {
    let check: WebhookCheck
    /// Begins a run: what names the event, and the event.
    let begin: @Sendable (String, Value) async throws -> EventOutcome
    /// Counts a request that is refused.
    var refuse: @Sendable () -> Void = {}
  }

  private struct State {
    var hooks: [String: Hook] = [:]
    /// The names that served recipes have.
    var expected: Set<String> = []
    var rates: [String: RequestRate] = [:]
  }

  /// What the paths of webhooks begin with.
  public static let prefix = "/hooks/"

  private let state = Mutex(State())
  private let time = SystemTime()

  /// Sets the webhook names of the served recipes. While no trigger waits under such a name, its requests get 503 with
  /// `Retry-After`, not 404.
  func expect(_ names: Set<String>) { state.withLock { $0.expected = names } }

  /// Lets a trigger wait; `false` where another one waits under its name.
  func add(_ hook: Hook) -> Bool {
    state.withLock { state in
      let name = hook.check.webhook.name
      guard state.hooks[name] == nil else { return false }
      state.hooks[name] = hook
      return true
    }
  }

  /// Lets a trigger wait no longer.
  func remove(_ name: String) { state.withLock { $0.hooks[name] = nil } }

  /// Looks at a request before its body comes.
  ///
  /// - Returns: How many bytes the body may have, or an answer that needs no body.
  public func admit(_ request: IncomingRequest) -> Result<Int, RefusedRequest> {
    let now = time.monotonic
    return state.withLock { state in
      guard let name = Self.name(request), let hook = state.hooks[name] else {
        return .failure(RefusedRequest(Self.absence(request, state)))
      }
      guard request.method == "POST" else {
        return .failure(RefusedRequest(.error(405, "use POST", [("Allow", "POST")])))
      }
      guard state.rates[name, default: RequestRate()].take(at: now) else {
        hook.refuse()
        return .failure(RefusedRequest(.error(429, "too many requests", [("Retry-After", "1")])))
      }
      return .success(hook.check.webhook.limit)
    }
  }

  /// Answers a request; what is accepted is on the disk by then.
  public func answer(_ request: IncomingRequest) async -> OutgoingAnswer {
    guard let name = Self.name(request), let hook = state.withLock({ $0.hooks[name] }) else {
      return state.withLock { Self.absence(request, $0) }
    }
    let answer = await answer(request, name, hook)
    if (400..<500).contains(answer.status) { hook.refuse() }
    return answer
  }

  private func answer(_ request: IncomingRequest, _ name: String, _ hook: Hook) async -> OutgoingAnswer {
    let now = Double(time.now.seconds)
    let id: String
    switch hook.check.check(request, at: now) {
    case .refused: return .error(401, "not authorised", [("WWW-Authenticate", "Bearer")])
    case .outOfTime: return .error(401, "the signed time is too far from the clock")
    case .genuine(let name): id = name ?? UUID().uuidString
    }
    guard let event = request.event(name) else { return .error(400, "the body is no JSON") }
    do {
      switch try await hook.begin(id, event) {
      case .began(let run): return .value(202, ["run": .string(run.rawValue)])
      case .leftOut: return .value(202, ["run": .null])
      case .known: return .value(200, ["duplicate": true])
      case .unusable: return .error(422, "the recipe cannot start with this")
      }
    } catch {
      return .error(503, "not accepted, try again", [("Retry-After", "10")])
    }
  }

  /// The answer where nobody waits for a request.
  private static func absence(_ request: IncomingRequest, _ state: State) -> OutgoingAnswer {
    guard let name = Self.name(request), state.expected.contains(name) else { return .error(404, "unknown") }
    return .error(503, "not accepted now, try again", [("Retry-After", "10")])
  }

  private static func name(_ request: IncomingRequest) -> String? {
    request.path.hasPrefix(prefix) ? String(request.path.dropFirst(prefix.count)) : nil
  }
}

/// How many requests are taken: up to 50 a second for long, 200 at once.
struct RequestRate: Sendable {
  private static let perSecond = 50.0
  private static let burst = 200.0

  private var left = Self.burst
  private var last: Double?

  /// Takes a request; `false` where there are too many.
  mutating func take(at monotonic: Double) -> Bool {
    left = min(Self.burst, left + max(0, monotonic - (last ?? monotonic)) * Self.perSecond)
    last = monotonic
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}

extension OutgoingAnswer {
  fileprivate static func value(_ status: Int, _ value: ValueMap) -> OutgoingAnswer {
    OutgoingAnswer(status, body: Array(Value.map(value).jsonString.utf8))
  }

  fileprivate static func error(_ status: Int, _ text: String, _ fields: [(name: String, value: String)] = [])
    -> OutgoingAnswer
  {
    OutgoingAnswer(status, body: Array(Value.map(["error": .string(text)]).jsonString.utf8), fields: fields)
  }
}

extension IncomingRequest {
  /// Fields of the header that a run does not see, as they show that a request is genuine.
  private static let secretFields: Set<String> = [
    "authorization", "cookie", "proxy-authorization", "x-hub-signature", "x-hub-signature-256", "webhook-signature",
  ]

  /// The request as a run sees it; `nil` where the body is not what its type says.
  fileprivate func event(_ name: String) -> Value? {
    var headers = ValueMap()
    for (name, value) in fields.prefix(100) where !Self.secretFields.contains(name) {
      headers[name] = .string(value)
    }
    let content: Value
    if field("content-type")?.lowercased().contains("json") == true {
      guard let value = try? Value(json: body) else { return nil }
      content = value
    } else {
      content = .string(String(decoding: body, as: UTF8.self))
    }
    return [
      "type": "webhook", "name": .string(name), "query": .string(query), "headers": .map(headers), "body": content,
    ]
  }
}

extension TriggerWatch {
  /// Takes requests until the task is cancelled.
  func takeRequests(_ webhook: Webhook) async throws {
    let secret = Array(try session.project.secrets.value(named: webhook.secret).utf8)
    guard !secret.isEmpty else {
      throw UseCaseError.wrongInput(
        .init("the secret '\(webhook.secret)' is empty", de: "das Geheimnis '\(webhook.secret)' ist leer"))
    }
    let router = try await server.openRouter()
    let check = WebhookCheck(webhook: webhook, secret: secret)
    let hook = WebhookRouter.Hook(
      check: check, begin: { [self] id, event in try await begin(id, event, since: time.monotonic) },
      refuse: { [health] in health.refuse() })
    guard router.add(hook) else {
      throw UseCaseError.wrongInput(
        .init(
          "another recipe has the webhook '\(webhook.name)'", de: "ein anderes Rezept hat den Webhook '\(webhook.name)'"
        ))
    }
    defer { router.remove(webhook.name) }
    health.recover()
    await watches()
    while true { try await time.sleep(seconds: 3600) }
  }
}
