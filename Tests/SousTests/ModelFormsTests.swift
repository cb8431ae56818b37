import Expressions
import Foundation
import TestSupport
import Testing

/// Chat steps against servers in the forms that services of language models have: the right value, or `unsuitable`, never a
/// value of a wrong type.
@Suite(.enabled(if: ModelForms.python != nil, "python3 is not installed"), .timeLimit(.minutes(10)))
struct ModelFormsTests {
  static let forms = ["openai", "object", "ignores", "limit", "think", "mistral", "ollama", "stubborn"]

  private func project(_ form: String, _ input: String) throws -> (SousProcess, ModelForms) {
    var sous = try SousProcess()
    sous.environment["KEY"] = "k"
    let server = try ModelForms(sous.folder)
    let plugin = ["mistral", "ollama"].contains(form) ? form : "openai"
    let url = "http://127.0.0.1:\(server.port)/\(form)\(plugin == "ollama" ? "" : "/v1")"
    try sous.write(
      "sous.yaml",
      "providers: { it: { plugin: \(plugin), base_url: \"\(url)\", model: m, api_key: { secret: KEY }, temperature: 0.5 } }\n"
    )
    try sous.write(
      "echo.yaml",
      """
      description: Echoes
      inputs: { text: { type: string } }
      steps: [{ id: e, uses: values, with: { said: "<{{ inputs.text }}>" } }]
      outputs: { said: "{{ steps.e.output.said }}" }
      """)
    try sous.write(
      "r.yaml",
      """
      retry: { attempts: 2, backoff: 1ms }
      steps:
        - id: a
          uses: chat.complete
          provider: it
          with: { \(input), max_tokens: 500 }
      outputs: { answer: "{{ steps.a.output }}" }
      """)
    return (sous, server)
  }

  /// A property `model` is the recipe's, whatever the service calls its own model.
  @Test(arguments: forms) func aSchemaHolds(_ form: String) throws {
    let (sous, server) = try project(
      form,
      "prompt: Where?, schema: { type: object, required: [city, model], properties: { city: { type: string }, model: { type: string } } }"
    )
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml", "--json")
    if form == "stubborn" {
      #expect(outcome.status == 1)
      #expect(outcome.output.contains(#""unsuitable""#))
      return
    }
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let answer = try outcome.json["outputs"]?["answer"]
    #expect(answer?["city"] == "Zug")
    #expect(answer?["model"] == "Golf")
    // The second run knows what the first has learned.
    guard ["object", "limit"].contains(form) else { return }
    let asked = server.count
    #expect(try sous("run", "r.yaml", "--json").status == 0)
    #expect(server.count == asked + 1)
  }

  @Test(arguments: forms) func toolsAreCalledAtOnce(_ form: String) throws {
    let (sous, _) = try project(form, "prompt: Echo., tools: [{ run: echo.yaml, name: echo, description: Echoes }]")
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let text = try outcome.json["outputs"]?["answer"]?["text"]?.stringValue ?? ""
    #expect(text.hasPrefix("Done: "))
    #expect(text.contains("<one>") && text.contains("<two>"))
  }

  @Test(arguments: forms) func aCutAnswerIsUnsuitable(_ form: String) throws {
    for schema in ["", ", schema: { type: object, properties: { city: { type: string } } }"] {
      let (sous, _) = try project(form, "prompt: Something LONG\(schema)")
      defer { sous.remove() }
      let outcome = try sous("run", "r.yaml", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains(#""unsuitable""#), "\(outcome.output) \(outcome.errors)")
    }
  }
}

/// `Tests/Fixtures/peers/model_forms.py`; ends with the object that started it.
final class ModelForms {
  static let python = OddMailServer.python

  let port: Int
  private let process = Process()
  private let folder: String

  init(_ folder: String) throws {
    self.folder = folder
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [SousProcess.repository + "/Tests/Fixtures/peers/model_forms.py", folder]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var found: Int?
    try eventuallyBlocking {
      found = (try? String(contentsOfFile: folder + "/port", encoding: .utf8)).flatMap { Int($0) }
      return found != nil
    }
    port = try #require(found)
  }

  deinit { process.terminate() }

  /// How many requests have come.
  var count: Int {
    let text = (try? String(contentsOfFile: folder + "/requests", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").count
  }
}
