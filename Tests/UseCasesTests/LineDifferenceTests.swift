import Testing

@testable import RecipeHistory

struct LineDifferenceTests {
  @Test(
    arguments: [
      ("", "", ""), ("a\n", "a\n", ""), ("", "a\n", "@@ -0,0 +1,1 @@\n+a\n"), ("a\n", "", "@@ -1,1 +0,0 @@\n-a\n"),
      ("a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"),
      ("a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n"),
      // A line that only ends in another way differs.
      ("a\r\n", "a\n", "@@ -1,1 +1,1 @@\n-a\r\n+a\n"),
    ])
  func linesAreComparedAsByDiff(first: String, second: String, expected: String) {
    #expect(LineDifference(first, second).text == expected)
  }

  @Test func farPlacesAreHunksOfTheirOwn() {
    let lines = (1...30).map { "line \($0)" }
    var changed = lines
    changed[4] = "other"
    changed.remove(at: 24)
    changed.insert("new", at: 25)
    let difference = LineDifference(lines.joined(separator: "\n") + "\n", changed.joined(separator: "\n") + "\n")
    #expect(difference.hunks.map(\.header) == ["@@ -2,7 +2,7 @@", "@@ -22,8 +22,8 @@"])
    #expect(difference.hunks[1].lines.filter(\.isChange).map(\.marked) == ["-line 25", "+new"])
  }

  /// Common lines are found in long texts too; the search for differences is bounded.
  @Test func largeTextsAreComparedInTime() {
    let first = (0..<30_000).map { "a\($0)\n" }.joined()
    let second = "head\n" + (0..<30_000).map { "b\($0)\n" }.joined()
    let difference = LineDifference("same\n" + first, "same\n" + second)
    #expect(difference.hunks.count == 1 && difference.hunks[0].lines.count == 60_002)
  }
}
