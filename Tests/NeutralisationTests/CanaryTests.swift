import Localization
import PlantedLetters
import Testing

@testable import Neutralisation

/// Letters with planted data: none of it stays, all of it comes back.
@Suite struct CanaryTests {
  /// RE2 refuses some patterns that others take.
  @Test func everyPatternIsCompiled() { #expect(NumberDetector.isComplete) }

  @Test func nothingPlantedStaysAndEverythingComesBack() throws {
    var options = Neutraliser.Options()
    options.patterns = [#"\bK-\d{6}\b"#]
    let neutraliser = try Neutraliser(options)
    var leaks: [String] = []
    for (index, letter) in PlantedLetter.letters(90, seed: 20_261_123).enumerated() {
      var mapping = PlaceholderMapping()
      let neutral = try neutraliser.neutralise(letter.text, into: &mapping)
      for (kind, value) in letter.planted where neutral.text.lowercased().contains(value.lowercased()) {
        leaks.append("\(index) \(kind) \(value)")
      }
      #expect(mapping.resolve(neutral.text).text == letter.text)
    }
    #expect(leaks.isEmpty, "\(leaks.count): \(leaks.prefix(40).joined(separator: "\n"))")
  }
}
