import Foundation
import Testing

/// Everything in `docs/models.md` that can be run is run.
@Suite(.timeLimit(.minutes(15))) struct ModelsDocumentTests {
  private let document: MarkdownDocument

  init() throws {
    document = try MarkdownDocument(path: SousProcess.repository + "/docs/models.md")
  }

  @Test func theConfigurationAndTheStepsAreValid() throws {
    // The snippet with `allow_truncated` belongs to no recipe of the page.
    let snippets = document.blocks("yaml").map(\.text).filter { !$0.contains("allow_truncated") }
    try #require(snippets.count == 5)
    var sous = try SousProcess()
    defer { sous.remove() }
    (sous.environment["OPENAI_API_KEY"], sous.environment["MISTRAL_API_KEY"]) = ("sk-a", "sk-b")
    // The second one is what may stand in the place of the defaults of the first.
    try sous.write("sous.yaml", snippets[0].replacing("defaults: { chat: [local, gpt] }", with: snippets[1]))
    let step = snippets[2].split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    try sous.write(
      "x.yaml",
      """
      name: x
      inputs: { texts: { type: array, items: { type: object } } }
      steps:
      \(step)
          for_each: inputs.texts
          as: message
        - { id: next, uses: template, with: { text: "{{ steps.facts.output.map(f, f.wish)[0] }}" } }
      """)
    let outcome = try sous("validate", "x.yaml")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")

    // A model that calls what it is given.
    try sous.write(
      "lookup-customer.yaml", "inputs: { number: string }\nsteps: [{ uses: values, with: { name: Ada } }]\n")
    let tools = snippets[3].split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    try sous.write("tools.yaml", "inputs: { letter: string }\nsteps:\n\(tools)\n")
    let checked = try sous("validate", "tools.yaml")
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")

    // What needs no model runs without a configuration.
    try sous.write("sous.yaml", "{}\n")
    let short = snippets[4].split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    try sous.write(
      "short.yaml",
      "inputs: { texts: { type: array, items: { type: object } } }\nsteps:\n\(short)\n"
        + "    for_each: inputs.texts\n    as: message\n")
    let summary = try sous("run", "short.yaml", "-i", #"texts=[{"text": "We met on Monday. It was short."}]"#, "--json")
    #expect(summary.status == 0, "\(summary.errors)")
  }

  @Test func everyCommandWorks() throws {
    let server = try LineServer([#"{"model":"m","message":{"content":"Because."},"done":true}"#])
    defer { server.end() }
    var sous = try SousProcess()
    defer { sous.remove() }
    let bin = (SousProcess.executable as NSString).deletingLastPathComponent
    sous.environment["PATH"] = bin + ":" + (sous.environment["PATH"] ?? "")
    try sous.write("minutes.txt", "We met.")
    let url = "http://127.0.0.1:\(server.port)"
    try sous.write(
      "sous.yaml",
      """
      providers:
        local: { plugin: ollama, base_url: "\(url)" }
        gpt: { plugin: ollama, base_url: "\(url)/api" }
      defaults: { chat: [local, gpt] }
      """)
    let commands = document.console(beginningWith: "sous chat")
    try #require(commands.count >= 5)
    for command in commands {
      let outcome = try sous.run("/bin/sh", ["-c", command])
      #expect(outcome.status == 0, "\(command)\n\(outcome.errors)")
      #expect(outcome.output.contains(command.hasPrefix("sous models") ? "local" : "Because."), "\(command)")
    }
  }
}
