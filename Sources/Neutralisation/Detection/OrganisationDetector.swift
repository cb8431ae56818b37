/// Finds organisations: by their legal forms, by words such as `Verein` and `Foundation`, behind labels.
enum OrganisationDetector {
  /// Legal forms, in lower case, that are at the end of a name.
  static let forms = WordList(
    """
    gmbh gesmbh ag kg kgaa ohg gbr ug se eg mbb partg ltd limited llc llp inc incorporated corp corporation plc sarl sàrl sagl bv nv spa srl co
    genossenschaft
    """)
  /// Forms that are words too, or written with points: only behind a capital word.
  private static let weakForms = WordList(
    "verein stiftung verband foundation trust university holding group versicherung versicherungen bank kantonalbank sparkasse association society college "
      + "treuhand immobilien bau consulting partners solutions logistics analytics lettings services systems technologies technology capital ventures "
      + "industries properties estates insurance healthcare motors foods electronics software studios media consultants advisors advisers architects "
      + "architekten associates brothers sons ingenieure elektro sanitär garage reisen verlag krankenkasse pensionskasse versicherungen surgery school "
      + "academy pharmacy clinic council library museum water energy electric telecom broadband pta union bureau inn joinery builders plumbing roofing bakery cleaning "
      + "catering transport haustechnik holzbau gartenbau metallbau spedition logistik optik holdings enterprises institute"
  )
  /// Words before a name.
  private static let prefixes = WordList(
    """
    firma verein stiftung genossenschaft pensionskasse krankenkasse ausgleichskasse sparkasse universität hochschule kantonsspital spital klinik praxis kanzlei bank gemeinde stadtverwaltung verband
    krankenhaus university hospital gymnasium amtsgericht landgericht bezirksgericht finanzamt
    wohnheim restaurant hotel pension kita café gasthof gasthaus kinderkrippe kindergarten apotheke drogerie garage autohaus metzgerei bäckerei
    schreinerei fahrschule musikschule pfarrei kirchgemeinde hausverwaltung liegenschaftsverwaltung bezirksrat stadtrat gemeinderat kantonsgericht
    obergericht regionalgericht betreibungsamt steueramt sozialamt jugendamt standesamt landratsamt bauamt migrationsamt strassenverkehrsamt
    grundschule primarschule sekundarschule realschule gesamtschule volksschule kreisbehörde
    """)
  /// Endings of words before a name: `Spitalzentrum Oberwallis`.
  private static let prefixEndings = [
    "spital", "zentrum", "praxis", "verein", "stiftung", "verband", "bank", "sparkasse", "krankenkasse",
    "pensionskasse",
    "ausgleichskasse", "versicherung", "büro", "kanzlei", "genossenschaft", "museum", "hochschule", "schule", "klinik",
    "gesellschaft", "werke", "betriebe", "gericht", "behörde", "amt", "heim", "apotheke", "verwaltung", "akademie",
    "institut", "kirche", "gemeinde", "club", "klub",
  ]
  private static let joints: Set<String> = [
    "und", "and", "für", "for", "der", "des", "of", "the", "de", "et", "von", "zum", "am", "im",
  ]
  private static let knownOrganisations = PhraseList(KnownOrganisations.names)
  private static let labels: Set<String> = [
    "firma", "company", "arbeitgeber", "employer", "organisation", "organization", "unternehmen", "lieferant",
    "supplier", "auftraggeber",
  ]

  /// Everything that is found, as ranges of words.
  ///
  /// - Parameter streetLines: The lines with a street.
  static func find(_ scan: WordScan, streetLines: Set<Int>) -> [Range<Int>] {
    let words = scan.words
    var found: [Range<Int>] = []
    for index in words.indices where !words[index].isNumber {
      let word = words[index]
      if isForm(scan, index) {
        let start = start(before: index, words)
        // "Nordlicht-AG" is one word.
        if words[start..<index].contains(where: { !$0.isNumber }) || word.text.contains("-") {
          found.append(start..<end(of: index, scan))
        }
      } else if word.isCapital, weakForms.contains(word.text), index > 0, words[index].gap == .blank {
        let start = start(before: index, words)
        // "National Insurance number"
        if start < index, words[index - 1].text != "national" { found.append(start..<index + 1) }
      }
      if word.isCapital, Self.isPrefix(word.text) {
        let end = run(from: index + 1, words, isPrefixed: true, takesNouns: prefixes.contains(word.text))
        // "Firma" itself is not part of the name.
        if end > index + 1 { found.append((word.text == "firma" ? index + 1 : index)..<end) }
      }
      if let run = pair(at: index, words) ?? firm(at: index, words) ?? employer(at: index, words)
        ?? office(at: index, words) ?? saint(at: index, words)
        ?? addressee(before: index, words)
      {
        found.append(run)
      }
      if labels.contains(word.text), word.gap == .line, index + 1 < words.count, words[index + 1].gap == .colon,
        words[index + 1].isCapital
      {
        found.append(index + 1..<max(index + 2, run(from: index + 2, words)))
      }
    }
    for line in scan.lineStarts.indices.dropFirst() where isCompanyLine(scan, line, above: streetLines) {
      found.append(scan.line(line))
    }
    for run in knownOrganisations.find(words) where isWritten(run, scan) {
      var end = run.upperBound
      // "AOK NordWest"
      if end < words.count, words[end].gap == .blank, words[end].isCapital, !words[end].isNumber,
        !CommonWords.all.contains(words[end].text), !WordForms.isNoun(words[end].text),
        !FirstNames.all.contains(words[end].text)
      {
        end += 1
      }
      found.append(run.lowerBound..<end)
    }
    return found
  }

  /// Whether a word is at the end of the names of companies.
  static func isWeakForm(_ word: String) -> Bool { weakForms.contains(word) || forms.contains(word) }

  /// Whether a word, in lower case, precedes the names of organisations.
  static func isPrefix(_ word: String) -> Bool {
    prefixes.contains(word)
      || prefixEndings.contains { word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2 }
        && !Places.all.contains(word) && !word.hasSuffix("datenbank")
  }

  /// Whether a known name is written as one: with a capital, a short one in capitals.
  private static func isWritten(_ run: Range<Int>, _ scan: WordScan) -> Bool {
    // "NHS number"
    let next = run.upperBound
    if next < scan.words.count, scan.words[next].gap == .blank,
      ["number", "no", "nr", "nummer", "id"].contains(scan.words[next].text)
    {
      return false
    }
    let bytes = scan.bytes[scan.words[run.lowerBound].range]
    return scan.words[run.lowerBound].isCapital || scan.words[run.lowerBound].isNumber
      ? bytes.count > 3 || bytes.allSatisfy { !(0x61...0x7A).contains($0) } : false
  }

  /// "Harcourt & Pell Lettings": two names with a sign between them that are not both first names.
  private static func pair(at index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard index > 0, words[index].gap == .ampersand, words[index].isCapital, words[index - 1].isCapital,
      !words[index - 1].isNumber,
      !CommonWords.all.contains(words[index - 1].text)
        || Surnames.all.contains(words[index - 1].text) && partners.contains(words[index].text),
      !WordForms.isNoun(words[index - 1].text),
      !FirstNames.all.contains(words[index].text) || !FirstNames.all.contains(words[index - 1].text)
    else { return nil }
    let isPartner = partners.contains(words[index].text)
    // "Savings & Investments: …"
    if !isPartner, index + 1 < words.count, words[index + 1].gap == .colon { return nil }
    guard isPartner || !CommonWords.all.contains(words[index].text) && !WordForms.isNoun(words[index].text) else {
      return nil
    }
    var start = index - 1
    while start > 0, words[start].gap == .blank || words[start].gap == .stop && words[start - 1].text == "dr",
      words[start - 1].isCapital, !words[start - 1].isNumber,
      prefixes.contains(words[start - 1].text) || words[start - 1].text == "dr"
        || !CommonWords.all.contains(words[start - 1].text), index - start < 4
    {
      start -= 1
    }
    var end = index + 1
    while end < words.count, end - index < 4, words[end].gap == .blank,
      words[end].isCapital || ["mbb", "mbh", "gmbh"].contains(words[end].text), !words[end].isNumber,
      forms.contains(words[end].text) || weakForms.contains(words[end].text)
        || !CommonWords.all.contains(words[end].text)
    {
      end += 1
    }
    return start..<end
  }

  /// "Long, Jenkins and Lee": three surnames, as firms have them.
  private static func firm(at index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard index + 3 < words.count, words[index].isCapital, words[index + 1].gap == .comma, words[index + 1].isCapital,
      ["and", "und"].contains(words[index + 2].text) && words[index + 2].gap == .blank
        || words[index + 2].gap == .ampersand,
      index == 0 || words[index].gap != .blank || !words[index - 1].isCapital
    else { return nil }
    let last = words[index + 2].gap == .ampersand ? index + 2 : index + 3
    guard words[last].isCapital, words[last].gap != .line else { return nil }
    let names = [words[index], words[index + 1], words[last]]
    let surnames = names.count { Surnames.all.contains($0.text) && !FirstNames.all.contains($0.text) }
    guard names.allSatisfy({ Surnames.all.contains($0.text) }), surnames >= 2 else { return nil }
    return index..<last + 1
  }

  private static let partners = WordList(
    "partner partners söhne sohn sons son co cie kollegen kolleginnen associates brothers bros töchter daughters company"
  )
  private static let works = [
    "arbeit", "work", "tätig", "angestellt", "employ", "job", "joined", "stelle", "lehre", "praktikum", "career",
    "gekündigt", "beworben", "versichert", "insured", "kunde", "kundin",
  ]

  /// "arbeitet jetzt bei Rolex", "worked with her at Equinor".
  private static func employer(at index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard index > 1, words[index].gap == .blank, words[index].isCapital, words[index].text.count > 2,
      ["bei", "at", "für"].contains(words[index - 1].text)
        || ["der", "dem"].contains(words[index - 1].text)
          && words[index - 2].text == "bei",
      !CommonWords.all.contains(words[index].text), !WordForms.isNoun(words[index].text),
      !FirstNames.all.contains(words[index].text), !Places.all.contains(words[index].text),
      words[max(0, index - 7)..<index - 1].contains(where: { word in works.contains { word.text.hasPrefix($0) } })
    else { return nil }
    return index..<run(from: index, words)
  }

  /// "Dienststelle Steuern des Kantons Luzern"
  private static func office(at index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard index > 1, ["kantons", "stadt", "landes", "kreises", "bundes"].contains(words[index].text),
      ["des", "der"].contains(words[index - 1].text), words[index].gap == .blank, index + 1 < words.count,
      words[index + 1].isCapital, words[index + 1].gap == .blank, !words[index + 1].isNumber
    else { return nil }
    var start = index - 1
    while start > 0, index - start < 7, words[start].gap == .blank {
      start -= 1
      let isOffice =
        isPrefix(words[start].text)
        || [
          "dienststelle", "departement", "direktion", "fachstelle", "ministerium", "abteilung", "zentrale", "dienst",
          "dienste",
        ].contains(
          where: words[start].text.hasSuffix)
      guard words[start].isCapital, isOffice else { continue }
      // "Schulpsychologischer Dienst"
      if start > 0, words[start].gap == .blank, words[start - 1].isCapital, words[start - 1].gap == .line,
        WordForms.isAttribute(words[start - 1].text)
      {
        start -= 1
      }
      return start..<index + 2
    }
    return nil
  }

  /// "St Cuthbert's PTA"
  private static func saint(at index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard words[index].isCapital, words[index].text == "st", index + 2 < words.count,
      words[index + 1].text.hasSuffix("'s") || words[index + 1].text.hasSuffix("\u{2019}s"),
      words[index + 2].isCapital, words[index + 2].gap == .blank
    else { return nil }
    var end = index + 3
    while end < words.count, end - index < 6, words[end].isCapital, words[end].gap == .blank { end += 1 }
    return index..<end
  }

  /// "Invoice to Pratt-Ward, attn. Jane Poe", "an Quobb, z. Hd. Erika Poe"
  private static func addressee(before index: Int, _ words: [WordScan.Word]) -> Range<Int>? {
    guard index > 0, words[index].gap == .comma, index + 1 < words.count,
      ["attn", "zuhanden"].contains(words[index].text)
        || words[index].text == "z" && ["hd", "hdn"].contains(words[index + 1].text)
    else { return nil }
    var start = index
    while start > 0, index - start < 4, words[start - 1].isCapital, !words[start - 1].isNumber,
      start == index || words[start].gap == .blank || words[start].gap == .ampersand,
      !CommonWords.all.contains(words[start - 1].text)
    {
      start -= 1
    }
    let run = start..<index
    let isPerson = run.contains {
      FirstNames.all.contains(words[$0].text) || CommonWords.salutations.contains(words[$0].text)
    }
    return run.isEmpty || isPerson ? nil : run
  }

  /// Whether a line is a company's name: it is below the name of a person and above a street, as in the head and at the end of
  /// letters.
  private static func isCompanyLine(_ scan: WordScan, _ number: Int, above streetLines: Set<Int>) -> Bool {
    guard streetLines.contains(number + 1) else { return false }
    let words = scan.words
    func isName(_ line: Range<Int>, _ count: ClosedRange<Int>) -> Bool {
      count.contains(line.count)
        && line.allSatisfy { !words[$0].isNumber && (words[$0].isCapital || joints.contains(words[$0].text)) }
    }
    let (person, line) = (scan.line(number - 1), scan.line(number))
    guard isName(line, 1...5), isName(person, 2...4), person.contains(where: { NameDetector.isListed(words[$0].text) }),
      !FirstNames.all.contains(words[line.lowerBound].text) || line.count == 1
    else { return false }
    return line.contains {
      !CommonWords.all.contains(words[$0].text) && !WordForms.isNoun(words[$0].text)
        && !Places.all.contains(words[$0].text) || Surnames.all.contains(words[$0].text)
    }
  }

  /// Whether a line holds an organisation.
  static func isOrganisation(_ words: [WordScan.Word], _ line: Range<Int>) -> Bool {
    line.contains {
      forms.contains(words[$0].text) || (weakForms.contains(words[$0].text) && line.count > 1)
        || isPrefix(words[$0].text) && line.count > 1
    }
  }

  private static func isForm(_ scan: WordScan, _ index: Int) -> Bool {
    let word = scan.words[index]
    if word.isCapital, ["-ag", "-gmbh", "-kg"].contains(where: word.text.hasSuffix) { return true }
    guard index > 0 else { return false }
    let gap = word.gap
    // "Ges.m.b.H."
    if word.text == "ges", word.isCapital, gap == .blank, index + 3 < scan.words.count,
      scan.words[index + 1...index + 3].map(\.text) == ["m", "b", "h"]
    {
      return true
    }
    // "e.V.", "S.A.", "e.G."
    if word.text == "v" || word.text == "a" || word.text == "g", gap == .stop {
      let before = scan.words[index - 1]
      let pair = before.text + word.text
      return ["ev", "sa", "eg", "ag", "bv", "nv"].contains(pair) && index > 1
        && (before.gap == .blank || before.gap == .comma)
        && before.range.upperBound + 2 >= word.range.lowerBound
    }
    guard gap == .blank || gap == .comma || gap == .ampersand else { return false }
    guard forms.contains(word.text) else { return ["ev", "sa"].contains(word.text) && word.isCapital && gap == .blank }
    return word.isCapital || ["gmbh", "mbb", "eg", "plc"].contains(word.text)
  }

  /// The word behind the form that ends the name: "GmbH & Co. KG".
  private static func end(of index: Int, _ scan: WordScan) -> Int {
    var end = scan.words[index].text == "ges" ? index + 4 : index + 1
    // "UG (haftungsbeschränkt)"
    if end < scan.words.count, scan.words[index].text == "ug", scan.words[end].text == "haftungsbeschränkt" {
      return end + 1
    }
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

  /// Whether a capital word begins a sentence or represents a person, and so is not part of the name behind it.
  private static func isOpener(_ word: WordScan.Word, _ words: [WordScan.Word], _ index: Int) -> Bool {
    if [
      "firma", "die", "der", "das", "bei", "the", "our", "unsere", "ihre", "von", "an", "from", "to", "at", "with",
      "mit", "für", "for", "in", "im", "my", "your", "his", "her", "their", "mein", "meine", "meiner", "unserer",
      "seine",
    ]
    .contains(word.text) {
      return true
    }
    return word.gap == .line && CommonWords.all.contains(word.text) && word.text.count < 5
  }

  private static func run(from start: Int, _ words: [WordScan.Word], isPrefixed: Bool = false, takesNouns: Bool = false)
    -> Int
  {
    var end = start
    if isPrefixed, end + 1 < words.count, words[end].gap == .blank {
      let isRegion =
        ["des", "der"].contains(words[end].text)
        && ["kantons", "stadt", "landes", "kreises", "gemeinde", "bezirks", "region"].contains(words[end + 1].text)
      // "Amt für Migration", "Praxis am Lindenplatz", "University of York"
      let isPlaced =
        ["am", "an", "zum", "zur", "im", "of"].contains(words[end].text) && words[end + 1].isCapital
        && !words[end + 1].isNumber && words[end + 1].gap == .blank && !CommonWords.all.contains(words[end + 1].text)
      if isRegion {
        end += 2
      } else if isPlaced {
        end += 1
      }
    }
    let start = end
    while end < words.count, end - start < 5, words[end].gap == .blank || (words[end].gap == .ampersand && end > start)
    {
      let word = words[end]
      if word.isCapital, !word.isNumber {
        if end == start, CommonWords.all.contains(word.text) || !takesNouns && WordForms.isNoun(word.text),
          !Places.all.contains(word.text)
        {
          break
        }
        if isPrefixed, end > start, CommonWords.all.contains(word.text), !forms.contains(word.text) { break }
      } else if !joints.contains(word.text) || end == start {
        break
      }
      end += 1
    }
    while end > start, !words[end - 1].isCapital { end -= 1 }
    return end
  }
}
