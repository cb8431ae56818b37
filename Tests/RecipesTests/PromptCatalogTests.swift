import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import Testing

@testable import RecipeSyntax
@testable import Schemas

private let files = PromptFiles([
  "mail/folder.yaml": "keywords: \"A: folder; B: folder; C: folder; D: folder; E: folder\"",
  "mail/deep/folder.yaml": "keywords: { B: deep, C: deep, D: deep, E: deep }",
  "mail/deep/one.yaml": """
  description: One
  keywords: { C: preset, D: preset, E: preset }
  system: You are {{ A }}.
  prompt: "{{ A }} {{ B }} {{ C }} {{ D }} {{ E }}"
  """,
  "mail/typo.yaml": "prompt: |\n  {{ A }}\n  {{ Bb }}\n",
  "mail/wrong.yaml": "prmpt: x\n",
  "mail/summary.yaml": "prompt: project\n",
])

private let catalog = PromptCatalog([files, BundledPrompts()])

private func step(_ text: String) throws -> PlanStep {
  let planning = Planner.standard(prompts: catalog).plan(text)
  #expect(planning.diagnostics.isEmpty, "\(planning.summary)")
  return try #require(planning.plan).steps[0]
}

/// The entry of a step's input.
private func input(_ step: PlanStep, _ name: String) -> BoundValue? {
  switch step.input {
  case .map(let entries): entries.first { $0.name == name }?.value
  case .literal(.map(let map)): map[name].map { .literal($0) }
  default: nil
  }
}

private func render(_ value: BoundValue?, _ bindings: Bindings) throws -> Value {
  switch value {
  case .literal(let literal): literal
  case .template(let template): try template.render(bindings)
  default: .null
  }
}

@Suite struct PromptCatalogTests {
  @Test func keywordsAreInheritedAndLaterOnesCount() throws {
    let text = """
      keywords: { D: recipe, E: recipe }
      steps:
        - uses: chat.complete
          with: { prompt: mail/deep/one, input: x, keywords: { E: step } }
      """
    let planning = Planner.standard(prompts: catalog).plan(text)
    let plan = try #require(planning.plan, "\(planning.summary)")
    let step = plan.steps[0]
    #expect(step.keywords.map(\.name).sorted() == ["A", "B", "C", "E"])
    #expect(plan.keywordNames.sorted() == ["A", "B", "C", "D", "E"])
    var keywords: [String: Value] = [:]
    for keyword in plan.keywords + step.keywords { keywords[keyword.name] = try render(keyword.value, Bindings()) }
    let bindings = Bindings(keywords: keywords)
    #expect(try render(input(step, "prompt"), bindings) == .string("folder deep preset recipe step"))
    #expect(try render(input(step, "system"), bindings) == .string("You are folder."))
    #expect(input(step, "keywords") == nil)
    #expect(planning.sources["catalog/mail/deep/one.yaml"] != nil)
  }

  @Test func aPresetSaysWhatKindOfWorkItIsUnlessTheStepDoes() throws {
    let preset = try step("steps:\n  - { uses: chat.complete, with: { prompt: notes/correction, input: x } }\n")
    #expect(try render(input(preset, "task"), Bindings()) == "correct")
    let own = try step(
      "steps:\n  - { uses: chat.complete, with: { prompt: notes/correction, task: write, input: x } }\n")
    #expect(try render(input(own, "task"), Bindings()) == "write")
  }

  @Test(arguments: BundledPrompts().names) func everyBundledPresetNamesItsTask(name: String) throws {
    // Without the project's presets, which hide some of them and the keywords of their folders.
    let planning = Planner.standard(prompts: .bundled)
      .plan("steps:\n  - { uses: chat.complete, with: { prompt: \(name), input: x } }\n")
    let step = try #require(planning.plan, "\(planning.summary)").steps[0]
    #expect(input(step, "task") != nil)
  }

  @Test func theStepsOwnSystemStays() throws {
    let step = try step("steps:\n  - { uses: chat.complete, with: { prompt: mail/deep/one, system: mine } }\n")
    #expect(try render(input(step, "system"), Bindings()) == .string("mine"))
  }

  @Test func aProjectHidesWhatIsBundled() throws {
    let step = try step("steps:\n  - { uses: chat.complete, with: { prompt: mail/summary, input: x } }\n")
    #expect(try render(input(step, "prompt"), Bindings()) == .string("project"))
  }

  @Test(arguments: ["Summarise this", "mail/", "a b/c", "/mail", "Either/or is fine, isn't it?", "https://x/y"])
  func ordinaryTextsAreNoNames(text: String) throws {
    let step = try step("steps:\n  - { uses: chat.complete, with: { prompt: \"\(text)\" } }\n")
    #expect(try render(input(step, "prompt"), Bindings()) == .string(text))
  }

  @Test func aKeywordThatNothingDefinesIsFoundInThePreset() throws {
    let planning = Planner.standard(prompts: catalog).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: mail/typo, input: x } }\n")
    let problem = try #require(planning.diagnostics.first)
    #expect(planning.diagnostics.count == 1)
    #expect(problem.code == .unknownKeyword)
    #expect(problem.path == "catalog/mail/typo.yaml")
    #expect(problem.range?.start.line == 3)
    #expect(problem.range?.start.column == 6)
    #expect(problem.suggestion == "B")
  }

  @Test func aRecipeMayGiveWhatThePresetLeavesOpen() throws {
    _ = try step("keywords: { Bb: x }\nsteps:\n  - { uses: chat.complete, with: { prompt: mail/typo, input: x } }\n")
  }

  @Test func aWrongPresetIsReportedWhereItIsWrong() {
    let planning = Planner.standard(prompts: catalog).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: mail/wrong, input: x } }\n")
    #expect(Set(planning.diagnostics.map(\.code)) == [.unknownKey, .missingKey])
    #expect(Set(planning.diagnostics.map(\.path)) == ["catalog/mail/wrong.yaml"])
  }

  @Test(arguments: BundledPrompts().names)
  func bundledPresetsWork(name: String) throws {
    let planning = Planner.standard().plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: \(name), input: x } }\n")
    #expect(planning.plan != nil, "\(planning.summary)")
    let names = Set(planning.plan?.steps[0].keywords.map(\.name) ?? [])
    #expect(names.isSuperset(of: ["Anrede", "Stil", "Sprache"]))
  }

  @Test(arguments: BundledPrompts().names)
  func bundledPresetsAreThereInGermanToo(name: String) throws {
    let english = try #require(PromptCatalog.bundled.description(of: name))
    let german = try #require(PromptCatalog.bundled.description(of: name + ".de"))
    #expect(english.prompt != german.prompt)
    #expect(english.system != german.system)
    var catalog = PromptCatalog.bundled
    catalog.language = .german
    #expect(catalog.description(of: name)?.prompt == german.prompt)
    #expect(catalog.description(of: name + ".en")?.prompt == english.prompt)
  }

  @Test func theBundledNamesAreKnown() {
    let names = PromptCatalog.bundled.names
    for name in [
      "mail/summary", "mail/triage", "mail/reply/draft", "notes/correction", "notes/protocol", "general/translate",
    ] {
      #expect(names.contains(name))
    }
    #expect(
      Set(names.map { $0.split(separator: "/").dropLast().joined(separator: "/") }) == [
        "mail", "mail/reply", "mail/forward", "mail/analyze", "notes", "general",
      ])
  }

  @Test func whatAProjectSaysOfAFolderCountsForBundledPresetsToo() throws {
    let files = PromptFiles(["mail/folder.yaml": "keywords: { Sprache: Deutsch }"])
    let keywords = try #require(PromptCatalog([files, BundledPrompts()]).description(of: "mail/summary")).keywords
    #expect(keywords.first { $0.name == "Sprache" }?.text == "Deutsch")
    #expect(keywords.contains { $0.name == "Stil" })
  }

  @Test func anItemHasKeywordsOfItsOwnAndAPresetTheLastWord() throws {
    let files = PromptFiles([
      "a/folder.yaml": "keywords: { A: folder, B: folder, C: folder }",
      "a/here.yaml": "preset: b/one\nkeywords: { B: item, C: item }\n",
      "b/folder.yaml": "keywords: { A: elsewhere }",
      "b/one.yaml": "keywords: { C: preset }\nprompt: \"{{ A }} {{ B }} {{ C }}\"\n",
    ])
    let step = try #require(
      Planner.standard(prompts: PromptCatalog([files])).plan(
        "steps:\n  - { uses: chat.complete, with: { prompt: a/here, input: x } }\n"
      ).plan
    ).steps[0]
    var keywords: [String: Value] = [:]
    for keyword in step.keywords { keywords[keyword.name] = try render(keyword.value, Bindings()) }
    #expect(try render(input(step, "prompt"), Bindings(keywords: keywords)) == .string("folder item preset"))
  }

  @Test func aRecipeCanUseACompositionAsAPreset() throws {
    let files = PromptFiles([
      "mail/folder.yaml": "name: { de: Post, en: Mail }\nkeywords: { A: folder, B: folder, C: folder, D: folder }",
      "mail/one.yaml": "keywords: { B: preset }\nprompt: \"{{ A }} {{ B }}\"\n",
      "mail/two.yaml": "literal: true\nprompt: \"{{ A }} is text\"\n",
      "cookbooks/book.yaml": "keywords: { C: book, D: book }\ncontents: [{ chapter: x, contents: [recipes/both] }]\n",
      "recipes/both.yaml": "keywords: { D: composition }\nelements: [mail/, mail/one, mail/two]\nseparator: \"|\"\n",
    ])
    let planning = Planner.standard(prompts: PromptCatalog([files])).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: recipes/both, input: x } }\n")
    let step = try #require(planning.plan, "\(planning.summary)").steps[0]
    var keywords: [String: Value] = [:]
    for keyword in step.keywords { keywords[keyword.name] = try render(keyword.value, Bindings()) }
    #expect(keywords == ["A": "folder", "B": "preset", "C": "book", "D": "composition"])
    let bindings = Bindings(keywords: keywords)
    #expect(try render(input(step, "prompt"), bindings) == .string("# Mail|folder preset|{{ A }} is text"))
    #expect(planning.sources["catalog/mail/two.yaml"] != nil)
  }

  @Test(arguments: ["mail/sumary", "mail/summary.yaml", "recipes/none", "./none", "Mail/Summery"])
  func aNameThatIsNotThereIsNoPromptText(name: String) {
    let planning = Planner.standard(prompts: catalog).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: \(name), input: x } }\n")
    #expect(planning.diagnostics.map(\.code) == [.unknownPrompt])
  }

  @Test(arguments: ["../secret", "a/../../secret", "/etc/secret"])
  func noNameLeadsOutOfTheCatalog(name: String) {
    let files = PromptFiles(["a/item.yaml": "preset: \(name)\n", "\(name).yaml": "prompt: secret\n"])
    let planning = Planner.standard(prompts: PromptCatalog([files])).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: a/item, input: x } }\n")
    #expect(planning.diagnostics.map(\.code) == [.unknownPrompt])
  }

  @Test func aCompositionWithAWrongElementIsReportedThere() throws {
    let files = PromptFiles(["recipes/x.yaml": "elements:\n  - mail/summary\n  - mail/sumary\n"])
    let planning = Planner.standard(prompts: PromptCatalog([files, BundledPrompts()])).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: recipes/x, input: x } }\n")
    let problem = try #require(planning.diagnostics.first)
    #expect(problem.code == .unknownPrompt)
    #expect(problem.path == "catalog/recipes/x.yaml")
    #expect(problem.range?.start.line == 3)
  }

  @Test func keywordTextsOfOtherProgramsDoNotStandInTheWay() throws {
    let files = PromptFiles([
      "a/folder.yaml": "keywords: \"Art des Briefs: x; tag; Stil: a; Stil: b; inputs: y; : z\"",
      "a/one.yaml": "prompt: \"{{ Stil }}\"\n",
    ])
    let planning = Planner.standard(prompts: PromptCatalog([files])).plan(
      "steps:\n  - { uses: chat.complete, with: { prompt: a/one, input: x } }\n")
    let step = try #require(planning.plan, "\(planning.summary)").steps[0]
    #expect(step.keywords.map(\.name) == ["Stil"])
    #expect(try render(step.keywords[0].value, Bindings()) == .string("b"))
  }
}
