import Expressions
import Foundation
import Testing

/// `sous validate` on several files, and what its answers mean for runs.
@Suite(.timeLimit(.minutes(15))) struct ValidateCommandTests {
  private static let caller = "steps: [{ uses: recipe, with: { recipe: x } }]\n"

  private func places(_ outcome: SousProcess.Outcome) throws -> [String] {
    try (outcome.json.listValue ?? []).map { problem in
      let place = [problem["line"], problem["column"]].map { $0.map(\.jsonString) ?? "?" }.joined(separator: ":")
      return "\(problem["path"]?.stringValue ?? "?"):\(place) \(problem["code"]?.stringValue ?? "?")"
    }
  }

  @Test func whatSeveralRecipesShareIsToldOnce() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("x.yaml", "steps:\n  - { uses: temlate, with: { text: x } }\n")
    for name in ["a.yaml", "b.yaml"] { try sous.write(name, Self.caller) }
    try sous.write("sub/c.yaml", Self.caller.replacingOccurrences(of: "recipe: x", with: "recipe: ../x"))
    try FileManager.default.createSymbolicLink(
      atPath: sous.folder + "/linked.yaml", withDestinationPath: sous.folder + "/x.yaml")
    let outcome = try sous(
      "validate", "a.yaml", "b.yaml", "./sub/c.yaml", "./x.yaml", "x.yaml", "linked.yaml", ".", "--json")
    #expect(outcome.status == 2)
    #expect(try places(outcome) == ["./x.yaml:2:13 unknown_action"])
    let text = try sous("validate", "a.yaml", sous.folder + "/x.yaml")
    #expect(text.errors.components(separatedBy: "unknown action").count == 2)
    #expect(text.errors.contains(sous.folder + "/x.yaml:2:13"))
  }

  @Test(arguments: ["validate .", "validate caf*.yaml", "run caf*.yaml"])
  func aNameThatIsNotUTF8IsShownByItsBytes(command: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let made = try sous.run("/bin/sh", ["-c", "printf 'steps: []' >\"$(printf 'caf\\351.yaml')\""])
    #expect(made.status == 0)
    let outcome = try sous.run("/bin/sh", ["-c", "exec '\(SousProcess.executable)' \(command)"])
    #expect(outcome.status == 2 || outcome.status == 3, "\(outcome)")
    #expect(outcome.errors.contains("caf\\xE9.yaml") && outcome.errors.contains("UTF-8"), "\(outcome)")
  }

  @Test func aFileThatIsNamedTwiceIsCheckedOnce() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sub/x.yaml", "steps: [{ uses: template, with: { text: x } }]\n")
    #expect(try sous("validate", "sub/x.yaml", "./sub/x.yaml", "sub").output == "sub/x.yaml: valid\n")
  }

  @Test func hostsThatNobodyMayReachAreToldWithTheirPlaces() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "http: { hosts: [api.example.com] }\n")
    try sous.write(
      "x.yaml",
      """
      inputs: { id: string, host: string }
      steps:
        - { id: a, uses: http.get, with: { url: "https://api.example.com/a" } }
        - id: b
          uses: http.request
          with: { method: POST, url: "https://hooks.example.com/a" }
          undo: { uses: http.idempotent, with: { method: DELETE, url: "https://undo.example.com/{{ inputs.id }}" } }
        - { id: c, uses: http.get, with: { url: "https://{{ inputs.host }}/a" } }
        - { id: d, uses: http.get, with: { url: "https://d.example.com{{ inputs.id }}" } }
        - { id: e, uses: template, with: { text: "https://hooks.example.com/a" } }
      """)
    let outcome = try sous("validate", "x.yaml", "--json")
    // It is no error: a condition may keep a step from running.
    #expect(outcome.status == 0)
    #expect(try places(outcome) == ["x.yaml:6:32 url_refused", "x.yaml:7:65 url_refused"])
    let text = try sous("validate", "x.yaml", "--lang", "de")
    #expect(text.errors.contains("falls er erreichbar sein soll"), "\(text.errors)")
    try sous.write("sous.yaml", "http: { hosts: ['*'] }\n")
    #expect(try sous("validate", "x.yaml").errors == "")
  }

  @Test func aVariableThatIsMissingIsWarnedOf() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "x.yaml",
      """
      steps:
        - { uses: exec.read, with: { command: [env], inherit: [PATH, NO_SUCH_VARIABLE] } }
      """)
    let outcome = try sous("validate", "x.yaml", "--json")
    #expect(outcome.status == 0)
    #expect(try places(outcome) == ["x.yaml:2:64 missing_variable"])
  }

  @Test func anExpressionInsideTheTextOfAProgramIsWarnedOf() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "x.yaml",
      """
      inputs: { subject: string, count: integer }
      steps:
        - { id: a, uses: exec, with: { command: [sh, -c, "echo {{ inputs.subject }}"] } }
        - { id: b, uses: exec.read, with: { command: [echo, "{{ inputs.subject }}"] } }
        - { id: c, uses: exec.read, with: { command: [sh, -c, 'echo "$1"', sh, "{{ inputs.subject }}"] } }
        - { id: d, uses: exec.read, with: { command: [head, -n, "{{ string(inputs.count) }}", "{{ inputs.subject }}"] } }
        - { id: e, uses: exec.read, with: { command: [python3], input: "print('{{ inputs.subject }}')" } }
      """)
    let outcome = try sous("validate", "x.yaml", "--json")
    #expect(outcome.status == 0)
    #expect(try places(outcome) == ["x.yaml:3:52 program_text", "x.yaml:7:66 program_text"])
    let text = try sous("validate", "x.yaml").errors
    #expect(text.contains("environment: { SUBJECT: \"{{ inputs.subject }}\" }"), "\(text)")
  }

  @Test func whatNobodyProvidesIsToldWithItsPlace() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "x.yaml",
      """
      steps:
        - { uses: chat.complete, with: { prompt: x } }
        - { uses: speak.text, with: { text: y } }

      """)
    try sous.write("sous.yaml", "providers: { local: { plugin: ollama } }\n")
    let outcome = try sous("validate", "x.yaml", "--json")
    #expect(outcome.status == 3)
    #expect(try places(outcome) == ["x.yaml:3:13 contract_unprovided"])
    let excerpt = "    3 |   - { uses: speak.text, with: { text: y } }\n      |             ^^^^^^^^^^\n"
    #expect(try sous("validate", "x.yaml").errors.contains(excerpt))
  }

  @Test func configurationsAndTestsAreChecked() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "conf/sous.yaml",
      "providers:\n  home: { plugin: maildir, path: [box], pth: 3 }\ndefaults: { mail.stoor: home, chat: [hom] }\n")
    try sous.write("x.yaml", "steps: [{ id: a, uses: template, with: { text: x } }]\n")
    try sous.write(
      "x.test.yaml", "recipe: x.yaml\ntests:\n  - name: one\n    expect: {}\n    inptus: {}\n")
    let configuration = try sous("validate", "conf/sous.yaml", "--json")
    #expect(configuration.status == 2)
    #expect(
      try Set(places(configuration)) == [
        "conf/sous.yaml:2:34 provider_settings_invalid", "conf/sous.yaml:3:13 unknown_contract",
        "conf/sous.yaml:3:38 unknown_provider",
      ])
    #expect(configuration.output.contains("conf/sous.yaml:2:41: unknown key 'pth'"))
    #expect(try places(try sous("validate", "x.test.yaml", "--json")) == ["x.test.yaml:5:5 unknown_key"])
    try sous.write(
      "x.test.yaml", "recipe: x.yaml\ntests:\n  - name: one\n    keywords: { Stil: x }\n    expect: {}\n")
    #expect(try places(try sous("validate", "x.test.yaml", "--json")) == ["x.test.yaml:4:17 unknown_keyword"])
  }

  @Test func keywordsReachTheRecipesThatARecipeRuns() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "inner.yaml",
      """
      keywords: { Stil: sachlich }
      steps:
        - { id: t, uses: template, with: { text: "{{ Stil }}" } }
        - { id: own, uses: template, keywords: { Stil: eigen }, with: { text: "{{ Stil }}" } }
      outputs: { t: "{{ steps.t.output.text }} {{ steps.own.output.text }}" }
      """)
    let middle =
      "steps: [{ id: i, uses: recipe, with: { recipe: inner } }]\noutputs: { t: \"{{ steps.i.output.t }}\" }\n"
    try sous.write("middle.yaml", middle)
    let outer = middle.replacingOccurrences(of: "inner", with: "middle")
    try sous.write("plain.yaml", outer)
    try sous.write("recipe.yaml", "keywords: { Stil: knapp }\n" + outer)
    try sous.write(
      "step.yaml",
      "keywords: { Stil: knapp }\n" + outer.replacingOccurrences(of: "uses:", with: "keywords: { Stil: s }, uses:"))
    let result = { (arguments: [String]) in
      try sous.run(SousProcess.executable, ["run", "--json"] + arguments).json["outputs"]?["t"]?.stringValue
    }
    #expect(try result(["plain.yaml"]) == "sachlich eigen")
    #expect(try result(["recipe.yaml"]) == "knapp eigen")
    #expect(try result(["step.yaml"]) == "s eigen")
    #expect(try result(["plain.yaml", "-k", "Stil=ganz"]) == "ganz ganz")
    #expect(try result(["step.yaml", "-k", "Stil=ganz"]) == "ganz ganz")
    #expect(try sous("run", "plain.yaml", "-k", "Stul=x").status == 2)
  }

  @Test func anOutputThatIsNullIsExplained() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: box, create: true } }\n")
    let recipe = { (expression: String) in
      """
      steps:
        - { id: p, uses: mail.search, with: { folder: Nix }, on_error: continue, retry: 1 }
        - { id: q, uses: template, with: { text: "{{ \(expression) }}" } }
      outputs: { t: "{{ steps.q.output.text }}" }
      """
    }
    try sous.write("x.yaml", recipe("string(steps.p.output.total)"))
    let outcome = try sous("run", "x.yaml")
    #expect(outcome.status == 1)
    for word in ["'p'", "steps.p.status == 'succeeded'", "steps.p.output.?total.orValue"] {
      #expect((outcome.output + outcome.errors).contains(word), "\(outcome.output)\(outcome.errors)")
    }
    try sous.write("x.yaml", recipe("string(steps.p.output.?total.orValue(7))"))
    #expect(try sous("run", "x.yaml", "--json").json["outputs"]?["t"] == "7")
  }
}
