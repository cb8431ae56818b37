import Localization
import Testing

@testable import Neutralisation

/// Texts as they arrive: wrapped, typed in lower case, escaped, with signs that nobody sees.
@Suite struct TextReadingTests {
  private func neutral(
    _ text: String, _ format: TextFormat = .auto
  ) throws -> (text: String, mapping: PlaceholderMapping) {
    var mapping = PlaceholderMapping()
    let neutral = try Neutraliser().neutralise(text, format: format, into: &mapping)
    return (neutral.text, mapping)
  }

  @Test(arguments: [
    ("Frau Zwir\u{200B}bel\u{AD}mann, bitte", "Frau [PERSON_1], bitte"),
    ("IBAN CH93\u{A0}0076\u{202F}2011\u{2009}6238\u{A0}5295\u{A0}7", "IBAN [IBAN_1]"),
    ("Tel. 044\u{A0}123\u{2011}45\u{2011}67", "Tel. [PHONE_1]"),
    ("geboren am 3.\u{A0}Februar\u{A0}1980", "geboren am [BIRTHDATE_1]"),
    ("x\u{FEFF}y@example.ch", "[EMAIL_1]"),
    ("Frau **Zwirbelmann** schreibt", "Frau **[PERSON_1]** schreibt"),
    ("Frau Zwirbelma\u{308}nn kommt", "Frau [PERSON_1] kommt"),
  ])
  func signsThatNobodySeesHideNothingAndComeBack(_ text: String, _ expected: String) throws {
    let (neutral, mapping) = try neutral(text)
    #expect(neutral == expected)
    #expect(mapping.resolve(neutral).text.utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: [
    ("sehr geehrte frau zwirbelmann,", "sehr geehrte frau [PERSON_1],"),
    ("mein name ist ylva quobb und ich wohne hier", "mein name ist [PERSON_1] und ich wohne hier"),
    ("hallo sabine, wie geht es dir?", "hallo [PERSON_1], wie geht es dir?"),
    ("ich wohne an der lindenstrasse 5, 8400 winterthur", "ich wohne an der [ADDRESS_1], [ADDRESS_2]"),
    ("i live at 12 market street, leeds ls3 4ab", "i live at [ADDRESS_1], [ADDRESS_2]"),
    ("die knorzel gmbh hat gekündigt", "die [ORG_1] hat gekündigt"),
    ("dear mr quobb, thanks for that", "dear mr [PERSON_1], thanks for that"),
    ("Guten Tag, ich habe mit frau zwirbelmann gesprochen.", "Guten Tag, ich habe mit frau [PERSON_1] gesprochen."),
  ])
  func whatIsTypedInLowerCaseIsFound(_ text: String, _ expected: String) throws {
    #expect(try neutral(text).text == expected)
  }

  @Test(arguments: [
    "meine frau arbeitet in der schule und der herr kommt morgen wieder",
    "we need to check the report before the meeting and then send it out again",
  ])
  func lowerCaseByItselfIsNoName(_ text: String) throws {
    #expect(try neutral(text).text == text)
  }

  @Test func wrappedLinesAreReadAsOne() throws {
    let text = """
      Guten Tag, wir haben gestern die Unterlagen von Tilda
      Framposa erhalten. Sie erreichen mich unter 044 123
      45 67 oder an meiner neuen Adresse: Lindenstrasse
      12, 8400 Winterthur. Bitte zahlen Sie auf CH93 0076
      2011 6238 5295 7 ein.
      """
    let (neutral, mapping) = try neutral(text)
    for planted in ["Framposa", "044 123", "45 67", "Lindenstrasse", "Winterthur", "CH93", "5295"] {
      #expect(!neutral.contains(planted), "\(planted)")
    }
    #expect(mapping.resolve(neutral).text == text)
  }

  @Test func linesOfAQuotationAreReadAsOne() throws {
    let text = "> Wir haben gestern lange mit Frau Tilda\n> Framposa gesprochen, und sie hat zugestimmt."
    #expect(try !neutral(text).text.contains("Framposa"))
  }

  @Test func whatOtherFormatsEscapeIsReadInPlainText() throws {
    let quoted = "Sehr geehrte Frau M=C3=BCllerz=\nann, IBAN CH93 0076 2011 6238 5=\n295 7"
    let (text, mapping) = try neutral(quoted)
    #expect(text == "Sehr geehrte Frau [PERSON_1], IBAN [IBAN_1]")
    #expect(mapping.resolve("[PERSON_1]").text == "Müllerzann")
    #expect(try neutral("Frau M&uuml;llerz&#97;nn schreibt").text == "Frau [PERSON_1] schreibt")
    #expect(
      try neutral(#"{"letter": "Guten Tag\nFrau M\u00fcllerzann,\nbis bald"}"#).text
        == #"{"letter": "Guten Tag\nFrau [PERSON_1],\nbis bald"}"#)
  }

  @Test func namesOfFieldsSayWhatTheirValuesAre() throws {
    #expect(
      try neutral(#"{"name": "Quobb", "city": "Wil", "amount": 12.5, "note": "ok"}"#).text
        == #"{"name": "[PERSON_1]", "city": "[ADDRESS_1]", "amount": 12.5, "note": "ok"}"#)
    #expect(try neutral("Ort: Hinterfultigen\nBetrag: 12").text == "Ort: [ADDRESS_1]\nBetrag: 12")
    #expect(try neutral("Adresse: siehe unten").text == "Adresse: siehe unten")
  }

  @Test func aMessageAsItWasSentIsKnownByItsHeader() throws {
    let mail = """
      From: Ylva Quobb <y@x.example>
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: base64

      SGFsbG8gRnJhdSBRdW9iYg==

      """
    let (text, _) = try neutral(mail)
    #expect(text.contains("Hallo Frau [PERSON_") && !text.contains("SGFsbG8"))
    // The same within other words.
    let within = try neutral("Fasse das zusammen:\n\n" + mail).text
    #expect(within.contains("Hallo Frau [PERSON_") && !within.contains("SGFsbG8"))
  }

  @Test(arguments: [
    "{{PERSON_1}}", "<PERSON_1>", "[[PERSON_1]]", "[PERSONEN_1]", "[PERSONS_1]", "PERSON-1", "[Person #1]",
    "&#91;PERSON_1&#93;",
    "[PERSON_ 1]", "&lt;PERSON_1&gt;", "{person_1}",
  ])
  func placeholdersAreFoundInOtherBrackets(_ written: String) throws {
    let (_, mapping) = try neutral("Frau Zwirbelmann")
    #expect(mapping.resolve("an \(written).").text == "an Zwirbelmann.")
    var stream = PlaceholderStream(mapping)
    let pieces = "an \(written).".map { stream.add(String($0)) }
    #expect(pieces.joined() + stream.finish() == "an Zwirbelmann.")
  }

  @Test(arguments: ["Person 1", "person-1", "a < b", "{x}", "<p>1</p>", "[1]", "[ ]", "CARD 12 of 20 {"])
  func whatIsNoPlaceholderStays(_ text: String) throws {
    let (_, mapping) = try neutral("Frau Zwirbelmann")
    #expect(mapping.resolve(text).text == text)
    var stream = PlaceholderStream(mapping)
    #expect(text.map { stream.add(String($0)) }.joined() + stream.finish() == text)
  }

  /// Each field has to look for a body: together they may not look through the text more than once.
  @Test(.timeLimit(.minutes(2))) func fieldsWithoutABodyAreLookedThroughOnce() {
    let source = Array(String(repeating: "Content-Transfer-Encoding: base64\n", count: 100_000).utf8)
    var decoded = source
    MailText.decodeBodies(&decoded)
    #expect(decoded == source)
  }
}
