import ModelWire
import Testing

@Suite struct TranscriptMarksTests {
  @Test(arguments: [
    ("[BLANK_AUDIO]", ""), ("[Music]", ""), ("(applause)", ""), ("*Lachen*", ""), ("♪♪", ""), ("[SOUND_OF_RAIN]", ""),
    ("Hallo [Musik] Welt", "Hallo Welt"), ("Gut. [BLANK_AUDIO]\nBis morgen.", "Gut.\nBis morgen."),
    ("Untertitel der Amara.org-Community", ""), ("Bis morgen. Untertitel der Amara.org-Community", "Bis morgen."),
    ("Untertitelung des ZDF, 2020", ""), ("Untertitel im Auftrag des ZDF für funk, 2017", ""),
    ("Untertitelung. BR 2018", ""), ("Copyright WDR 2021", ""), ("SWR 2020", ""),
    ("Subtitles by the Amara.org community", ""), ("Sous-titres réalisés par la communauté d'Amara.org", ""),
    // What people say stays.
    ("Wir brauchen [drei] Stühle (aus Holz).", "Wir brauchen [drei] Stühle (aus Holz)."),
    ("Das ist [inaudible] gut.", "Das ist [inaudible] gut."), ("3 * 4 * 5", "3 * 4 * 5"),
    ("Die Untertitel von Anna sind schlecht lesbar.", "Die Untertitel von Anna sind schlecht lesbar."),
    ("Ich mag Musik (sehr laut).", "Ich mag Musik (sehr laut)."), ("a ( b [ c", "a ( b [ c"), ("", ""),
  ])
  func marksAndCreditsGoAndWordsStay(_ text: String, _ expected: String) {
    #expect(TranscriptMarks.removed(from: text) == expected)
  }
}
