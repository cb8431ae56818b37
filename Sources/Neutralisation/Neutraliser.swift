import Localization

/// Takes personal data out of texts and puts placeholders in their place. Pure but for the dictionaries that a vocabulary
/// reads: no network, no clock.
///
/// ```swift
/// var mapping = PlaceholderMapping()
/// let neutral = try Neutraliser().neutralise("Sehr geehrte Frau Quobb, …", into: &mapping)
/// let answer = mapping.resolve(model(neutral.text)).text
/// ```
///
/// Recognition is by rules, lists and dictionaries, so some data is missed, and some words are taken for data by mistake; `make bench`
/// measures both. Every search is linear in the length of the text.
public struct Neutraliser: Sendable {
  /// The longest text, in bytes.
  public static let mostBytes = 64 << 20

  /// The kinds to replace.
  public struct Options: Sendable {
    /// The kinds that are replaced; all of them by default.
    public var kinds = Set(PersonalDataKind.choices)
    /// Regular expressions of RE2 whose matches are replaced; where one has a group, what that matches.
    public var patterns: [String] = []
    /// Words and phrases that are replaced as whole words, in any case.
    public var words: [String] = []
    /// Texts that are kept although they are found, in any case: the name of the own company.
    public var keep: [String] = []
    /// Distinguishes unknown names from words; if `nil`, unknown names are kept.
    public var vocabulary: (any Vocabulary)?
    /// Whether placeholders that are in the text stay, as in what is only read and never resolved.
    public var keepsPlaceholders = false

    /// Creates the options that replace all kinds.
    public init() {}
  }

  /// A neutral text.
  public struct Neutral: Sendable, Equatable {
    /// The text with placeholders.
    public var text: String
    /// How many places of each kind were replaced.
    public var statistics: [PersonalDataKind: Int] = [:]
  }

  let options: Options
  private let patterns: [LinearPattern]
  private let keep: Set<String>
  private let words: PhraseList

  /// Creates a neutraliser.
  ///
  /// - Throws: ``NeutralisationError`` with code `invalid_pattern`.
  public init(_ options: Options = Options()) throws(NeutralisationError) {
    self.options = options
    var patterns: [LinearPattern] = []
    for pattern in options.patterns { patterns.append(try LinearPattern(pattern)) }
    self.patterns = patterns
    keep = Set(options.keep.map { $0.lowercased() })
    words = PhraseList(options.words)
  }

  /// Neutralises one text.
  ///
  /// - Parameter mapping: The replacements so far; new ones are added.
  /// - Throws: ``NeutralisationError``: `too_large`, `too_many`.
  public func neutralise(
    _ text: String, format: TextFormat = .auto, into mapping: inout PlaceholderMapping
  ) throws(NeutralisationError) -> Neutral {
    let neutral = try neutralise([text], format: format, into: &mapping)
    return neutral.first ?? Neutral(text: "")
  }

  /// Neutralises texts that belong together: a name that one of them gives away is found in all.
  ///
  /// - Returns: The neutral texts, in the same order.
  public func neutralise(
    _ texts: [String], format: TextFormat = .auto, into mapping: inout PlaceholderMapping
  ) throws(NeutralisationError) -> [Neutral] {
    guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes else {
      throw NeutralisationError(
        .tooLarge,
        .init(
          "more than \(Self.mostBytes >> 20) MiB cannot be neutralised at once",
          de: "mehr als \(Self.mostBytes >> 20) MiB lassen sich nicht auf einmal neutralisieren"))
    }
    var documents: [Document] = []
    for text in texts { documents.append(Document(text, format)) }
    findSecrets(in: &documents, mapping)
    for document in documents.indices {
      for view in documents[document].views.indices {
        look(through: view, of: &documents[document], learning: &mapping)
      }
    }
    let found = findings(in: documents, mapping)
    var people = PersonForms(
      zip(documents, found).flatMap(Self.mentions), known: mapping.entries.filter { $0.kind == .person })
    var neutral: [Neutral] = []
    for (document, findings) in zip(documents, found) {
      neutral.append(try replace(findings, in: document, &people, &mapping))
    }
    return neutral
  }

  // MARK: - Looking

  /// Looks through a view, and through the same part of the text as it is written if an escape was only guessed.
  private func look(through index: Int, of document: inout Document, learning mapping: inout PlaceholderMapping) {
    look(through: &document.views[index], learning: &mapping)
    guard document.isGuess, document.written.indices.contains(index) else { return }
    look(through: &document.written[index], learning: &mapping)
    // Escapes look like words that are in no dictionary.
    let found = document.written[index].known.filter { $0.kind != .unknownName }
    document.views[index].known += document.views[index].carrying(found, of: document.written[index])
  }

  private func look(through view: inout TextView, learning mapping: inout PlaceholderMapping) {
    var found = view.known.filter { options.kinds.contains($0.kind) }
    for finding in view.known where finding.kind == .person {
      Self.learn(WordScan.words(of: view.bytes, in: finding.range), &mapping)
    }
    if !options.keepsPlaceholders { found += view.bytes.withUnsafeBufferPointer(Self.literals) }
    found += view.secrets
    let bytes = view.secrets.isEmpty ? view.bytes : Self.masked(view.bytes, view.secrets)
    TextReading.forEach(of: bytes, names: mapping.nameWords) { reading in
      found += reading.bytes.withUnsafeBufferPointer { find(in: $0, reading, learning: &mapping) }
        .filter(reading.holds).map(reading.placed)
    }
    view.known = found
  }

  /// Finds keys, passwords and codes in all texts, and every other place where one of them occurs.
  private func findSecrets(in documents: inout [Document], _ mapping: PlaceholderMapping) {
    func isWord(_ text: String) -> Bool {
      CommonWords.all.contains(text.lowercased())
        || VocabularyLanguage.allCases.contains { options.vocabulary?.contains(text, in: $0) ?? false }
    }
    var values = SecretValues(isWord: isWord)
    for entry in mapping.entries where entry.kind == .idNumber { values.insert(Array(entry.original.utf8)) }
    for document in documents.indices {
      for index in documents[document].written.indices {
        let written = documents[document].written[index]
        documents[document].written[index].secrets =
          documents[document].isGuess ? secrets(in: written) : assignments(in: written)
      }
      for index in documents[document].views.indices {
        let view = documents[document].views[index]
        var found = secrets(in: view)
        if documents[document].written.indices.contains(index) {
          let written = documents[document].written[index]
          found = Finding.merged(found + view.carrying(written.secrets, of: written))
        }
        documents[document].views[index].secrets = found
        for secret in found where secret.kind == .idNumber { values.insert(view.bytes[secret.range]) }
      }
    }
    guard !values.isEmpty else { return }
    for document in documents.indices {
      for index in documents[document].views.indices {
        let again = documents[document].views[index].bytes.withUnsafeBufferPointer { values.find(in: $0) }
        guard !again.isEmpty else { continue }
        documents[document].views[index].secrets = Finding.merged(documents[document].views[index].secrets + again)
      }
    }
  }

  /// The values of members of JSON as they are written: a quote that is escaped ends none.
  private func assignments(in view: TextView) -> [Finding] {
    guard options.kinds.contains(.idNumber) else { return [] }
    return view.bytes.withUnsafeBufferPointer { SecretAssignments.find(in: $0) }.map {
      Finding(range: $0, kind: .idNumber)
    }
  }

  /// Keys, passwords and codes, none overlapping another.
  private func secrets(in view: TextView) -> [Finding] {
    var found = view.bytes.withUnsafeBufferPointer { SecretDetector.shared.find(in: $0, kinds: options.kinds) }
    if options.kinds.contains(.idNumber) { found += view.known.filter { $0.kind == .idNumber } }
    return found.count < 2 ? found : Finding.merged(found)
  }

  /// The text with the secrets overwritten by DEL, so that no other rule matches them.
  static func masked(_ bytes: [UInt8], _ secrets: [Finding]) -> [UInt8] {
    var bytes = bytes
    for secret in secrets { for place in secret.range where bytes[place] != 0x0A { bytes[place] = 0x7F } }
    return bytes
  }

  /// The findings in one form of a text.
  private func find(
    in bytes: UnsafeBufferPointer<UInt8>, _ reading: TextReading, learning mapping: inout PlaceholderMapping
  ) -> [Finding] {
    var found: [Finding] = []
    NumberDetector.shared.find(in: bytes, kinds: options.kinds) { found.append($0) }
    let scan = WordScan(bytes)
    let words = scan.words
    func range(_ run: Range<Int>) -> Range<Int> {
      words[run.lowerBound].range.lowerBound..<words[run.upperBound - 1].range.upperBound
    }
    for pattern in patterns where options.kinds.contains(.own) {
      pattern.matches(in: bytes) { whole, groups in
        found.append(Finding(range: groups.first.flatMap(\.self) ?? whole, kind: .own))
      }
    }
    if options.kinds.contains(.own) { found += self.words.find(words).map { Finding(range: range($0), kind: .own) } }
    var streetLines: Set<Int> = []
    if options.kinds.contains(.address) {
      var detector = AddressDetector(scan: scan)
      let addresses = detector.find()
      found += addresses.ranges.map { Finding(range: $0, kind: .address) }
      streetLines = addresses.streetLines
    }
    guard reading.scope == .all else { return found }
    let fields = (CSVView.tables(in: bytes) + LabelledFields.find(in: bytes)).filter { options.kinds.contains($0.kind) }
    for field in fields where field.kind == .person {
      Self.learn(WordScan(UnsafeBufferPointer(rebasing: bytes[field.range])).words, &mapping)
    }
    found += fields
    if options.kinds.contains(.organisation) {
      for run in OrganisationDetector.find(scan, streetLines: streetLines) where !run.isEmpty {
        found.append(Finding(range: range(run), kind: .organisation))
        Self.learn(organisation: run.map { words[$0] }, &mapping)
      }
    }
    if options.kinds.contains(.person) {
      var runs = NameDetector.find(scan).filter { $0.isEmpty || !FieldWords.isNoPerson(words, $0) }
      runs += Self.namesAbove(streetLines, scan)
      runs += Self.namesBefore(found, scan)
      if options.kinds.contains(.birthdate) {
        found += NumberDetector.shared.dates(behind: runs.map { range($0).upperBound }, in: bytes)
      }
      let capitals = Set(words.lazy.filter(\.isCapital).map(\.text))
      for run in runs where !run.isEmpty {
        var name = run.map { words[$0] }
        let whole = range(run)
        var bare = NameDetector.withoutGenitive(whole, words[run.upperBound - 1], bytes)
        // "die Quobbs", if "Quobb" occurs too.
        if bare == whole, let last = name.last, last.text.hasSuffix("s"), !NameDetector.isListed(last.text),
          capitals.contains(String(last.text.dropLast()))
        {
          bare = whole.lowerBound..<whole.upperBound - 1
          name[name.count - 1].text.removeLast()
        }
        found.append(Finding(range: bare, kind: .person))
        Self.learn(name, &mapping)
      }
      for finding in found where finding.kind == .email {
        Self.learn(mail: scan.text(finding.range), words, &mapping)
      }
    }
    if options.kinds.contains(.unknownName), let vocabulary = options.vocabulary {
      let detector = UnknownNameDetector(scan, vocabulary, isInLowerCase: reading.isInLowerCase)
      found += unknownNames(detector, beside: found, learning: &mapping)
    }
    return found
  }

  /// Names that are in no dictionary; one beside a name that was found belongs to that.
  private func unknownNames(
    _ detector: UnknownNameDetector, beside found: [Finding], learning mapping: inout PlaceholderMapping
  ) -> [Finding] {
    let words = detector.scan.words
    let merged = Finding.merged(found)
    // Which finding a word belongs to.
    var owners = [Int?](repeating: nil, count: words.count)
    var place = 0
    for index in words.indices {
      while place < merged.count, merged[place].range.upperBound <= words[index].range.lowerBound { place += 1 }
      if place < merged.count, merged[place].range.lowerBound < words[index].range.upperBound { owners[index] = place }
    }
    func person(_ index: Int) -> Range<Int>? {
      guard words.indices.contains(index), let owner = owners[index], merged[owner].kind == .person else { return nil }
      return merged[owner].range
    }
    let runs = detector.find { owners[$0] != nil }
    if !detector.isInLowerCase { for run in runs { Self.learn(unknown: words[run], &mapping) } }
    return runs.map { run in
      let last = run.upperBound - 1
      var range = words[run.lowerBound].range.lowerBound..<words[last].range.upperBound
      range = NameDetector.withoutGenitive(range, words[last], detector.scan.bytes)
      let before = words[run.lowerBound].gap == .blank ? person(run.lowerBound - 1) : nil
      let after = last + 1 < words.count && words[last + 1].gap == .blank ? person(last + 1) : nil
      guard before != nil || after != nil else { return Finding(range: range, kind: .unknownName) }
      return Finding(
        range: (before?.lowerBound ?? range.lowerBound)..<(after?.upperBound ?? range.upperBound), kind: .person)
    }
  }

  /// A name above the street of an address, where the line is nothing else.
  private static func namesAbove(_ lines: Set<Int>, _ scan: WordScan) -> [Range<Int>] {
    lines.sorted().compactMap { number in
      // Tags that break lines leave an empty one between.
      let line = scan.line(scan.line(number - 1).isEmpty ? number - 2 : number - 1)
      let words = scan.words
      guard (2...4).contains(line.count),
        line.dropFirst().allSatisfy({ words[$0].gap == .blank || words[$0].gap == .stop }),
        !OrganisationDetector.isOrganisation(words, line),
        line.allSatisfy({ words[$0].isCapital && !words[$0].isNumber || CommonWords.particles.contains(words[$0].text) }
        ),
        !line.contains(where: {
          words[$0].isCapital && CommonWords.all.contains(words[$0].text)
            && !CommonWords.titles.contains(words[$0].text) && !Surnames.all.contains(words[$0].text)
        })
      else { return nil }
      // "Malermeisterbetrieb Yusuf Demirtaş"
      let first = line.first { FirstNames.all.contains(words[$0].text) }
      if let first, line.count - (first - line.lowerBound) >= 2,
        line.lowerBound < first, line.prefix(upTo: first).allSatisfy({ !Surnames.all.contains(words[$0].text) })
      {
        return first..<line.upperBound
      }
      return line
    }
  }

  /// A name before an address or a number in its line: "Zora Quobb, Hauptstrasse 5", "Zora Quobb · 044 123 45 67".
  private static func namesBefore(_ found: [Finding], _ scan: WordScan) -> [Range<Int>] {
    let kinds: Set<PersonalDataKind> = [.address, .phone, .email, .birthdate]
    let starts = Set(found.lazy.filter { kinds.contains($0.kind) }.map(\.range.lowerBound))
    guard !starts.isEmpty else { return [] }
    let detector = NameDetector(scan)
    return scan.words.indices.compactMap { index in
      guard starts.contains(scan.words[index].range.lowerBound),
        scan.words[index].gap == .comma || scan.words[index].gap == .other
      else { return nil }
      return detector.nameBefore(index)
    }
  }

  private static func literals(in bytes: UnsafeBufferPointer<UInt8>) -> [Finding] {
    let reader = PlaceholderReader(bytes: bytes, isComplete: true)
    var found: [Finding] = []
    var position = 0
    while position < bytes.count {
      if PlaceholderReader.canBegin[Int(bytes[position])], case .match(let match) = reader.read(at: position) {
        found.append(Finding(range: match.range, kind: .literal))
        position = match.range.upperBound
      } else {
        position += 1
      }
    }
    return found
  }

  // MARK: - Replacing

  /// The places to replace, for each view of each document.
  private func findings(in documents: [Document], _ mapping: PlaceholderMapping) -> [[[Finding]]] {
    var found = documents.map { document in
      document.views.map { view in
        Finding.merged(view.known + again(view, mapping)).map { $0.withoutLooseBrackets(view.bytes) }
          .filter { !$0.range.isEmpty && !isKept($0, view.bytes) }
      }
    }
    let names = Set(
      zip(documents, found).flatMap(Self.mentions).map(\.original).compactMap(PersonForms.name)
        .filter { !$0.first.isEmpty })
    for document in documents.indices where !documents[document].isTable {
      for (index, view) in documents[document].views.enumerated() {
        found[document][index] = Self.joiningReversed(found[document][index], view, names)
      }
    }
    return found
  }

  /// Findings with "Lehmann, Uwe" as one.
  private static func joiningReversed(
    _ findings: [Finding], _ view: TextView, _ names: Set<PersonForms.Name>
  ) -> [Finding] {
    let bytes = view.bytes
    return findings.reduce(into: []) { joined, finding in
      guard finding.kind == .person, let last = joined.last, last.kind == .person else { return joined.append(finding) }
      let between = bytes[last.range.upperBound..<finding.range.lowerBound]
      let whole = last.range.lowerBound..<finding.range.upperBound
      guard between.first == UInt8(ascii: ","), between.count == 2, between.last == UInt8(ascii: " "),
        view.parts(of: [whole]).first?.count == 1
      else { return joined.append(finding) }
      let surname = String(decoding: bytes[last.range], as: UTF8.self)
      let first = String(decoding: bytes[finding.range], as: UTF8.self)
      guard !surname.contains(","),
        PersonForms.isReversed(surname, first, among: names)
          || isOwnEntry(whole, bytes) && PersonForms.isListedReversed(surname, first)
      else { return joined.append(finding) }
      joined[joined.count - 1].range = whole
    }
  }

  /// Whether a range is an entry of its own: a line, a member of a list with semicolons, or the name before a mail address.
  private static func isOwnEntry(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
    let before = bytes[..<range.lowerBound].last { $0 != 0x20 && $0 != UInt8(ascii: "\"") }
    let after = bytes[range.upperBound...].first { $0 != 0x20 && $0 != UInt8(ascii: "\"") }
    return (before.map { "\n\r:;>-*".utf8.contains($0) } ?? true) && (after.map { "\n\r;<(".utf8.contains($0) } ?? true)
  }

  /// The names of persons of a document, with the titles before them.
  private static func mentions(_ document: Document, _ findings: [[Finding]]) -> [PersonForms.Mention] {
    zip(document.views, findings).flatMap { view, findings in
      findings.filter { $0.kind == .person }.map { finding in
        PersonForms.Mention(
          original: String(decoding: view.bytes[finding.range], as: UTF8.self),
          title: PersonForms.title(before: finding.range.lowerBound, in: view.bytes))
      }
    }
  }

  private func replace(
    _ found: [[Finding]], in document: Document, _ people: inout PersonForms, _ mapping: inout PlaceholderMapping
  ) throws(NeutralisationError) -> Neutral {
    var edits: [(range: Range<Int>, text: String)] = []
    var statistics: [PersonalDataKind: Int] = [:]
    func placeholder(_ original: String, _ kind: PersonalDataKind) throws(NeutralisationError) -> String {
      guard kind == .person else { return try mapping.entry(for: original, kind).placeholder }
      let entry = try mapping.entry(
        for: original, kind, formOf: people.number(of: original), title: people.title(of: original))
      people.assign(entry)
      return entry.placeholder
    }
    for (view, findings) in zip(document.views, found) {
      for (finding, parts) in zip(findings, view.parts(of: findings.map(\.range))) {
        let sources = parts.map(\.source)
        guard let first = sources.first, let last = sources.last else { continue }
        if document.hasTags, sources.count > 1, view.hasParts(in: finding.range) {
          // Each part stays between its tags.
          for part in parts {
            guard let part = view.trimmed(part) else { continue }
            let original = String(decoding: view.bytes[part.view], as: UTF8.self)
            edits.append((part.source, try placeholder(original, finding.kind)))
          }
        } else {
          let whole = first.lowerBound..<last.upperBound
          // Resolving restores the original, blanks of other widths too; escapes are restored in their visible form.
          let original =
            document.isPlain ? document.text(whole) : String(decoding: view.bytes[finding.range], as: UTF8.self)
          edits.append((document.hasTags ? first : whole, try placeholder(original, finding.kind)))
          // Tags within a name stay.
          if document.hasTags { edits += sources.dropFirst().map { ($0, "") } }
        }
        statistics[finding.kind, default: 0] += 1
      }
    }
    return Neutral(text: document.applying(edits), statistics: statistics)
  }

  private func isKept(_ finding: Finding, _ bytes: [UInt8]) -> Bool {
    guard !keep.isEmpty, finding.kind != .literal else { return false }
    let text = String(decoding: bytes[finding.range], as: UTF8.self)
    func isKept(_ text: some StringProtocol) -> Bool {
      let text = text.lowercased()
      return keep.contains(text) || text.hasSuffix("s") && keep.contains(String(text.dropLast()))
    }
    if isKept(text) { return true }
    guard finding.kind == .unknownName, let vocabulary = options.vocabulary else { return false }
    // "Readeck-Server" was found because of its first part; the second one of "Readeck-Quobb" may be a name.
    let parts = text.split(separator: "-")
    return parts.contains(where: isKept)
      && parts.allSatisfy { part in
        isKept(part) || VocabularyLanguage.allCases.contains { vocabulary.contains(String(part), in: $0) }
      }
  }
}

extension WordScan {
  /// The words of a part of a text.
  static func words(of bytes: [UInt8], in range: Range<Int>) -> [Word] {
    Array(bytes[range]).withUnsafeBufferPointer { WordScan($0).words }
  }
}
