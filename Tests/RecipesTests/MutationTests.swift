import RecipeModel
import RecipePlanning
import RecipeSyntax
import SeededRandom
import Testing

@testable import Plans

@Suite struct MutationTests {
  private static let pieces = [
    "{{", "}}", "\"", "'", ": ", "- ", "\n", "\t", "&a ", "*a", "<<: ", "|\n", ">\n", "[", "]", "{", "}", "#", "\\",
    "!!int ",
    "\r\n", "---\n", "...", "? ", "é", "日本", "\u{1F600}", "\u{FEFF}", "\0", "steps.", "inputs.", "99999999999999999999",
    "\u{85}", "\u{2028}", "  ", "%YAML 9\n", "@", "`", ",",
  ]

  private static let seeds: [String] =
    BrokenRecipe.all.map(\.text) + [
      "a: &a [1, *b]\nb: { <<: *a, x: \"\\u00e4\\\n  y\" }\nc: |2-\n    x\n\n   y\nd: >+\n  x\n   y\n\n\n",
      "providers:\n  home: { plugin: maildir, path: x, key: { secret: A } }\ndefaults: { chat: [home] }\n",
    ]

  /// Whatever a file holds, it is read, planned and rendered without a trap, and every place lies inside it.
  @Test(.timeLimit(.minutes(5)), arguments: 0..<8)
  func damagedFilesEndInDiagnostics(round: Int) {
    var random = SeededGenerator(seed: UInt64(round) &* 7919 &+ 17)
    let planner = Planner.standard()
    for _ in 0..<150 {
      var bytes = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let piece = Self.pieces.randomElement(using: &random) ?? ""
          bytes.insert(contentsOf: Array(piece.utf8), at: at)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &random)))
        case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
        case 3: bytes.insert(contentsOf: Array(bytes[at...].prefix(Int.random(in: 1...40, using: &random))), at: at)
        default:
          if at < bytes.count { bytes[at] = Array("{}[]:#\"'|>-,&* \n".utf8).randomElement(using: &random) ?? 0x20 }
        }
      }
      let source = SourceText(path: "t.yaml", bytes: bytes)
      let planning = planner.plan(source)
      let configuration = Configuration.parse(source)
      for diagnostic in planning.diagnostics + configuration.diagnostics where diagnostic.path == "t.yaml" {
        if let range = diagnostic.range {
          #expect(
            range.start.offset >= 0 && range.start.offset <= range.end.offset && range.end.offset <= bytes.count + 3)
          #expect(range.start.line >= 1 && range.start.column >= 1)
        }
      }
      let text = DiagnosticRenderer().render(planning.diagnostics, sources: planning.sources)
      #expect(planning.diagnostics.isEmpty == text.isEmpty)
      #expect(planning.plan != nil || !planning.diagnostics.isEmpty || !planning.providerProblems.isEmpty)
    }
  }
}
