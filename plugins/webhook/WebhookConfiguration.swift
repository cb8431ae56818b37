import PluginKit

/// What stands beside `plugin: webhook` in sous.yaml.
public struct WebhookConfiguration: Decodable, Sendable {
  var url: String
  var secret: String?
  var token: String?
  var body: JSONValue?
  var headers: [String: String]?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .required("url", .string("Where to send to", minimumLength: 1)),
    .optional("secret", .string("What requests are signed with", minimumLength: 1)),
    .optional("token", .string("Sent as 'Authorization: Bearer'", minimumLength: 1)),
    .optional(
      "body",
      .map(
        of: .any(), "What is sent, as JSON; {title}, {text}, {priority}, {tags}, {link}, {key} in texts are filled in")),
    .optional("headers", .map(of: .string(), "Further header fields")),
    .optional("timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 600)))
}
