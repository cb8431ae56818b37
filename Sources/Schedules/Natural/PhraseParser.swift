/// Finds the words of a sentence that tell a time, and what they say.
struct PhraseParser {
  let tokens: [PhraseToken]
  var draft = PhraseDraft()
  /// The words that are part of the phrase.
  private(set) var used: Set<Int> = []

  init(_ sentence: String) {
    tokens = PhraseToken.tokens(sentence)
    var index = 0
    while index < tokens.count {
      let count = take(index)
      for position in index..<index + count { used.insert(position) }
      index += max(1, count)
    }
    if draft.repetition == nil, draft.day == nil, draft.delta == nil { draft.day = draft.begin }
    draft.unclear = strayWords
    draft.doubt = doubtfulWords
  }

  /// The word at a place; empty beyond the end.
  func word(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  /// Takes what begins at a place; says how many words it has, 0 for none.
  private mutating func take(_ index: Int) -> Int {
    var count = takeBegin(index)
    if count == 0 { count = takePast(index) }
    if count == 0 { count = takeRepetition(index) }
    if count == 0 { count = takeDelta(index) }
    if count == 0 { count = takeNumberedDay(index) }
    if count == 0 { count = takeDate(index) }
    if count == 0 { count = takeRelativeDay(index) }
    if count == 0 { count = takeWeekday(index) }
    if count == 0 { count = takeTime(index) }
    if count == 0 { count = takeDayPart(index) }
    return count
  }

  // MARK: Words

  /// How many of some words are at a place.
  func skip(_ index: Int, _ words: Set<String>) -> Int {
    var count = 0
    while words.contains(word(index + count)) { count += 1 }
    return count
  }

  /// A number in words or digits.
  func number(_ index: Int) -> Int? {
    let text = word(index)
    return PhraseWords.numbers[text] ?? Digits.number(text.utf8)
  }

  /// `3.`, `3rd`, `dritten`: the number, 0 for the last.
  func ordinal(_ index: Int) -> Int? {
    let text = word(index)
    if let known = PhraseWords.ordinals[text] { return known }
    for suffix in [".", "st", "nd", "rd", "th", "ter", "ten"] where text.hasSuffix(suffix) {
      if let number = Digits.number(text.utf8.dropLast(suffix.utf8.count)), (1...31).contains(number) { return number }
    }
    return nil
  }

  /// A weekday, written out or short, with the part of the day that is joined to it: `Freitagabend`.
  func weekday(_ index: Int, allowsShort: Bool) -> (day: Int, part: PhraseWords.DayPart?, isPlural: Bool)? {
    let text = word(index)
    if let day = PhraseWords.weekdays[text] { return (day, nil, false) }
    if allowsShort, let day = PhraseWords.shortWeekdays[text] { return (day, nil, false) }
    if text.hasSuffix("s"), let day = PhraseWords.weekdays[String(text.dropLast())] { return (day, nil, true) }
    for (name, day) in PhraseWords.weekdays where text.hasPrefix(name) {
      let rest = String(text.dropFirst(name.count))
      if let part = rest == "morgen" ? .morning : PhraseWords.dayParts[rest] { return (day, part, false) }
    }
    return nil
  }

  func month(_ index: Int) -> Int? { PhraseWords.months[word(index)] }

  /// A year of four digits, or the two of `'27`.
  func year(_ index: Int) -> Int? {
    let text = word(index).utf8
    guard text.count == 4, let number = Digits.number(text), (1900...2200).contains(number) else { return nil }
    return number
  }
}
