import Notes
import SeededRandom
import Testing

@Suite struct WordDifferenceTests {
  @Test(arguments: [
    ("", "", ""), ("gleich", "gleich", "gleich"), ("", "neu", "{+neu+}"), ("weg", "", "[-weg-]"),
    ("ein alter Satz", "ein neuer Satz", "ein [-alter-]{+neuer+} Satz"),
    ("Ähm, also gut.", "Also gut.", "[-Ähm, also-]{+Also+} gut."),
    ("eins zwei drei", "vier fünf drei", "[-eins zwei-]{+vier fünf+} drei"),
    ("eins\nzwei", "eins\nzwei drei", "eins\nzwei{+ drei+}"),
  ])
  func wordsThatDifferAreMarked(_ first: String, _ second: String, _ expected: String) {
    let difference = WordDifference(first, second)
    #expect(difference.marked == expected)
    #expect(difference.isEmpty == (first == second))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func bothTextsCanBeReadFromIt(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["Haus", "ähm", "gut", ",", "\n", "  ", "Straße", "👍🏽", "."]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in (words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "") }
        .joined()
    }
    let count = seed.isMultiple(of: 8) ? 6000 : 60
    let (first, second) = (text(count), text(count))
    let difference = WordDifference(first, second)
    var (old, new) = ("", "")
    for piece in difference.pieces {
      switch piece {
      case .same(let text): (old, new) = (old + text, new + text)
      case .removed(let text): old += text
      case .added(let text): new += text
      }
    }
    #expect(Array(old.utf8) == Array(first.utf8))
    #expect(Array(new.utf8) == Array(second.utf8))
  }
}
