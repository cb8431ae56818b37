import Localization
import Neutralisation
import Testing

@Suite struct ResolvingTests {
  private let mapping: PlaceholderMapping = {
    var mapping = PlaceholderMapping()
    _ = try? Neutraliser().neutralise("Frau Zwirbel und Herr Kunz-Quax treffen die Knorz & Co GmbH.", into: &mapping)
    return mapping
  }()

  @Test(arguments: [
    ("[PERSON_1]", "Zwirbel"), ("PERSON_1", "Zwirbel"), ("person_1", "Zwirbel"), ("[Person 1]", "Zwirbel"),
    ("PERSON\\_1", "Zwirbel"), ("\\[PERSON\\_1\\]", "Zwirbel"), ("⟦PERSON_1⟧", "Zwirbel"),
    ("[PERSON_1]s Akte", "Zwirbels Akte"),
    ("[PERSON_1s] Akte", "Zwirbels Akte"), ("PERSON_1's file", "Zwirbel's file"),
    ("[PERSON_2]s Akte", "Kunz-Quax’ Akte"),
    ("**[PERSON_1]** und [PERSON_1]", "**Zwirbel** und Zwirbel"), ("[PERSON_1, PERSON_2]", "[Zwirbel, Kunz-Quax]"),
    ("[ORGANISATION_1]", "Knorz & Co GmbH"), ("[PERSONNE_1]", "Zwirbel"), ("[Persona 1]", "Zwirbel"),
    ("[PERSON\u{A0}1]", "Zwirbel"), ("[PERSON1]", "Zwirbel"),
    ("[ORG_1] wrote to [PERSON_1]", "Knorz & Co GmbH wrote to Zwirbel"), ("[PERSON_9]", "[PERSON_9]"),
    ("SUPERPERSON_1", "SUPERPERSON_1"),
    ("PERSON_12", "PERSON_12"),
    ("PERSON", "PERSON"), ("", ""),
  ])
  func originalsComeBackHoweverAModelWritesThem(_ text: String, _ expected: String) {
    #expect(mapping.resolve(text).text == expected)
  }

  @Test func anAnswerInPiecesIsTheSameWhereverItIsCut() {
    let text =
      "Für [PERSON_1] und PERSON_2's Firma [ORG_1]: personal data, [PERSON_1]s Brief, E-Mail an PERSON\\_1. [end"
    let whole = mapping.resolve(text).text
    let characters = Array(text)
    for size in 1...9 {
      var stream = PlaceholderStream(mapping)
      var output = ""
      for start in stride(from: 0, to: characters.count, by: size) {
        let piece = stream.add(String(characters[start..<min(start + size, characters.count)]))
        #expect(!piece.contains("PERSON_") && !piece.contains("ORG_"))
        output += piece
      }
      output += stream.finish()
      #expect(output == whole)
    }
  }

  @Test func aLongTextIsNotHeldBack() {
    var stream = PlaceholderStream(mapping)
    #expect(stream.add("A whole sentence without any of them. ") == "A whole sentence without any of them. ")
  }

  @Test func aMappingThatIsNoneIsRefused() {
    for bytes in [
      "", "x", "sous-mapping 1\nperson\t99\tx\n", "sous-mapping 1\nperson\t-1\tx\n", "sous-mapping 1\nwho\t1\tx\n",
    ] {
      #expect(throws: NeutralisationError(.invalidMapping, .init(verbatim: ""))) {
        try PlaceholderMapping(bytes: Array(bytes.utf8))
      }
    }
  }
}
