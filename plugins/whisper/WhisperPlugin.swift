import ModelWire
public import PluginKit

/// Speech as text by a server of your own: that of whisper.cpp, and every one with its `POST /inference`.
///
/// See https://github.com/ggml-org/whisper.cpp/tree/master/examples/server: a form with `file`, `temperature`,
/// `response_format`, `language` and `prompt` goes out, JSON with `text` comes back.
public struct WhisperPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "whisper", version: "1.0.0", summary: "Speech as text by a server of whisper.cpp",
      summaryGerman: "Sprache als Text durch einen Server von whisper.cpp", contracts: ["transcribe/1"],
      configuration: WhisperConfiguration.schema, hosts: ["localhost", "{base_url}"], secrets: ["api_key"], files: [])
  }

  private static let defaultURL = "http://localhost:8080"
  private let configuration: WhisperConfiguration
  private let service: ModelService

  /// Reads the settings; touches no network.
  ///
  /// - Throws: `invalid_input` where `base_url` is no URL.
  public init(configuration: WhisperConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    var headers = HTTPHeaders()
    if let key = configuration.apiKey { headers.add("authorization", "Bearer \(key)") }
    service = try ModelService(
      baseURL: configuration.baseURL ?? Self.defaultURL, headers: headers, provider: context.provider,
      secrets: [configuration.apiKey].compactMap { $0 }, timeout: configuration.timeout ?? 3600)
  }

  /// What the plugin can do.
  public static var actions: ActionList<WhisperPlugin> {
    Action(
      "transcribe.audio", effect: .read, costly: true, summary: "Writes down what is said in a recording",
      summaryGerman: "Schreibt auf, was in einer Aufnahme gesagt wird", input: TranscriptionInput.self,
      output: JSONValue.self
    ) { plugin, input, context in try await plugin.transcribe(input, context) }
  }

  private func transcribe(_ input: TranscriptionInput, _ context: ActionContext) async throws(ActionError) -> JSONValue
  {
    var input = input
    input.language = input.language ?? configuration.language
    let transcription = Transcription(
      service: service, times: .verboseFormat, path: configuration.path ?? "/inference")
    let output = try await transcription.run(
      input, model: input.model ?? configuration.model ?? "whisper", context: context)
    guard var members = output.object, let text = members["text"]?.string else { return output }
    members["text"] = .string(Self.cleaned(text))
    return .object(members)
  }

  /// The words without blanks around their lines.
  static func cleaned(_ text: String) -> String {
    let lines = text.split(separator: "\n").map { line -> Substring in
      var line = line.drop(while: \.isWhitespace)
      while line.last?.isWhitespace == true { line.removeLast() }
      return line
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

/// What stands beside `plugin: whisper` in sous.yaml.
public struct WhisperConfiguration: Decodable, Sendable {
  var baseURL: String?
  var path: String?
  var model: String?
  var language: String?
  var apiKey: String?
  var timeout: Double?

  static let schema = JSONSchema.object(
    .optional("base_url", .string("Where the server is", minimumLength: 1, default: "http://localhost:8080")),
    .optional("path", .string("Where it takes recordings", minimumLength: 1, default: "/inference")),
    .optional("model", .string("What the model is called in outputs; the server has its own", minimumLength: 1)),
    .optional("language", .string("ISO 639 code of what is spoken, where a step says nothing", minimumLength: 2)),
    .optional("api_key", .string("The key of a server that wants one", minimumLength: 1)),
    .optional(
      "timeout",
      .number("Seconds of silence after which a request is given up; by default 3600", minimum: 1, maximum: 86_400)))
}
