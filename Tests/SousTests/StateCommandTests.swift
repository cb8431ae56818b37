import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct StateCommandTests {
  private func prepare() throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "count.yaml",
      """
      name: count
      steps:
        - { uses: state.increment, with: { key: runs } }
        - { uses: state.set, with: { key: last, value: { name: Zoé, many: [1, 2] } } }
        - { uses: state.set, with: { key: word, value: plain } }
      """)
    try #require(try sous("run", "count.yaml").status == 0)
    return sous
  }

  @Test func keptValuesAreListedAndPrinted() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(
      try sous("state", "list", "--json").output
        == #"[{"recipe":"count","key":"last","value":{"name":"Zoé","many":[1,2]}},"#
        + #"{"recipe":"count","key":"runs","value":1},{"recipe":"count","key":"word","value":"plain"}]"# + "\n")
    #expect(try sous("state").output.split(separator: "\n").count == 3)
    #expect(try sous("state", "get", "count", "word").output == "plain\n")
    #expect(try sous("state", "get", "count", "runs", "--json").output.contains(#""value":1"#))
  }

  @Test func clearedValuesAreGoneForTheNextRun() throws {
    let sous = try prepare()
    defer { sous.remove() }
    try #require(try sous("run", "count.yaml").status == 0)
    #expect(try sous("state", "get", "count", "runs").output == "2\n")
    #expect(try sous("state", "clear", "count", "runs").status == 0)
    #expect(try sous("state", "get", "count", "runs").status == 2)
    try #require(try sous("run", "count.yaml").status == 0)
    #expect(try sous("state", "get", "count", "runs").output == "1\n")
    #expect(try sous("state", "clear", "count", "--all", "--json").output == #"{"cleared":3}"# + "\n")
    #expect(try sous("state", "list").output.contains("no recipe keeps values"))
  }

  @Test func namesThatDoNotExistAreErrors() throws {
    let sous = try prepare()
    defer { sous.remove() }
    let recipe = try sous("state", "list", "cuont")
    #expect(recipe.status == 2 && recipe.errors.contains("'cuont'") && recipe.errors.contains("count"))
    let key = try sous("state", "get", "count", "rums", "--lang", "de")
    #expect(key.status == 2 && key.errors.contains("keinen Wert 'rums'"))
    #expect(try sous("state", "clear", "count").status != 0)
    #expect(try sous("state", "clear", "count", "gone").status == 2)
    #expect(try sous("state", "clear", "count", "runs", "--all").status != 0)
  }
}
