import Expressions
import Foundation
import Testing

/// `sous demo`, `sous doctor`, `sous docs`, templates, and what shells complete.
@Suite(.timeLimit(.minutes(15))) struct DemoCommandTests {
  @Test func theDemoMakesADigestAndAFolderToGoOnWith() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let demo = try sous("demo", "trial", "--no-model")
    #expect(demo.status == 0, "\(demo.errors)")
    #expect(demo.output.contains("14 unread, 9 from people"))
    #expect(demo.output.contains("cd trial") && demo.output.contains("sous doctor"))
    // Every line that it names works there.
    for line in [
      "show last", "explain recipes/inbox-digest.yaml", "doctor", "recipes new --template invoices",
      "docs getting-started", "validate .",
    ] {
      let next = try sous.run("/bin/sh", ["-c", "cd trial && '\(SousProcess.executable)' \(line)"])
      #expect(next.status == 0, "\(line): \(next.output)\(next.errors)")
    }
    // A second call runs it again; a folder with other files is left as it is.
    #expect(try sous("demo", "trial", "--no-model").status == 0)
    try sous.write("full/own.txt", "mine")
    let refused = try sous("demo", "full", "--no-model", "--lang", "de")
    #expect(refused.status == 2 && refused.errors.contains("full ist nicht leer"), "\(refused.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/full") == ["own.txt"])
  }

  @Test func germanFilesAreGerman() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let demo = try sous("demo", "probe", "--no-model", "--lang", "de")
    #expect(demo.status == 0 && demo.output.contains("14 ungelesen, 9 von Menschen"), "\(demo.output)\(demo.errors)")
    #expect(try sous("init", "neu", "--lang", "de").status == 0)
    for file in ["probe/sous.yaml", "neu/sous.yaml"] {
      let text = try String(contentsOfFile: sous.folder + "/" + file, encoding: .utf8)
      for word in [" the ", " with ", "Written"] { #expect(!text.contains(word), "\(file): \(word)") }
      #expect(try sous("validate", "neu/hello.yaml", "--config", file).status == 0)
    }
    #expect(try sous("run", "neu/hello.yaml", "-q").output == "Hallo, Welt!\n")
  }

  @Test func theDoctorNamesTheRemedyAndEndsWithOne() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  home: { plugin: maildir, path: missing }\n")
    try sous.write(
      "recipes/daily.yaml",
      "name: daily\non: { schedule: every day at 8 }\nsteps:\n  - { id: a, uses: log, with: { message: x } }\n")
    let outcome = try sous("doctor", "--json")
    #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
    let findings = try outcome.json.listValue ?? []
    func state(_ subject: String) -> [String] {
      findings.filter { $0["subject"]?.stringValue == subject }.compactMap { $0["state"]?.stringValue }
    }
    #expect(state("mail") == ["problem"] && state("service") == ["problem"] && state("vault") == ["unused"])
    #expect(state("configuration") == ["fine"] && state("run_log") == ["unused"])
    #expect(findings.allSatisfy { $0["state"]?.stringValue != "problem" || $0["remedy"]?.stringValue != nil })
    let german = try sous("doctor", "--lang", "de")
    #expect(german.output.contains("✗ Dienst") && german.output.contains("→ sous serve, oder als Dienst"))
    // A configuration that cannot be read is a finding, not the end.
    try sous.write("sous.yaml", "providers: 3\n")
    let broken = try sous("doctor")
    #expect(broken.status == 1 && broken.output.contains("✗ configuration"), "\(broken.output)\(broken.errors)")
  }

  @Test func aPageIsFoundByItsNameOrByAWord() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("docs").output.contains("getting-started"))
    #expect(try sous("docs", "docs/mail.md").output.hasPrefix("# Mail\n"))
    let found = try sous("docs", "neovim", "--json").json
    #expect(found["name"]?.stringValue == "editors" && found["section"]?.stringValue?.hasPrefix("Neovim") == true)
    let none = try sous("docs", "xyzzy")
    #expect(none.status == 2 && none.errors.contains("xyzzy"))
  }

  @Test func everyWorkflowIsATemplate() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("recipes", "new", "--template", "invoices").status == 0)
    #expect(try sous("recipes", "new", "bills", "--template", "invoices").status == 0)
    let copy = try String(contentsOfFile: sous.folder + "/recipes/bills.yaml", encoding: .utf8)
    #expect(copy.contains("\nname: bills\n") && !copy.contains("$schema"))
    #expect(try sous("recipes", "new", "--template", "invoices").status == 2)
    let unknown = try sous("recipes", "new", "--template", "invoice")
    #expect(unknown.status == 2 && unknown.errors.contains("invoices"), "\(unknown.errors)")
    #expect(try sous("recipes", "new").status == 2)
  }

  @Test func shellsCompleteRecipesRunsStepsProvidersAndStatuses() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  words: { plugin: extractive }\n")
    try sous.write(
      "recipes/greeting.yaml", "name: greeting\nsteps:\n  - { id: hello, uses: template, with: { text: x } }\n")
    #expect(try sous("run", "greeting").status == 0)
    for shell in ["bash", "zsh", "fish"] {
      #expect(try sous("--generate-completion-script", shell).output.contains("sous"), "\(shell)")
    }
    let script = """
      PATH="$(dirname '\(SousProcess.executable)'):$PATH"
      source <(sous --generate-completion-script bash)
      try() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        _sous sous "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"
      }
      try sous run gre
      try sous show la
      try sous show last --output he
      try sous providers test wo
      try sous runs --status need
      try sous recipes new --template invoi
      """
    let answers = try sous.run("/bin/bash", ["-c", script])
    let lines = answers.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines == ["greeting", "last", "hello", "words", "needs_attention", "invoices"],
      "\(answers.output)\(answers.errors)")
  }
}
