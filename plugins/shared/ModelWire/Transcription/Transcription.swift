public import PluginKit

/// `POST /audio/transcriptions`, as OpenAI describes it and others take it: a form goes out, JSON comes back. The server of
/// whisper.cpp takes the same form elsewhere.
public struct Transcription: Sendable {
  /// How a service wants to be asked for times.
  public enum Times: Sendable {
    /// `response_format=verbose_json`, which contains language and duration too.
    case verboseFormat
    /// `timestamp_granularities=segment`.
    case granularities
  }

  let service: ModelService
  let times: Times
  let path: String

  /// Prepares transcriptions by a service.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - times: How it wants to be asked for times.
  ///   - path: Where it takes recordings, behind its base URL.
  public init(service: ModelService, times: Times, path: String = "/audio/transcriptions") {
    self.service = service
    self.times = times
    self.path = path
  }

  /// Has a recording written down.
  ///
  /// - Returns: The output of `transcribe.audio`.
  /// - Throws: As reading the recording and asking the service do; `parse` for an answer without text.
  public func run(
    _ input: TranscriptionInput, model: String, context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    let recording = try await Recording(input, context: context)
    var form = MultipartForm()
    form.append("file", recording.bytes, filename: recording.name, contentType: recording.type)
    form.append("model", model)
    if let language = input.language { form.append("language", language) }
    if let prompt = input.prompt, !prompt.isEmpty { form.append("prompt", prompt) }
    if let temperature = input.temperature { form.append("temperature", String(temperature)) }
    let wantsTimes = input.segments ?? false
    switch times {
    case .verboseFormat: form.append("response_format", wantsTimes ? "verbose_json" : "json")
    case .granularities: if wantsTimes { form.append("timestamp_granularities", "segment") }
    }
    let request = HTTPRequest.form(form, to: service.baseURL + path, headers: service.headers)
    let response = try await service.send(request, model: model, context: context)
    return try output(of: try await service.json(response, model: model), model: model, wantsTimes: wantsTimes)
  }

  private func output(of value: JSONValue, model: String, wantsTimes: Bool) throws(ActionError) -> JSONValue {
    guard let text = value["text"]?.string else {
      throw ActionError(
        .parse, "\(service.host) sent a transcription without text.",
        german: "\(service.host) schickte eine Abschrift ohne Text.")
    }
    var members: JSONObject = [
      "text": .string(TranscriptMarks.removed(from: text)), "model": .string(value["model"]?.string ?? model),
    ]
    if let language = value["language"]?.string { members["language"] = .string(language) }
    if let duration = Self.seconds(value["duration"]) ?? Self.seconds(value["usage"]?["prompt_audio_seconds"]) {
      members["duration"] = .number(duration)
    }
    if wantsTimes, let segments = value["segments"]?.array {
      members["segments"] = .array(segments.compactMap(Self.segment))
    }
    return .object(members)
  }

  private static func segment(_ value: JSONValue) -> JSONValue? {
    guard let start = seconds(value["start"]), let end = seconds(value["end"]), let said = value["text"]?.string else {
      return nil
    }
    let text = TranscriptMarks.removed(from: said)
    // A segment with nothing but marks has no words.
    guard text == said || text.contains(where: { !$0.isWhitespace }) else { return nil }
    return ["start": .number(start), "end": .number(end), "text": .string(text)]
  }

  private static func seconds(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number): max(0, Double(number))
    case .number(let number): max(0, number)
    default: nil
    }
  }
}
