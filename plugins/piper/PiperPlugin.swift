import ModelWire
public import PluginKit

/// Text as speech by a server of your own: that of Piper.
///
/// See https://github.com/OHF-Voice/piper1-gpl/blob/main/docs/API_HTTP.md: JSON with `text` goes out, a WAV file comes back.
public struct PiperPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "piper", version: "1.0.0", summary: "Text as speech by a server of Piper",
      summaryGerman: "Text als Sprache durch einen Server von Piper", contracts: ["speak/1"],
      configuration: PiperConfiguration.schema, hosts: ["localhost", "{base_url}"], files: [])
  }

  /// The largest recording that is taken, in bytes.
  static let maximumSize = 256 << 20
  private let configuration: PiperConfiguration
  private let service: ModelService

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: PiperConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    service = try ModelService(
      baseURL: configuration.baseURL ?? "http://localhost:5000", provider: context.provider,
      timeout: configuration.timeout ?? 300)
  }

  /// What the plugin can do.
  public static var actions: ActionList<PiperPlugin> {
    Action(
      "speak.text", effect: .read, costly: true, summary: "Speaks a text", summaryGerman: "Spricht einen Text",
      input: SpeechInput.self, output: JSONValue.self
    ) { plugin, input, context in try await plugin.speak(input, context) }
  }

  private func speak(_ input: SpeechInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    var body: JSONObject = ["text": .string(input.text)]
    let voice = input.voice ?? configuration.voice
    if let voice { body["voice"] = .string(voice) }
    // Piper counts how long sounds last: the inverse of speed.
    if let speed = input.speed, speed > 0 { body["length_scale"] = .number(1 / speed) }
    let response = try await service.send("/", .object(body), model: voice, context: context)
    let bytes = try await response.body.collect(upTo: Self.maximumSize)
    guard bytes.starts(with: Array("RIFF".utf8)) else {
      throw ActionError(
        .protocol, "\(service.host) sent no recording in the format WAV.",
        german: "\(service.host) schickte keine Aufnahme im Format WAV.")
    }
    let audio = try await context.blobs.write(bytes)
    var output: JSONObject = ["audio": .string(audio.name), "type": "audio/wav"]
    if let voice { output["voice"] = .string(voice) }
    return .object(output)
  }
}

/// What stands beside `plugin: piper` in sous.yaml.
public struct PiperConfiguration: Decodable, Sendable {
  var baseURL: String?
  var voice: String?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .optional("base_url", .string("Where the server is", minimumLength: 1, default: "http://localhost:5000")),
    .optional("voice", .string("The voice, where a step says nothing; the server's own without it", minimumLength: 1)),
    .optional("timeout", .number("Seconds of silence after which a request is given up", minimum: 1, maximum: 86_400)))
}

/// The input of `speak.text`, as the contract defines it.
struct SpeechInput: Decodable, Sendable {
  var text: String
  var voice: String?
  var speed: Double?
}
