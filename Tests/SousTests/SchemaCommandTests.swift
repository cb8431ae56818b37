import Expressions
import Foundation
import RecipeSyntax
import Schemas
import Testing

@Suite(.timeLimit(.minutes(15))) struct SchemaCommandTests {
  @Test(arguments: ["recipe", "configuration", "preset", "test"])
  func theCommittedSchemaIsUpToDate(_ file: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let committed = try String(
      contentsOfFile: SousProcess.repository + "/docs/schema/\(file).json", encoding: .utf8)
    #expect(try sous("schema", file, "--lang", "en").output == committed, "run `make docs`")
  }

  @Test func thePageOfOperationsIsUpToDate() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let committed = try String(contentsOfFile: SousProcess.repository + "/docs/api.md", encoding: .utf8)
    #expect(try sous("schema", "api.md", "--lang", "en").output == committed, "run `make docs`")
    let document = try sous("schema", "api", "--json").json
    #expect(document["openapi"] == "3.1.0" && document["paths"]?["/api/v1/runs"] != nil)
  }

  @Test func everyBundledRecipeNamesTheSchema() throws {
    let folder = SousProcess.repository + "/workflows"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".yaml") {
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      let schema = name.hasSuffix(".test.yaml") ? "test" : "recipe"
      #expect(text.hasPrefix("# yaml-language-server: $schema=../docs/schema/\(schema).json\n"), "\(name)")
    }
  }

  @Test func theSchemaOfTestsAcceptsThoseThatAreBundled() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let schema = Schema(document: try sous("schema", "test", "--json").json)
    let folder = SousProcess.repository + "/workflows"
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".test.yaml") {
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      let root = try #require(YAMLDocument.parse(SourceText(path: name, text: text)).document?.root)
      #expect(schema.validate(root.value).map(\.pathText) == [], "\(name)")
      count += 1
    }
    #expect(count >= 5)
    #expect(!schema.validate(["recipe": "r.yaml", "tests": [["name": "t", "expect": ["statsu": "failed"]]]]).isEmpty)
  }

  @Test func theSchemaOffersActionsInTheLanguageOfTheUser() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let step = try sous("schema", "--json", "--lang", "de").json["$defs"]?["step"]
    #expect(step?["description"] == "Ein Schritt: eine Aktion und ihre Eingabe.")
    let names = step?["properties"]?["uses"]?["anyOf"]?.listValue?.first?["enum"]?.listValue ?? []
    #expect(names.contains("mail.search") && names.contains("template"))
  }
}
