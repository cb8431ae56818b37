import ArgumentParser
import Testing

@testable import sous

/// Arguments of `sous run` that are read without ArgumentParser.
@Suite(.timeLimit(.minutes(5))) struct UsualArgumentsTests {
  private static let words = [
    "a.yaml", "-i", "--input", "x=1", "-k", "--config", "--state", "-q", "--quiet", "--json", "--queue", "--", "",
    "-x", "--config=b", "help",
  ]

  /// All lines of up to three words, and of four that begin with a recipe.
  private static let lines: [[String]] = {
    var (lines, last) = ([[String]](), [[String]()])
    for _ in 0..<3 {
      last = last.flatMap { line in words.map { line + [$0] } }
      lines += last
    }
    return lines + last.map { ["a.yaml"] + $0 }.filter { $0.contains("-i") || $0.contains("--json") }
  }()

  /// What is left to ArgumentParser needs no proof.
  @Test func meanWhatTheyMeanToArgumentParser() throws {
    var count = 0
    for line in Self.lines {
      guard let usual = RunArguments(usual: ["run"] + line) else { continue }
      count += 1
      let parsed = try #require(try Sous.parseAsRoot(["run"] + line) as? RunCommand, "\(line)")
      #expect(usual == parsed.arguments, "\(line)")
    }
    #expect(count > 100)
  }

  @Test(arguments: [["run"], ["run", "a", "b"], ["run", "a", "-i"], ["run", "a", "-h"], ["version"], []])
  func theRestIsLeftToArgumentParser(line: [String]) {
    #expect(RunArguments(usual: line) == nil)
  }
}
