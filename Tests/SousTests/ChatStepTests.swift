import Expressions
import Foundation
import TestSupport
import Testing

/// Chat steps and chains of the real program against a server on this machine.
@Suite(.timeLimit(.minutes(10))) struct ChatStepTests {
  private func project(_ server: ChatServer, _ recipe: String) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", server.configuration)
    try sous.write("r.yaml", recipe)
    return sous
  }

  private static let schema =
    "{ type: object, required: [summary], properties: { summary: { type: string }, n: { type: integer } } }"

  // MARK: - What is shown

  @Test func aTerminalShowsPropertiesAsTheyCome() throws {
    let server = try ChatServer { _, _ in .held([#"{"summary": "Grüße aus "#, #"Zug", "n": 1}"#]) }
    defer { server.end() }
    let sous = try project(
      server, "steps: [{ id: a, uses: chat.complete, with: { prompt: Hi, schema: \(Self.schema) } }]\n")
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["run", "r.yaml"])
    #expect(terminal.read(until: "summary: Grüße aus"))
    server.release()
    #expect(terminal.read(until: "sous show"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func anAnswerThatBreaksOffStartsAgainVisibly() throws {
    let server = try ChatServer { _, number in
      number == 0 ? .broken(["One ", "two"]) : .words(["One ", "two ", "three"])
    }
    defer { server.end() }
    let sous = try project(
      server,
      """
      retry: { backoff: 10ms }
      steps: [{ id: a, uses: chat.complete, with: { prompt: Hi } }]
      outputs: { text: "{{ steps.a.output.text }}" }
      """)
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains("a: the answer starts again"))
    #expect(outcome.output.contains("One two three"))
    #expect(!outcome.output.contains("One two\n"))
    #expect(try sous("run", "r.yaml", "--json").json["outputs"]?["text"] == "One two three")
  }

  // MARK: - Tools

  private static let toolRecipe = """
    steps:
      - id: a
        uses: chat.complete
        with:
          prompt: What is there?
          tools:
            - { uses: file.read, name: look, description: Reads a file }
            - { run: double }
          tool_rounds: 3
    outputs: { text: "{{ steps.a.output.text }}" }
    """
  private static let double = """
    description: Doubles a number
    inputs: { n: integer }
    steps: [{ id: s, uses: values, with: { n: "{{ inputs.n * 2 }}" } }]
    outputs: { result: "{{ steps.s.output.n }}" }
    """

  /// A recipe that offers one tool to a model, of which the prompt may have the text of a letter.
  private static func recipe(offering tool: String, letter: Bool = false) -> String {
    """
    inputs: { letter: { type: string, default: "" } }
    steps:
      - id: a
        uses: chat.complete
        with: { prompt: "\(letter ? "Answer {{ inputs.letter }}" : "Hi")", tools: [{ \(tool) }] }
    outputs: { text: "{{ steps.a.output.text }}" }
    """
  }

  @Test func aModelCallsActionsAndRecipes() throws {
    let server = try ChatServer { _, number in
      switch number {
      case 0: .calls([("look", #"{"path":"a.txt"}"#), ("double", #"{"n":21}"#), ("look", #"{"file":"a.txt"}"#)])
      case 1: .calls([("nothing", "{}")])
      default: .words(["42 bananas"])
      }
    }
    defer { server.end() }
    let sous = try project(server, Self.toolRecipe)
    defer { sous.remove() }
    try sous.write("double.yaml", Self.double)
    try sous.write("a.txt", "bananas")
    let outcome = try sous("run", "r.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try outcome.json["outputs"]?["text"] == "42 bananas")
    let requests = server.requests
    #expect(requests.count == 3)
    let tools = requests[0]["tools"]?.listValue ?? []
    #expect(tools.map { $0["function"]?["name"] } == ["look", "double"])
    #expect(tools[0]["function"]?["description"] == "Reads a file")
    #expect(tools[1]["function"]?["description"] == "Doubles a number")
    #expect(tools[1]["function"]?["parameters"]?["properties"]?["n"]?["type"] == "integer")
    let turns = requests[1]["messages"]?.listValue ?? []
    #expect(turns.map { $0["role"] } == ["user", "assistant", "tool", "tool", "tool"])
    #expect(turns[2]["content"]?.stringValue?.contains("bananas") == true)
    #expect(turns[3]["content"]?.stringValue?.contains("42") == true)
    #expect(turns[4]["content"]?.stringValue?.hasPrefix("Error: invalid_input") == true)
    #expect(requests[2]["messages"]?.listValue?.last?["content"] == "Error: there is no tool 'nothing'")
  }

  @Test func aModelThatNeverStopsCallingHasToAnswer() throws {
    let server = try ChatServer { body, _ in
      body["tool_choice"] == "none" ? .words(["Enough"]) : .calls([("double", #"{"n":1}"#)])
    }
    defer { server.end() }
    let sous = try project(server, Self.toolRecipe)
    defer { sous.remove() }
    try sous.write("double.yaml", Self.double)
    let outcome = try sous("run", "r.yaml", "--json")
    #expect(try outcome.json["outputs"]?["text"] == "Enough", "\(outcome.output) \(outcome.errors)")
    #expect(server.requests.count == 4)
  }

  @Test(arguments: [("approve", "42"), ("reject", "Error: rejected")])
  func aPersonDecidesOnACallAndTheModelIsToldTheOutcome(_ decision: String, _ words: String) throws {
    let server = try ChatServer { _, number in
      number == 0 ? .calls([("double", #"{"n":21}"#)]) : .words(["Well."])
    }
    defer { server.end() }
    let sous = try project(server, Self.toolRecipe.replacing("{ run: double }", with: "{ run: double, approve: true }"))
    defer { sous.remove() }
    try sous.write("double.yaml", Self.double)
    #expect(try sous("run", "--queue", "r.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(server.requests.count == 1)
    #expect(try sous("approve").output.contains(#"The model wants to call double with {"n":21}"#))
    #expect(try sous(decision, "last").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let told = server.requests.last?["messages"]?.listValue?.last?["content"]?.stringValue
    #expect(server.requests.count == 2 && told?.contains(words) == true, "\(told ?? "")")
    #expect(try sous("show", "last", "--json").json["outputs"]?["text"] == "Well.")
  }

  @Test func aModelSetsOnlyWhatTheRecipeOpens() throws {
    let server = try ChatServer { _, number in
      switch number {
      case 0:
        .calls([
          ("count", #"{"environment":{"LD_PRELOAD":"/x.so"}}"#), ("count", #"{"command":["touch","evil"]}"#),
          ("count", #"{"inherit":null,"command":null}"#),
        ])
      default: .words(["done"])
      }
    }
    defer { server.end() }
    let sous = try project(
      server, Self.recipe(offering: "uses: exec.read, name: count, with: { command: [wc, -c, sous.yaml] }"))
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let parameters = server.requests.first?["tools"]?[0]?["function"]?["parameters"]
    #expect(parameters?["properties"] == [:] && parameters?["additionalProperties"] == false)
    let told = (server.requests.last?["messages"]?.listValue ?? []).filter { $0["role"] == "tool" }
    #expect(told.first?["content"]?.stringValue?.hasPrefix("Error: invalid_input") == true)
    #expect(told.first?["content"]?.stringValue?.contains("'environment'") == true)
    // The model is not told that its own command has run.
    #expect(told.dropFirst().first?["content"]?.stringValue?.contains("'command'") == true, "\(told)")
    // `null` is how models write that they set nothing.
    #expect(told.last?["content"]?.stringValue?.contains("sous.yaml") == true)
  }

  /// With a letter in the prompt, a call that writes waits for a person's approval, unless the recipe says `approve: never`.
  @Test(arguments: [("", false), (", approve: never", true)])
  func aModelThatHasReadTextFromOutsideNeedsApprovalToWrite(_ key: String, _ writes: Bool) throws {
    let server = try ChatServer { _, number in
      number == 0 ? .calls([("note", #"{"content":"one\n"}"#)]) : .words(["done"])
    }
    defer { server.end() }
    let sous = try project(
      server, Self.recipe(offering: "uses: file.append, name: note, with: { path: notes.txt }\(key)", letter: true))
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "r.yaml", "-i", "letter=x").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/notes.txt") == writes)
    guard !writes else { return }
    #expect(try sous("approve").output.contains("The model wants to call note"))
    #expect(try sous("approve", "last").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/notes.txt", encoding: .utf8) == "one\n")
  }

  /// What leaves the machine, and what changes it, counts.
  @Test(arguments: [
    "uses: mail.send, with: { to: [a@example.org], subject: s, text: t }",
    "uses: exec, with: { command: [touch, box/new/done] }",
    "uses: file.write, with: { path: box/new/done, content: x }",
    "uses: http.request, with: { method: POST, url: \"http://127.0.0.1:PORT/v1/x\", body: x }",
  ])
  func noToolActsByItselfOnForeignText(tool: String) throws {
    let server = try ChatServer { _, number in number == 0 ? .calls([("act", "{}")]) : .words(["done"]) }
    defer { server.end() }
    let action = tool.replacing("PORT", with: "\(server.port)")
    let sous = try project(server, Self.recipe(offering: "name: act, \(action)", letter: true))
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      http: { hosts: ["127.0.0.1"] }
      providers:
        mock: { plugin: openai, base_url: "http://127.0.0.1:\(server.port)/v1", model: mock }
        home: { plugin: maildir, path: box, create: true, from: me@example.org }
      defaults: { chat: mock, mail.transport: home }

      """)
    try FileManager.default.createDirectory(atPath: sous.folder + "/box/new", withIntermediateDirectories: true)
    #expect(try sous("run", "--queue", "r.yaml", "-i", "letter=x").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("approve").output.contains("The model wants to call act"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/new").isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func whatWasCalledIsNotCalledAgainAfterAKill() throws {
    let server = try ChatServer { _, number in
      switch number {
      case 0: .calls([("note", #"{"content":"one\n"}"#), ("note", #"{"content":"two\n"}"#)])
      case 1: .held(["lost"])
      default: .words(["done"])
      }
    }
    defer { server.end() }
    let sous = try project(
      server, Self.recipe(offering: "uses: file.append, name: note, with: { path: notes.txt }"))
    defer { sous.remove() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["run", "r.yaml"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Until the model is asked again; the calls before are journaled then.
    try eventuallyBlocking { server.requests.count >= 2 }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(server.requests.count == 2)
    let outcome = try sous("resume", "last", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try String(contentsOfFile: sous.folder + "/notes.txt", encoding: .utf8) == "one\ntwo\n")
    #expect(server.requests.count == 3)
    let run = try sous("show", "last", "--json").json
    #expect(run["outputs"]?["text"] == "done")
    let calls = run["steps"]?.listValue?.first { $0["id"] == "a_1_note" }
    #expect(calls?["attempts"]?.listValue?.count == 2)
    #expect(calls?["effect"] == "idempotent")
  }

  // MARK: - Answers that were cut

  @Test func aChainDoesNotGoOnWithHalfAnAnswer() throws {
    let server = try ChatServer { _, _ in .cut(["Half of ", "it"], reason: "length") }
    defer { server.end() }
    let chain = """
      kind: chain
      input: string
      prompts: [{ prompt: Translate KEY }, { prompt: Make it polite, allow_truncated: true }]
      """
    let sous = try project(server, chain.replacing("Translate KEY", with: "Translate"))
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml", "-i", "input=x")
    #expect(outcome.status == 1 && server.requests.count == 1, "\(outcome.output) \(outcome.errors)")
    let shown = try sous("show", "last").output
    #expect(shown.contains("unsuitable") && shown.contains("Half of it"), "\(shown)")
    try sous.write("r.yaml", chain.replacing("Translate KEY", with: "Translate, allow_truncated: true"))
    let allowed = try sous("run", "r.yaml", "-i", "input=x", "--json")
    #expect(try allowed.json["outputs"]?["result"] == "Half of it", "\(allowed.errors)")
    #expect(server.requests.count == 3)
    #expect(server.requests.allSatisfy { $0["allow_truncated"] == nil })
  }

  // MARK: - Chains

  @Test func aChainWorksPartByPartAndDecides() throws {
    let server = try ChatServer { body, _ in
      let text = body["messages"]?.listValue?.last?["content"]?.stringValue ?? ""
      if text.hasPrefix("Sort") { return .words([#"{"kind": "invoice"}"#]) }
      if text.hasPrefix("Short") { return .words([text.contains("Eins") ? "1" : "2"]) }
      if text.hasPrefix("Merge") { return .words(["merged: " + text.dropFirst(7).replacing("\n", with: "|")]) }
      return .words(["paid: " + text.suffix(12)])
    }
    defer { server.end() }
    let sous = try project(
      server,
      """
      kind: chain
      input: string
      prompts:
        - id: short
          prompt: Short
          parts: { by: headings, size: 20, combine: reduce, prompt: Merge }
        - id: sort
          prompt: Sort
          schema: { type: object, required: [kind], properties: { kind: { type: string } } }
          outputs: { kind: "{{ answer.kind }}" }
        - switch: "{{ steps.sort.output.kind }}"
          cases:
            invoice: { id: pay, prompt: Pay, inputs: "{{ steps.short.output.text }}" }
          else: [{ id: drop, prompt: Drop }]
      """)
    defer { sous.remove() }
    try sous.write(
      "letter.md", "# Eins\nHier steht etwas, das lang genug ist.\n\n# Zwei\nUnd hier noch etwas mehr Text.\n")
    let outcome = try sous("run", "r.yaml", "-i", "input=@letter.md", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let outputs = try outcome.json["outputs"]
    #expect(outputs?["kind"] == "invoice")
    #expect(outputs?["result"]?.stringValue == "paid: merged: 1||2")
    let steps = try sous("show", "last", "--json").json["steps"]?.listValue ?? []
    #expect(steps.first { $0["id"] == "drop" }?["status"] == "skipped")
    #expect(steps.first { $0["id"] == "short_map" }?["item_count"] == 2)
  }

  @Test func aPromptIsAskedForEachItemAndSeesPictures() throws {
    let server = try ChatServer { body, _ in
      .words(["<" + (body["messages"]?.listValue?.last?["content"]?.stringValue ?? "picture") + ">"])
    }
    defer { server.end() }
    let sous = try project(
      server,
      """
      kind: chain
      inputs: { words: { type: array, items: { type: string } }, picture: { type: string, required: false } }
      prompts:
        - { id: each, prompt: Say, for_each: "{{ inputs.words }}" }
        - { prompt: "All: {{ previous }}", when: "inputs.picture == null" }
        - { id: look, prompt: Look, images: ["{{ inputs.picture }}"], when: "inputs.picture != null" }
      """)
    defer { sous.remove() }
    let outcome = try sous("run", "r.yaml", "-i", "words=[a, b]", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try outcome.json["outputs"]?["result"] == "<All: <Say\n\na>\n\n<Say\n\nb>>")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    try Data(png).write(to: URL(fileURLWithPath: sous.folder + "/a.png"))
    #expect(try sous("run", "r.yaml", "-i", "words=x", "-i", "picture=@a.png", "--json").status == 0)
    let content = server.requests.last?["messages"]?.listValue?.last?["content"]?.listValue
    #expect(
      content?.last?["image_url"]?["url"]
        == .string("data:image/png;base64," + Data(png).base64EncodedString()))
  }

  @Test func filesThatCannotBeReadAreRefusedBeforeTheRun() throws {
    let server = try ChatServer { _, _ in .words(["ok"]) }
    defer { server.end() }
    var sous = try project(server, "kind: chain\ninput: string\nprompts: [{ prompt: Say }]\n")
    defer { sous.remove() }
    try sous.write("page.html", "<p>Hello <b>Ada</b></p><script>x</script>")
    try sous.write("mail.eml", "From: ada@example.com\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nHow are you?\n")
    #expect(try sous("run", "r.yaml", "-i", "input=@page.html").status == 0)
    #expect(try sous("run", "r.yaml", "-i", "input=@mail.eml").status == 0)
    let texts = server.requests.map { $0["messages"]?.listValue?.last?["content"]?.stringValue ?? "" }
    #expect(texts.first == "Say\n\nHello Ada")
    #expect(texts.last?.contains("Subject: Grüße") == true && texts.last?.contains("How are you?") == true)
    #expect(try sous("run", "r.yaml", "-i", "input=@@home").status == 0)
    #expect(server.requests.last?["messages"]?.listValue?.last?["content"] == "Say\n\n@home")
    #expect(try sous("run", "r.yaml", "-i", "input=@missing.txt").status == 2)
    // Nothing to work on is most often a mistake, and would cost a call.
    try sous.write("empty.txt", " \n")
    #expect(try sous("run", "r.yaml", "-i", "input=@empty.txt").status == 2)
    #expect(try sous("run", "r.yaml", "-i", "input=-").status == 2)
    #expect(try sous("chat", "-f", "empty.txt", "What?").status == 2)
    #expect(server.requests.count == 3)
    try sous.write("paper.pdf", "%PDF-1.4\n")
    sous.environment["PATH"] = "/nowhere"
    let outcome = try sous("run", "r.yaml", "-i", "input=@paper.pdf")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("poppler-utils"))
    #expect(server.requests.count == 3)
  }
}
