import Engine
import Expressions
import Plans
import RecipeSyntax
import RunStore
import Schemas
import Testing

@testable import UseCases

@Suite struct FailureJudgementTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  /// The ends of runs one after the other, and what is told of each: `f3` for the third failure, `r3` for the recovery
  /// after three, `a` for attention, `-` for nothing.
  @Test(arguments: [
    ("FFFS", "f1 - - r3", FailurePolicy()),
    ("SSFSS", "- - f1 r1 -", FailurePolicy()),
    ("FFFFFFF", "f1 - f3 - - f6 -", FailurePolicy(every: 3)),
    ("FFFFS", "- - f3 - r4", FailurePolicy(first: false, every: 3)),
    // Nobody was told that it failed, so nobody is told that it works.
    ("FFS", "- - -", FailurePolicy(first: false, every: 3)),
    ("FS", "f1 -", FailurePolicy(recovery: false)),
    ("FAFS", "f1 a - r2", FailurePolicy()),
    ("FFAS", "- - - -", FailurePolicy(isOn: false)),
  ])
  func tellsWhatThePolicySays(_ ends: String, _ told: String, _ policy: FailurePolicy) {
    var streak: FailureStreak?
    var news: [String] = []
    for (index, letter) in ends.enumerated() {
      let status: RunStatus = letter == "F" ? .failed : letter == "A" ? .needsAttention : .succeeded
      let at = Self.start.adding(seconds: Double(index))
      let run = ConcludedRun(
        number: index, run: RunID(rawValue: "01"), path: "r.yaml", recipe: "r", status: status, at: at)
      let judgement = FailureJudgement(run, after: streak, policy)
      streak = judgement.streak
      switch judgement.news {
      case .failed(let count): news.append("f\(count)")
      case .needsAttention: news.append("a")
      case .recovered(let count, let since):
        news.append("r\(count)")
        #expect(
          since
            == Self.start.adding(
              seconds: Double(ends.distance(from: ends.startIndex, to: ends.firstIndex(of: "F") ?? ends.startIndex))))
      case nil: news.append("-")
      }
    }
    #expect(news.joined(separator: " ") == told)
  }
}

extension FailurePolicy {
  fileprivate init(isOn: Bool = true, first: Bool = true, every: Int? = nil, recovery: Bool = true) {
    self.init()
    (self.isOn, self.first, self.every, self.recovery) = (isOn, first, every, recovery)
  }
}
