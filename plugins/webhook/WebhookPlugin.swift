import FoundationEssentials
public import PluginKit

/// Notifications as signed HTTP requests: `notify`.
public struct WebhookPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "webhook", version: "1.0.0", summary: "Notifications as signed HTTP requests",
      summaryGerman: "Benachrichtigungen als unterschriebene HTTP-Anfragen", contracts: ["notify/1"],
      configuration: WebhookConfiguration.schema, hosts: ["{url}"], secrets: ["secret", "token"], files: [])
  }

  private static let defaultTimeout = 30.0
  private static let largestAnswer = 1 << 20
  /// Fields that are no setting's business.
  private static let ownFields: Set<String> = [
    "content-length", "content-type", "host", "transfer-encoding", "connection", "idempotency-key", "authorization",
  ]

  private let configuration: WebhookConfiguration
  private let context: PluginContext

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where a setting is of no use.
  public init(configuration: WebhookConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    self.context = context
    let lowered = configuration.url.lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else {
      throw ActionError(
        .invalidInput, "'url' is no http or https URL.", german: "'url' ist keine http- oder https-URL.")
    }
    for name in (configuration.headers ?? [:]).keys where Self.ownFields.contains(name.lowercased()) {
      throw ActionError(
        .invalidInput, "The header field '\(name)' cannot be set.",
        german: "Die Kopfzeile '\(name)' lässt sich nicht setzen.")
    }
  }

  /// What the plugin can do.
  public static var actions: ActionList<WebhookPlugin> {
    Action(
      "notify.send", effect: .once, summary: "Sends a notification", summaryGerman: "Schickt eine Benachrichtigung",
      input: Notification.self, output: JSONValue.self
    ) { plugin, notification, context in
      try await plugin.send(notification, context)
    }.verifying { _, _, _ in
      // The receiver knows the notification by its key.
      .notDone
    }
  }

  private func send(_ notification: Notification, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let content =
      configuration.body.map { notification.filled($0, key: context.key) } ?? notification.body(key: context.key)
    var request = try HTTPRequest.json(content, to: configuration.url)
    for (name, value) in (configuration.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      request.headers.add(name, value)
    }
    request.headers.add("idempotency-key", context.key)
    if let token = configuration.token { request.headers.add("authorization", "Bearer \(token)") }
    if let secret = configuration.secret {
      let time = Int64(context.clock.now.timeIntervalSince1970)
      // Full stops part what is signed.
      let id = context.key.replacing(".", with: "_")
      for (name, value) in try Signature(secret: secret).headers(request.body, id: id, time: time) {
        request.headers.add(name, value)
      }
    }
    let seconds = min(max(configuration.timeout ?? Self.defaultTimeout, 1), 600)
    request.idleTimeout = .milliseconds(Int64(seconds * 1000))
    request.responseLimit = Self.largestAnswer
    // A redirect would become a GET, or carry the signature elsewhere.
    request.keepsRedirects = true
    let response = try await context.http.send(request)
    _ = try response.checked(now: context.clock)
    return [:]
  }
}
