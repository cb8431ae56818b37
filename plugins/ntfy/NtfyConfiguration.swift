import PluginKit

/// What stands beside `plugin: ntfy` in sous.yaml.
public struct NtfyConfiguration: Decodable, Sendable {
  static let defaultURL = "https://ntfy.sh"

  var baseURL: String?
  var topic: String
  var token: String?
  var user: String?
  var password: String?
  var icon: String?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .required(
      "topic", .string("The topic that devices subscribe to; who knows its name can read it", minimumLength: 1)),
    .optional("base_url", .string("Where the server is", minimumLength: 1, default: defaultURL)),
    .optional("token", .string("An access token: tk_…", minimumLength: 1)),
    .optional("user", .string("Instead of a token, with 'password'", minimumLength: 1)),
    .optional("password", .string("The user's password", minimumLength: 1)),
    .optional("icon", .string("The URL of a picture that is shown beside", minimumLength: 1)),
    .optional("timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 600)))
}
