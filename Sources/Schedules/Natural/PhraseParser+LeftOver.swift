/// Words of time that the parser did not use. Such a word changes when something is meant to happen, so it must not stay
/// in the title unnoticed.
extension PhraseParser {
  /// The first words that tell another time than the one that was understood.
  var strayWords: String? {
    guard !draft.isEmpty else { return nil }
    for index in tokens.indices where !used.contains(index) {
      if let count = strayLength(index) { return phrase(index, count) }
    }
    return contradiction
  }

  /// The first words that may be part of the title or of the time: `Friday report tomorrow`. A person has to decide.
  var doubtfulWords: String? {
    guard !draft.isEmpty else { return nil }
    for index in tokens.indices where !used.contains(index) {
      if let count = doubtfulLength(index) { return phrase(index, count) }
    }
    return nil
  }

  private func phrase(_ index: Int, _ count: Int) -> String {
    tokens[index..<min(index + count, tokens.count)].map { String($0.source) }.joined(separator: " ")
  }

  /// Parts that were understood and that the resolver would not use.
  private var contradiction: String? {
    let isWithinDay = [.second, .minute, .hour].contains(draft.repetition?.frequency)
    let isLost =
      draft.repetition != nil && draft.delta != nil || isWithinDay && (draft.time != nil || draft.dayPart != nil)
      || draft.begin != nil && draft.repetition == nil && (draft.delta != nil || draft.day != draft.begin)
      || [.morning, .forenoon].contains(draft.dayPart) && (draft.time?.hour ?? 0) > 12
    return isLost ? words : nil
  }

  // MARK: Kinds of words

  private static let articles: Set<String> = [
    "dem", "den", "der", "die", "das", "des", "the", "einem", "einer", "am", "on", "im", "at", "um", "of", "zum", "zur",
  ]
  /// Words that bound, move or exclude the time behind them.
  private static let bounds: Set<String> = [
    "vor", "before", "nach", "after", "bis", "until", "till", "between", "zwischen", "seit", "since", "außer", "except",
    "ohne", "without", "während", "during", "within", "innerhalb", "binnen", "excluding", "statt",
  ]
  private static let links: Set<String> = [
    "und", "and", "oder", "or", "to", "&", "bzw", "sowie", "-", "–", "from", "von", "vom",
  ]
  private static let everyWords: Set<String> = ["jeden", "jede", "jedes", "jeder", "jedem", "every", "each", "alle"]
  private static let nextWords: Set<String> = [
    "next", "nächste", "nächsten", "nächster", "nächstes", "kommende", "kommenden", "kommender", "kommendes", "coming",
    "following", "folgende", "folgenden", "übernächste", "übernächsten", "übernächster",
  ]
  private static let lastWords: Set<String> = ["last", "letzte", "letzten", "letzter", "letztes"]
  private static let relativeDays: Set<String> = [
    "heute", "heut", "morgen", "übermorgen", "tomorrow", "today", "tonight", "tmrw",
  ]
  private static let groups: Set<String> = [
    "weekday", "weekdays", "werktag", "werktags", "werktagen", "werktage", "wochentag", "wochentage", "wochentagen",
    "workday", "workdays", "weekend", "weekends", "wochenende", "wochenenden", "fortnight", "quarter", "quarters",
    "quartal", "quartals", "quartale", "semester", "semesters", "advent", "feiertag", "feiertage", "feiertagen",
    "holiday", "holidays", "arbeitstag", "arbeitstage", "monatsende", "monatsanfang", "monatsmitte", "jahresende",
    "wochenanfang", "wochenmitte",
  ]
  private static let seasons: Set<String> = [
    "frühling", "frühjahr", "sommer", "herbst", "winter", "spring", "summer", "autumn", "fall",
  ]
  private static let adverbs: Set<String> = [
    "abends", "morgens", "nachts", "mittags", "vormittags", "nachmittags", "täglich", "wöchentlich", "monatlich",
    "jährlich", "stündlich", "minütlich", "halbstündlich", "viertelstündlich", "vierteljährlich", "halbjährlich",
    "zweiwöchentlich", "zweimonatlich", "halbmonatlich", "quartalsweise", "werktags", "wochentags", "biannually",
    "semiannually", "bimonthly", "semimonthly", "semiweekly", "bi-weekly", "bi-monthly", "annually", "alljährlich",
    "allabendlich", "mornings", "evenings", "afternoons", "alternately", "tagsüber", "wochenends", "weekdays",
    "zweitägig", "half-hourly", "fortnightly", "biweekly", "allmonatlich", "allwöchentlich", "14-täglich",
    "14-tägig", "vierzehntäglich", "zweijährlich", "biennially",
  ]
  /// Adverbs of English that are adjectives too: `the weekly report`.
  private static let adjectives: Set<String> = [
    "daily", "weekly", "monthly", "yearly", "hourly", "quarterly", "nightly", "annual", "half-yearly",
  ]
  private static let counts: Set<String> = [
    "zweimal", "dreimal", "viermal", "fünfmal", "sechsmal", "mehrmals", "twice", "thrice", "einmal", "once",
  ]
  private static let oddWords: Set<String> = [
    "gerade", "geraden", "gerader", "ungerade", "ungeraden", "ungerader", "odd", "even", "alternate", "alternating",
  ]
  /// Names of days of two words, whose second one is a day of its own.
  private static let namedDays: [String: Set<String>] = [
    "black": ["friday"], "cyber": ["monday"], "ash": ["wednesday"], "palm": ["sunday"], "maundy": ["thursday"],
    "whit": ["monday", "sunday"], "holy": ["saturday", "thursday"], "shrove": ["tuesday"], "giving": ["tuesday"],
    "weißer": ["sonntag"], "weißen": ["sonntag"], "fetter": ["donnerstag"], "schmutzigen": ["donnerstag"],
    "schmutziger": ["donnerstag"], "labor": ["day"], "labour": ["day"], "memorial": ["day"], "independence": ["day"],
    "mother's": ["day"], "mothers": ["day"], "mother’s": ["day"], "father's": ["day"], "fathers": ["day"],
    "father’s": ["day"], "valentine's": ["day"], "valentines": ["day"], "valentine’s": ["day"], "columbus": ["day"],
    "bank": ["holiday"], "groundhog": ["day"], "patrick's": ["day"],
  ]
  private static let zones: Set<String> = [
    "utc", "gmt", "cet", "cest", "mez", "mesz", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "bst", "ist",
    "jst", "eet", "eest", "wet", "msk", "aest", "aedt", "acst", "awst", "nzst", "nzdt", "hst", "akst", "sgt", "hkt",
    "kst", "et", "pt", "ct", "ortszeit", "weltzeit", "zulu",
  ]

  /// A weekday that is written out, a holiday, a date, a time of day: words that tell a time wherever they are.
  private func isTime(_ index: Int) -> Bool {
    let text = word(index)
    return weekday(index, allowsShort: false) != nil || Self.groups.contains(text) || Self.relativeDays.contains(text)
      || isClock(index) || Self.numericDate(text) != nil || PhraseWords.holidays[text] != nil
      || PhraseWords.feasts[text] != nil || monthAndDay(index) != nil
      || PhraseWords.months[text] != nil && text.count > 2 || amountLength(index) != nil
      || PhraseWords.dayParts[text] != nil && text != "lunch" && text != "früh" || year(index) != nil
      || ordinal(index) != nil && (isUnit(index + 1) || weekday(index + 1, allowsShort: false) != nil)
      || (Self.nextWords.contains(text) || Self.lastWords.contains(text)) && isPeriod(index + 1)
  }

  private func isUnit(_ index: Int) -> Bool {
    PhraseWords.units[word(index)] != nil || Self.groups.contains(word(index))
  }

  private func isPeriod(_ index: Int) -> Bool {
    isUnit(index) || weekday(index, allowsShort: false) != nil || month(index) != nil
      || Self.seasons.contains(word(index))
  }

  /// `9:30`, `5pm`, `17h`, `17 Uhr`, `9:30:15`, `18:00Z`.
  private func isClock(_ index: Int) -> Bool {
    let text = word(index)
    if Self.clock(text) != nil { return !text.contains(".") || ["uhr"].contains(word(index + 1)) }
    let digits = text.prefix { $0.isNumber }
    if (1...2).contains(digits.count), text.dropFirst(digits.count).first == ":",
      text.dropFirst(digits.count + 1).prefix(2).allSatisfy(\.isNumber), text.count >= digits.count + 3
    {
      return true
    }
    return number(index) != nil && ["uhr", "pm", "p.m", "o'clock", "o’clock", "oclock"].contains(word(index + 1))
  }

  private func afterArticles(_ index: Int) -> Int { index + skip(index, Self.articles) }

  private func isEnd(_ index: Int) -> Bool { index >= tokens.count || used.contains(index) }

  // MARK: Words that tell another time

  /// How many words from a place on tell another time; `nil` for none.
  private func strayLength(_ index: Int) -> Int? {
    let text = word(index)
    let next = index + 1
    let isAfter = used.contains(index - 1)
    let target = afterArticles(next)
    let length = target - index + 1
    if Self.bounds.contains(text), target < tokens.count || text == "after" || text == "before" {
      let isNumber = number(target) != nil && (isEnd(target + 1) || text != "nach" && isAfter)
      if used.contains(target) || isTime(target) || isNumber || isUnit(target) || word(next) == "next" { return length }
    }
    if ["nicht", "not"].contains(text), ["am", "on", "an", "in", "im"].contains(word(next)), isTime(target) {
      return length
    }
    if Self.links.contains(text), isAfter || ["from", "von", "vom"].contains(text) {
      let isAlternative = ["oder", "or"].contains(text) || isEnd(target + 1)
      let isRange =
        number(target) != nil && (isAlternative || ["bis", "to", "-", "–"].contains(word(target + 1)))
        || text == "vom" && ordinal(target) != nil
      if !used.contains(target), !Self.lastWords.contains(word(target)), isTime(target) || isRange { return length }
    }
    return strayRepetition(index) ?? strayDay(index) ?? strayClock(index) ?? strayDistance(index)
  }

  /// `jeden`, `twice a`, `täglich`, `odd weeks`, `for 2 weeks` beside a repetition.
  private func strayRepetition(_ index: Int) -> Int? {
    let (text, next) = (word(index), index + 1)
    let repeats = draft.repetition != nil
    if Self.everyWords.contains(text) {
      let isCounted = number(next) != nil && (isUnit(next + 1) || month(next + 1) != nil)
      let isDay = isPeriod(next) || weekday(next, allowsShort: true) != nil && used.contains(next)
      let isPart = PhraseWords.dayParts[word(next)] != nil || PhraseWords.holidays[word(next)] != nil
      if isCounted || isDay || isPart || ordinal(next) != nil || word(next) == "other" { return 2 }
    }
    if Self.adverbs.contains(text) { return 1 }
    if Self.adjectives.contains(text), repeats || isEnd(next) { return 1 }
    if Self.oddWords.contains(text), isPeriod(next) || word(next) == "kw" { return 2 }
    let digits = text.prefix { $0.isNumber }
    let isTimes =
      Self.counts.contains(text)
      || !digits.isEmpty && ["x", "×", "mal", "-mal"].contains(String(text.dropFirst(digits.count)))
    let isPer =
      ["pro", "per", "a", "each", "every", "jeden", "jede", "am", "im", "in"].contains(word(next))
      && isUnit(afterArticles(next + 1))
    if isTimes, isPer || repeats && !["einmal", "once"].contains(text) || Self.adverbs.contains(word(next)) {
      return 2
    }
    if number(index) != nil, ["mal", "times", "x"].contains(word(next)),
      repeats || ["pro", "per", "a", "each", "every", "jeden", "am", "im", "in"].contains(word(next + 1))
    {
      return 2
    }
    if repeats, ["for", "für"].contains(text) {
      let start = next + skip(next, ["the", "die", "den"]) + skip(next + 1, Self.nextWords)
      if amountLength(start) != nil || amountLength(next) != nil { return 3 }
    }
    return nil
  }

  /// Weekdays, dates, months, weeks and holidays.
  private func strayDay(_ index: Int) -> Int? {
    let (text, next) = (word(index), index + 1)
    let before = word(index - 1)
    let (isAfter, isBefore) = (used.contains(index - 1), isEnd(next))
    let hasDay = draft.day != nil || draft.repetition != nil || draft.delta != nil
    if hasDay, Self.relativeDays.contains(text) {
      // 'den Morgen planen', 'read USA Today' speak of no day.
      return tokens[index].source.first?.isLowercase == true ? 1 : nil
    }
    if let pair = Self.namedDays[text], pair.contains(word(next)) { return 2 }
    if let (_, _, isPlural) = weekday(index, allowsShort: false) {
      let isLed = ["am", "on", "jeden", "every", "by"].contains(before) || Self.nextWords.contains(before)
      if isPlural || isLed || isBefore || isAfter && weekday(index - 1, allowsShort: true) != nil { return 1 }
    }
    if Self.nextWords.contains(text) {
      if draft.repetition != nil, isPeriod(next) { return 2 }
      if weekday(next, allowsShort: false) != nil || Self.nextWords.contains(word(next)) { return 2 }
      if used.contains(next), isPeriod(next) { return 2 }
    }
    let isOrdinal = Self.lastWords.contains(text) || ordinal(index) != nil
    if isOrdinal, ["business", "working"].contains(word(next)), isUnit(next + 1) { return 3 }
    if Self.numericDate(text) != nil, isAfter || ["am", "on", "the", "den"].contains(before) { return 1 }
    if Self.lastWords.contains(text), isPeriod(next) {
      let isOf = ["of", "des", "im", "in", "vom", "jedes", "jeden", "every", "each"].contains(word(next + 1))
      if isOf || Self.groups.contains(word(next)) || PhraseWords.units[word(next)] == .workday { return 2 }
    }
    if let number = ordinal(index), number > 0 {
      if isPeriod(next) || PhraseWords.feasts[word(next)] != nil { return 2 }
      if word(next) == "to", Self.lastWords.contains(word(next + 1)) { return 3 }
      let isDigits = text.first?.isNumber == true
      if isDigits, isBefore, ["am", "on", "the", "den", "dem", "zum", "bis"].contains(before) { return 1 }
    }
    if ["am", "an", "on", "zum"].contains(text) {
      let target = afterArticles(next)
      let name = word(target)
      if Self.numericDate(name) != nil || ordinal(target) != nil && isEnd(target + 1) { return target - index + 1 }
      let isNamed =
        Self.groups.contains(name) || PhraseWords.holidays[name] != nil || PhraseWords.feasts[name] != nil
        || name.count > 5
          && ["tag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
            .contains { name.hasSuffix($0) }
          && name != "geburtstag"
      if text != "zum", !used.contains(target), isNamed { return target - index + 1 }
    }
    if isWeekNumber(index) { return 2 }
    if let month = month(index), month > 0 {
      let isDated = Digits.number(word(next).utf8) != nil && word(next).utf8.count <= 2 || year(next) != nil
      let isLed =
        draft.repetition != nil && ["in", "im"].contains(before)
        || number(index - 1) != nil || ordinal(index - 1) != nil && isAfter
      if isDated || isLed { return 1 }
    }
    let isOrdinalBefore = isAfter && ordinal(index - 1) != nil
    if isOrdinalBefore, isUnit(index) || text.hasSuffix("woche") || weekday(index, allowsShort: false) != nil {
      return 1
    }
    if isAfter, ["week", "woche"].contains(before), Digits.number(text.utf8) != nil { return 1 }
    if ["vorletzten", "vorletzter", "vorletzte", "drittletzten", "penultimate", "second-to-last"].contains(text) {
      return 2
    }
    if Self.groups.contains(text), ["im", "in", "pro", "per", "each", "of", "am", "on"].contains(before) { return 1 }
    if Self.seasons.contains(text),
      ["im", "in", "next", "nächsten", "every", "each", "jeden", "this", "diesen"].contains(before)
    {
      return 1
    }
    if isFullDate(text) || isDayRange(text) && (month(next) != nil || used.contains(next)) { return 1 }
    return nil
  }

  /// `KW 50`, `KW50`, `week 50`, `50. KW`.
  private func isWeekNumber(_ index: Int) -> Bool {
    let text = word(index)
    let names: Set<String> = ["kw", "cw", "wk", "kalenderwoche", "week", "woche"]
    if names.contains(text), let number = Digits.number(word(index + 1).filter { $0 != "." }.utf8) {
      return (1...53).contains(number)
    }
    if ["kw", "kalenderwoche"].contains(text) { return true }
    if ["kw", "cw"].contains(text.prefix(2)), Digits.number(text.dropFirst(2).utf8) != nil { return true }
    return ordinal(index) != nil && ["kw", "kalenderwoche"].contains(word(index + 1))
  }

  /// `24.12.2026`, `2026-12-24`.
  private func isFullDate(_ text: String) -> Bool {
    guard text.filter(\.isNumber).count >= 6 else { return false }
    return Self.numericDate(text) != nil || LocalTime(iso: text.uppercased()) != nil
  }

  /// `3.-5.`, `3–5`.
  private func isDayRange(_ text: String) -> Bool {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
    return parts.count == 2 && parts.allSatisfy { Digits.number($0.filter { $0 != "." }.utf8) != nil }
  }

  /// Times of day, and the zones that they are in.
  private func strayClock(_ index: Int) -> Int? {
    let (text, next) = (word(index), index + 1)
    if isClock(index) { return ["uhr", "pm", "o'clock"].contains(word(next)) ? 2 : 1 }
    if ["halb", "viertel", "dreiviertel"].contains(text), number(next) != nil { return 2 }
    if text == "kurz", ["vor", "nach"].contains(word(next)), number(next + 1) != nil { return 3 }
    if ["um", "at", "gegen", "around", "@"].contains(text), !used.contains(next) {
      if let hour = number(next), (0...24).contains(hour), text != "at" || isEnd(next + 1) { return 2 }
    }
    let part = PhraseWords.dayParts[word(afterArticles(next))]
    if ["am", "in", "at", "zu", "heute"].contains(text), part != nil, !used.contains(afterArticles(next)),
      draft.time != nil || draft.dayPart != nil
    {
      return afterArticles(next) - index + 1
    }
    guard used.contains(index - 1) || isClock(index - 1) else { return nil }
    let source = tokens[index].source
    let isZone =
      Self.zones.contains(text.filter(\.isLetter)) && (source == source.uppercased() || text.count > 5)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "+-:".contains($0) }
    if isZone || source.contains("/") && Zone(String(source)) != nil { return 1 }
    // '+02:00'
    return ["+", "-", "−"].contains(text.prefix(1)) && text.dropFirst().first?.isNumber == true && text.contains(":")
      ? 1 : nil
  }

  /// `2 Tage vor`, `the day before`, `3 hours later`, `in 2 weeks` where another time was understood.
  private func strayDistance(_ index: Int) -> Int? {
    let relations: Set<String> = [
      "vor", "before", "after", "nach", "prior", "later", "später", "earlier", "früher", "vorher", "davor", "danach",
      "lang", "long", "hintereinander", "nacheinander", "ago", "hence", "nachher", "im", "voraus",
    ]
    if let count = amountLength(index) {
      let isLed =
        ["in", "within", "binnen", "innerhalb", "minus", "plus"].contains(word(index - 1)) && index > 0
        || used.contains(index - 1) && amountLength(index - 2).map { $0 <= 2 } == true && isSmaller(index)
      let isRelated = relations.contains(word(index + count)) && word(index + count) != "im"
      if isLed || isRelated && (word(index + count) != "lang" || draft.repetition != nil) { return count + 1 }
    }
    if PhraseWords.units[word(index)] != nil,
      ["before", "vor", "davor", "vorher", "prior", "after", "danach"].contains(word(index + 1))
    {
      return 2
    }
    return nil
  }

  /// Whether the distance at a place is smaller than the one that was understood: `in 2 weeks 3 days`.
  private func isSmaller(_ index: Int) -> Bool {
    guard let delta = draft.delta, let more = distance(index)?.delta else { return false }
    return more.rough < delta.rough
  }

  // MARK: Words that may be part of the title

  private func doubtfulLength(_ index: Int) -> Int? {
    let (text, next) = (word(index), index + 1)
    if weekday(index, allowsShort: false) != nil { return 1 }
    if Self.nextWords.contains(text), isPeriod(next) { return 2 }
    if Self.adjectives.contains(text) { return 1 }
    // 'may' and 'march' are verbs too.
    if text.count > 3, month(index) != nil, tokens[index].source.first?.isUppercase == true { return 1 }
    if ["in", "im"].contains(text), month(next) != nil { return 2 }
    return nil
  }
}
