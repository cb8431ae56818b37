import PluginKit

/// What stands beside `plugin: readeck` in sous.yaml.
public struct ReadeckConfiguration: Decodable, Sendable {
  var baseURL: String
  var token: String
  var timeout: Double?

  static let schema = JSONSchema.object(
    .required("base_url", .string("Where the server is: https://read.example.com", minimumLength: 1)),
    .required("token", .string("An API token, from Profile > API tokens", minimumLength: 1)),
    .optional("timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 600)))
}
