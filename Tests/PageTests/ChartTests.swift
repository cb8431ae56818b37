import Foundation
import Localization
import Testing

@testable import Page

/// Numbers, charts and bars.
struct ChartTests {
  private let english = PageContext(actor: nil, language: .english, path: "/", csrfToken: nil, version: "1")
  private let german = PageContext(actor: nil, language: .german, path: "/", csrfToken: nil, version: "1")

  @Test(arguments: [
    (0, "0", "0"), (999, "999", "999"), (1000, "1,000", "1.000"), (1_234_567, "1,234,567", "1.234.567"),
    (-12_345, "−12,345", "−12.345"),
  ])
  func countsHaveSeparators(number: Int, english: String, german: String) {
    #expect(self.english.count(number) == english && self.german.count(number) == german)
  }

  @Test(arguments: [
    (0, "0.00", "0,00"), (0.5, "0.50", "0,50"), (1234.5678, "1,234.5678", "1.234,5678"),
    (0.00001, "< 0.0001", "< 0,0001"),
    (0.123, "0.123", "0,123"), (.infinity, "–", "–"),
  ])
  func moneyHasTwoToFourDigits(amount: Double, english: String, german: String) {
    #expect(self.english.money(amount) == english && self.german.money(amount) == german)
  }

  @Test(arguments: [(1, "100 %"), (0.9999, "99.9 %"), (0.5, "50 %"), (0, "0 %"), (.nan, "–")])
  func onlyTheWholeIsAHundredPercent(share: Double, expected: String) {
    #expect(english.share(share) == expected)
  }

  @Test func daysAreShort() {
    #expect(english.day("2026-11-28") == "28 Nov" && german.day("2026-11-28") == "28.11.")
    #expect(english.day("2026-13-28") == "2026-13-28" && english.day("x") == "x")
  }

  @Test(arguments: [(0, 1), (3, 5), (5, 5), (11, 20), (99, 100), (100, 100), (0.03, 0.05)] as [(Double, Double)])
  func theAxisEndsAtARoundNumber(most: Double, expected: Double) {
    #expect(abs(DayChart.round(above: most) - expected) < 1e-9)
  }

  private func chart(_ days: [String], _ values: [[Double]]) -> String {
    DayChart(
      label: "Tokens", days: days,
      series: values.enumerated().map { .init(name: "series \($0)", style: $0 == 0 ? "first" : "second", values: $1) },
      text: { "\(Int($0))" }, context: english
    ).html.markup
  }

  @Test func theBarsOfADayAreOnTopOfEachOther() {
    let markup = chart(["2026-11-27", "2026-11-28"], [[10, 0], [10, 5]])
    // Of 150 pixels for 20.
    #expect(markup.contains("class=\"first\" x=\"7%\" y=\"75\" width=\"36%\" height=\"75\""), "\(markup)")
    #expect(markup.contains("class=\"second\" x=\"7%\" y=\"0\" width=\"36%\" height=\"75\""), "\(markup)")
    #expect(markup.components(separatedBy: "class=\"first\"").count == 2)
    #expect(markup.contains("role=\"img\" aria-label=\"Tokens\"") && markup.contains("28 Nov"))
  }

  @Test func numbersThatAreNotNumbersDrawNothing() {
    for values in [[.nan, .infinity], [-5, 0], []] as [[Double]] {
      let markup = chart(["2026-11-27", "2026-11-28"], [values])
      #expect(!markup.contains("class=\"first\"") && !markup.contains("nan") && !markup.contains("inf"), "\(markup)")
    }
    #expect(!chart([], [[1]]).contains("class=\"first\""))
  }

  @Test(arguments: [(0.5, "50%"), (2, "100%"), (0.001, "1%")])
  func aBarIsNeverLongerThanItsTrack(share: Double, width: String) {
    #expect(ShareBar(share: share).html.markup.contains("class=\"part\" width=\"\(width)\""))
  }

  @Test func aBarOfNothingIsEmpty() {
    for share in [0, -1, .nan] as [Double] { #expect(!ShareBar(share: share).html.markup.contains("part")) }
  }
}
