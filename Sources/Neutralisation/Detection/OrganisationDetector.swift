/// Finds organisations: by their legal forms, by words such as `Verein` and `Foundation`, behind labels.
enum OrganisationDetector {
  /// Legal forms, in lower case, that stand at the end of a name.
  static let forms = WordList(
    """
    gmbh ag kg kgaa ohg gbr ug se eg mbb partg ltd limited llc llp inc incorporated corp corporation plc sarl sàrl sagl bv nv spa srl co
    genossenschaft
    """)
  /// Forms that are words too, or written with points: only behind a capital word.
  private static let weakForms = WordList(
    "verein stiftung verband foundation trust university holding group versicherung versicherungen bank kantonalbank sparkasse association society college "
      + "treuhand immobilien bau consulting partners solutions logistics")
  /// What stands before a name.
  private static let prefixes = WordList(
    """
    firma verein stiftung genossenschaft universität hochschule kantonsspital spital klinik praxis kanzlei bank gemeinde stadtverwaltung verband
    krankenhaus university hospital gymnasium amtsgericht landgericht bezirksgericht finanzamt
    """)
  private static let joints: Set<String> = [
    "und", "and", "für", "for", "der", "des", "of", "the", "de", "et", "von", "zum", "am", "im",
  ]
  private static let labels: Set<String> = [
    "firma", "company", "arbeitgeber", "employer", "organisation", "organization", "unternehmen", "lieferant",
    "supplier", "auftraggeber",
  ]

  /// Everything that is found, as ranges of words.
  static func find(_ scan: WordScan) -> [Range<Int>] {
    let words = scan.words
    var found: [Range<Int>] = []
    for index in words.indices where !words[index].isNumber {
      let word = words[index]
      if isForm(scan, index) {
        let start = start(before: index, words)
        if start < index { found.append(start..<end(of: index, scan)) }
      } else if word.isCapital, weakForms.contains(word.text), index > 0, words[index].gap == .blank {
        let start = start(before: index, words)
        if start < index { found.append(start..<index + 1) }
      }
      if word.isCapital, prefixes.contains(word.text) {
        let end = run(from: index + 1, words)
        // "Firma" itself is no part of the name.
        if end > index + 1 { found.append((word.text == "firma" ? index + 1 : index)..<end) }
      }
      if labels.contains(word.text), word.gap == .line, index + 1 < words.count, words[index + 1].gap == .colon,
        words[index + 1].isCapital
      {
        found.append(index + 1..<max(index + 2, run(from: index + 2, words)))
      }
    }
    return found
  }

  /// Whether a line holds an organisation.
  static func isOrganisation(_ words: [WordScan.Word], _ line: Range<Int>) -> Bool {
    line.contains {
      forms.contains(words[$0].text) || (weakForms.contains(words[$0].text) && line.count > 1)
        || prefixes.contains(words[$0].text)
    }
  }

  private static func isForm(_ scan: WordScan, _ index: Int) -> Bool {
    let word = scan.words[index]
    guard index > 0 else { return false }
    let gap = word.gap
    // "e.V.", "S.A.", "e.G."
    if word.text == "v" || word.text == "a" || word.text == "g", gap == .stop {
      let before = scan.words[index - 1]
      let pair = before.text + word.text
      return ["ev", "sa", "eg", "ag"].contains(pair) && index > 1 && (before.gap == .blank || before.gap == .comma)
        && before.range.upperBound + 2 >= word.range.lowerBound
    }
    guard gap == .blank || gap == .comma || gap == .ampersand else { return false }
    guard forms.contains(word.text) else { return ["ev", "sa"].contains(word.text) && word.isCapital && gap == .blank }
    return word.isCapital || ["gmbh", "mbb", "eg", "plc"].contains(word.text)
  }

  /// The word behind the form that ends the name: "GmbH & Co. KG".
  private static func end(of index: Int, _ scan: WordScan) -> Int {
    var end = index + 1
    while end < scan.words.count, end - index < 4, forms.contains(scan.words[end].text),
      [.ampersand, .blank, .stop].contains(scan.words[end].gap)
    {
      end += 1
    }
    return end
  }

  /// Where the name before a form begins.
  private static func start(before form: Int, _ words: [WordScan.Word]) -> Int {
    var start = form
    // The points of "e.V." are a word of their own.
    if words[form].gap == .stop { start -= 1 }
    var capital = start
    while start > 0, form - start < 8 {
      let gap = words[start].gap
      guard gap == .blank || gap == .ampersand || (gap == .comma && start == form) else { break }
      let word = words[start - 1]
      if word.isNumber {
        guard form - start < 3 else { break }
      } else if !word.isCapital {
        guard joints.contains(word.text), start != form else { break }
      } else if isOpener(word, words, start - 1) || (!words[start].isCapital && CommonWords.all.contains(word.text)) {
        // "im Namen der Knorz GmbH"
        break
      }
      start -= 1
      if word.isCapital { capital = start }
    }
    return capital
  }

  /// Whether a capital word begins a sentence or stands for a person, and so is no part of the name behind it.
  private static func isOpener(_ word: WordScan.Word, _ words: [WordScan.Word], _ index: Int) -> Bool {
    if [
      "firma", "die", "der", "das", "bei", "the", "our", "unsere", "ihre", "von", "an", "from", "to", "at", "with",
      "mit", "für", "for", "in", "im",
    ]
    .contains(word.text) {
      return true
    }
    return word.gap == .line && CommonWords.all.contains(word.text) && word.text.count < 5
  }

  private static func run(from start: Int, _ words: [WordScan.Word]) -> Int {
    var end = start
    while end < words.count, end - start < 5, words[end].gap == .blank || (words[end].gap == .ampersand && end > start)
    {
      let word = words[end]
      if word.isCapital, !word.isNumber {
        if end == start, CommonWords.all.contains(word.text), !Places.all.contains(word.text) { break }
      } else if !joints.contains(word.text) || end == start {
        break
      }
      end += 1
    }
    while end > start, !words[end - 1].isCapital { end -= 1 }
    return end
  }
}
