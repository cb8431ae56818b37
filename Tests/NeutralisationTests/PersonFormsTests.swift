import Neutralisation
import Testing

/// Forms of one person's name share the number of their placeholder, and each comes back as it was.
@Suite struct PersonFormsTests {
  private func neutral(_ text: String) throws -> String {
    var mapping = PlaceholderMapping()
    let neutral = try Neutraliser().neutralise(text, into: &mapping).text
    #expect(mapping.resolve(neutral).text == text)
    #expect(try PlaceholderMapping(bytes: mapping.bytes).resolve(neutral).text == text)
    return neutral
  }

  @Test(arguments: [
    (
      "Guten Tag Herr Lehmann,\n\nes schrieb Uwe Lehmann: gut.\nLehmann, Uwe <u@x.example>\n",
      "Guten Tag Herr [PERSON_1],\n\nes schrieb [PERSON_1b]: gut.\n[PERSON_1c] <[EMAIL_1]>\n"
    ),
    (
      "Dear Mr Hargreaves,\n\nJohn Hargreaves called. Mr Hargreaves's contract and J. Hargreaves's order are ready.\nHargreaves, John\n",
      "Dear Mr [PERSON_1],\n\n[PERSON_1b] called. Mr [PERSON_1]'s contract and [PERSON_1c]'s order are ready.\n[PERSON_1d]\n"
    ),
    ("Uwe Lehmann kommt. Herrn Lehmanns Vertrag.\n", "[PERSON_1] kommt. Herrn [PERSON_1b]s Vertrag.\n"),
    ("Frau Dr. Lehmann ist da. Sabine Lehmann geht.\n", "Frau Dr. [PERSON_1] ist da. [PERSON_1b] geht.\n"),
    // Two people with one surname: the surname alone is neither of them.
    (
      "Uwe Lehmann und Anna Lehmann kommen. Herr Lehmann geht.\n",
      "[PERSON_1] und [PERSON_2] kommen. Herr [PERSON_3] geht.\n"
    ),
    // The title contradicts the first name.
    ("Uwe Lehmann kommt. Frau Lehmann geht.\n", "[PERSON_1] kommt. Frau [PERSON_2] geht.\n"),
    ("Uwe Lehmann kommt. Familie Lehmann geht.\n", "[PERSON_1] kommt. Familie [PERSON_2] geht.\n"),
    // An initial that two first names have.
    (
      "Uwe Lehmann, Ulrich Lehmann und U. Lehmann sind da.\n",
      "[PERSON_1], [PERSON_2] und [PERSON_3] sind da.\n"
    ),
  ])
  func formsOfOneNameShareANumber(_ text: String, _ expected: String) throws {
    #expect(try neutral(text) == expected)
  }

  @Test(arguments: [
    ("John A. Smith und John B. Smith", ["John A. Smith", "John B. Smith"]),
    ("Uwe Lehmann kommt. Frau U. Lehmann geht.", ["Uwe Lehmann", "U. Lehmann"]),
    ("Familie Uwe Lehmann zieht um. Frau Lehmann unterschreibt.", ["Uwe Lehmann", "Lehmann"]),
  ])
  func twoPeopleHaveTwoNumbers(_ text: String, _ originals: [String]) throws {
    var mapping = PlaceholderMapping()
    _ = try Neutraliser().neutralise(text, into: &mapping)
    let numbers = originals.map { original in mapping.entries.first { $0.original == original }?.number }
    #expect(!numbers.contains(nil) && Set(numbers).count == originals.count, "\(mapping.entries)")
  }

  @Test func aTitleIsKnownInALaterText() throws {
    var mapping = PlaceholderMapping()
    _ = try Neutraliser().neutralise("Herr Lehmann hat gekündigt.", into: &mapping)
    mapping = try PlaceholderMapping(bytes: mapping.bytes)
    #expect(try Neutraliser().neutralise("Sabine Lehmann ist neu.", into: &mapping).text == "[PERSON_2] ist neu.")
  }

  @Test func composedAndDecomposedLettersComeBackAsTheyWere() throws {
    let text = "Herr M\u{FC}ller schreibt. Herr Mu\u{308}ller antwortet."
    var mapping = PlaceholderMapping()
    let neutral = try Neutraliser().neutralise(text, into: &mapping).text
    #expect(!neutral.contains("ller"))
    #expect(Array(mapping.resolve(neutral).text.utf8) == Array(text.utf8))
  }

  @Test func aLaterTextContinuesTheForms() throws {
    var mapping = PlaceholderMapping()
    _ = try Neutraliser().neutralise("Herr Lehmann schreibt.", into: &mapping)
    mapping = try PlaceholderMapping(bytes: mapping.bytes)
    #expect(try Neutraliser().neutralise("Uwe Lehmann kommt.", into: &mapping).text == "[PERSON_1b] kommt.")
    #expect(try Neutraliser().neutralise("Anna Lehmann kommt.", into: &mapping).text == "[PERSON_2] kommt.")
  }

  @Test(arguments: [
    ("[PERSON_1b]", "Uwe Lehmann"), ("PERSON_1b", "Uwe Lehmann"), ("[Person 1B]", "Uwe Lehmann"),
    ("[PERSON_1b]s Akte", "Uwe Lehmanns Akte"), ("[PERSON_1bs] Akte", "Uwe Lehmanns Akte"),
    ("PERSON_1b's file", "Uwe Lehmann's file"), ("[PERSON_1]s", "Lehmanns"), ("[PERSON_1a]", "Lehmann"),
    ("[PERSON_1q]", "[PERSON_1q]"), ("[PERSON_1, PERSON_1b]", "[Lehmann, Uwe Lehmann]"),
  ])
  func formsComeBackHoweverAModelWritesThem(_ text: String, _ expected: String) throws {
    var mapping = PlaceholderMapping()
    _ = try Neutraliser().neutralise("Herr Lehmann schreibt. Uwe Lehmann kommt.", into: &mapping)
    #expect(mapping.resolve(text).text == expected)
    for size in 1...4 {
      var stream = PlaceholderStream(mapping)
      var output = ""
      let characters = Array(text)
      for start in stride(from: 0, to: characters.count, by: size) {
        output += stream.add(String(characters[start..<min(start + size, characters.count)]))
      }
      #expect(output + stream.finish() == expected)
    }
  }

  @Test func moreFormsThanLettersGetNumbersOfTheirOwn() throws {
    let names = (1...40).map { "Uwe" + String(repeating: " ", count: $0) + "Lehmann" }
    _ = try neutral("Herr Lehmann\n" + names.joined(separator: " kommt.\n") + " kommt.\n")
  }
}
