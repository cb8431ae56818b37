/// Names that only what is beside them gives away.
extension NameDetector {
  private static let dialog = WordList(
    """
    ask asked tell told call called contact email see saw met meet invite invited remind let booked know knows give gave send sent introduce
    inform informed because when if whether that met visited helped help thank thanked copy copied phone phoned message texted
    """)
  private static let english = WordList("the and to of is for you your with on at this have will we be")
  private static let german = WordList("der die das und zu ist für sie mit auf den wir ich nicht im ein eine")
  private static let hails: Set<String> = [
    "morning", "afternoon", "evening", "heya", "hiya", "howdy", "hi", "hallo", "hello", "hoi", "hey", "dear", "salü",
    "sali", "grüezi",
  ]

  /// Whether a text has more words of English than of German.
  static func isEnglish(_ words: [WordScan.Word]) -> Bool { balance(words) > 0 }

  /// Whether a text has more words of German than of English.
  static func isGerman(_ words: [WordScan.Word]) -> Bool { balance(words) < 0 }

  /// How many more words of English than of German a text has.
  private static func balance(_ words: [WordScan.Word]) -> Int {
    var balance = 0
    for word in words.prefix(5_000) {
      if english.contains(word.text) { balance += 1 }
      if german.contains(word.text) { balance -= 1 }
    }
    return balance
  }

  /// Whether a word may be a name although it is in no list.
  func canBeName(_ index: Int) -> Bool {
    guard words.indices.contains(index) else { return false }
    let word = words[index]
    guard word.isCapital, !word.isNumber, !isCommon(index) else { return false }
    if isListed(index) { return true }
    let base = Self.base(word.text)
    return word.text.count >= 3 && !CommonWords.all.contains(base) && !Places.all.contains(base)
      && !lowercase.contains(word.text) && !lowercase.contains(base) && !WordForms.isNoun(word.text) && !isRole(index)
      && !isAcronym(index) && !isTerm(index)
  }

  /// Whether a word is put together from words that are not names: `Reverse-Proxy-Server`, `HTTP-Anfragen`, `Retry-After`.
  func isTerm(_ index: Int) -> Bool {
    let text = words[index].text
    if isShouted(index), !isListed(index), text.count < 6, !words[index].isInitial { return true }
    guard text.contains("-"), !isListed(index) else { return false }
    return text.split(separator: "-").contains { CommonWords.all.contains(String($0)) || WordForms.isNoun(String($0)) }
  }

  /// Whether a word is in the list of first names or of surnames.
  func isListed(_ index: Int) -> Bool { Self.isListed(words[index].text) || isSurname(index) }

  /// Whether a word, in lower case, is in one of the lists.
  static func isListed(_ word: String) -> Bool {
    isDouble(word) || FirstNames.all.contains(word) || FirstNames.all.contains(base(word))
      || Surnames.all.contains(word)
  }

  /// Capitals and nothing else: `NDA`, `FOLDER`.
  private func isAcronym(_ index: Int) -> Bool { isShouted(index) }

  /// Whether a word names a person's part, so that a name follows.
  func isRole(_ index: Int) -> Bool {
    CommonWords.roles.contains(words[index].text) || words[index].isCapital && WordForms.isRole(words[index].text)
  }

  // MARK: - Single places

  /// "J. R. Hunt", "N. Cavelti": initials and a word in no list.
  mutating func lookForInitials(at index: Int) {
    guard words[index].isInitial, index == 0 || !words[index - 1].isInitial || words[index].gap == .line else { return }
    // "z. B."
    if index > 0, words[index].gap == .stop, words[index - 1].text.count == 1 { return }
    var last = index
    while last + 1 < words.count, last - index < 3, words[last + 1].isInitial,
      words[last + 1].gap == .stop || words[last + 1].gap == .blank
    {
      last += 1
    }
    var name = last + 1
    // "M. de Watteville"
    while name < words.count, name - last < 5, words[name].gap == (name == last + 1 ? .stop : .blank),
      !words[name].isCapital, CommonWords.particles.contains(words[name].text) || words[name].text == "und"
    {
      name += 1
    }
    if name > last + 1 {
      guard name < words.count, words[name].gap == .blank, canBeName(name) else { return }
      return take(index..<run(from: name, limit: 2).upperBound)
    }
    // "C J Braithwaite"
    guard name < words.count, words[name].gap == .stop || last > index && words[name].gap == .blank, canBeName(name)
    else { return }
    // "A. Ausgangslage" is a heading, also where its line has been joined with the one before.
    if words[index].gap == .line || words[index].gap == .stop, last == index, !isListed(name) { return }
    let run = run(from: name, limit: 2)
    if !run.isEmpty { take(index..<run.upperBound) }
  }

  /// "hi Oluwaseun", "please tell Bronwen", "Abena's", "Meg will".
  mutating func lookAround(_ index: Int, isEnglish: Bool) {
    lookForInversion(at: index)
    lookForBorn(at: index)
    guard words[index].isCapital, canBeName(index) else { return }
    let word = words[index]
    let before = index > 0 && word.gap == .blank ? words[index - 1] : nil
    // "Deine Liesl", "x Tash"
    if let before, ["deine", "dein", "euer", "eure", "x", "xx"].contains(before.text),
      index + 1 == words.count || words[index + 1].gap == .line
    {
      return take(index..<index + 1)
    }
    if let before, Self.hails.contains(before.text) { return take(run(from: index, limit: 3)) }
    if lookForPair(at: index, isEnglish: isEnglish) { return }
    if isMet(index) { return take(run(from: index, limit: 4)) }
    // "Tjorvens große Schwester", "Ruaridh's mum"
    if isPossessor(index, isEnglish: isEnglish) || isFamily(index) { return take(index..<index + 1) }
    guard isEnglish, !FirstNames.ambiguous.contains(word.text) || before != nil else { return }
    // "Nush and I"
    let isWithMe =
      index + 2 < words.count && ["and", "&"].contains(words[index + 1].text) && words[index + 2].text == "i"
      && words[index + 2].isCapital
    if isWithMe { return take(run(from: index, limit: 3)) }
    let isPossessive = word.text.hasSuffix("'s") || word.text.hasSuffix("\u{2019}s")
    let isLed = before.map { !$0.isCapital && Self.dialog.contains($0.text) } ?? false
    let next = index + 1 < words.count && words[index + 1].gap == .blank ? words[index + 1] : nil
    let isDoing =
      next.map { !$0.isCapital && (CommonWords.doings.contains($0.text) || $0.text == "will") } ?? false
      && (before.map { !$0.isCapital || Self.conjunctions.contains($0.text) } ?? true) && !isListedPlace(index)
    let isOwner =
      isPossessive && next.map { CommonWords.roles.contains($0.text) || Self.belongings.contains($0.text) } ?? false
    if isOwner || isPossessive && before.map({ !$0.isCapital }) ?? false || isLed || isDoing && word.text.count > 2 {
      take(run(from: index, limit: 3))
    }
  }

  /// Two words that may be a name, behind one in lower case or a colon: "wird Nurgül Özkan sein", "among them Wren Halloran".
  private mutating func lookForPair(at index: Int, isEnglish: Bool) -> Bool {
    guard index > 0, index + 1 < words.count, words[index].text.count > 2, !isGenitive(index) else { return false }
    // "Darnell T. Whitlock"
    var second = words[index + 1].isInitial && words[index + 1].gap == .blank ? index + 2 : index + 1
    // "Maëlle de Watteville"
    while second < words.count, second - index < 4, isLink(second, from: index) { second += 1 }
    guard second < words.count, words[second].gap == .blank || second > index + 1 && words[second].gap == .stop,
      canBeName(second), words[second].text.count > 2, !Self.isStreetWord(words[second].text),
      !OrganisationDetector.isWeakForm(words[second].text)
    else { return false }
    let before = words[index - 1]
    let isAtColon = words[index].gap == .colon
    guard isAtColon || words[index].gap == .blank && !before.isCapital && !before.isNumber else { return false }
    let end = second + 1
    if isAtColon, end < words.count, words[end].gap == .blank, words[end].isCapital { return false }
    if !isEnglish || isAtColon {
      // An adjective with its noun, and a noun behind an article.
      if WordForms.isAttribute(words[index].text), !isListed(second) { return false }
      if !isAtColon, Self.articles.contains(before.text) { return false }
      if !isAtColon, !before.text.hasSuffix("en"), WordForms.isAttribute(before.text), !isListed(second) {
        return false
      }
    }
    let isOwner = ["'s", "\u{2019}s"].contains(where: words[second].text.hasSuffix)
    if isEnglish, !isAtColon, Self.articles.contains(before.text) || Self.places.contains(before.text) && !isOwner {
      return false
    }
    let run = run(from: index, limit: 4)
    guard run.count > 1 else { return false }
    take(run)
    return true
  }

  private static let conjunctions = WordList("and but so then when if as because since")

  /// "traf ich Zarken Derlic", "bumped into Brerken Sautsen", "spoke to Fleimpow", "Ansprechpartner dort ist Täster Flörksen":
  /// a name that what precedes it asks for.
  private func isMet(_ index: Int) -> Bool {
    guard index > 1, words[index].gap == .blank, !words[index - 1].isCapital, words[index - 1].gap == .blank,
      words[index].text.count > 2
    else { return false }
    let (before, verb) = (words[index - 1].text, words[index - 2].text)
    if ["ich", "er", "sie", "wir", "i", "we", "he", "she"].contains(before) { return Self.meetings.contains(verb) }
    if ["to", "with", "into", "an", "mit", "bei", "von", "for", "by"].contains(before), Self.meetings.contains(verb) {
      return true
    }
    if verb == "represented" && before == "by" || verb == "vertreten" && before == "durch" {
      // "represented by Greek letters"
      let isEnded =
        index + 1 == words.count || words[index + 1].gap != .blank
        || ["of", "and", "from", "at", "von", "und", "aus"].contains(words[index + 1].text)
      return isListed(index) || isEnded
    }
    guard ["ist", "sei", "war", "is", "was", "heisst", "heißt", "wird"].contains(before),
      index + 1 < words.count, words[index + 1].gap == .blank, words[index + 1].isCapital
    else { return false }
    return words[max(0, index - 5)..<index - 1].contains {
      CommonWords.roles.contains($0.text) || NameLines.isLabel($0.text)
    }
  }

  private static let meetings = WordList(
    """
    danken dankt danke traf treffe triff sah sehe sprach spreche fragte frage kenne kannte besuchte rief gesprochen telefoniert verheiratet zusammengewohnt getroffen
    bumped ran spoke speak speaking talk talked talking wrote written married engaged related belongs ask asked asking signed complained according
    """)

  private static let articles = WordList(
    """
    the a an our your their his her my this that these those its any some every each no der die das den dem des ein eine einen einem einer eines
    kein keine keinen unser unsere unseren ihr ihre ihren ihrer ihrem mein meine meinen dein deine im am zum zur vom beim ins ans per pro
    """)
  private static let places = WordList("in at near via into around")

  private static func isStreetWord(_ word: String) -> Bool {
    AddressDetector.english.contains(word) && !Surnames.all.contains(word)
  }

  /// Whether a word is a genitive before a person's part.
  private func isPossessor(_ index: Int, isEnglish: Bool) -> Bool {
    let text = words[index].text
    guard text.hasSuffix("s") || scan.isApostrophe(behind: index), text.count > 4, index + 1 < words.count,
      words[index + 1].gap == .blank || scan.isApostrophe(behind: index),
      index == 0 || words[index].gap != .blank || !Self.articles.contains(words[index - 1].text)
    else { return false }
    let base = Self.base(text)
    guard !CommonWords.all.contains(base), !WordForms.isNoun(base) else { return false }
    let next = index + 2 < words.count && !words[index + 1].isCapital && words[index + 2].gap == .blank ? [1, 2] : [1]
    return next.contains {
      // "Operations Manager" is not a genitive.
      Self.relatives.contains(words[index + $0].text)
        || !isEnglish
          && (CommonWords.roles.contains(words[index + $0].text) || Self.belongings.contains(words[index + $0].text))
    }
  }

  private static let belongings = WordList(
    "handschrift unterschrift anwalt anwältin anwälte arzt ärztin steuerberater lawyer handwriting signature funeral birthday geburtstag"
  )
  private static let relatives = WordList(
    """
    mutter vater mama papa mami papi eltern schwester bruder sohn tochter oma opa grossmutter großmutter grossvater großvater tante onkel frau mann
    freundin freund kollegin kollege lehrerin lehrer chef chefin mum mom dad mother father parents sister brother son daughter wife husband grandmother
    grandfather aunt uncle partner boyfriend girlfriend friend teacher boss nan gran granny
    """)

  /// "the Gebremariams", "die Kochs": all of a family.
  private func isFamily(_ index: Int) -> Bool {
    let text = words[index].text
    guard index > 0, words[index].gap == .blank, ["die", "the", "den", "der"].contains(words[index - 1].text),
      text.hasSuffix("s"), text.count > 4, !CommonWords.all.contains(text)
    else { return false }
    let base = String(text.dropLast())
    // "our neighbours, the Quobbs", "the Quobbs next door"
    let isBeside =
      index > 1 && isRole(index - 2) || index + 1 < words.count && Self.near.contains(words[index + 1].text)
    if isBeside, canBeName(index) { return true }
    return Surnames.all.contains(base) && !Surnames.ambiguous.contains(base) && !FirstNames.all.contains(text)
  }

  private static let near = WordList("upstairs downstairs next opposite across nebenan gegenüber oben unten")

  private func isListedPlace(_ index: Int) -> Bool { Places.all.contains(words[index].text) }

  // MARK: - Beside other names

  /// "Mirko und Bledar Hoxha", "Fiete, Mads und Emma": what is beside a name with `und`.
  mutating func lookBesideNames() {
    var position = 0
    // Findings are examined again; each is new, so this ends.
    while position < found.count, found.count < 4 * words.count + 16 {
      let name = found[position]
      position += 1
      let end = name.upperBound
      if end < words.count {
        if words[end].gap == .ampersand || words[end].gap == .comma && isEnumerated(end) {
          takeNew(end)
        } else if isJoint(end), end + 1 < words.count, words[end + 1].gap == .blank {
          takeNew(end + 1)
        } else if words[end].gap == .comma, name.count == 1, words[name.lowerBound].gap != .blank,
          end + 1 == words.count || words[end + 1].gap == .line,
          FirstNames.all.contains(words[end].text)
            || scan.bytes[words[name.lowerBound].range].allSatisfy({ !(0x61...0x7A).contains($0) })
        {
          // "GUTIERREZ, Xiomara"
          takeNew(end)
        }
      }
      let before = name.lowerBound - 1
      if before > 0, isJoint(before), words[name.lowerBound].gap == .blank, !isAttributed(before - 1) {
        takeNew(before - 1)
      }
    }
  }

  /// "Zuständig sei nun Quobb, Erika, hiess es", "lists Quobb, Kenneth as": a first name behind a comma, and what follows
  /// shows that it does not continue the sentence.
  mutating func lookForInversion(at index: Int) {
    guard index + 1 < words.count, words[index + 1].gap == .comma, words[index + 1].isCapital, canBeName(index),
      !isFirstName(index) || isSurname(index),
      isFirstName(index + 1) && (!FirstNames.ambiguous.contains(words[index + 1].text) || isSurname(index))
        || isSurname(index) && canBeName(index + 1) && index > 0 && words[index].gap == .blank
          && !words[index - 1].isCapital && index + 2 < words.count && words[index + 2].gap == .comma
    else { return }
    let next = index + 2
    guard
      next >= words.count || words[next].gap != .blank
        || ["as", "is", "was", "has", "ist", "hat", "wurde", "war", "als", "geb", "geboren", "born"].contains(
          words[next].text)
    else { return }
    var start = index
    while start > 0, index - start < 3, words[start].gap == .blank,
      CommonWords.particles.contains(words[start - 1].text)
    { start -= 1 }
    take(start..<index + 1)
    take(index + 1..<index + 2)
  }

  func isFirstName(_ index: Int) -> Bool {
    FirstNames.all.contains(words[index].text) || Self.isDouble(words[index].text)
  }

  private func isJoint(_ index: Int) -> Bool {
    words[index].gap == .blank && ["und", "and", "u"].contains(words[index].text)
  }

  /// Whether a word behind a comma is followed by `und` and another that may be a name.
  private func isEnumerated(_ index: Int) -> Bool {
    index + 2 < words.count && canBeName(index) && isJoint(index + 1) && canBeName(index + 2)
  }

  /// Whether a noun is there rather than a name: behind an article or an adjective.
  private func isAttributed(_ index: Int) -> Bool {
    guard index > 0, words[index].gap == .blank else { return false }
    let before = words[index - 1]
    return !before.isCapital && !isListed(index)
      && (!before.text.hasSuffix("en") && WordForms.isAttribute(before.text) || Self.articles.contains(before.text)
        || ["the", "a", "an", "das", "im", "zur", "zum"].contains(before.text))
  }

  private mutating func takeNew(_ index: Int) {
    guard canBeName(index), !isGenitive(index), !found.contains(where: { $0.contains(index) }) else { return }
    take(run(from: index, limit: 3))
  }

  /// "Quobbs", where the text has "Quobb" too: the second pass finds it.
  private func isGenitive(_ index: Int) -> Bool {
    let text = words[index].text
    return text.hasSuffix("s") && !isListed(index) && capitals.contains(Self.base(text))
  }

  // MARK: - Lines

  private static let addressees: [[String]] = [
    ["ship", "to"], ["bill", "to"], ["deliver", "to"], ["delivered", "to"], ["sold", "to"], ["invoice", "to"],
    ["frau", "und", "herr"], ["herr", "und", "frau"], ["herrn", "und", "frau"], ["frau", "und", "herrn"],
    ["einschreiben"], ["persönlich"], ["vertraulich"], ["private"], ["confidential"], ["lieferadresse"],
    ["rechnungsadresse"], ["shipping", "address"], ["billing", "address"], ["delivery", "address"],
  ]

  /// A line that is a name and nothing else: below "Ship to", above a line with a mail address, a number or a role.
  mutating func lookForNameLine(_ number: Int) {
    let line = scan.line(number)
    takeGreetedName(number, line)
    // "Quobb, Ylva"
    if line.count >= 2, let first = line.first, canBeName(first), !isListed(first), words[first + 1].gap == .comma,
      FirstNames.all.contains(words[first + 1].text), words[first + 1].isCapital,
      first + 2 >= line.upperBound || words[first + 2].gap != .blank
    {
      take(first..<first + 1)
    }
    guard (2...4).contains(line.count), let first = line.first, let last = line.last,
      line.allSatisfy({
        canBeName($0) || words[$0].isInitial || !words[$0].isCapital && CommonWords.particles.contains(words[$0].text)
      }), line.contains(where: canBeName), words[first].isCapital,
      !OrganisationDetector.isOrganisation(words, line),
      line.dropFirst().allSatisfy({ words[$0].gap == .blank || words[$0].gap == .stop }),
      scan.sign(behind: last) == 0x0A || scan.sign(behind: last) == 0x0D || scan.sign(behind: last) == nil
    else { return }
    let above = scan.line(number - 1).map { words[$0].text }
    let below = scan.line(number + 1)
    if Self.addressees.contains(above) || isContact(below) && line.contains(where: isListed) { take(line) }
  }

  /// "Misty,", "Kürt -", with an empty line above and below it.
  private mutating func takeGreetedName(_ number: Int, _ line: Range<Int>) {
    guard (1...3).contains(line.count), let name = line.last, words[line.lowerBound].isCapital,
      line.dropFirst().allSatisfy({ words[$0].gap == .blank || words[$0].gap == .stop }),
      scan.line(number - 1).isEmpty, scan.line(number + 1).isEmpty, let sign = scan.sign(behind: name),
      // A comma, a hyphen, a dash, a colon.
      [0x2C, 0x2D, 0xE2, 0x3A].contains(sign), NameLines.closing(words, line) == nil,
      NameLines.greeting(words, line) == nil
    else { return }
    let isName = line.count == 1 && (sign == 0x2C || sign == 0x2D) && FirstNames.all.contains(words[name].text)
    guard isName || line.allSatisfy({ canBeName($0) || words[$0].isInitial }),
      // "Shorter:" is an instruction.
      sign == 0x2C || line.count == 1 && sign != 0x3A || line.contains(where: isListed)
    else { return }
    take(line)
  }

  /// Whether a line has contact data or the role of a person.
  private func isContact(_ line: Range<Int>) -> Bool {
    guard let first = line.first, let last = line.last else { return false }
    let bytes = scan.bytes[words[first].range.lowerBound..<words[last].range.upperBound]
    return bytes.contains(0x40) || bytes.count(where: { (0x30...0x39).contains($0) }) >= 7
      || line.contains { isRole($0) || CommonWords.titles.contains(words[$0].text) }
  }
}
