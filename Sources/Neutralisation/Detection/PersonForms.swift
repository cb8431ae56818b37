/// Decides which names are forms of one person's name: "Lehmann", "Uwe Lehmann", "U. Lehmann", "Lehmann, Uwe".
///
/// Names belong together only if nothing contradicts it. A surname that two people of the texts have, or whose title does not
/// fit the first name, gets a placeholder of its own.
struct PersonForms {
  /// One place of a text with a name.
  struct Mention {
    var original: String
    /// The sex that the title before the name shows; both for "Familie" and "Herr und Frau".
    var title: Set<Sex> = []
  }

  /// A name, in lower case.
  struct Name: Hashable {
    var first: [String] = []
    /// Particles of the surname: "von der".
    var particles: [String] = []
    /// The last word of the surname, without the ending of a genitive.
    var last = ""
    var surname: String { (particles + [last]).joined(separator: " ") }
  }

  private var people: [String: Int] = [:]
  private var numbers: [Int: Int] = [:]
  /// The sexes that titles show, by original.
  private var titles: [String: Set<Sex>] = [:]

  /// Relates the names of texts to each other and to those of earlier texts.
  init(_ mentions: [Mention], known: [PlaceholderMapping.Entry]) {
    var names: [(original: String, name: Name)] = []
    var seen: Set<String> = []
    for mention in known.map({ Mention(original: $0.original, title: $0.title) }) + mentions {
      titles[mention.original, default: []].formUnion(mention.title)
      guard seen.insert(mention.original).inserted, let name = Self.name(mention.original) else { continue }
      names.append((mention.original, name))
    }
    let lasts = Set(names.map(\.name.last))
    for index in names.indices { names[index].name.last = Self.withoutGenitive(names[index].name.last, lasts) }

    var seconds: [[String]: Set<String>] = [:]
    var firsts: [String: Set<String>] = [:]
    for (_, name) in names {
      guard let first = name.first.first, first.count > 1 else { continue }
      firsts[name.surname, default: []].insert(first)
      if name.first.count > 1 { seconds[[name.surname, first], default: []].insert(name.first[1]) }
    }
    // "John A. Smith" may be "John Adam Smith", and is not "John B. Smith".
    for (person, middle) in seconds {
      seconds[person] = middle.filter { second in
        second.count > 1 || !middle.contains { $0.count > 1 && $0.hasPrefix(second) }
      }
    }
    let titles = titles
    /// The person of a name with a first name; `nil` if it can be two people.
    func key(_ name: Name, _ original: String) -> [String]? {
      guard var first = name.first.first else { return nil }
      if first.count == 1 {
        let fitting = (firsts[name.surname] ?? []).filter { $0.hasPrefix(first) }
        guard fitting.count < 2 else { return nil }
        if let known = fitting.first {
          if let title = Self.only(titles[original]), let sex = Self.sex(ofFirstName: known), title != sex {
            return nil
          }
          first = known
        }
      }
      let middle = seconds[[name.surname, first]] ?? []
      let second = name.first.count > 1 ? name.first[1] : nil
      if middle.count > 1 {
        let fitting = middle.filter { $0 == second || second?.count == 1 && $0.hasPrefix(second ?? "") }
        return fitting.count == 1 ? fitting.first.map { [name.surname, first, $0] } : nil
      }
      return [name.surname, first]
    }
    var ids: [[String]: Int] = [:]
    var bearers: [String: Set<Int>] = [:]
    var sexes: [Int: Sex] = [:]
    /// Those whose name stands for a family, so that a title before the surname may mean somebody else of it.
    var families: Set<Int> = []
    for (original, name) in names where !name.first.isEmpty {
      guard let key = key(name, original) else {
        // One more person, whom nothing distinguishes from the others.
        for surname in [name.surname, name.last] { bearers[surname, default: []].insert(-1) }
        continue
      }
      let id = ids[key] ?? ids.count
      ids[key] = id
      people[original] = id
      sexes[id] = sexes[id] ?? Self.only(titles[original]) ?? Self.sex(ofFirstName: key[1])
      if titles[original]?.count == 2 { families.insert(id) }
      for surname in [name.surname, name.last] { bearers[surname, default: []].insert(id) }
    }
    for (original, name) in names where name.first.isEmpty {
      let shown = titles[original] ?? []
      // "Martin" alone is a first name as often as a surname.
      guard let bearers = bearers[name.surname], bearers.count == 1, let id = bearers.first, id >= 0, shown.count < 2,
        !shown.isEmpty || !FirstNames.all.contains(name.last) || Surnames.all.contains(name.last)
      else { continue }
      if let title = shown.first, sexes[id].map({ $0 != title }) ?? families.contains(id) { continue }
      people[original] = id
    }
    for entry in known { assign(entry) }
  }

  /// The number of the person that an original names, if another form of the name has one.
  func number(of original: String) -> Int? { people[original].flatMap { numbers[$0] } }

  /// The sexes that the titles before an original show.
  func title(of original: String) -> Set<Sex> { titles[original] ?? [] }

  private static func only(_ title: Set<Sex>?) -> Sex? { title?.count == 1 ? title?.first : nil }

  /// Records the number of a name.
  mutating func assign(_ entry: PlaceholderMapping.Entry) {
    guard let person = people[entry.original], numbers[person] == nil else { return }
    numbers[person] = entry.number
  }

  // MARK: - Names

  /// Parses a name; `nil` if it has no words.
  static func name(_ text: String) -> Name? {
    let isReversed = text.contains(",")
    var words = Array(text.utf8).withUnsafeBufferPointer { WordScan($0).words }
      .map { (text: Self.bare($0.text), gap: $0.gap) }.filter { !CommonWords.titles.contains($0.text) }
    if isReversed, let comma = words.firstIndex(where: { $0.gap == .comma }) {
      words = Array(words[comma...] + words[..<comma])
    } else if words.count == 2, !FirstNames.all.contains(words[0].text), FirstNames.all.contains(words[1].text),
      Surnames.all.contains(words[0].text), !Surnames.all.contains(words[1].text)
    {
      // "Lehmann Uwe"
      words.reverse()
    }
    guard let last = words.popLast()?.text else { return nil }
    let particle = words.firstIndex { CommonWords.particles.contains($0.text) } ?? words.count
    return Name(first: words[..<particle].map(\.text), particles: words[particle...].map(\.text), last: last)
  }

  /// Whether two parts with a comma between them are a surname and the first name behind it.
  static func isReversed(_ surname: String, _ first: String, among names: Set<Name>) -> Bool {
    guard let name = name(surname + ", " + first), name.first.count < 4, !name.first.isEmpty else { return false }
    return names.contains(name)
  }

  /// Whether two parts are a surname and first names of the lists.
  static func isListedReversed(_ surname: String, _ first: String) -> Bool {
    guard let name = name(surname + ", " + first), let word = name.first.first, name.first.count < 4 else {
      return false
    }
    return FirstNames.all.contains(word) && (!FirstNames.all.contains(name.last) || Surnames.all.contains(name.last))
  }

  private static func bare(_ word: String) -> String {
    for ending in ["'s", "\u{2019}s", "'", "\u{2019}"] where word.hasSuffix(ending) {
      return String(word.dropLast(ending.count))
    }
    return word
  }

  private static func withoutGenitive(_ word: String, _ others: Set<String>) -> String {
    guard word.hasSuffix("s"), !NameDetector.isListed(word) else { return word }
    let bare = String(word.dropLast())
    return others.contains(bare) && !NameDetector.hasSibilant(bare) ? bare : word
  }

  // MARK: - Titles and first names

  private static let female = WordList("frau fr fräulein frl mrs ms miss mme mlle madame madam signora lady")
  private static let male = WordList("herr herrn hr mr sir monsieur signor lord")

  private static let families = WordList("familie fam family eheleute ehepaar")
  private static let both = WordList("und and u")

  /// The sex that the title before a place shows; academic degrees may be between it and the name.
  static func title(before place: Int, in bytes: [UInt8]) -> Set<Sex> {
    let line = bytes[max(0, place - 60)..<place]
    let words = Array(line).withUnsafeBufferPointer { WordScan($0).words }
    for (index, word) in words.enumerated().reversed().prefix(4) {
      if families.contains(word.text) { return [.female, .male] }
      if female.contains(word.text) || male.contains(word.text) {
        let isCouple =
          index > 1 && (both.contains(words[index - 1].text) || words[index].gap == .ampersand)
          && CommonWords.salutations.contains(words[index - 2].text)
        return isCouple ? [.female, .male] : [female.contains(word.text) ? .female : .male]
      }
      guard CommonWords.degrees.contains(word.text) else { return [] }
    }
    return []
  }

  /// The sex that a common first name shows; `nil` for others and for names of both.
  static func sex(ofFirstName name: String) -> Sex? {
    let name = name.split(separator: "-").first.map(String.init) ?? name
    if femaleNames.contains(name) { return .female }
    return maleNames.contains(name) ? .male : nil
  }

  private static let femaleNames = WordList(
    """
    alice alina amanda amelie amy andrea angelika anita anja anke anna anne annette antje astrid barbara beate bettina birgit brigitte britta
    carmen carolin caroline catherine charlotte christa christiane christina christine clara claudia cornelia dagmar daniela deborah doris
    edith elena elisabeth elizabeth elke ella ellen emily emma erika eva evelyn fatima franziska gabriele gerda gisela gudrun hanna hannah
    heidi heike helen helena helga hilde ilse ines inge ingrid irene iris jana jane jennifer jessica johanna julia jutta karin karen katharina
    kathrin katja katrin kerstin klara laura lea lena linda lisa louise lucy luise magdalena maike manuela margarete margaret maria marianne
    marie marion marlene martina mary melanie mia michaela miriam monika nadine natalie nicole nina olga paula petra pia rebecca regina renate
    rita rosa ruth sabine sandra sara sarah silke silvia simone sofia sofie sonja sophia sophie stefanie stephanie susan susanne svenja sylvia
    tanja theresa tina ulrike ursula ute vanessa vera verena veronika victoria waltraud yvonne zora
    """)

  private static let maleNames = WordList(
    """
    achim adam ahmed albert alexander alfred ali andreas andrew anton armin arthur axel ben benjamin bernd bernhard bernhard björn bruno
    carl charles christian christoph christopher claus daniel david dennis detlef dieter dietmar dirk dominik eberhard edward emil erich erik
    ernst erwin fabian felix ferdinand florian frank franz friedrich fritz georg george gerd gerhard günter günther gustav hans harald harry
    heiko heinrich heinz helmut henry herbert hermann holger horst hugo ingo jack jakob james jan jens joachim jochen johann johannes john jonas
    jörg josef joseph jürgen kai karl karsten kevin klaus konrad kurt lars leo leon lukas manfred marc marco marcus mario mark markus martin
    matthias max maximilian mehmet michael moritz mustafa nico nils noah norbert olaf oliver oskar otto patrick paul peter philipp rainer ralf
    ralph reiner richard robert roland rolf rudolf rüdiger samuel sebastian siegfried simon stefan steffen stephan steven sven thomas thorsten
    tim timo tobias tom torsten udo ulrich uwe volker walter werner wilhelm william wolfgang
    """)
}
