/// Finds names of persons: behind salutations, titles, roles and labels, in greetings, below closings, in headers of mail,
/// and by lists of names.
struct NameDetector {
  let scan: WordScan
  private(set) var found: [Range<Int>] = []

  var words: [WordScan.Word] { scan.words }

  /// The words that are in lower case somewhere: what the text uses as a word is hardly a name of it.
  let lowercase: Set<String>
  /// The words that have a capital somewhere, without the endings of genitives with an apostrophe.
  let capitals: Set<String>

  init(_ scan: WordScan) {
    self.scan = scan
    lowercase = Set(scan.words.lazy.filter { !$0.isCapital && !$0.isNumber && scan.isFree($0) }.map(\.text))
    capitals = Set(
      scan.words.lazy.filter { $0.isCapital }.map { word in
        ["'s", "\u{2019}s"].contains(where: word.text.hasSuffix) ? Self.base(word.text) : word.text
      })
  }

  /// Everything that is found, as ranges of words.
  static func find(_ scan: WordScan) -> [Range<Int>] {
    var detector = NameDetector(scan)
    let isEnglish = isEnglish(scan.words)
    let isGerman = isGerman(scan.words)
    for index in scan.words.indices {
      detector.look(at: index, isGerman: isGerman)
      detector.lookForInitials(at: index)
      detector.lookAround(index, isEnglish: isEnglish)
    }
    for line in scan.lineStarts.indices {
      detector.look(atLine: line)
      detector.lookForNameLine(line)
      detector.lookForSubject(line)
      detector.lookForThanks(line)
    }
    detector.lookForSpeakers()
    detector.lookBesideNames()
    return detector.found
  }

  // MARK: - Single words

  private mutating func look(at index: Int, isGerman: Bool) {
    let word = words[index]
    if CommonWords.salutations.contains(word.text) { return take(name(after: index, isCertain: true)) }
    if word.isCapital, word.gap != .line, index + 1 < words.count, words[index + 1].gap == .colon,
      NameLines.isLabel(word.text)
    {
      takeList(index + 1..<scan.line(word.line).upperBound)
    }
    if isRole(index) || word.text == "ra" && isShouted(index) {
      take(name(after: index, isCertain: false, isRole: true))
    }
    // "our son jack"
    if CommonWords.roles.contains(word.text), index + 1 < words.count, words[index + 1].gap == .blank,
      !words[index + 1].isCapital, FirstNames.all.contains(words[index + 1].text),
      !FirstNames.ambiguous.contains(words[index + 1].text), !CommonWords.all.contains(words[index + 1].text)
    {
      take(index + 1..<index + 2)
    }
    take(userName(at: index))
    guard word.isCapital, !word.isNumber, word.gap != .line || !isClosing(word.line) else { return }
    let bare = Self.base(word.text)
    if FirstNames.all.contains(word.text) || FirstNames.all.contains(bare) || Self.isDouble(word.text) {
      let run = self.run(from: index, limit: 4)
      let isAmbiguous =
        FirstNames.ambiguous.contains(word.text)
        && !(isGerman && FirstNames.clearInGerman.contains(word.text) && !isShouted(index))
      guard isAmbiguous else { return take(lengthened(run)) }
      // "Kannst du Virginia fragen"
      if index > 1, word.gap == .blank, words[index - 1].text == "du", Self.requests.contains(words[index - 2].text),
        !CommonWords.all.contains(word.text)
      {
        return take(index..<index + 1)
      }
      // "April Barnes"
      if run.isEmpty, index + 1 < words.count, words[index + 1].gap == .blank, words[index + 1].isCapital,
        Surnames.all.contains(words[index + 1].text), !Surnames.ambiguous.contains(words[index + 1].text)
      {
        return take(index..<index + 2)
      }
      if run.count > 1, !CommonWords.all.contains(word.text) || run.dropFirst().contains(where: { isSurname($0) }) {
        take(run)
      }
      return
    }
    // "Redis" is not a genitive.
    let isListed = isSurname(index) && (Surnames.all.contains(word.text) || !CommonWords.all.contains(word.text))
    if isListed, !Surnames.ambiguous.contains(word.text), !Surnames.ambiguous.contains(bare) {
      return take(index..<index + 1)
    }
    if let run = subject(at: index) { return take(run) }
    // "A. Meier"
    if word.isInitial, index + 1 < words.count, words[index + 1].gap == .stop, isSurname(index + 1) {
      take(index..<index + 2)
    }
  }

  private static let requests = WordList("kannst könntest willst würdest sollst magst möchtest")

  /// The name of an account that begins with a person's: "trudi1938", "anna_meier".
  private func userName(at index: Int) -> Range<Int>? {
    guard index + 1 < words.count else { return nil }
    let (name, next) = (words[index], words[index + 1])
    let gap = next.range.lowerBound - name.range.upperBound
    guard
      gap == 0 && next.isNumber && (2...4).contains(next.text.count)
        || gap == 1 && scan.bytes[name.range.upperBound] == UInt8(ascii: "_") && isNameAlone(next.text),
      isNameAlone(name.text), !isShouted(index), !isJoined(before: name.range.lowerBound)
    else { return nil }
    let end = index + 2
    // Letters and digits without order are not a name.
    return end < words.count && words[end].range.lowerBound == next.range.upperBound ? nil : index..<end
  }

  /// Whether a word is a name and nothing else.
  private func isNameAlone(_ word: String) -> Bool {
    word.count > 2 && !CommonWords.all.contains(word)
      && (FirstNames.all.contains(word) && !FirstNames.ambiguous.contains(word)
        || Surnames.all.contains(word) && !Surnames.ambiguous.contains(word))
  }

  /// Whether the sign before a place belongs to the same word, hash or path.
  private func isJoined(before place: Int) -> Bool {
    guard place > 0 else { return false }
    let sign = scan.bytes[place - 1]
    return PlaceholderReader.isWordByte(sign) || "_/+=-.@".utf8.contains(sign)
  }

  func isShouted(_ index: Int) -> Bool {
    scan.bytes[words[index].range].allSatisfy { !(0x61...0x7A).contains($0) }
  }

  /// Two words that are in no list, before what people do ("Ylva Quobb hat …") or behind what leads to them ("mit Ylva
  /// Quobb").
  private func subject(at index: Int) -> Range<Int>? {
    var second = index + 1
    while second < words.count, second - index < 4, isLink(second, from: index) { second += 1 }
    let end = second + 1
    let isLed = index > 0 && words[index].gap == .blank && CommonWords.leads.contains(words[index - 1].text)
    guard end <= words.count, words[second].isCapital, !words[second].isNumber, words[second].gap == .blank,
      isLed
        || end < words.count && words[end].gap == .blank && CommonWords.doings.contains(words[end].text)
          && !words[end].isCapital,
      !isCommon(index), !isCommon(second), !isRole(index), !isTerm(index), !isTerm(second),
      !WordForms.isNoun(words[second].text),
      !(isLed && WordForms.isAttribute(words[index].text) && !isListed(second)), words[index].text.count > 2,
      words[second].text.count > 2
    else { return nil }
    return index..<end
  }

  func isSurname(_ index: Int) -> Bool {
    Surnames.all.contains(words[index].text) || Surnames.all.contains(Self.base(words[index].text))
      || words[index].text.split(separator: "-").contains {
        // "Müller-Quobb", but not "Berg-Tour".
        Surnames.all.contains(String($0)) && !Surnames.ambiguous.contains(String($0))
      }
  }

  /// Two first names with a hyphen: "Paul-Gerhard", and with the ending of a genitive.
  static func isDouble(_ word: String) -> Bool {
    let parts = word.split(separator: "-")
    return (2...3).contains(parts.count)
      && parts.allSatisfy { FirstNames.all.contains(String($0)) || FirstNames.all.contains(base(String($0))) }
  }

  /// A word without the ending of a genitive.
  static func base(_ word: String) -> String {
    for ending in ["'s", "\u{2019}s", "s"] where word.hasSuffix(ending) && word.count > ending.count + 2 {
      return String(word.dropLast(ending.count))
    }
    return word
  }

  mutating func take(_ range: Range<Int>?) {
    guard let range, !range.isEmpty else { return }
    found.append(range)
  }

  /// A first name with a word behind it that is a name here, as nothing follows it: "Elena Steuer".
  private func lengthened(_ run: Range<Int>) -> Range<Int> {
    let next = run.upperBound
    guard run.count == 1, next < words.count, words[next].gap == .blank, words[next].isCapital, !words[next].isNumber,
      words[next].text.count > 2, !CommonWords.titles.contains(words[next].text), !isRole(next),
      words[run.lowerBound].gap != .blank || !words[run.lowerBound - 1].isCapital,
      next + 1 == words.count
        || [.line, .comma, .other].contains(words[next + 1].gap) && scan.sign(behind: next) != 0x3A,
      NameLines.closing(words, scan.line(words[next].line)) == nil
    else { return run }
    return run.lowerBound..<next + 1
  }

  /// Whether a line is a closing and nothing else: "Best,".
  private func isClosing(_ number: Int) -> Bool {
    let line = scan.line(number)
    return line.count <= 2 && NameLines.closing(words, line) == line.upperBound
  }

  // MARK: - Runs of words

  /// The words of a name from a place on: capital words, initials, and what may occur between them in lower case.
  ///
  /// - Parameter takesCommon: Whether its first word may be one that is common.
  func run(from start: Int, limit: Int, crossesLines: Bool = false, takesCommon: Bool = false) -> Range<Int> {
    guard start < words.count, words[start].isCapital || words[start].isElided, !words[start].isNumber else {
      return start..<start
    }
    if !takesCommon, isCommon(start) { return start..<start }
    var end = start + 1
    var count = 1
    while end < words.count, count < limit {
      var next = end
      // "von der"
      while next < words.count, next - end < 3, isParticle(next, behind: end) { next += 1 }
      guard next < words.count, words[next].isCapital, !words[next].isNumber else { break }
      // "Frau Hämmerli von der Spedition"
      if next > end, ["von", "vom", "zum", "zur", "zu"].contains(words[end].text),
        !isBeforeParticle(end - 1) && !isSurname(next) && words[end + 1].text != "und"
          || words[end].text != "von" && !canBeName(next)
      {
        break
      }
      let gap = words[next].gap
      let isJoined =
        gap == .blank || (gap == .stop && words[next - 1].isInitial)
        || (crossesLines && gap == .line && words[next].line == words[next - 1].line + 1 && isSurname(next))
      guard isJoined, !isCommon(next), !isOwner(next - 1, of: next) else { break }
      end = next + 1
      count += 1
    }
    return start..<end
  }

  /// "Pedros Zustimmung": a first name in the genitive, and what is its bearer's.
  private func isOwner(_ name: Int, of noun: Int) -> Bool {
    let text = words[name].text
    return WordForms.isNoun(words[noun].text) && !FirstNames.all.contains(text)
      && FirstNames.all.contains(Self.base(text))
  }

  /// Whether a word is within a name: "von der", "von und zu", also with a capital: "Anahit Der Sarkissian".
  func isParticle(_ index: Int, behind start: Int) -> Bool {
    let word = words[index]
    guard word.gap == .blank else { return false }
    if word.isCapital {
      return Self.capitalParticles.contains(word.text) && index + 1 < words.count && words[index + 1].gap == .blank
        && words[index + 1].isCapital && !CommonWords.all.contains(words[index + 1].text)
    }
    return CommonWords.particles.contains(word.text)
      || word.text == "und" && index > start && words[index - 1].text == "von" && index + 1 < words.count
        && words[index + 1].text == "zu"
  }

  private static let capitalParticles = WordList(
    "der de von van den del della di da la le el al ter ten dos du bin ibn freiherr freifrau graf gräfin baron baronin")

  private func isBeforeParticle(_ index: Int) -> Bool {
    words[index].isInitial || FirstNames.all.contains(words[index].text)
      || ["graf", "gräfin", "freiherr", "freifrau", "baron", "baronin", "edler", "ritter"].contains(words[index].text)
  }

  /// Whether a word is common and no surname: "Frau Keller", "Luca Keller".
  func isCommon(_ index: Int) -> Bool {
    if words[index].isInitial, index + 1 < words.count, words[index + 1].gap == .stop { return false }
    let text = words[index].text
    // "holder April Wiegandt"
    if FirstNames.ambiguous.contains(text), index + 1 < words.count, words[index + 1].gap == .blank,
      words[index + 1].isCapital, !CommonWords.all.contains(words[index + 1].text),
      isSurname(index + 1) && !Surnames.ambiguous.contains(words[index + 1].text)
    {
      return false
    }
    return CommonWords.all.contains(text) && !Surnames.all.contains(text) || OrganisationDetector.forms.contains(text)
  }

  /// The name behind a salutation, a title or a role, with the titles between them left out.
  private func name(after index: Int, isCertain: Bool, isRole: Bool = false) -> Range<Int>? {
    var start = index + 1
    while start < words.count, start - index < 8, words[start].gap == .blank || words[start].gap == .stop,
      CommonWords.degrees.contains(words[start].text)
        || (CommonWords.salutations.contains(words[start].text) && words[start].isCapital)
    {
      start += 1
    }
    let particles = start
    while start < words.count, start - index < 12, isParticle(start, behind: particles) {
      start += 1
    }
    guard start < words.count else { return nil }
    let gap = words[start].gap
    let isNear =
      gap == .blank || gap == .stop && (start > index + 1 || isCertain && isAbbreviated(index))
      || isRole && gap == .comma && (FirstNames.all.contains(words[start].text) || isApposition(start))
      || isRole && gap == .colon && canBeName(start) || isCertain && gap == .other && scan.isBehindMark(start)
    // "Herrn", and the name on the next line, as in the head of a letter.
    let isBelow =
      isCertain && gap == .line && start == index + 1 && words[start].line == words[index].line + 1
      && words[index].gap == .line
    guard isNear || isBelow else { return nil }
    if isRole {
      guard words[start].isInitial || canBeName(start) else { return nil }
      // "Customer Happiness": in English a name follows a role in lower case.
      if words[index].isCapital, CommonWords.englishRoles.contains(words[index].text), gap != .colon, !isListed(start) {
        return nil
      }
    }
    let run = run(from: start, limit: 3, crossesLines: !isBelow)
    // "Herr von der Osten"
    return run.isEmpty ? nil : (isCertain ? particles : start)..<run.upperBound
  }

  /// "the patient's sister, Trolm Hondmann, is": two words between commas.
  private func isApposition(_ index: Int) -> Bool {
    let run = run(from: index, limit: 3)
    return run.count > 1 && run.allSatisfy { canBeName($0) || !words[$0].isCapital }
      && run.upperBound < words.count && words[run.upperBound].gap == .comma
  }

  /// Whether a word is between the words of a name that no title shows: "Maëlle de Watteville", and "von der" behind first
  /// names alone, as "Mehrheit der Kantone" is none.
  func isLink(_ index: Int, from first: Int) -> Bool {
    isParticle(index, behind: first + 1)
      && (words[index].isCapital || isFirstName(first)
        || ["de", "van", "di", "da", "la", "le", "del", "della", "du", "ten", "ter", "bin", "al", "el"].contains(
          words[index].text))
  }

  private func isAbbreviated(_ index: Int) -> Bool { words[index].text.count <= 4 }

  // MARK: - Lines

  private mutating func look(atLine number: Int) {
    let line = scan.line(number)
    guard let first = line.first else { return }
    if let start = NameLines.greeting(words, line) { takeGreeting(start..<line.upperBound) }
    if let end = NameLines.closing(words, line) { takeBelow(closing: line, behind: end) }
    if let start = NameLines.label(words, line) { takeList(start..<line.upperBound) }
    if NameLines.isAddressHeader(words[first].text), scan.sign(behind: first) == 0x3A {
      takeAddresses(first + 1..<line.upperBound)
    }
    if let wrote = NameLines.quoted(words, line) { take(nameBefore(wrote, in: line)) }
    for index in line where NameLines.introduces(words, at: index) {
      let run = run(from: index + 1, limit: 3)
      if !isPart(run) { take(run) }
    }
  }

  /// Whether a word is the first of several that are not a name: "Attn: Dispute Department".
  private func isPart(_ run: Range<Int>) -> Bool {
    run.count == 1 && !isListed(run.lowerBound) && run.upperBound < words.count
      && words[run.upperBound].isCapital && words[run.upperBound].gap == .blank && !words[run.upperBound].isNumber
  }

  /// The names of a greeting, up to the sign that ends it.
  private mutating func takeGreeting(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if index > range.lowerBound,
        words[index].gap == .other || words[index].gap == .colon || words[index].gap == .stop,
        !words[index - 1].isInitial, !CommonWords.titles.contains(words[index - 1].text)
      {
        return
      }
      // Behind the comma a sentence may begin: in lower case, or with a common word.
      let run = run(from: index, limit: 4)
      if run.isEmpty {
        // Behind the names a sentence begins.
        guard
          words[index].isCapital || Self.furtherGreetings.contains(words[index].text) || words[index].text == "u"
            || CommonWords.titles.contains(words[index].text) || CommonWords.particles.contains(words[index].text)
        else { return }
        index += 1
      } else {
        take(run)
        index = run.upperBound
        // "Liebe Zora, lieber Tjark"
        if index < range.upperBound, words[index].gap == .comma, !Self.furtherGreetings.contains(words[index].text) {
          return
        }
      }
      guard index - range.lowerBound < 12 else { return }
    }
  }

  private static let furtherGreetings = WordList(
    "liebe lieber liebes sehr geehrte geehrter werte werter hallo hi dear und and")

  /// The name below a closing, or behind its comma.
  private mutating func takeBelow(closing line: Range<Int>, behind end: Int) {
    if end < line.upperBound {
      let run = run(from: end, limit: 4)
      if !run.isEmpty { return take(run) }
    }
    guard let last = line.last else { return }
    var number = words[last].line + 1
    var looked = 0
    var names = 0
    while number < scan.lineStarts.count, looked < 4, number < words[last].line + 10 {
      let below = scan.line(number)
      number += 1
      guard let first = below.first else { continue }
      looked += 1
      // "Thank you", and "Cheers," below it.
      if below.count <= 3, NameLines.closing(words, below) == below.upperBound { continue }
      if OrganisationDetector.isOrganisation(words, below), !FirstNames.all.contains(words[first].text) { continue }
      var start = first
      // "i. A.", "ppa.", "Dr."
      while start < below.upperBound,
        NameLines.isProxy(words[start].text) && !isInitialOfName(start, first)
          || CommonWords.titles.contains(words[start].text)
      {
        start += 1
      }
      // "Cheers," and "bob" below it.
      if names == 0, start + 1 == below.upperBound, !words[start].isCapital,
        FirstNames.all.contains(words[start].text) || FirstNames.ambiguous.contains(words[start].text)
      {
        return take(start..<start + 1)
      }
      let name = run(from: start, limit: 5, takesCommon: names == 0 && below.upperBound - start <= 2)
      guard !name.isEmpty, name.upperBound == below.upperBound || isEnded(name.upperBound) else {
        if names > 0 { return }
        // Other words may occur between: "Ihr Team".
        continue
      }
      // Of a second line more is asked, as a role or a company is there too.
      if names > 0 {
        guard name.count > 1, name.allSatisfy({ canBeName($0) || words[$0].isInitial || !words[$0].isCapital }),
          name.contains(where: isListed)
        else { return }
      }
      take(name)
      names += 1
      // Who signs beside: "R. Frei          S. Tuor"
      var next = name.upperBound
      while next < below.upperBound, words[next].gap == .other || words[next].gap == .comma {
        let other = run(from: next, limit: 4)
        guard !other.isEmpty, words[next].isInitial || canBeName(next), words[next].gap == .other || isListed(next)
        else { break }
        take(other)
        next = other.upperBound
      }
    }
  }

  /// Whether a letter before a point belongs to the name: "V. Stauffacher", not "i. V. Stauffacher".
  private func isInitialOfName(_ index: Int, _ first: Int) -> Bool {
    words[index].isInitial && index == first && index + 1 < words.count && words[index + 1].gap == .stop
      && words[index].text != "i" && words[index + 1].text.count > 1
  }

  /// Whether a name ends before a word: a sign is there, or "from".
  private func isEnded(_ index: Int) -> Bool {
    words[index].gap != .blank
      || ["from", "vom", "von", "und", "and", "mit", "with", "x", "xx", "xxx"].contains(words[index].text)
  }

  /// Names behind a label, divided by commas, `und`, `and`.
  private mutating func takeList(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if index > range.lowerBound, words[index].gap == .stop, !words[index - 1].isInitial,
        !CommonWords.titles.contains(words[index - 1].text)
      {
        return
      }
      // "Patient: June Quobb"
      let takesCommon =
        FirstNames.ambiguous.contains(words[index].text) && !Self.helpers.contains(words[index].text)
        && index + 1 < range.upperBound && words[index + 1].gap == .blank && canBeName(index + 1)
        && (index + 2 == range.upperBound || words[index + 2].gap != .blank)
      let run = run(from: index, limit: 4, takesCommon: takesCommon)
      if run.isEmpty {
        let isBeside = CommonWords.titles.contains(words[index].text) || ["und", "and"].contains(words[index].text)
        index += 1
        // Skips brackets behind a name.
        if !isBeside {
          while index < range.upperBound, words[index].gap != .other, words[index].gap != .comma { index += 1 }
        }
      } else {
        if !isPart(run) { take(run) }
        index = run.upperBound
      }
    }
  }

  /// Words that begin a remark behind a label: "Contact: Will Follow".
  private static let helpers = WordList("will can may im in so es do")

  /// The names of a header with mail addresses.
  private mutating func takeAddresses(_ range: Range<Int>) {
    var index = range.lowerBound
    guard let first = range.first, let last = range.last else { return }
    // A line that was joined with the next header ends before its name.
    let range =
      range.lowerBound..<(range.dropFirst().first { words[$0].gap == .colon }.map { $0 - 1 } ?? range.upperBound)
    let hasAddress = scan.bytes[words[first].range.lowerBound..<words[last].range.upperBound].contains(0x40)
    while index < range.upperBound {
      let run = run(from: index, limit: 5, takesCommon: false)
      guard !run.isEmpty else {
        index += 1
        continue
      }
      index = run.upperBound
      // Part of a mail or web address is not a name: it has '@' before or behind it, or a point.
      let before = words[run.lowerBound].range.lowerBound
      let isAddress = before > 0 && [0x40, 0x2E, 0x5F].contains(scan.bytes[before - 1])
      // "An: Elternverteiler"
      let isAlone = run.count == 1 && !isListed(run.lowerBound) && !hasAddress
      if !isAddress, !isAlone { take(run) }
    }
  }

  /// The name before "wrote" or behind "schrieb".
  private func nameBefore(_ wrote: Int, in line: Range<Int>) -> Range<Int>? {
    // The line before a quotation ends with a colon; elsewhere "writes" is a verb like others.
    guard let last = line.last,
      scan.sign(behind: last) == 0x3A || scan.bytes[words[last].range.upperBound...].prefix(2).contains(0x3A)
        || words[wrote].gap == .blank && wrote > line.lowerBound && canBeName(wrote - 1)
    else { return nil }
    let behind = run(from: wrote + 1, limit: 4)
    if !behind.isEmpty, wrote + 1 < line.upperBound { return behind }
    var start = wrote
    while start > line.lowerBound, words[start - 1].isCapital, !CommonWords.all.contains(words[start - 1].text),
      !words[start - 1].isNumber, wrote - start < 4
    {
      start -= 1
    }
    return start < wrote ? start..<wrote : nil
  }
}
