public import Expressions
import Localization

/// The protocol between a client and this server: takes messages, returns actions; pure.
///
/// A version with a handshake keeps the features of the client here. In a version without one, each request has them.
public struct ProtocolSession: Sendable {
  /// A reaction to a message.
  public enum Action: Sendable {
    /// Send a message.
    case send(OutgoingMessage)
    /// Carry out a call, then give its outcome to ``finish(_:_:)``.
    case perform(AssistantCall)
    /// Stop the call with this serial number; it gets no answer.
    case cancel(Int)
    /// Hand the client's answer to the call that has asked.
    case answer(MessageID, Result<Value, IncomingMessage.ClientRefusal>)
  }

  /// The most calls at a time.
  public static let mostCalls = 64

  /// The facts about this server.
  public let facts: ServerFacts
  /// The version and the features of the client; `nil` before a handshake.
  public private(set) var handshake: (version: ProtocolVersion, features: ClientFeatures)?
  /// The serial numbers of the calls under way, by the ids of the client.
  private var open: [MessageID: Int] = [:]
  private var calls = 0
  private var asked: Set<MessageID> = []
  private var questions: Int64 = 0

  /// Creates a session.
  public init(_ facts: ServerFacts) { self.facts = facts }

  /// Takes a message.
  public mutating func receive(_ message: IncomingMessage) -> [Action] {
    switch message {
    case .invalid(let id, let error): return [.send(.error(id, error, in: facts.language))]
    case .response(let id, let result): return asked.remove(id) == nil ? [] : [.answer(id, result)]
    case .notification(let method, let params):
      guard method == "notifications/cancelled", let id = MessageID(params["requestId"]),
        let serial = open.removeValue(forKey: id)
      else { return [] }
      return [.cancel(serial)]
    case .request(let id, let method, let params):
      do throws(AssistantError) {
        return try request(id, method, params)
      } catch {
        return [.send(.error(id, error, in: facts.language))]
      }
    }
  }

  /// Makes the answer to a call.
  ///
  /// - Returns: `nil` for a call that was cancelled or abandoned, also if another one has its id now.
  public mutating func finish(
    _ call: AssistantCall, _ outcome: Result<ValueMap, AssistantError>
  ) -> OutgoingMessage? {
    guard open[call.id] == call.serial else { return nil }
    open[call.id] = nil
    switch outcome {
    case .success(let result):
      return .result(call.id, ResultForm.complete(result, of: call.method, call.version, facts))
    case .failure(let error): return .error(call.id, error, in: facts.language)
    }
  }

  /// Forgets a call whose client does not wait for the answer any more. Its id can be used again.
  mutating func abandon(_ call: AssistantCall) {
    if open[call.id] == call.serial { open[call.id] = nil }
  }

  /// Makes a request to the client, in versions that have them.
  mutating func ask(_ method: String, _ params: ValueMap) -> (id: MessageID, message: OutgoingMessage) {
    questions += 1
    let id = MessageID.text("sous-\(questions)")
    asked.insert(id)
    return (id, .request(id, method, params))
  }

  /// Forgets a request to the client: its answer does not matter any more.
  mutating func withdraw(_ id: MessageID) { asked.remove(id) }

  // MARK: - Requests

  private mutating func request(
    _ id: MessageID, _ method: String, _ params: ValueMap
  ) throws(AssistantError) -> [Action] {
    guard open[id] == nil else {
      throw .invalidRequest(
        "a request with this 'id' is still under way", de: "eine Anfrage mit diesem 'id' ist noch unterwegs")
    }
    if method == "initialize" { return [.send(.result(id, try initialize(params)))] }
    let (version, features) = try context(method, params)
    if method == "ping", !version.isStateless { return [.send(.result(id, [:]))] }
    if method == "server/discover" { return [.send(.result(id, discovery))] }
    guard Self.methods(of: version, facts).contains(method) else {
      throw AssistantError(
        .unknownMethod, .unknownMethod, "version \(version.rawValue) has no method '\(method)' here",
        de: "Version \(version.rawValue) hat hier keine Methode '\(method)'")
    }
    if version.isStateless, method.hasPrefix("tasks/"), !features.knowsTasks { throw Self.needsTasks }
    guard open.count < Self.mostCalls else {
      throw AssistantError(
        .tooManyCalls, .internalError, "more than \(Self.mostCalls) calls at a time; wait for an answer first",
        de: "mehr als \(Self.mostCalls) Aufrufe zugleich; zuerst eine Antwort abwarten")
    }
    calls += 1
    open[id] = calls
    return [
      .perform(
        AssistantCall(id: id, serial: calls, method: method, params: params, version: version, features: features))
    ]
  }

  /// The version and the features with which a request is answered.
  private func context(
    _ method: String, _ params: ValueMap
  ) throws(AssistantError) -> (ProtocolVersion, ClientFeatures) {
    let meta = params["_meta"]
    guard meta?[MetaKey.version] != nil || meta?[MetaKey.capabilities] != nil || method == "server/discover" else {
      if let handshake { return handshake }
      if method == "ping" { return (.newestHandshake, ClientFeatures()) }
      throw .invalidRequest(
        "send 'initialize' first, or the version of the protocol in '_meta' (\(ProtocolVersion.july2026.rawValue))",
        de:
          "zuerst 'initialize' senden, oder die Version des Protokolls in '_meta' (\(ProtocolVersion.july2026.rawValue))"
      )
    }
    guard let version = meta?[MetaKey.version]?.stringValue, let capabilities = meta?[MetaKey.capabilities],
      capabilities.mapValue != nil
    else {
      throw .invalidParameters(
        "'_meta' needs '\(MetaKey.version)' (a text) and '\(MetaKey.capabilities)' (an object)",
        de: "'_meta' braucht '\(MetaKey.version)' (ein Text) und '\(MetaKey.capabilities)' (ein Objekt)")
    }
    guard let known = ProtocolVersion(rawValue: version), known.isStateless else {
      throw Self.unsupported(version)
    }
    return (known, ClientFeatures(capabilities))
  }

  private mutating func initialize(_ params: ValueMap) throws(AssistantError) -> ValueMap {
    guard let wanted = params["protocolVersion"]?.stringValue, params["capabilities"]?.mapValue != nil else {
      throw .invalidParameters(
        "'initialize' needs 'protocolVersion' and 'capabilities'",
        de: "'initialize' braucht 'protocolVersion' und 'capabilities'")
    }
    let known = ProtocolVersion(rawValue: wanted).flatMap { $0.isStateless ? nil : $0 }
    let version = known ?? .newestHandshake
    handshake = (version, ClientFeatures(params["capabilities"]))
    return [
      "protocolVersion": .string(version.rawValue), "capabilities": facts.capabilities(version),
      "serverInfo": facts.identity, "instructions": facts.instructions,
    ]
  }

  private var discovery: ValueMap {
    ResultForm.complete(
      [
        "supportedVersions": .list(ProtocolVersion.supported.map { .string($0) }),
        "capabilities": facts.capabilities(.july2026), "instructions": facts.instructions,
      ], of: "server/discover", .july2026, facts)
  }

  private static func methods(of version: ProtocolVersion, _ facts: ServerFacts) -> Set<String> {
    var methods: Set = ["tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read"]
    if version.isStateless {
      methods.formUnion(["subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"])
    } else {
      if facts.pushes { methods.formUnion(["resources/subscribe", "resources/unsubscribe"]) }
      if version.hasRequestedTasks { methods.formUnion(["tasks/get", "tasks/result", "tasks/cancel"]) }
    }
    return methods
  }

  // MARK: - Errors

  /// A version that is not supported.
  public static func unsupported(_ version: String) -> AssistantError {
    AssistantError(
      .unsupportedVersion, .unsupportedVersion, "version '\(version.prefix(50))' of the protocol is not supported",
      de: "Version '\(version.prefix(50))' des Protokolls wird nicht unterstützt",
      data: [
        "supported": .list(ProtocolVersion.supported.map { .string($0) }),
        "requested": .string(String(version.prefix(50))),
      ])
  }

  private static let needsTasks = AssistantError(
    .missingCapability, .missingCapability, "the client must declare the extension \(ClientFeatures.tasks)",
    de: "der Client muss die Erweiterung \(ClientFeatures.tasks) angeben",
    data: ["requiredCapabilities": ["extensions": [ClientFeatures.tasks: [:]]]])
}
