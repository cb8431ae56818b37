extension FieldWords {
  /// Whether the word at an index is a technical word or part of one, so that it does not name a person.
  static func isOfField(_ words: [WordScan.Word], _ index: Int) -> Bool {
    let text = words[index].text
    let bare = NameDetector.base(text)
    if contains(text) || eponyms.contains(text) || eponyms.contains(bare) || namesIllness(words, index) { return true }
    // "Arterielle Hypertonie"
    if index + 1 < words.count, words[index + 1].gap == .blank, WordForms.isAttribute(text),
      contains(words[index + 1].text)
    {
      return true
    }
    // "Asperger-Syndrom", "Lasègue-Test"
    guard let last = text.split(separator: "-").last, last.count < text.count else { return false }
    return isHead(String(last)) || contains(String(last))
  }

  /// Whether the name at an index names an illness: "Morbus Bechterew", "Raynaud phenomenon", "Barrett's oesophagus".
  static func namesIllness(_ words: [WordScan.Word], _ index: Int) -> Bool {
    if index > 0, words[index].gap == .blank, leads(words[index - 1].text) { return true }
    return index + 1 < words.count && words[index + 1].gap == .blank && isHead(words[index + 1].text)
  }

  /// Words for groups of people: "die Eltern der Klasse 4b".
  private static let groups = WordList("klasse gruppe kinder kita schule schüler schülerinnen abteilung mannschaft")

  /// Whether a run of words that looks like a person's name is an illness, a medicine or a trade: "Morbus Parkinson". After a
  /// salutation or a title, or with a first name, it is a person.
  static func isNoPerson(_ words: [WordScan.Word], _ run: Range<Int>) -> Bool {
    if run.lowerBound > 0, words[run.lowerBound].gap == .blank || words[run.lowerBound].gap == .stop,
      CommonWords.salutations.contains(words[run.lowerBound - 1].text)
        || CommonWords.titles.contains(words[run.lowerBound - 1].text)
    {
      return false
    }
    if run.contains(where: {
      CommonWords.salutations.contains(words[$0].text) || FirstNames.all.contains(words[$0].text)
    }) {
      return false
    }
    if namesIllness(words, run.upperBound - 1) || run.count == 1 && groups.contains(words[run.lowerBound].text) {
      return true
    }
    // "Von:" and "AHV-Nr:" at the beginning of a line do not name a speaker.
    if run.upperBound < words.count, words[run.upperBound].gap == .colon, words[run.lowerBound].gap != .blank,
      run.count == 1, NameLines.isHeader(words[run.lowerBound].text) || isLabel(words[run.lowerBound].text)
    {
      return true
    }
    return run.contains { index in
      let text = words[index].text
      if eponyms.contains(text) || eponyms.contains(NameDetector.base(text)) { return run.count == 1 }
      return leads(text) || !Surnames.all.contains(text) && isOfField(words, index)
    }
  }
}
