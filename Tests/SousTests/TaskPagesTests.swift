import Expressions
import Foundation
import Testing

@testable import Upkeep

/// The pages by tasks, in English and in German: `Scripts/pages` runs the examples of a page and compares their outputs with it.
@Suite(.timeLimit(.minutes(15))) struct TaskPagesTests {
  private static let docs = SousProcess.repository + "/docs/"

  /// The pages below `docs`.
  static let pages = ["tasks", "de", "de/tasks"].flatMap { folder in
    markdown(in: folder).map { "\(folder)/\($0)" }
  }

  /// The blocks that need a package, a daemon or a language model. A page with an example that runs nowhere else says so here.
  private static let notRun = [
    "tasks/digest.md": 1, "tasks/from-n8n.md": 1, "tasks/texts.md": 1, "tasks/upgrading.md": 2, "de/README.md": 1,
    "de/getting-started.md": 2,
  ]

  private static func markdown(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: docs + folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted()
  }

  private func check(_ page: String, _ options: [String] = []) throws -> SousProcess.Outcome {
    let sous = try SousProcess()
    defer { sous.remove() }
    let program = (SousProcess.executable as NSString).deletingLastPathComponent
    return try sous.run(
      "/usr/bin/env", ["python3", SousProcess.repository + "/Scripts/pages", "--program", program] + options + [page])
  }

  @Test(arguments: pages) func theExamplesOfAPageGiveItsOutputs(_ page: String) throws {
    let outcome = try check(Self.docs + page, ["--plant"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let count = try #require(outcome.output.firstMatch(of: #/: (\d+) commands run, (\d+) blocks not run\n$/#)?.output)
    let english = page.hasPrefix("de/tasks/") ? String(page.dropFirst(3)) : page
    let apart = Self.notRun[english] ?? 0
    #expect(count.2 == "\(apart)")
    #expect((Int(count.1) ?? 0) > 0 || apart > 0, "the page has no example")
  }

  @Test func everyTaskIsThereInBothLanguages() {
    #expect(Self.markdown(in: "tasks") == Self.markdown(in: "de/tasks"))
    #expect(Self.markdown(in: "tasks").count >= 12)
  }

  /// Pages that differ from their outputs in one place each.
  @Test(arguments: [
    ("$ echo 1\n2", "prints"),
    ("$ sous eval '1 + 1'\n3", "prints"), ("$ sous eval '1 + 1'", "prints"), ("$ true\nmore", "prints"),
    ("$ printf '1\\n2\\n3\\n'\n1\n…\n4", "prints"),
  ])
  func anOutputThatIsNotThatOfThePageIsFound(_ console: String, _ reason: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let page = try sous.write("page.md", "# Page\n\n```console\n\(console)\n```\n")
    let outcome = try check(page)
    #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.output)\(outcome.errors)")
  }

  @Test func runIDsTimesAndDurationsMayDiffer() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let page = try sous.write(
      "page.md",
      """
      ```yaml
      # hello.yaml
      name: hello
      steps:
        - { id: greet, uses: template, with: { text: "Hello" } }
      outputs: { text: "{{ steps.greet.output.text }}" }
      ```

      ```console
      $ sous run hello.yaml
      ▸ hello  run 01M7XW9KK4JZKVW7VHJ3VKFTZB  (SQLite: .sous/sous.db)
      …
      succeeded in 20000 ms · sous show 01M7XW9KK4JZKVW7VHJ3VKFTZB

      Hello
      ```

      """)
    let outcome = try check(page)
    #expect(outcome.status == 0, "\(outcome.errors)")
    // A recipe that is not valid, and one without a name, are refused.
    for text in ["```yaml\n# x.yaml\nsteps: 3\n```\n", "```yaml\nname: x\n```\n"] {
      #expect(try check(sous.write("other.md", text)).status == 1)
    }
  }

  @Test func aTaskIsFoundInTheLanguageOfTheReader() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let list = try sous("docs").output
    let tasks = try #require(list.range(of: "Tasks\n")), reference = try #require(list.range(of: "Reference\n"))
    #expect(tasks.upperBound < reference.lowerBound && list[tasks.upperBound..<reference.lowerBound].contains("digest"))
    #expect(try sous("docs", "backup").output.hasPrefix("# A backup"))
    #expect(try sous("docs", "backup", "--lang", "de").output.hasPrefix("# Ein Backup"))
    // A page that exists in English only.
    #expect(try sous("docs", "smtp", "--lang", "de").output.hasPrefix("# Sending mail"))
    let german = try sous("docs", "rechnungen", "--lang", "de")
    #expect(german.status == 0 && german.output.contains("sort-mail"), "\(german.output)\(german.errors)")
    // A word of English pages alone.
    #expect(try sous("docs", "Standard Webhooks", "--lang", "de").status == 0)
  }

  @Test(arguments: [
    ("sicherheit", "# Security"), ("rechte", "### Permissions"), ("Sicherung", "# Ein Backup"),
    ("ausdruecke", "# Expressions"),
    ("Geheimnisse", "## Secrets"), ("erste schritte", "# Erste Schritte"), ("personenbezogen", "# Personal data"),
  ])
  func aGermanWordLeadsToItsPage(word: String, heading: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let shown = try sous("docs", word, "--lang", "de")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.split(separator: "\n").contains { $0.hasPrefix(heading) }, "\(shown.output.prefix(200))")
  }

  @Test func germanWordsNamePagesAndSectionsThatExist() throws {
    let folder = URL(fileURLWithPath: SousProcess.repository + "/docs")
    let pages = Manual.pages(isGerman: true, in: folder)
    var seen: Set<String> = []
    for (target, words) in Manual.germanWords {
      let parts = target.split(separator: "#").map(String.init)
      let page = try #require(pages.first { $0.name == parts[0] }, "\(target)")
      if parts.count == 2 {
        #expect(Manual.sections(of: page).contains { Manual.anchor(of: $0.heading) == parts[1] }, "\(target)")
      }
      for word in words { #expect(seen.insert(word.lowercased()).inserted, "\(word) leads to two pages") }
    }
    for page in pages where !page.isGerman {
      #expect(Manual.germanWords.contains { $0.target == page.name }, "\(page.name) has no German title")
    }
  }

  @Test func aWordOfAHeadingPrintsThatSection() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let section = try sous("docs", "take over sieve")
    #expect(section.output.hasPrefix("From the page 'Mail': sous docs mail\n\n## Take over Sieve scripts\n"))
    #expect(!section.output.contains("## A local folder") && section.output.contains("### Write a Sieve script"))
    #expect(try sous("docs", "mail#react").output.hasPrefix("# Mail"))
    let anchored = try sous("docs", "daemon#react-to-mail", "--json").json
    #expect(anchored["section"]?.stringValue == "React to mail" && anchored["name"]?.stringValue == "daemon")
    let several = try sous("docs", "variations")
    #expect(several.status == 0 && several.output.contains("backup") && several.output.contains("Variations"))
  }
}
