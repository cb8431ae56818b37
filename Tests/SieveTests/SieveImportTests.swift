import Plans
import RecipeModel
import RecipeSyntax
import Schemas
import Sieve
import Testing

@Suite struct SieveImportTests {
  private static func imported(_ text: String, addresses: [String] = [], separator: String? = nil) -> SieveImport {
    SieveImport(
      SourceText(path: "mail.sieve", text: text),
      SieveImport.Options(name: "mail", addresses: addresses, zone: "Europe/Zurich", separator: separator))
  }

  @Test func aChainBecomesOneRuleForEachBranch() throws {
    let result = Self.imported(
      """
      require "fileinto";
      # rule:[News]
      if header :contains "Subject" "news" { fileinto "News"; }
      elsif address :is "from" "a@example.com" { fileinto "A"; stop; }
      """)
    #expect(result.isComplete)
    #expect(
      result.recipe == """
        # From mail.sieve
        kind: mail-filter
        name: mail
        rules:
          - name: News
            when: message.subject.lowerAscii().contains("news")
            then: [{ move: News }]
          - name: line 4
            when: message.from.address.lowerAscii() == "a@example.com"
            then: [{ move: A }]

        """)
    // Of a message with several authors a filter knows the first.
    #expect(result.diagnostics.map(\.code) == [.sieveDifference])
    #expect(result.diagnostics[0].range?.start.line == 4)
  }

  @Test func charactersThatYAMLDoesNotHaveAreEscaped() throws {
    let recipe = try #require(
      Self.imported("if header :contains \"subject\" \"a\u{FFFF}\u{80}b\" { discard; }").recipe)
    #expect(recipe.contains(#"contains("a\uffff\u0080b")"#), "\(recipe)")
    let (document, problems) = YAMLDocument.parse(SourceText(path: "mail.yaml", text: recipe))
    #expect(document != nil && problems.isEmpty)
  }

  /// Each branch has the conditions of all before it: the recipe becomes a hundred times as long as the script.
  @Test func aScriptThatBecomesTooLongARecipeIsRefusedWithItsLine() throws {
    let keys = (0..<100).map { "\"key \($0)\"" }.joined(separator: ", ")
    let blocks = (0..<120).map { "if header :matches \"x-\($0)\" [\(keys)] { fileinto \"\($0)\"; }" }
    let result = Self.imported((["require \"fileinto\";"] + blocks).joined(separator: "\n"))
    #expect(result.recipe == nil && !result.isComplete)
    let error = try #require(result.diagnostics.first { $0.severity == .error })
    #expect(error.code == .sieveUnsupported)
    #expect(try #require(error.range).start.line > 1)
    // A part of it can be said.
    let short = Self.imported((["require \"fileinto\";"] + blocks.prefix(5)).joined(separator: "\n"))
    #expect(short.isComplete && short.recipe != nil)
  }

  /// The branches exclude each other, so each moves, and nothing has to be copied first and deleted in the end.
  @Test(arguments: [
    "date :zone \"+0000\" :is \"date\" \"weekday\" \"1\"",
    "allof (exists \"a\", header :contains \"subject\" \"b\", not exists \"c\")",
  ])
  func aChainOfComposedTestsBecomesOneRuleForEachBranch(_ test: String) throws {
    let result = Self.imported(
      """
      require ["fileinto", "date"];
      if \(test) { fileinto "A"; }
      elsif exists "x" { fileinto "B"; }
      elsif exists "y" { fileinto "C"; }
      """)
    let recipe = try #require(result.recipe)
    #expect(recipe.split(separator: "\n").filter { $0.contains("- name:") }.count == 3, "\(recipe)")
    #expect(!recipe.contains("copy") && !recipe.contains("delete"))
  }

  @Test(arguments: [
    ("if header :contains \"x\" \"y\" { reject \"no\"; }", 1, 31),
    ("keep;\nif mailboxexists \"A\" { fileinto \"A\"; }", 2, 4),
    ("if hasflag \"x\" { stop; }", 1, 4),
    ("require \"variables\";\nif header :matches \"subject\" \"*\" { fileinto \"${1}\"; }", 2, 45),
    ("if envelope \"to\" \"a@example.com\" { discard; }", 1, 13),
    ("if body :raw :contains \"x\" { discard; }", 1, 9),
    ("if address \"sender\" \"a@example.com\" { discard; }", 1, 12),
    ("vacation \"away\";", 1, 1),
    ("addflag \"\\\\Answered\";", 1, 9),
    ("if header :comparator \"i;unicode-casemap\" \"x\" \"y\" { discard; }", 1, 23),
    ("if date \"received\" \"hour\" \"09\" { discard; }", 1, 9),
    ("if header :regex \"subject\" \"a(?i)\" { discard; }", 1, 28),
    ("foo;", 1, 1),
  ])
  func whatCannotBeTranslatedIsNamed(_ text: String, line: Int, column: Int) {
    let result = Self.imported(text)
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.sieveUnsupported])
    #expect(errors.first?.range?.start.line == line)
    #expect(errors.first?.range?.start.column == column)
    #expect(!result.isComplete)
  }

  @Test(arguments: [
    "if", "if true {", "keep", "keep; }", "\"x\";", "if header :is \"a { keep; }", "redirect text:\nx\n", "/* x",
    "size 99999999999999999999;", "if anyof () { keep; }", "\u{1F600};",
    String(repeating: "if true { ", count: 100), "if " + String(repeating: "not ", count: 100) + "true { keep; }",
  ])
  func whatIsNoSieveIsNamed(_ text: String) {
    let result = Self.imported(text)
    #expect(result.recipe == nil)
    #expect(result.diagnostics.map(\.code) == [.sieveSyntax])
  }

  @Test func allProblemsAreNamedAndTheRestIsTranslated() throws {
    let result = Self.imported(
      """
      require ["fileinto", "reject"];
      if header :contains "subject" "a" { fileinto "A"; stop; }
      if duplicate { discard; stop; }
      if header :contains "subject" "b" { reject "no"; stop; }
      if header :contains "subject" "c" { fileinto "C"; }
      """)
    #expect(result.diagnostics.map { $0.range?.start.line } == [3, 4])
    let recipe = try #require(result.recipe)
    #expect(recipe.contains("{ move: A }") && recipe.contains("{ move: C }") && !recipe.contains("delete"))
  }

  @Test func nothingIsDeletedThatAPartLeftOutWouldHaveKept() throws {
    let uncertain = Self.imported(
      "if mailboxexists \"A\" { fileinto \"A\"; stop; }\naddflag \"x\";\nif size :over 9 { discard; }")
    #expect(uncertain.diagnostics.map { $0.range?.start.line } == [1, 3])
    #expect(try #require(uncertain.recipe).contains("delete") == false)
    // The message that cannot be filed stays where it is.
    let unfiled = Self.imported(
      "require \"variables\";\nif exists \"a\" { fileinto \"${1}\"; }\nif exists \"b\" { discard; }")
    #expect(unfiled.diagnostics.map { $0.range?.start.line } == [2])
    #expect(
      try #require(unfiled.recipe).hasSuffix(
        """
          - name: line 2
            when: message.headers.exists(h, h.name.lowerAscii() == "a")
            then: [stop]
          - name: line 3
            when: message.headers.exists(h, h.name.lowerAscii() == "b")
            then: [delete]

        """))
  }

  /// Servers clear these folders by themselves.
  @Test(arguments: ["Trash", "INBOX.Trash", "Deleted Items", "Junk", "papierkorb"])
  func nothingIsThrownAwayThatAPartLeftOutWouldHaveKept(_ folder: String) throws {
    let script = "if mailboxexists \"A\" { fileinto \"A\"; stop; }\n"
    let uncertain = Self.imported(script + "if size :over 9 { fileinto \"\(folder)\"; }", separator: ".")
    #expect(uncertain.diagnostics.map { $0.range?.start.line } == [1, 2])
    #expect(!(uncertain.recipe ?? "").contains("move"))
    let copy = Self.imported(script + "if size :over 9 { fileinto :copy \"\(folder)\"; }", separator: ".")
    #expect(copy.recipe?.contains("copy") == true)
    let other = Self.imported(script + "if size :over 9 { fileinto \"Large\"; }")
    #expect(other.recipe?.contains("{ move: Large }") == true)
  }

  @Test func handlesKeepAnswersApart() throws {
    let recipe = try #require(
      Self.imported("require \"vacation\"; vacation :handle \"sales\" \"Away\";", addresses: ["me@example.com"]).recipe)
    #expect(recipe.contains("handle: sales"))
  }

  @Test func foldersAreWrittenWithSlashes() throws {
    let recipe = try #require(Self.imported("fileinto \"Lists.Sieve\";", separator: ".").recipe)
    #expect(recipe.contains("{ move: Lists/Sieve }"))
  }

  @Test func datesWithoutAZoneTakeTheOneGiven() throws {
    let result = Self.imported("if currentdate :is \"hour\" \"09\" { discard; }")
    #expect(try #require(result.recipe).contains("now().getHours(\"Europe/Zurich\") == 9"))
    #expect(result.diagnostics.map(\.code) == [.sieveDifference])
  }

  @Test func tooManyWaysAreRefused() {
    var text = "require [\"variables\", \"fileinto\"];\n"
    for number in 0..<12 { text += "if header :contains \"x\(number)\" \"y\" { set \"v\(number)\" \"1\"; }\n" }
    text += "fileinto \"${v0}${v1}x\";\n"
    let result = Self.imported(text)
    #expect(!result.isComplete)
    #expect(result.diagnostics.contains { $0.code == .sieveUnsupported })
  }
}
