/// The words of German and English phrases for dates.
enum PhraseWords {
  enum Unit: Int { case second, minute, hour, day, workday, week, month, year }

  /// A part of a day, with the hour that represents it.
  enum DayPart: Int {
    case morning = 8, forenoon = 10, noon = 12, afternoon = 15, closing = 17, evening = 19, night = 22, midnight = 0
  }

  static let weekdays: [String: Int] = expand([
    ["sonntag", "sunday"], ["montag", "monday"], ["dienstag", "tuesday"], ["mittwoch", "wednesday"],
    ["donnerstag", "thursday"], ["freitag", "friday"], ["samstag", "saturday", "sonnabend"],
  ])

  /// Abbreviations, which are words of their own too: they count where a preposition or another weekday is near.
  static let shortWeekdays: [String: Int] = expand([
    ["so", "sun"], ["mo", "mon"], ["di", "tue", "tues"], ["mi", "wed"], ["do", "thu", "thur", "thurs"], ["fr", "fri"],
    ["sa", "sat"],
  ])

  static let months: [String: Int] = expand([
    ["januar", "january", "jan", "jänner"], ["februar", "february", "feb"], ["märz", "march", "mar", "maerz", "mär"],
    ["april", "apr"], ["mai", "may"], ["juni", "june", "jun"], ["juli", "july", "jul"], ["august", "aug"],
    ["september", "sep", "sept"], ["oktober", "october", "okt", "oct"], ["november", "nov"],
    ["dezember", "december", "dez", "dec"],
  ]).mapValues { $0 + 1 }

  static let numbers: [String: Int] = expand([
    ["null", "zero"],
    ["ein", "eine", "einem", "einer", "einen", "eins", "ner", "'ner", "’ner", "nem", "'nem", "’nem", "one", "a", "an"],
    ["zwei", "two", "couple", "paar"], ["drei", "three"], ["vier", "four"], ["fünf", "five"], ["sechs", "six"],
    ["sieben", "seven"], ["acht", "eight"], ["neun", "nine"], ["zehn", "ten"], ["elf", "eleven"], ["zwölf", "twelve"],
    ["dreizehn", "thirteen"], ["vierzehn", "fourteen"], ["fünfzehn", "fifteen"], ["sechzehn", "sixteen"],
    ["siebzehn", "seventeen"], ["achtzehn", "eighteen"], ["neunzehn", "nineteen"],
  ]).merging(tens) { left, _ in left }

  /// 20 to 99 in words.
  private static let tens: [String: Int] = {
    let tens = [
      ("zwanzig", "twenty"), ("dreißig", "thirty"), ("vierzig", "forty"), ("fünfzig", "fifty"), ("sechzig", "sixty"),
      ("siebzig", "seventy"), ("achtzig", "eighty"), ("neunzig", "ninety"),
    ]
    let ones = [
      ("ein", "one"), ("zwei", "two"), ("drei", "three"), ("vier", "four"), ("fünf", "five"), ("sechs", "six"),
      ("sieben", "seven"), ("acht", "eight"), ("neun", "nine"),
    ]
    var words: [String: Int] = [:]
    for (ten, (german, english)) in tens.enumerated() {
      (words[german], words[english]) = (20 + 10 * ten, 20 + 10 * ten)
      for (one, (germanOne, englishOne)) in ones.enumerated() {
        words["\(germanOne)und\(german)"] = 21 + 10 * ten + one
        words["\(english)-\(englishOne)"] = 21 + 10 * ten + one
      }
    }
    return words
  }()

  static let units: [String: Unit] = [
    "sekunde": .second, "sekunden": .second, "second": .second, "seconds": .second, "sek": .second, "sec": .second,
    "secs": .second, "minute": .minute, "hr": .hour, "hrs": .hour,
    "minuten": .minute, "minutes": .minute, "min": .minute, "mins": .minute, "stunde": .hour, "stunden": .hour,
    "std": .hour, "hour": .hour, "hours": .hour, "h": .hour, "tag": .day, "tage": .day, "tagen": .day, "day": .day,
    "days": .day, "werktag": .workday, "werktage": .workday, "werktagen": .workday, "workday": .workday,
    "arbeitstag": .workday,
    "workdays": .workday, "arbeitstagen": .workday, "arbeitstage": .workday, "woche": .week, "wochen": .week,
    "week": .week, "weeks": .week, "wk": .week, "monat": .month, "monate": .month, "monaten": .month, "monats": .month,
    "month": .month, "months": .month, "jahr": .year, "jahre": .year, "jahren": .year, "jahres": .year, "year": .year,
    "years": .year,
  ]

  static let dayParts: [String: DayPart] = [
    "früh": .morning, "morgens": .morning, "morning": .morning, "mornings": .morning, "vormittag": .forenoon,
    "vormittags": .forenoon, "mittag": .noon, "mittags": .noon, "noon": .noon, "midday": .noon, "lunchtime": .noon,
    "lunch": .noon, "eod": .closing, "cob": .closing, "feierabend": .closing,
    "nachmittag": .afternoon, "nachmittags": .afternoon, "afternoon": .afternoon, "afternoons": .afternoon,
    "abend": .evening, "abends": .evening, "evening": .evening, "evenings": .evening, "nacht": .night, "nachts": .night,
    "night": .night, "nights": .night, "midnight": .midnight, "mitternacht": .midnight,
  ]

  /// Ordinals; 0 represents the last.
  static let ordinals: [String: Int] = [
    "erster": 1, "ersten": 1, "erste": 1, "erstes": 1, "first": 1, "zweiter": 2, "zweiten": 2, "zweite": 2,
    "zweites": 2,
    "second": 2, "dritter": 3, "dritten": 3, "dritte": 3, "third": 3, "vierter": 4, "vierten": 4, "vierte": 4,
    "fourth": 4, "letzter": 0, "letzten": 0, "letzte": 0, "last": 0,
  ].merging(higherOrdinals) { left, _ in left }

  /// 5 to 31 in words.
  private static let higherOrdinals: [String: Int] = {
    let german = [
      "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft", "dreizehnt", "vierzehnt", "fünfzehnt",
      "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst", "einundzwanzigst", "zweiundzwanzigst",
      "dreiundzwanzigst", "vierundzwanzigst", "fünfundzwanzigst", "sechsundzwanzigst", "siebenundzwanzigst",
      "achtundzwanzigst", "neunundzwanzigst", "dreißigst", "einunddreißigst",
    ]
    let english = [
      "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth",
      "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second",
      "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth",
      "twenty-ninth", "thirtieth", "thirty-first",
    ]
    var words: [String: Int] = [:]
    for (index, (stem, word)) in zip(german, english).enumerated() {
      for ending in ["er", "en", "e"] { words[stem + ending] = index + 5 }
      words[word] = index + 5
    }
    return words
  }()

  /// Words as people write them without umlauts.
  static let plain: [String: String] = {
    let words = [
      "übermorgen", "nächste", "nächsten", "nächster", "nächstes", "übernächste", "übernächsten", "übernächster",
      "früh", "täglich", "wöchentlich", "jährlich", "stündlich", "vierteljährlich", "halbjährlich", "spätestens",
      "fünf",
      "zwölf", "fünfzehn", "dreißig", "fünften", "zwölften", "märz", "jänner", "außer",
    ]
    var plain: [String: String] = [:]
    for word in words {
      let written = word.replacing("ä", with: "ae").replacing("ö", with: "oe").replacing("ü", with: "ue")
      plain[written.replacing("ß", with: "ss")] = word
    }
    plain["ausser"] = "außer"
    return plain
  }()

  /// Days that have a name and the same date each year: month and day.
  static let holidays: [String: (Int, Int)] = [
    "silvester": (12, 31), "sylvester": (12, 31), "neujahr": (1, 1), "heiligabend": (12, 24), "weihnachten": (12, 25),
    "christmas": (12, 25), "nikolaus": (12, 6), "halloween": (10, 31), "valentinstag": (2, 14), "xmas": (12, 25),
    "weihnachtstag": (12, 25), "stephanstag": (12, 26), "neujahrstag": (1, 1), "dreikönigstag": (1, 6),
    "allerheiligen": (11, 1),
  ]

  /// Days that hang on Easter, with their distance.
  static let feasts: [String: Int] = [
    "ostern": 0, "ostersonntag": 0, "easter": 0, "karfreitag": -2, "ostermontag": 1, "pfingsten": 49,
    "pfingstmontag": 50,
    "auffahrt": 39, "himmelfahrt": 39, "gründonnerstag": -3, "pfingstsonntag": 49, "fronleichnam": 60,
    "aschermittwoch": -46, "rosenmontag": -48,
  ]

  private static func expand(_ lists: [[String]]) -> [String: Int] {
    var words: [String: Int] = [:]
    for (index, list) in lists.enumerated() {
      for word in list { words[word] = index }
    }
    return words
  }

  /// Easter Sunday of a year (the Gregorian computus), as a day since 1970-01-01.
  static func easter(_ year: Int) -> Int {
    let (a, b, c) = (year % 19, year / 100, year % 100)
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let number = h + l - 7 * m + 114
    return Civil.day(year, number / 31, number % 31 + 1)
  }
}

/// A word of a sentence.
struct PhraseToken {
  /// In lower case, without punctuation around it; the point of `3.` stays.
  let text: String
  /// As it is written.
  let source: Substring
  /// Its position, in UTF-8 bytes.
  let range: Range<Int>

  static func tokens(_ sentence: String) -> [PhraseToken] {
    sentence.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\u{A0}" }.prefix(200).map { word in
      let start = sentence.utf8.distance(from: sentence.startIndex, to: word.startIndex)
      var text = word.lowercased()
      while let last = text.last, ",;!?)".contains(last) { text.removeLast() }
      while let first = text.first, "(".contains(first) { text.removeFirst() }
      // The end of a sentence, not of an ordinal.
      if text.last == ".", let before = text.dropLast().last, !before.isNumber { text.removeLast() }
      text = PhraseWords.plain[text] ?? text
      return PhraseToken(text: text, source: word, range: start..<start + word.utf8.count)
    }
  }
}
