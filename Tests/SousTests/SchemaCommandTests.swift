import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SchemaCommandTests {
  @Test(arguments: ["recipe", "configuration", "preset"])
  func theCommittedSchemaIsUpToDate(_ file: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let committed = try String(
      contentsOfFile: SousProcess.repository + "/docs/schema/\(file).json", encoding: .utf8)
    #expect(try sous("schema", file, "--lang", "en").output == committed, "run `make docs`")
  }

  @Test func everyBundledRecipeNamesTheSchema() throws {
    let folder = SousProcess.repository + "/workflows"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".yaml") && !name.hasSuffix(".test.yaml") {
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      #expect(text.hasPrefix("# yaml-language-server: $schema=../docs/schema/recipe.json\n"), "\(name)")
    }
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
