/// Finds streets with their numbers, towns with their postal codes and PO boxes, as they are written in German, French,
/// Italian and English.
struct AddressDetector {
  private static let endings = [
    "strasse", "straße", "str", "weg", "gasse", "platz", "allee", "ring", "damm", "ufer", "hof", "steig", "pfad",
    "rain", "halde", "matte", "matt",
    "graben", "quai", "kai", "promenade", "chaussee", "park", "feld", "berg", "wiese", "gässli", "gässchen", "stieg",
    "winkel", "markt", "tor",
    "acker", "wies", "rank", "stutz", "bühl", "hang", "zeile", "garten", "brücke", "grund", "höhe", "blick", "eck",
  ]
  static let english = WordList(
    """
    street st road rd avenue ave lane ln drive dr close court ct way square sq terrace place pl crescent gardens gdns boulevard blvd row grove hill mews
    walk parade highway hwy green park rise view parkway circle cir trail
    """)
  /// More endings of streets in the United States (USPS publication 28), before a comma, a unit or the line's end.
  private static let american = WordList(
    """
    alley annex arcade bayou beach bend bluff bottom branch bridge brook burg burgs bypass camp canyon cape causeway center cliff club common corner
    course cove coves creek crest crossing curve dale dam divide estate estates expressway extension fall falls ferry field fields flat flats ford
    forest forge fork fort freeway glen harbor haven heights hollow inlet island islands isle junction key keys knoll lake lakes land landing light lights
    loaf lock locks lodge loop mall manor meadow meadows mill mills mission motorway mount mountain mountains neck orchard oval overpass pass passage
    path pike pine pines plain plains plaza point points port ports prairie radial ramp ranch rapid rapids rest ridge river route rue run shoal shoals
    shore shores skyway spring springs spur squares station stravenue stream streets summit throughway trace track trafficway tunnel turnpike
    underpass union valley valleys via viaduct views village villages ville vista walks wall ways well wells woods
    """)
  static let leading = WordList(
    "rue avenue chemin route place quai boulevard via viale piazza corso strada impasse sentier")
  static let prepositions = WordList(
    "am an im in auf zur zum unter bei beim vor hinter der den dem obere untere oberer unterer oberen unteren alte alter alten neue neuer neuen grosse große kleine lange kurze hohe"
  )
  static let units = WordList(
    """
    franken euro rappen cent dollar personen stück kilometer meter kilo gramm liter prozent jahre jahren tage tagen wochen monate stunden minuten uhr
    mitarbeiter mitarbeitende menschen einwohner teilnehmer kunden artikel seiten punkte januar februar märz april mai juni juli august september oktober
    november dezember january february march may june july october december people copies pounds
    """)

  /// Whether a word, in lower case, ends as streets do.
  static func isStreet(_ word: String) -> Bool {
    endings.contains { word.hasSuffix($0) } && !CommonWords.all.contains(word) || word == "strasse" || word == "straße"
  }

  let scan: WordScan
  private var words: [WordScan.Word] { scan.words }

  /// The findings as ranges of bytes, and the lines with a street, because a name is above them.
  struct Addresses {
    var ranges: [Range<Int>] = []
    var streetLines: Set<Int> = []

    /// From how many bytes on what is beside a street belongs to another sentence.
    private static let far = 60
    /// The same where the town is first: "5033 Buchs, Oberdorfstrasse 19".
    private static let near = 30

    /// Whether a street is beside a place; the ranges are in order while towns are looked for.
    func hasStreet(beside place: Int, streets: Int) -> Bool {
      var (low, high) = (0, streets)
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].lowerBound < place { low = middle + 1 } else { high = middle }
      }
      return low > 0 && place - ranges[low - 1].upperBound < Self.far
        || low < streets && ranges[low].lowerBound - place < Self.near
    }
  }

  /// How many of the ranges are streets that were found by themselves.
  private var streets = 0

  init(scan: WordScan) { self.scan = scan }

  mutating func find() -> Addresses {
    var addresses = Addresses()
    for index in words.indices {
      if let range = street(at: index) ?? dwelling(number: index) ?? flat(at: index) {
        addresses.ranges.append(range)
        addresses.streetLines.insert(words[index].line)
      }
    }
    streets = addresses.ranges.count
    for index in words.indices {
      guard let range = town(at: index, addresses) ?? box(at: index) else { continue }
      addresses.ranges.append(range)
      if let street = street(before: range) {
        addresses.ranges.append(street)
        if let line = words.first(where: { $0.range.lowerBound >= street.lowerBound })?.line {
          addresses.streetLines.insert(line)
        }
      }
    }
    return addresses
  }

  // MARK: - Streets

  /// A street whose number, or whose first word, is at a place.
  private func street(at index: Int) -> Range<Int>? {
    let word = words[index]
    if word.isNumber {
      return germanStreet(number: index) ?? englishStreet(number: index) ?? frenchStreet(number: index)
    }
    guard Self.leading.contains(word.text), word.isCapital else { return nil }
    // "Rue de Lausanne 12"
    var end = index + 1
    while end < words.count, end - index < 6, !words[end].isNumber,
      words[end].gap == .blank || words[end].gap == .other && words[end].line == word.line
    {
      end += 1
    }
    guard end < words.count, words[end].isNumber, end > index + 1, words[end].gap == .blank || words[end].gap == .comma,
      words[end].text.count <= 4
    else { return nil }
    return word.range.lowerBound..<numberEnd(end)
  }

  /// "14 rue des Lilas"
  private func frenchStreet(number index: Int) -> Range<Int>? {
    guard words[index].text.count <= 4, index + 1 < words.count,
      ["rue", "avenue", "boulevard", "chemin", "quai", "impasse"].contains(words[index + 1].text),
      words[index + 1].gap == .blank || words[index + 1].gap == .comma
    else { return nil }
    var end = index + 2
    while end < words.count, end - index < 5, words[end].gap == .blank, !words[end].isCapital,
      ["de", "des", "du", "la", "le", "les"].contains(words[end].text)
    {
      end += 1
    }
    guard end < words.count, words[end].gap == .blank, !words[end].isNumber,
      words[end].isCapital || ["d'", "l'"].contains(where: words[end].text.hasPrefix)
    else { return nil }
    while end + 1 < words.count, end - index < 6, words[end + 1].gap == .blank, words[end + 1].isCapital { end += 1 }
    return words[index].range.lowerBound..<words[end].range.upperBound
  }

  /// "Lange Strasse 5a": the words before the number end as streets do.
  private func germanStreet(number index: Int) -> Range<Int>? {
    guard index > 0, words[index].text.count <= 4, words[index].gap == .blank || words[index].gap == .stop else {
      return nil
    }
    let name = words[index - 1]
    guard name.isCapital, !name.isNumber else { return nil }
    var start = index - 1
    let bare = name.text
    let isStreet = Self.endings.contains { bare.hasSuffix($0) && bare.utf8.count > $0.utf8.count + 1 }
    let isWord = ["strasse", "straße", "str", "weg", "gasse", "platz", "allee", "ring"].contains(bare)
    if words[index].gap == .stop, !bare.hasSuffix("str") { return nil }
    if isStreet || isWord {
      if isWord {
        guard start > 0, words[start].gap == .blank, words[start - 1].isCapital else { return nil }
        start -= 1
      } else if isDatum(bare) {
        return nil
      } else if start > 0, words[start].gap == .blank, words[start - 1].isCapital,
        words[start - 1].text.hasSuffix("er"),
        words[start - 1].text.count > 4, !CommonWords.all.contains(words[start - 1].text),
        !WordForms.isRole(words[start - 1].text), !FirstNames.all.contains(words[start - 1].text)
      {
        // "Neusser Landstr. 88"
        start -= 1
      }
      while start > 0, words[start].gap == .blank, Self.prepositions.contains(words[start - 1].text),
        words[start - 1].isCapital
      {
        start -= 1
      }
    } else {
      // "Am Bach 12", "An der Aa 5", "Unter den Linden 77"
      var first = start
      while first > 0, words[first].gap == .blank, Self.prepositions.contains(words[first - 1].text), start - first < 3
      {
        first -= 1
      }
      if first < start, words[first].isCapital, words[first].gap == .line || words[first].gap == .comma,
        !CommonWords.all.contains(bare)
      {
        start = first
      } else if isBeforeTown(index) || isBehindTown(first), !CommonWords.all.contains(bare), !Self.parts.contains(bare),
        !Self.units.contains(bare)
      {
        // "Schöndacher 58, 6128 Münchenstein"
        while first < start, !words[first].isCapital { first += 1 }
        start = first
      } else {
        return nil
      }
    }
    return words[start].range.lowerBound..<numberEnd(index)
  }

  private static let parts = WordList(
    """
    kapitel abschnitt abbildung tabelle version band heft zeile position ziffer paragraph paragraf raum gruppe klasse stufe phase schritt runde modell
    chapter section figure table page volume line step phase round group level part item paragraph release iphone
    """)

  /// Whether a postal code with a town follows a house number, a sign or a line's end between them.
  private func isBeforeTown(_ number: Int) -> Bool {
    var next = number + 1
    // "5 a"
    if next < words.count, words[next].text.count == 1, !words[next].isNumber, words[next].line == words[number].line {
      next += 1
    }
    // "22-3"
    while next < words.count, words[next].isNumber, words[next].text.count <= 3, words[next].line == words[number].line,
      words[next].range.lowerBound == words[next - 1].range.upperBound + 1
    { next += 1 }
    // "2019–2023 Stiftung" is not an address: a sign alone divides nothing.
    guard next < words.count, words[next].line - words[number].line <= 2, words[next].gap != .blank,
      words[number].text.count <= 3,
      scan.bytes[words[next - 1].range.upperBound..<words[next].range.lowerBound].contains(where: { $0 <= 0x20 })
    else { return false }
    if ["ch", "d", "de", "a", "at", "fl"].contains(words[next].text), next + 1 < words.count { next += 1 }
    guard next + 1 < words.count, words[next].isNumber, words[next].text.count == 4 || words[next].text.count == 5
    else { return false }
    let town = words[next + 1]
    return town.gap == .blank && town.isCapital && !town.isNumber && !Self.units.contains(town.text)
      && !CommonWords.all.contains(town.text)
  }

  /// Whether a postal code with a town and a comma precede a word: "2601 Villars-sur-Glâne, Stiezacher 31".
  private func isBehindTown(_ index: Int) -> Bool {
    guard index > 1, words[index].gap == .comma, words[index].isCapital, words[index].text.count > 3 else {
      return false
    }
    var word = index - 1
    while word > 0, index - word < 5, !words[word].isNumber, words[word].gap == .blank { word -= 1 }
    return words[word].isNumber && (4...5).contains(words[word].text.count) && words[word + 1].isCapital
      && word + 1 < index && !Self.units.contains(words[word + 1].text)
      && !CommonWords.all.contains(words[word + 1].text)
  }

  /// Words that end like streets and precede numbers in other texts.
  private func isDatum(_ word: String) -> Bool {
    ["montag", "berg", "umfeld", "vertrag", "seitenhof"].contains(word) || word.hasSuffix("nachweg")
      || CommonWords.all.contains(word)
  }

  /// "12 Market Street", "221b Baker St."
  private func englishStreet(number index: Int) -> Range<Int>? {
    guard words[index].text.count <= 5 else { return nil }
    var end = index + 1
    // The letter of "221b".
    if end < words.count, words[end].range.lowerBound == words[index].range.upperBound, words[end].text.count == 1 {
      end += 1
    }
    let first = end
    while end < words.count, end - first < 5, words[end].isCapital, !words[end].isNumber,
      words[end].gap == .blank
        || (words[end].gap == .stop && (words[end - 1].text == "st" || words[end - 1].isInitial))
    {
      end += 1
      if Self.american.contains(words[end - 1].text), end - first >= 2,
        end == words.count || words[end].gap == .comma || words[end].gap == .line || Self.isUnit(words[end])
      {
        return flatStart(index)..<unitEnd(end - 1)
      }
      if Self.english.contains(words[end - 1].text), end - first >= 2,
        end == words.count || words[end].gap != .blank || !Self.english.contains(words[end].text)
      {
        return flatStart(index)..<unitEnd(end - 1)
      }
    }
    return nil
  }

  /// Where an address begins whose house number is at a place: "Flat 40, 71 Market Street".
  private func flatStart(_ number: Int) -> Int {
    var flat = number - 1
    // "Flat 4B"
    if flat > 0, words[flat].text.count == 1, words[flat].range.lowerBound == words[flat - 1].range.upperBound {
      flat -= 1
    }
    guard flat > 0, words[number].gap == .comma || words[number].gap == .line,
      words[flat].isNumber || words[flat].text.count == 1, Self.isUnit(words[flat - 1]), words[flat].gap == .blank
    else { return words[number].range.lowerBound }
    return words[flat - 1].range.lowerBound
  }

  /// "Flat 88h, Butler Course": a street without a number, behind the number or letter of a flat.
  private func flat(at index: Int) -> Range<Int>? {
    guard ["flat", "apartment", "apt"].contains(words[index].text), index + 2 < words.count,
      words[index + 1].isNumber || words[index + 1].text.count == 1,
      words[index + 1].gap == .blank || words[index + 1].gap == .stop
    else { return nil }
    let isLettered =
      words[index + 2].range.lowerBound == words[index + 1].range.upperBound && words[index + 2].text.count == 1
    let first = isLettered ? index + 3 : index + 2
    guard first + 1 < words.count, words[first].gap == .comma || words[first].gap == .line, words[first].isCapital,
      words[first].text != "the"
    else { return nil }
    var end = first + 1
    while end < words.count, end - first < 4, words[end].isCapital, !words[end].isNumber, words[end].gap == .blank {
      let street = words[end].text
      end += 1
      let isLast = end == words.count || words[end].gap != .blank || !words[end].isCapital
      if Self.english.contains(street) || isLast && Self.american.contains(street) {
        return words[index].range.lowerBound..<words[end - 1].range.upperBound
      }
    }
    return nil
  }

  private static let dwellings = WordList(
    """
    wohnhaft wohne wohnt wohnte adresse anschrift anwesen liegenschaft grundstück haus objekt mietobjekt einfamilienhaus wohnung address lives live
    living property premises
    """)

  /// "wohnhaft in Chur, Masans 12", "im Anwesen Hochwegen 12": a word with a number, after a word that means an address.
  private func dwelling(number index: Int) -> Range<Int>? {
    guard index > 1, words[index].isNumber, words[index].text.count <= 3, words[index].gap == .blank,
      words[index - 1].isCapital, !words[index - 1].isNumber, words[index - 1].text.count > 3,
      !CommonWords.all.contains(words[index - 1].text), !Self.units.contains(words[index - 1].text),
      words[max(0, index - 5)..<index - 1].contains(where: {
        Self.dwellings.contains($0.text) && $0.line == words[index].line
      })
    else { return nil }
    return words[index - 1].range.lowerBound..<numberEnd(index)
  }

  private static func isUnit(_ word: WordScan.Word) -> Bool {
    ["apt", "apartment", "unit", "suite", "ste", "flat", "floor", "room", "rm"].contains(word.text)
  }

  /// The end of a street with the unit behind it: "Apt 12", "Suite 300", "Flat B".
  private func unitEnd(_ last: Int) -> Int {
    let unit = last + 1
    guard unit + 1 < words.count, words[unit].line == words[last].line, Self.isUnit(words[unit]),
      words[unit].gap == .blank || words[unit].gap == .comma || words[unit].gap == .stop,
      words[unit + 1].isNumber || words[unit + 1].text.count == 1, words[unit + 1].line == words[last].line
    else { return words[last].range.upperBound }
    var end = words[unit + 1].range.upperBound
    // "4B"
    if unit + 2 < words.count, words[unit + 2].range.lowerBound == end, words[unit + 2].text.count == 1 {
      end = words[unit + 2].range.upperBound
    }
    return end
  }

  /// The end of a house number: "5a", "12-14", "7/3".
  private func numberEnd(_ index: Int) -> Int {
    var end = words[index].range.upperBound
    var next = index + 1
    if next < words.count, words[next].text.count == 1, words[next].range.lowerBound - end <= 1,
      words[next].gap == .blank,
      !words[next].isCapital || words[next].range.lowerBound == end
    {
      end = words[next].range.upperBound
      next += 1
    }
    if next < words.count, words[next].isNumber, words[next].range.lowerBound == end + 1,
      [0x2D, 0x2F].contains(scan.bytes[end])
    {
      end = words[next].range.upperBound
    }
    return end
  }

  // MARK: - Towns

  /// A postal code with its town, or a British or American one, whose first sign is at a place.
  private func town(at index: Int, _ addresses: Addresses) -> Range<Int>? {
    if words[index].isNumber { return numberedTown(at: index, addresses) }
    return words[index].isCapital ? dutchCode(at: index) ?? britishCode(at: index) ?? americanCode(at: index) : nil
  }

  /// Endings of town names.
  private static let founded = [
    "wil", "wiler", "weiler", "ikon", "iken", "ingen", "hausen", "heim", "dorf", "burg", "stadt", "stetten", "kirchen",
    "kirch", "felden", "brunn", "bronn", "furt", "brück", "ried", "rode", "hofen", "münde", "lingen", "stein",
  ]
  static let joints = WordList(
    "am an der die dem den im bei ob in a di del della sul sur sous les le la de du en auf vor unter ob")

  private func numberedTown(at index: Int, _ addresses: Addresses) -> Range<Int>? {
    let code = words[index]
    guard code.text.count == 4 || code.text.count == 5, index + 1 < words.count,
      code.range.count == code.text.utf8.count
    else {
      return nil
    }
    let name = words[index + 1]
    guard name.isCapital, !name.isNumber, name.gap == .blank, !Self.units.contains(name.text) else { return nil }
    var start = code.range.lowerBound
    // "CH-8000", "D-10115"
    let hasCountry =
      index > 0 && ["ch", "d", "de", "a", "at", "fl"].contains(words[index - 1].text) && start > 0
      && scan.bytes[start - 1] == 0x2D
    if hasCountry { start = words[index - 1].range.lowerBound }
    // "2024-4471"
    if start > 1, scan.bytes[start - 1] == 0x2D, (0x30...0x39).contains(scan.bytes[start - 2]) { return nil }
    let isFounded = Self.founded.contains { name.text.hasSuffix($0) && name.text.utf8.count > $0.utf8.count + 1 }
    let isDated = code.text.count == 4 && (code.text.hasPrefix("19") || code.text.hasPrefix("20"))
    let isKnown = Places.all.contains(name.text) || isFounded && !isDated && !CommonWords.all.contains(name.text)
    let line = code.line
    let isBelowStreet =
      (addresses.streetLines.contains(line) || addresses.streetLines.contains(line - 1)
        || addresses.streetLines.contains(line - 2) && isFirst(index))
      && addresses.hasStreet(beside: start, streets: streets)
    let isLine = code.gap == .line && scan.line(line).count <= 3 && !isDated
    let isAlone = isFirst(index) && code.text.count == 5 || isLine && !WordForms.isNoun(name.text)
    // "Lindenweg 4, 17192 Waren"
    let isEnded = index + 2 == words.count || words[index + 2].gap != .blank
    let isOnlyAWord =
      CommonWords.all.contains(name.text)
      && (code.text.count < 5 || !isEnded || code.gap != .comma && code.gap != .line)
    guard
      hasCountry || isKnown || (isBelowStreet && !isOnlyAWord)
        || isAlone && !CommonWords.all.contains(name.text)
    else { return nil }
    var end = index + 2
    // "Biel/Bienne"
    if end < words.count, words[end].isCapital, words[end].range.lowerBound == words[end - 1].range.upperBound + 1,
      scan.bytes[words[end - 1].range.upperBound] == 0x2F
    {
      end += 1
    }
    // "St. Gallen", "Frankfurt am Main", "Bad Ragaz", "Wil SG"
    while end < words.count, end - index < 5, words[end].line == line {
      let word = words[end]
      let isPart =
        word.gap == .blank
        && (Self.joints.contains(word.text) && isJoint(end)
          || word.isCapital && !CommonWords.all.contains(word.text) && !word.isNumber)
        || word.gap == .stop && words[end - 1].text == "st"
      guard isPart else { break }
      end += 1
    }
    return start..<words[end - 1].range.upperBound
  }

  /// Whether a name of a town goes on behind a word: "Gerasdorf bei Wien", "Ybbs an der Donau".
  private func isJoint(_ index: Int) -> Bool {
    var next = index + 1
    if next < words.count, words[next].gap == .blank, !words[next].isCapital, Self.joints.contains(words[next].text) {
      next += 1
    }
    return next < words.count && words[next].gap == .blank && words[next].isCapital
      && (!CommonWords.all.contains(words[next].text) || Places.all.contains(words[next].text))
  }

  private func isFirst(_ index: Int) -> Bool { words[index].gap == .line || words[index].gap == .comma }

  /// "SW1A 1AA", with the town before it where a comma divides them.
  private func britishCode(at index: Int) -> Range<Int>? {
    let start = words[index].range.lowerBound
    let shape = UKPostcode.shape(of: scan.bytes, from: start, letters: 0x41...0x5A)
    guard let length = UKPostcode.length(of: shape),
      start + length == scan.bytes.count || !PlaceholderReader.isWordByte(scan.bytes[start + length])
    else { return nil }
    let hasTown =
      index > 0 && words[index - 1].isCapital && words[index].gap == .blank
      && !CommonWords.titles.contains(words[index - 1].text)
    guard hasTown else { return start..<start + length }
    // "South Shane W71 2ZH"
    var town = index - 1
    while town > 0, index - town < 4,
      words[town].gap == .blank || words[town].gap == .stop && words[town - 1].text == "st",
      words[town - 1].isCapital, !words[town - 1].isNumber,
      !CommonWords.all.contains(words[town - 1].text) || ["new", "old"].contains(words[town - 1].text),
      !CommonWords.titles.contains(words[town - 1].text)
    { town -= 1 }
    return words[town].range.lowerBound..<start + length
  }

  /// "1016 DV Amsterdam"
  private func dutchCode(at index: Int) -> Range<Int>? {
    guard index > 0, words[index - 1].isNumber, words[index - 1].text.count == 4, words[index].range.count == 2,
      words[index].gap == .blank, scan.bytes[words[index].range].allSatisfy({ (0x41...0x5A).contains($0) }),
      index + 1 < words.count, words[index + 1].isCapital, words[index + 1].gap == .blank
    else { return nil }
    return words[index - 1].range.lowerBound..<words[index + 1].range.upperBound
  }

  private static let states = WordList(
    """
    al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc
    """)

  /// "Springfield, IL 62704"
  private func americanCode(at index: Int) -> Range<Int>? {
    guard words[index].range.count == 2, index + 1 < words.count, words[index + 1].isNumber,
      words[index + 1].text.count == 5,
      words[index + 1].gap == .blank, index > 0, words[index - 1].isCapital, !words[index - 1].isNumber,
      words[index].gap == .comma || words[index].gap == .blank && Self.states.contains(words[index].text),
      scan.bytes[words[index].range].allSatisfy({ (0x41...0x5A).contains($0) })
    else { return nil }
    var start = index - 1
    while start > 0, words[start].gap == .blank, words[start - 1].isCapital, index - start < 3 { start -= 1 }
    // "37218-2204"
    var end = index + 1
    if end + 1 < words.count, words[end + 1].isNumber, words[end + 1].text.count == 4,
      words[end + 1].range.lowerBound == words[end].range.upperBound + 1,
      scan.bytes[words[end].range.upperBound] == 0x2D
    {
      end += 1
    }
    return words[start].range.lowerBound..<words[end].range.upperBound
  }

  /// "Postfach 123", "P.O. Box 12"
  private func box(at index: Int) -> Range<Int>? {
    let word = words[index]
    guard word.text == "postfach" || word.text == "box" || word.text == "pobox", index + 1 < words.count,
      words[index + 1].isNumber,
      words[index + 1].gap == .blank
    else { return nil }
    if word.text == "box", index < 2 || words[index - 1].text != "o" && words[index - 1].text != "po" { return nil }
    var start = word.range.lowerBound
    if word.text == "box" {
      // "P.O. Box", "PO Box"
      start = words[words[index - 1].text == "o" ? index - 2 : index - 1].range.lowerBound
    }
    // "Postfach 10 20 30"
    var end = index + 1
    while end + 1 < words.count, end - index < 4, words[end + 1].isNumber, words[end + 1].gap == .blank,
      words[end + 1].text.count <= 3
    {
      end += 1
    }
    return start..<words[end].range.upperBound
  }

  // MARK: - Beside towns

  /// A line of a number and capital words, up to three lines above a postal code: "14 Abbey Foregate".
  private func britishStreet(above line: Int) -> Range<Int>? {
    for number in max(0, line - 3)..<max(0, line) {
      let words = scan.line(number)
      guard (2...5).contains(words.count), let first = words.first, let last = words.last, self.words[first].isNumber,
        self.words[first].text.count <= 4,
        self.words[first].range.lowerBound == 0
          || scan.bytes[self.words[first].range.lowerBound - 1] == 0x0A,
        words.dropFirst().allSatisfy({ self.words[$0].isCapital && !self.words[$0].isNumber }),
        !words.contains(where: { Self.units.contains(self.words[$0].text) })
      else { continue }
      return self.words[first].range.lowerBound..<self.words[last].range.upperBound
    }
    return nil
  }

  /// The line or the part of a line before a town, where it ends with a number or begins with one: "Zur Alten Mühle 3",
  /// "5 Deansgate".
  private func street(before town: Range<Int>) -> Range<Int>? {
    guard let first = words.firstIndex(where: { $0.range.lowerBound >= town.lowerBound }), first > 0 else { return nil }
    let last = first - 1
    guard words[first].gap != .blank else { return nil }
    if let line = britishStreet(above: words[first].line) { return line }
    guard words[last].line == words[first].line || words[last].line == words[first].line - 1 else { return nil }
    var start = last
    while start > 0, last - start < 6, words[start].gap == .blank || words[start].gap == .stop { start -= 1 }
    let part = start...last
    guard (2...6).contains(part.count) else { return nil }
    let isNumber = { (word: WordScan.Word) in word.isNumber && word.text.count <= 5 }
    let names = part.filter { !words[$0].isNumber && words[$0].text.count > 1 }
    guard !names.isEmpty, names.allSatisfy({ words[$0].isCapital || Self.prepositions.contains(words[$0].text) }),
      words[start].isCapital || isNumber(words[start]),
      !names.contains(where: { Self.units.contains(words[$0].text) })
    else { return nil }
    let isBehind = isNumber(words[last]) || words[last].text.count == 1 && isNumber(words[last - 1])
    let hasUnit = part.contains { Self.isUnit(words[$0]) }
    guard isBehind || isNumber(words[start]), part.count(where: { words[$0].isNumber }) == (hasUnit ? 2 : 1) else {
      return nil
    }
    return words[start].range.lowerBound..<words[last].range.upperBound
  }
}
