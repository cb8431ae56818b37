import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct TestCommandTests {
  @Test func everyBundledRecipePassesItsTests() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let workflows = SousProcess.repository + "/workflows"
    let outcome = try sous("test", workflows)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    for name in try FileManager.default.contentsOfDirectory(atPath: workflows)
    where name.hasSuffix(".yaml") && !name.hasSuffix(".test.yaml") {
      let test = name.dropLast(".yaml".count) + ".test.yaml"
      #expect(FileManager.default.fileExists(atPath: workflows + "/" + test), "\(name) has no tests")
    }
  }

  private static let recipe = "name: r\nsteps: [ { id: a, uses: template, with: { text: x } } ]\n"

  @Test func statusesTellWhatWentWrong() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("test").status == 2)
    try sous.write("r.yaml", Self.recipe)
    let path = try sous.write(
      "r.test.yaml",
      "recipe: r.yaml\ntests: [ { name: good, expect: {} }, { name: bad, expect: { status: failed } } ]\n")
    let failed = try sous("test", path, "--json", "--junit", sous.folder + "/out.xml")
    #expect(failed.status == 1)
    #expect(try failed.json["passed"] == 1)
    #expect(try failed.json["failed"] == 1)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/out.xml"))
    #expect(try sous("test", path, "--filter", "good", "--min-coverage", "100").status == 0)
    #expect(try sous("test", path, "--filter", "neither").status == 2)
    #expect(try sous("test", path).output.contains("✗ bad"))
    try sous.write("r.test.yaml", "recipe: r.yaml\ntests: [ { name: good, expect: {}, stepps: {} } ]\n")
    #expect(try sous("test", path).status == 2)
  }

  @Test func validateSaysTheSameOfATestFileAsTest() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("r.yaml", Self.recipe)
    let path = try sous.write(
      "r.test.yaml", "recipe: r.yaml\ntests:\n  - { name: t, stepps: {}, expect: { steps: { b: { calls: 1 } } } }\n")
    let tested = try sous("test", path)
    let validated = try sous("validate", path)
    #expect(tested.status == 2 && validated.status == 2)
    #expect(validated.errors.contains("r.test.yaml:3:16: ") && validated.errors.contains("r.test.yaml:3:47: "))
    #expect(tested.output.contains(validated.errors))
    #expect(tested.output.hasSuffix("1 file is wrong\n"))
    #expect(try sous("test", path, "--lang", "de").output.hasSuffix("1 Datei ist falsch\n"))
    #expect(try sous("validate", path, "--json").json.listValue?.count == 2)
    try sous.write("r.test.yaml", "recipe: r.yaml\ntests: [ { name: t, expect: {} } ]\n")
    let valid = try sous("validate", path)
    #expect(valid.status == 0 && valid.output.hasSuffix("valid\n"))
  }

  @Test func tooLittleCoverageFails() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("r.yaml", "name: r\nsteps: [ { id: a, when: 'false', uses: template, with: { text: x } } ]\n")
    try sous.write("r.test.yaml", "recipe: r.yaml\ntests: [ { name: t, expect: {} } ]\n")
    #expect(try sous("test", sous.folder, "--min-coverage", "50").status == 1)
    #expect(try sous("test", sous.folder, "--min-coverage", "30", "--coverage").output.contains("1/3"))
  }
}
