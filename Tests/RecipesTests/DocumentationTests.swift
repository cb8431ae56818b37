import Foundation
import Localization
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import RecipeSyntax
@testable import Schemas

/// The YAML examples of docs/recipes.md.
private enum Documentation {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/recipes.md")
    .standardizedFileURL

  struct Example: CustomTestStringConvertible {
    var line: Int
    var text: String
    var testDescription: String { "docs/recipes.md:\(line)" }
  }

  static let examples: [Example] = {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var examples: [Example] = []
    var open: Example?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```yaml" {
        open = Example(line: number + 2, text: "")
      } else if line.hasPrefix("```"), let example = open {
        examples.append(example)
        open = nil
      } else {
        open?.text += line + "\n"
      }
    }
    return examples
  }()
}

@Suite struct DocumentationTests {
  private static let invoice =
    "inputs: { uid: string }\nsteps: [{ uses: template, with: { text: '{{ inputs.uid }}' } }]\n"
  private static let providers = FakeProviders([
    ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store", "mail.transport"]),
    ProviderDescription(name: "local", plugin: "ollama", contracts: ["chat"]),
    ProviderDescription(name: "gpt", plugin: "openai", contracts: ["chat"]),
  ])

  @Test func thereAreExamples() {
    #expect(Documentation.examples.count >= 10)
  }

  @Test(arguments: Documentation.examples)
  fileprivate func everyExampleIsValid(_ example: Documentation.Example) throws {
    let source = SourceText(path: "example.yaml", text: example.text)
    let root = try #require(YAMLDocument.parse(source).document?.root?.mapping)
    if root["providers"] != nil {
      #expect(Configuration.parse(source).diagnostics.isEmpty)
    } else if root["steps"] != nil || root["kind"] != nil {
      var planner = Planner.forKinds(["file-invoice.yaml": Self.invoice])
      let builtins = ["http.request", "http.get", "file.save", "exec", "exec.read"].map { name in
        ActionSignature(
          name: name, summary: .init(verbatim: ""), effect: .once, input: .anything, output: .anything, isBuiltin: true)
      }
      planner.catalog.insert(builtins)
      let planning = planner.plan(source)
      #expect(planning.plan != nil, "\(planning.summary)")
    } else {
      // A preset, or the keywords of its folder.
      let files =
        root["prompt"] != nil
        ? ["mail/x.yaml": example.text, "mail/folder.yaml": "keywords: { Sprache: Deutsch }"]
        : ["mail/x.yaml": "prompt: \"{{ Anrede }} {{ Sprache }}\"", "mail/folder.yaml": example.text]
      let planning = Planner.standard(Self.providers, prompts: PromptCatalog([PromptFiles(files)])).plan(
        "steps:\n  - { uses: chat.complete, with: { prompt: mail/x, input: x } }\n")
      #expect(planning.plan != nil, "\(planning.summary)")
    }
  }

  @Test func configurationsOfTheOperationsPageAreValid() throws {
    let page = Documentation.file.deletingLastPathComponent().appending(path: "operations.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
    #expect(blocks.count >= 2)
    for block in blocks {
      let text = block.components(separatedBy: "```")[0]
      #expect(Configuration.parse(SourceText(path: "sous.yaml", text: text)).diagnostics.isEmpty, "\(text)")
    }
  }

  @Test func everyKeyIsDescribed() throws {
    let text = try String(contentsOf: Documentation.file, encoding: .utf8)
    let names: [MappingDefinition.Name] = [
      .general, .step, .configuration, .chain, .prompt, .mailFilter, .rule, .reminder, .delivery, .send, .recipeCall,
    ]
    for key in names.flatMap({ RecipeDefinitions.definition($0).keyNames }) {
      #expect(text.contains("`\(key)`") || text.contains("\n\(key):"), "\(key) is not described")
    }
  }
}
