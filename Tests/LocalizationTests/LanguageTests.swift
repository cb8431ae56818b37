import Localization
import Testing

@Suite struct LanguageTests {
  @Test(arguments: [
    ("de", Language.german), ("de_DE.UTF-8", .german), ("de-CH", .german), ("DE", .german), ("en_GB", .english),
    ("en", .english), ("fr_FR", nil), ("C", nil), ("", nil), ("default", nil),
  ])
  func aTagNamesALanguage(tag: String, expected: Language?) {
    #expect(Language(tag: tag) == expected)
  }

  @Test(arguments: [
    ([:], Language.english), (["LANG": "de_DE.UTF-8"], .german),
    (["LANG": "de_DE", "LC_MESSAGES": "en_US"], .english), (["LANG": "en_US", "LC_ALL": "de_AT"], .german),
    (["LC_ALL": "", "LANG": "de"], .german), (["LANG": "C.UTF-8"], .english),
    (["LC_ALL": "C", "LANG": "de"], .english),
  ])
  func theEnvironmentDecidesAsPOSIXHasIt(environment: [String: String], expected: Language) {
    #expect(Language.preferred(environment: environment) == expected)
  }

  @Test func textsAreJoinedLanguageByLanguage() {
    let text = LocalizedText("one ", de: "eins ") + LocalizedText("two", de: "zwei")
    #expect(text.string(in: .english) == "one two")
    #expect(text.string(in: .german) == "eins zwei")
  }
}
