import Localization
import Testing

@Suite struct LocalizedTextCountTests {
  @Test(arguments: [(0, "0 steps", "0 Schritte"), (1, "1 step", "1 Schritt"), (2, "2 steps", "2 Schritte")])
  func exactlyOneIsSingular(number: Int, english: String, german: String) {
    let text = LocalizedText.count(number, "step", "steps", de: "Schritt", "Schritte")
    #expect(text == LocalizedText(english, de: german))
  }
}
