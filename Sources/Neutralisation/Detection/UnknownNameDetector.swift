/// Finds words that are probably names, though no rule found them: with a capital and in no dictionary, or with a capital where
/// a word would have none.
///
/// A German text may have English words, and the other way round. Words that the English dictionary has with a capital only are
/// mostly names too: `Singh`, `Nilsson`. Those that are not persons' are listed (``WellKnownNames``).
struct UnknownNameDetector {
  let scan: WordScan
  let vocabulary: any Vocabulary
  /// Whether the text is written in lower case, so that names have no capital.
  let isInLowerCase: Bool
  private let language: TextLanguage

  init(_ scan: WordScan, _ vocabulary: any Vocabulary, isInLowerCase: Bool) {
    self.scan = scan
    self.vocabulary = vocabulary
    self.isInLowerCase = isInLowerCase
    language = TextLanguage(of: scan.words)
  }

  /// Runs of words that are probably names.
  ///
  /// - Parameter isTaken: Whether the word at a place belongs to what was found already.
  func find(isTaken: (Int) -> Bool) -> [Range<Int>] {
    var known: [String: Bool] = [:]
    var runs: [Range<Int>] = []
    for index in scan.words.indices where canBeName(index) && !isTaken(index) {
      if !isNameByCapital(index) {
        let text = scan.text(scan.words[index].range)
        let isKnown = known[text] ?? isWord(text, at: index)
        known[text] = isKnown
        guard !isKnown, !isAbbreviation(text, at: index) else { continue }
      }
      if let last = runs.last, last.upperBound == index, scan.words[index].gap == .blank {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(particlesStart(before: index, isTaken)..<index + 1)
      }
    }
    return runs
  }

  /// "van der Pol": what is there is a name, whatever else it means.
  private func isBehindVan(_ index: Int) -> Bool {
    let words = scan.words
    return index > 1 && words[index].isCapital && words[index].gap == .blank && words[index - 1].gap == .blank
      && ["der", "den", "de", "het"].contains(words[index - 1].text) && words[index - 2].text == "van"
  }

  /// Where the particles of a name begin that are not words of German or English: "van der Leeuwen", "de Vrome".
  private func particlesStart(before index: Int, _ isTaken: (Int) -> Bool) -> Int {
    var start = index
    while start > 0, scan.words[start].gap == .blank, !scan.words[start - 1].isCapital, !isTaken(start - 1),
      scan.isFree(scan.words[start - 1])
    {
      let particle = scan.words[start - 1].text
      let isBehindVan = start > 1 && scan.words[start - 2].text == "van" && ["der", "den", "het"].contains(particle)
      guard isBehindVan || ["van", "de", "del", "della", "dos", "el", "al", "ter"].contains(particle) else { break }
      start -= 1
    }
    return start
  }

  private func canBeName(_ index: Int) -> Bool {
    let word = scan.words[index]
    guard !word.isNumber, word.range.count > 1, scan.isFree(word) else { return false }
    if !word.isCapital {
      return isInLowerCase && language != .other && word.text.count > 3 && Self.isLatin(word.text)
    }
    // Of other languages every word is unknown; the first of a sentence has a capital for that reason alone.
    return language != .other || word.gap == .blank
  }

  /// Whether a word is in a script that has capitals, so that a word without one says something.
  private static func isLatin(_ word: String) -> Bool {
    word.unicodeScalars.first.map { ("a"..."z").contains($0) || ("\u{DF}"..."\u{24F}").contains($0) } ?? false
  }

  /// "Is Jack coming?", "ask Booth": within a sentence of English a word that can be a name has its capital for that reason.
  /// "Kommt Beat auch?": a German noun would have an article.
  private func isNameByCapital(_ index: Int) -> Bool {
    let words = scan.words
    if FieldWords.isOfField(words, index) { return false }
    if isSubject(index) || isBehindVan(index) { return true }
    guard words[index].isCapital, words[index].gap == .blank, index > 0,
      index + 1 == words.count || !words[index + 1].isNumber, !isWellKnown(index)
    else { return false }
    let (before, text) = (words[index - 1], words[index].text)
    let isQuestion = before.gap != .blank && Self.beginnings.contains(before.text)
    guard isQuestion || language == .english && !before.isCapital else { return false }
    return FirstNames.all.contains(text)
      || language == .english && Surnames.all.contains(text) && !CommonWords.all.contains(text)
  }

  /// "Baker has the contract.", "Maurer hat die Unterlagen.": as a word it would have an article.
  private func isSubject(_ index: Int) -> Bool {
    let (words, text) = (scan.words, scan.words[index].text)
    return words[index].isCapital && words[index].gap != .blank && index + 1 < words.count
      && words[index + 1].gap == .blank && Self.verbs.contains(words[index + 1].text) && Surnames.all.contains(text)
      && !CommonWords.all.contains(text) && !vocabulary.contains(text, in: .german)
  }

  /// Words behind a name that begins a sentence.
  private static let verbs = WordList(
    "has knows says said thinks wrote writes called will hat weiss weiß sagt meint schreibt schrieb findet kommt wird")

  /// Words at the beginning of a sentence that a name often follows.
  private static let beginnings = WordList(
    """
    is was has does did will can could should would ask tell call kommt ist hat war weiss weiß kann soll muss darf bringt macht geht fährt bleibt
    """)

  private func isWord(_ text: String, at index: Int) -> Bool {
    let lower = scan.words[index].text
    if CommonWords.titles.contains(lower) || Places.all.contains(lower) || WordForms.isRole(lower)
      || OrganisationDetector.forms.contains(lower) || CommonWords.roles.contains(lower) || isWellKnown(index)
      || FieldWords.isOfField(scan.words, index) || FieldWords.isLabel(lower)
    {
      return true
    }
    let text = text.replacing("\u{2019}", with: "'")
    let parts = Self.parts(of: text)
    return parts.allSatisfy(isPartKnown) || parts != [text[...]] && isPartKnown(text[...])
  }

  /// "Nr.", "Cllr."
  private func isAbbreviation(_ text: String, at index: Int) -> Bool {
    let end = scan.words[index].range.upperBound
    return end < scan.bytes.count && scan.bytes[end] == 0x2E && text.count < 6 && contains(text + ".")
  }

  /// Whether a word is a well-known name, also with an `s` at its end, or belongs to one: "San Francisco".
  private func isWellKnown(_ index: Int) -> Bool {
    let text = scan.words[index].text
    if index > 0, scan.words[index].gap == .blank, ["san", "los", "santa"].contains(scan.words[index - 1].text) {
      return true
    }
    return WellKnownNames.all.contains(text)
      || text.hasSuffix("s") && WellKnownNames.all.contains(String(text.dropLast()))
  }

  private func isPartKnown(_ part: Substring) -> Bool {
    // "Kundennr"
    if part.count < 2 || Self.endings.contains(part) || part.hasSuffix("nr") { return true }
    // "AHV", "SEPA"
    let isAcronym = part.count < 6 && part.allSatisfy { $0.isUppercase || $0.isNumber }
    return isAcronym || Self.abbreviations.contains(part.lowercased()) || contains(String(part))
      || WellKnownNames.all.contains(part.lowercased())
      || CommonWords.all.contains(part.lowercased())
      || WordForms.isNoun(part.lowercased()) || FieldWords.contains(part.lowercased())
  }

  /// Abbreviations, and words of French that German texts have.
  private static let abbreviations = WordList(
    """
    mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec mär mrz okt dez merci ciao grüezi salü adieu bonjour madame
    monsieur cordialement abs art bzw cllr dept evtl exkl fr ggf hr idnr inkl kto lfd mio mrd mwst nr plz ref str tel usf ust usw vgl zzgl approx incl ext
    """)

  /// Beginnings of names with more than one capital.
  private static let particles = ["De", "La", "Van", "Von", "Mc", "Mac", "Di", "Du"]

  /// Endings after an apostrophe: "I'll", "They've".
  private static let endings: Set<Substring> = ["ll", "ve", "re"]

  /// The parts of a word with hyphens, apostrophes, or capitals within: `SEPA-Lastschrift`, `GitHub`, `Meier's`.
  private static func parts(of word: String) -> [Substring] {
    word.split(separator: "-").flatMap { part -> [Substring] in
      var part = part
      if part.hasSuffix("'s") { part = part.dropLast(2) }
      if abbreviations.contains(part.lowercased()) { return [part] }
      // "NSLock", "SwiftUI": programs name things like this, people only behind a particle: "DeLaCruz".
      if part.dropFirst().count(where: \.isUppercase) > 1, part.contains(where: \.isLowercase),
        !particles.contains(where: part.hasPrefix)
      {
        return []
      }
      var parts: [Substring] = []
      var start = part.startIndex
      var previous: Character?
      for index in part.indices {
        let isInner = part[index].isUppercase && previous?.isLowercase == true
        if isInner || part[index] == "'" {
          parts.append(part[start..<index])
          start = index
        }
        previous = part[index]
      }
      return parts + [part[start...].drop { $0 == "'" }]
    }
  }

  private func contains(_ word: String) -> Bool {
    let lower = word.lowercased()
    if isInLowerCase {
      let capital = word.prefix(1).uppercased() + word.dropFirst()
      return VocabularyLanguage.allCases.contains {
        vocabulary.contains(lower, in: $0) || vocabulary.contains(capital, in: $0)
      }
    }
    return switch language {
    case .english: vocabulary.contains(lower, in: .english)
    case .german, .both, .other:
      // "Meeting" is a word of German letters too; "Hunt" and "Joy" are rather names there.
      vocabulary.contains(word, in: .german)
        || vocabulary.contains(lower, in: .english)
          && (language != .german || !FirstNames.all.contains(lower) && !Surnames.all.contains(lower))
    }
  }
}

/// Which of the two languages a text is written in.
enum TextLanguage {
  case german
  case english
  case both
  /// Neither, in a text that is long enough to tell.
  case other

  private static let englishWords = WordList("the and to of is for you your with on at this have will we be are not")
  private static let germanWords = WordList("der die das und zu ist für sie mit auf den wir ich nicht im ein eine von")

  init(of words: [WordScan.Word]) {
    let sample = words.lazy.filter { !$0.isNumber }.prefix(5_000)
    var (english, german, all) = (0, 0, 0)
    for word in sample {
      all += 1
      if Self.englishWords.contains(word.text) { english += 1 }
      if Self.germanWords.contains(word.text) { german += 1 }
    }
    if (english + german) * 25 < all {
      self = all < 25 ? .both : .other
    } else if english > german * 4 {
      self = .english
    } else if german > english * 4 {
      self = .german
    } else {
      self = .both
    }
  }
}
