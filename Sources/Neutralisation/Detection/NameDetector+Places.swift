/// Names that are found by their position: in a talk, in a subject, before an address, before a date of birth.
extension NameDetector {
  // MARK: - Who speaks

  /// The names before what is said: "[9:10] Jacopo: …", "12.03.24, 10:11 - Zora Quobb: …", and without a time where several
  /// lines begin with it.
  mutating func lookForSpeakers() {
    var counts: [String: Int] = [:]
    var lines: [(run: Range<Int>, hasTime: Bool)] = []
    for number in scan.lineStarts.indices {
      guard let speaker = speaker(inLine: number) else { continue }
      lines.append(speaker)
      counts[speaker.run.map { words[$0].text }.joined(separator: " "), default: 0] += 1
    }
    for line in lines {
      let count = counts[line.run.map { words[$0].text }.joined(separator: " ")] ?? 0
      let isName = line.run.allSatisfy { canBeName($0) }
      let isCertain =
        line.hasTime && (isName || isFirstName(line.run.lowerBound)) || isName && line.run.contains(where: isListed)
      if isCertain || isName && count > 2 && lines.count > count { take(line.run) }
    }
  }

  private func speaker(inLine number: Int) -> (run: Range<Int>, hasTime: Bool)? {
    let line = scan.line(number)
    guard let colon = line.first(where: { words[$0].gap == .colon && !words[$0 - 1].isNumber && $0 > line.lowerBound })
    else { return nil }
    let begin = line.first { !words[$0].isNumber && words[$0].text != "am" && words[$0].text != "pm" } ?? colon
    guard begin < colon, colon - begin <= 4, words[begin].isCapital,
      (begin + 1..<colon).allSatisfy({ words[$0].gap == .blank || words[$0].gap == .stop }),
      (begin..<colon).allSatisfy({
        words[$0].isCapital && !words[$0].isNumber || CommonWords.particles.contains(words[$0].text)
      })
    else { return nil }
    let start = words[line.lowerBound].range.lowerBound
    let head = scan.bytes[start..<words[begin].range.lowerBound]
    return (begin..<colon, begin - line.lowerBound >= 2 && head.contains(0x3A))
  }

  // MARK: - Matters

  private static let matters = WordList(
    """
    akte kündigung fall dossier sache betreibung mahnung bewerbung reklamation beschwerde termin unterlagen personalakte krankenakte zeugnis gespräch
    notiz nachlass mandat vollmacht arbeitszeugnis aktennotiz todesfall krankmeldung einsprache antrag
    file claim case complaint application appointment meeting note notes record estate re subject betreff matter reference cv resume
    """)

  /// "Betreff: Kündigung Teixsen Fückow", "# Note on Yusra El Mahdaoui": two words or three in a line that is a subject or a
  /// heading, behind the matter that it is about.
  mutating func lookForSubject(_ number: Int) {
    let line = scan.line(number)
    guard (3...10).contains(line.count), let first = line.first, let last = line.last else { return }
    let isSubject = ["betreff", "betrifft", "subject", "re", "aw", "wg", "fwd", "fw", "betr"].contains(
      words[first].text)
    let start = words[first].range.lowerBound
    let isHeading = start > 1 && scan.bytes[start - 1] == 0x20 && scan.bytes[start - 2] == 0x23
    guard isSubject || isHeading,
      let matter = line.last(where: {
        Self.matters.contains(words[$0].text)
          || ["mit", "with", "zu", "on", "by", "von", "for", "für", "about", "über"].contains(words[$0].text)
      }), matter < last
    else {
      // "Betreff: AW: Terminverschiebung Necati Bähr"
      if isSubject, canBeName(last), canBeName(last - 1), words[last].gap == .blank,
        isListed(last) || isListed(last - 1)
      {
        take(last - 1..<last + 1)
      }
      return
    }
    let name = run(from: matter + 1, limit: 4)
    guard name.count >= 2, name.upperBound == line.upperBound, name.allSatisfy({ canBeName($0) || isPart($0) }) else {
      return
    }
    take(name)
  }

  private func isPart(_ index: Int) -> Bool {
    words[index].isInitial || CommonWords.particles.contains(words[index].text)
  }

  // MARK: - Before dates of birth and addresses

  private static let birth = WordList("geb geboren born née né verstorben wohnhaft dob residing")

  private static let offices = WordList("ceo cfo cto coo cio phd md msc mba dr esq rn ra vr partner geschäftsführer")

  /// "Danke, Zora", "… by noon. Cheers Tjark": who signs behind the closing, in the same line.
  mutating func lookForThanks(_ number: Int) {
    let line = scan.line(number)
    guard line.count > 1, let last = line.last, words[last].isCapital || words[last].text.hasPrefix("x") else { return }
    var closing = last
    while closing > line.lowerBound, last - closing < 4, !Self.thanks.contains(words[closing].text) { closing -= 1 }
    guard Self.thanks.contains(words[closing].text), words[closing].gap != .blank,
      closing < last, words[closing + 1].gap == .blank || words[closing + 1].gap == .comma
    else { return }
    let name = run(from: closing + 1, limit: 3)
    guard !name.isEmpty, name.upperBound == line.upperBound || words[name.upperBound].text.hasPrefix("x"),
      scan.sign(behind: name.upperBound - 1) != 0x3A,
      name.allSatisfy({ canBeName($0) || isPart($0) || isFirstName($0) })
    else { return }
    take(name)
  }

  private static let thanks = WordList(
    "danke thanks thx cheers lg vg gruss gruß grüsse grüße gruessli grüessli merci regards best love mfg glg bg xx xxx salut ciao"
  )

  /// "Ganer Flaunel, geb. 12.01.2004", "Adaeze Ubo (born 3 May 1980)".
  mutating func lookForBorn(at index: Int) {
    guard index > 0,
      Self.birth.contains(words[index].text) && (!words[index].isCapital || words[index].text == "dob")
        || Self.offices.contains(words[index].text) && words[index].gap == .comma
        || isRole(index) && words[index].gap == .comma && words[index].isCapital,
      words[index].gap == .comma || words[index].gap == .other,
      let name = nameBefore(index)
    else { return }
    take(name)
  }

  /// A name of two words or more that ends before a word.
  func nameBefore(_ index: Int) -> Range<Int>? {
    var start = index
    while start > 0, index - start < 6, start == index || words[start].gap == .blank || words[start].gap == .stop,
      words[start - 1].line == words[index - 1].line, !words[start - 1].isNumber,
      canBeName(start - 1) || words[start - 1].isInitial
        || !words[start - 1].isCapital && start < index
          && (CommonWords.particles.contains(words[start - 1].text) || words[start - 1].text == "und")
        || words[start - 1].isCapital && (isFirstName(start - 1) || start < index && words[start - 1].text == "der")
    {
      start -= 1
    }
    while start < index, !words[start].isCapital || CommonWords.titles.contains(words[start].text) { start += 1 }
    guard index - start >= 2, (start..<index).contains(where: canBeName),
      !OrganisationDetector.isOrganisation(words, start..<index)
    else { return nil }
    return start..<index
  }
}
