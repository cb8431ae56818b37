import FoundationEssentials
public import PluginKit

/// Notifications on phones and desktops by a server of ntfy: `notify`.
public struct NtfyPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "ntfy", version: "1.0.0", summary: "Notifications on phones and desktops by ntfy",
      summaryGerman: "Benachrichtigungen auf Telefon und Desktop über ntfy", contracts: ["notify/1"],
      configuration: NtfyConfiguration.schema, hosts: ["ntfy.sh", "{base_url}"], secrets: ["token", "password"],
      files: [])
  }

  private static let defaultTimeout = 30.0
  /// Answers and lists of messages may be this large, in bytes.
  private static let largestAnswer = 4 << 20

  private let configuration: NtfyConfiguration
  private let url: String
  private let headers: HTTPHeaders

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where a setting is of no use.
  public init(configuration: NtfyConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    guard configuration.topic.utf8.allSatisfy(Self.isTopicByte), (1...64).contains(configuration.topic.utf8.count)
    else {
      throw ActionError(
        .invalidInput,
        "The topic '\(configuration.topic)' has other characters than A-Z, a-z, 0-9, - and _, or is too long.",
        german: "Das Topic '\(configuration.topic)' hat andere Zeichen als A-Z, a-z, 0-9, - und _, oder ist zu lang.")
    }
    guard (configuration.user == nil) == (configuration.password == nil),
      configuration.user == nil || configuration.token == nil
    else {
      throw ActionError(
        .invalidInput, "Signing in takes a 'token', or 'user' and 'password'.",
        german: "Zum Anmelden braucht es ein 'token', oder 'user' und 'password'.")
    }
    var url = configuration.baseURL ?? NtfyConfiguration.defaultURL
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
    var headers: HTTPHeaders = [:]
    if let token = configuration.token {
      headers.add("authorization", "Bearer \(token)")
    } else if let user = configuration.user, let password = configuration.password {
      // RFC 7617.
      headers.add("authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
    self.headers = headers
  }

  /// What the plugin can do.
  public static var actions: ActionList<NtfyPlugin> {
    Action(
      "notify.send", effect: .once, summary: "Sends a notification", summaryGerman: "Schickt eine Benachrichtigung",
      input: Notification.self, output: JSONValue.self
    ) { plugin, notification, context in
      try await plugin.send(notification, context)
    }.verifying { plugin, notification, context in
      try await plugin.verify(notification, context)
    }
  }

  private func send(_ notification: Notification, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let message = notification.message(
      to: configuration.topic, sequence: Self.sequence(of: context.key), icon: configuration.icon)
    var request = try HTTPRequest.json(JSONValue.object(message), to: url + "/", headers: headers)
    request.idleTimeout = timeout
    request.responseLimit = Self.largestAnswer
    // A redirect would become a GET, which publishes nothing.
    request.keepsRedirects = true
    let answer = try await checked(try await context.http.send(request), context)
    let value: JSONValue = try await answer.json(upTo: Self.largestAnswer)
    guard value["event"]?.string == "message", let id = value["id"]?.string else {
      throw ActionError(
        .protocol, "The server sent no message of ntfy back.",
        german: "Der Server schickte keine Nachricht von ntfy zurück.",
        advice: "Check that 'base_url' is that of an ntfy server.",
        adviceGerman: "Prüfen, ob 'base_url' die eines ntfy-Servers ist.")
    }
    return ["id": .string(id)]
  }

  /// Looks for the message among those that the server keeps: twelve hours, as it comes.
  private func verify(
    _ notification: Notification, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    var request = HTTPRequest(
      url: "\(url)/\(configuration.topic)/json", query: ["poll": "1", "since": "all"], headers: headers)
    request.idleTimeout = timeout
    request.responseLimit = Self.largestAnswer
    let answer: HTTPResponse
    do throws(ActionError) {
      answer = try await checked(try await context.http.send(request), context)
    } catch {
      // A token that may write need not be one that may read.
      if error.kind == .auth { return .unknown }
      throw error
    }
    let sequence = Self.sequence(of: context.key)
    var isSimilarThere = false
    for try await line in answer.body.lines() {
      guard let message = try? JSONValue(json: Array(line.utf8)), message["event"]?.string == "message" else {
        continue
      }
      if message["sequence_id"]?.string == sequence, let id = message["id"]?.string {
        return .done(["id": .string(id)])
      }
      // Servers before 2.16 know no names of messages.
      if message["message"]?.string == notification.shortText,
        message["title"]?.string ?? "" == notification.title ?? "",
        message["sequence_id"] == nil || message["sequence_id"] == message["id"]
      {
        isSimilarThere = true
      }
    }
    return isSimilarThere ? .unknown : .notDone
  }

  private var timeout: Duration {
    .milliseconds(Int64(min(max(configuration.timeout ?? Self.defaultTimeout, 1), 600) * 1000))
  }

  /// The response itself, where its status is one of success.
  private func checked(_ response: HTTPResponse, _ context: ActionContext) async throws(ActionError) -> HTTPResponse {
    guard !response.isSuccess else { return response }
    let body = (try? await response.body.collect(upTo: 64 << 10)) ?? []
    let failure = try? JSONValue(json: body)
    var error = ActionError(
      status: response.status, headers: response.headers, detail: failure?["error"]?.string, now: context.clock)
    if (300..<400).contains(response.status) {
      error.advice = "Set 'base_url' to the address that the server redirects to."
      error.adviceGerman = "'base_url' auf die Adresse setzen, auf die der Server umleitet."
    }
    // The messages of the day are used up: https://docs.ntfy.sh/publish/#limitations.
    if failure?["code"]?.integer == Self.dailyLimit { error.kind = .quota }
    throw error
  }

  private static let dailyLimit: Int64 = 42908

  /// The name of a message, from the key of its step: letters and digits, as a topic.
  static func sequence(of key: String) -> String {
    String(decoding: key.utf8.map { isTopicByte($0) ? $0 : UInt8(ascii: "_") }.suffix(64), as: UTF8.self)
  }

  private static func isTopicByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
