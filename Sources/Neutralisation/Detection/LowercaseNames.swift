/// Adds capitals to probable names and addresses in a text that is written in lower case.
enum LowercaseNames {
  /// The text with capitals, of the same length.
  ///
  /// - Returns: `bytes` is `nil` if nothing was changed. `isInLowerCase` says whether the text is written in lower case, its
  ///   beginning included: a long sentence may have no other capital.
  static func restored(
    _ bytes: UnsafeBufferPointer<UInt8>, _ names: Set<String>
  ) -> (bytes: [UInt8]?, isInLowerCase: Bool) {
    let scan = WordScan(bytes)
    let isLower = isTypedInLowerCase(scan)
    guard isLower || scan.words.contains(where: { !$0.isCapital && titles.contains($0.text) }) else {
      return (nil, false)
    }
    var capitals = Capitals(scan: scan, output: Array(bytes))
    if isLower {
      capitals.restoreAll(names)
    } else {
      capitals.restoreBehindTitles()
    }
    let beginning = scan.words.first { !$0.isNumber }
    return (capitals.hasChanged ? capitals.output : nil, isLower && beginning?.isCapital == false)
  }

  /// Titles that are written in lower case by whom leaves capitals out, and have no other meaning then.
  fileprivate static let titles = WordList("herr herrn frau mr mrs")

  /// Whether hardly a word of a text has a capital.
  private static func isTypedInLowerCase(_ scan: WordScan) -> Bool {
    var words = 0
    var capitals = 0
    for word in scan.words where !word.isNumber && word.text.utf8.count > 1 {
      words += 1
      if word.isCapital { capitals += 1 }
    }
    return words > 1 && capitals * 25 <= words
  }

  private struct Capitals {
    let scan: WordScan
    var output: [UInt8]
    var hasChanged = false

    private var words: [WordScan.Word] { scan.words }

    private mutating func raise(_ index: Int) {
      guard words.indices.contains(index), !words[index].isCapital else { return }
      let range = words[index].range
      guard let first = words[index].text.unicodeScalars.first else { return }
      let capital = first.properties.uppercaseMapping
      guard capital.utf8.count == String(Character(first)).utf8.count, range.count >= capital.utf8.count else { return }
      output.replaceSubrange(range.lowerBound..<range.lowerBound + capital.utf8.count, with: capital.utf8)
      hasChanged = true
    }

    private mutating func raiseAll(_ range: Range<Int>) {
      for place in range where (0x61...0x7A).contains(output[place]) {
        output[place] -= 0x20
        hasChanged = true
      }
    }

    private func isCommon(_ index: Int) -> Bool {
      CommonWords.all.contains(words[index].text) || CommonWords.doings.contains(words[index].text)
        || CommonWords.titles.contains(words[index].text) || CommonWords.particles.contains(words[index].text)
    }

    private func isBeside(_ index: Int) -> Bool { words[index].gap == .blank || words[index].gap == .stop }

    /// Whether a word is a name and hardly anything else.
    private func isName(_ index: Int) -> Bool {
      let text = words[index].text
      guard !words[index].isNumber, !isCommon(index) else { return false }
      let base = NameDetector.base(text)
      // "müller-quobb"
      let isJoined =
        text.contains("-")
        && text.split(separator: "-").contains {
          Surnames.all.contains(String($0)) && !Surnames.ambiguous.contains(String($0))
        }
      return isJoined || NameDetector.isDouble(text)
        || FirstNames.all.contains(text) && !FirstNames.ambiguous.contains(text)
        || Surnames.all.contains(text) && !Surnames.ambiguous.contains(text)
        || FirstNames.all.contains(base) && !FirstNames.ambiguous.contains(base)
        || Surnames.all.contains(base) && !Surnames.ambiguous.contains(base)
    }

    /// Whether a word is a first name with a surname behind it, each of which may be a word too: "mark campbell".
    private func isPair(_ index: Int) -> Bool {
      index + 1 < words.count && words[index + 1].gap == .blank && FirstNames.all.contains(words[index].text)
        && Surnames.all.contains(words[index + 1].text) && !isCommon(index) && !isCommon(index + 1)
    }

    /// Whether a word may be a name where its surroundings say so.
    private func canBeName(_ index: Int) -> Bool {
      guard words.indices.contains(index), !words[index].isNumber, words[index].text.utf8.count > 1 else {
        return false
      }
      return NameDetector.isListed(words[index].text) || !isCommon(index) && !WordForms.isNoun(words[index].text)
    }

    mutating func restoreBehindTitles() {
      for index in words.indices where !words[index].isCapital && LowercaseNames.titles.contains(words[index].text) {
        raiseName(behind: index)
      }
    }

    /// The words of a name behind a title: one, or two where both may be names.
    private mutating func raiseName(behind title: Int) {
      var first = title + 1
      while first < words.count, isBeside(first), CommonWords.titles.contains(words[first].text) { first += 1 }
      while first < words.count, isBeside(first), CommonWords.particles.contains(words[first].text) { first += 1 }
      guard first < words.count, isBeside(first), canBeName(first) else { return }
      // "meine frau arbeitet"
      let before = title > 0 && words[title].gap == .blank ? words[title - 1].text : ""
      if Self.owners.contains(before), !isName(first) { return }
      raise(first)
      let next = first + 1
      guard next < words.count, isBeside(next), canBeName(next) else { return }
      let isEnd =
        next + 1 == words.count || words[next + 1].gap != .blank || CommonWords.all.contains(words[next + 1].text)
      if NameDetector.isListed(words[next].text) || isEnd && FirstNames.all.contains(words[first].text) { raise(next) }
    }

    private static let owners = WordList(
      "meine mein meiner meinen meinem deine dein deiner seine sein seiner ihre ihr ihrer unsere unser eine ein einer der die den dem jede jeder keine kein"
    )
    private static let openers = WordList(
      "liebe lieber liebes hallo hi hey hello hoi tag abend dear grüezi salü sali ciao moin servus werte werter geehrte geehrter"
    )

    mutating func restoreAll(_ names: Set<String>) {
      for index in words.indices {
        let word = words[index]
        if word.isNumber {
          restoreAddress(at: index)
          continue
        }
        if isName(index)
          || !CommonWords.all.contains(word.text)
            && (names.contains(word.text) || names.contains(NameDetector.base(word.text)))
          || isPair(index)
        {
          raise(index)
          raiseBeside(index)
        }
        if CommonWords.salutations.contains(word.text) || CommonWords.roles.contains(word.text) && isNextName(index) {
          raiseName(behind: index)
        }
        if OrganisationDetector.forms.contains(word.text) || OrganisationDetector.isWeakForm(word.text) {
          raiseOrganisation(index)
        }
        if OrganisationDetector.isPrefix(word.text), index + 1 < words.count, isBeside(index + 1),
          canBeName(index + 1)
        {
          raise(index)
          raise(index + 1)
        }
        if NameLines.introduces(words, at: index) || word.text == "ich" && index > 0 && words[index - 1].text == "bin" {
          raiseRun(index + 1, limit: 2)
        }
        if Self.openers.contains(word.text) { raiseGreeting(index + 1) }
        // "rue de lausanne 12"
        if AddressDetector.leading.contains(word.text),
          let number = words[index...].prefix(6).dropFirst(2).first(where: { $0.isNumber }), number.line == word.line,
          number.text.count <= 4
        {
          raise(index)
        }
        restoreCode(at: index)
      }
      restoreLines()
    }

    private func isNextName(_ index: Int) -> Bool {
      index + 1 < words.count && isBeside(index + 1)
        && (isName(index + 1) || FirstNames.all.contains(words[index + 1].text) && !isCommon(index + 1))
    }

    /// The word after a first name ("anna quobb") or before a surname.
    private mutating func raiseBeside(_ index: Int) {
      let next = index + 1
      if FirstNames.all.contains(words[index].text) || NameDetector.isDouble(words[index].text), next < words.count,
        words[next].gap == .blank
      {
        var last = next
        while last < words.count, last - next < 2, CommonWords.particles.contains(words[last].text) { last += 1 }
        if last < words.count, words[last].gap == .blank, canBeName(last) { raise(last) }
      }
      if Surnames.all.contains(words[index].text), index > 0, words[index].gap == .blank,
        FirstNames.all.contains(words[index - 1].text), !CommonWords.all.contains(words[index - 1].text)
      {
        raise(index - 1)
      }
    }

    private mutating func raiseRun(_ start: Int, limit: Int) {
      var index = start
      while index < words.count, index - start < limit, isBeside(index), canBeName(index) {
        raise(index)
        index += 1
      }
    }

    private mutating func raiseGreeting(_ start: Int) {
      var index = start
      while index < words.count, index - start < 6, words[index].gap == .blank || words[index].gap == .stop {
        if canBeName(index) { raise(index) }
        index += 1
      }
    }

    private mutating func raiseOrganisation(_ form: Int) {
      guard form > 0, words[form].gap == .blank || words[form].gap == .ampersand || words[form].gap == .comma else {
        return
      }
      var start = form
      while start > 0, form - start < 4,
        words[start].gap == .blank || words[start].gap == .ampersand
          || words[start].gap == .comma && start == form,
        canBeName(start - 1) || OrganisationDetector.isWeakForm(words[start - 1].text)
      {
        start -= 1
      }
      guard start < form else { return }
      for index in start...form { raise(index) }
    }

    /// The street before a number, or behind one; the town behind a postal code.
    private mutating func restoreAddress(at number: Int) {
      if number > 0, words[number].gap == .blank || words[number].gap == .stop, words[number].text.count <= 4 {
        let name = words[number - 1].text
        if AddressDetector.isStreet(name) {
          raise(number - 1)
          if number > 1, words[number - 1].gap == .blank,
            !isCommon(number - 2)
              || words[number - 2].text.count > 3 && AddressDetector.prepositions.contains(words[number - 2].text)
          {
            raise(number - 2)
          }
        } else if isBeforeTown(number), !isCommon(number - 1) {
          raise(number - 1)
        } else if number > 1, words[number - 1].gap == .blank,
          AddressDetector.prepositions.contains(words[number - 2].text),
          !isCommon(number - 1)
        {
          raise(number - 2)
          raise(number - 1)
        }
      }
      let count = words[number].text.count
      if count <= 4 {
        // "12 market street"
        var end = number + 1
        if end < words.count, words[end].text.count == 1,
          words[end].range.lowerBound == words[number].range.upperBound
        {
          raise(end)
          end += 1
        }
        let first = end
        while end < words.count, end - first < 4, words[end].gap == .blank, !words[end].isNumber {
          if end > first, AddressDetector.english.contains(words[end].text) {
            for index in first...end { raise(index) }
            break
          }
          end += 1
        }
      }
      guard count == 4 || count == 5 else { return }
      let town = number + 1
      guard town < words.count, words[town].gap == .blank, !words[town].isNumber,
        Places.all.contains(words[town].text) || !isCommon(town) && !AddressDetector.units.contains(words[town].text)
      else { return }
      raise(town)
      if number > 0, words[number - 1].text.count <= 2 { raise(number - 1) }
      // "st. gallen", "frankfurt am main", "wil sg"
      var next = town + 1
      while next < words.count, next - town < 4, words[next].line == words[town].line,
        words[next].gap == .blank || words[next].gap == .stop && words[town].text == "st"
      {
        if !AddressDetector.joints.contains(words[next].text) {
          if isCommon(next) { break }
          if words[next].text.count == 2 { raiseAll(words[next].range) } else { raise(next) }
          break
        }
        next += 1
      }
    }

    /// Whether a postal code and a town follow a house number: "schöndacher 58, 6128 naters".
    private func isBeforeTown(_ number: Int) -> Bool {
      var code = number + 1
      if code < words.count, words[code].text.count <= 2, !words[code].isNumber { code += 1 }
      return code + 1 < words.count && words[code].isNumber && (4...5).contains(words[code].text.count)
        && words[code].gap != .blank && words[code].line - words[number].line <= 1 && words[code + 1].gap == .blank
        && !isCommon(code + 1) && !AddressDetector.units.contains(words[code + 1].text)
    }

    /// "ls3 4ab" and ", il 62704"
    private mutating func restoreCode(at index: Int) {
      let start = words[index].range.lowerBound
      let shape = UKPostcode.shape(of: scan.bytes, from: start, letters: 0x61...0x7A)
      if let length = UKPostcode.length(of: shape) {
        raiseAll(start..<start + length)
        for town in [index - 1, index - 2] {
          guard town >= 0, words[town + 1].gap == .blank, !words[town].isNumber, !isCommon(town) else { break }
          raise(town)
        }
        return
      }
      if words[index].range.count == 2, words[index].gap == .comma, shape.hasPrefix("AA 99999"), index > 0 {
        raiseAll(words[index].range)
        raise(index - 1)
        if index > 1, words[index - 1].gap == .blank, !isCommon(index - 2) { raise(index - 2) }
      }
    }

    /// Names that are lines of their own: at the head, below a closing.
    private mutating func restoreLines() {
      for number in scan.lineStarts.indices {
        let line = scan.line(number)
        guard (1...4).contains(line.count), line.allSatisfy({ canBeName($0) || words[$0].text.utf8.count == 1 }) else {
          continue
        }
        let isBelow = (1...4).contains { distance in
          let above = scan.line(number - distance)
          return !above.isEmpty && NameLines.closing(words, above) != nil
        }
        let isHead = number == 0 || scan.line(number - 1).isEmpty
        let below = scan.line(number + 1)
        let isAbove = below.contains { words[$0].isNumber } && line.count > 1
        if isBelow || isHead && isAbove || line.contains(where: isName) && line.count > 1 {
          for index in line { raise(index) }
        }
      }
    }
  }
}
