import MailWire

/// The server's search for a condition.
///
/// A server compares texts in its own way and days without time and zone. So two conditions are made: one that all
/// messages meet which meet the query, and one that only such messages meet. Where they are the same, the server's answer
/// is the result; else it is a list of candidates.
struct QueryTranslation: Sendable, Equatable {
  /// A condition that all messages of the query meet, and others may.
  var superset: SearchKey
  /// A condition that only messages of the query meet, but perhaps not all.
  var subset: SearchKey

  var isExact: Bool { superset == subset }

  /// How a server takes conditions.
  struct Dialect: Sendable {
    /// The UIDVALIDITY of the folder.
    var validity: UInt32
    var isGmail = false
  }

  private init(_ superset: SearchKey, _ subset: SearchKey) {
    self.superset = superset
    self.subset = subset
  }

  private init(exactly key: SearchKey) { self.init(key, key) }

  init(_ query: MailQuery, _ dialect: Dialect) {
    switch query {
    case .all: self.init(exactly: .all)
    case .nothing: self.init(exactly: .none)
    case .and(let parts):
      let keys = parts.map { QueryTranslation($0, dialect) }
      self.init(Self.all(keys.map(\.superset)), Self.all(keys.map(\.subset)))
    case .or(let parts):
      let keys = parts.map { QueryTranslation($0, dialect) }
      self.init(Self.any(keys.map(\.superset)), Self.any(keys.map(\.subset)))
    case .not(let part):
      let key = QueryTranslation(part, dialect)
      self.init(Self.not(key.subset), Self.not(key.superset))
    case .uids(let names):
      let uids = names.compactMap { name in
        OpenFolder.parse(name).flatMap { $0.validity == dialect.validity ? $0.uid : nil }
      }
      self.init(exactly: uids.isEmpty ? .none : .uid(UIDSet(uids)))
    case .gmail(let text): self.init(exactly: .gmail(text))
    case .flag(let name):
      if Self.isKeyword(name), !(dialect.isGmail && MailFlag.isLabel(name)) {
        self.init(exactly: .flag(name))
      } else {
        // No server knows such a keyword, but Gmail may have it as a label.
        self.init(dialect.isGmail ? .all : .none, .none)
      }
    case .larger(let size): self.init(exactly: size > Self.sizeLimit ? .none : .larger(size))
    case .smaller(let size): self.init(exactly: size > Self.sizeLimit ? .all : .smaller(size))
    case .receivedSince(let bound):
      let day = Self.day(bound)
      self.init(.on(.since, day.earlier), .on(.since, day.later))
    case .receivedBefore(let bound):
      let day = Self.day(bound)
      self.init(.on(.before, day.later), .on(.before, day.earlier))
    case .since(let bound):
      // A message without a date of its own has that of its receipt.
      let day = Self.day(bound)
      self.init(
        .or([.on(.sentSince, day.earlier), .on(.since, day.earlier)]),
        .and([.on(.sentSince, day.later), .on(.since, day.later)]))
    case .before(let bound):
      let day = Self.day(bound)
      self.init(
        .or([.on(.sentBefore, day.later), .on(.before, day.later)]),
        .and([.on(.sentBefore, day.earlier), .on(.before, day.earlier)]))
    case .subject(let pattern): self.init(inHeader: pattern, dialect) { .text(.subject, $0) }
    case .address(.from, let pattern):
      self.init(inAddresses: pattern, dialect) { .or([.text(.from, $0), .header("Sender", $0)]) }
    case .address(let field, let pattern):
      let place: SearchKey.Place = field == .to ? .to : field == .cc ? .cc : .bcc
      self.init(inAddresses: pattern, dialect) { .text(place, $0) }
    case .header(let name, let pattern):
      if pattern.text.isEmpty {
        self.init(exactly: .header(name, ""))
      } else {
        self.init(inHeader: pattern, dialect) { .header(name, $0) }
      }
    // Servers look at the text as it was sent: with the tags of HTML and broken lines, and not inside S/MIME.
    case .text, .body: self.init(.all, .none)
    }
  }

  /// A text in a field of the header: the server looks for its words, and its findings are decided again here.
  ///
  /// Not left to a server:
  /// - texts beyond ASCII, because servers decode raw 8 bit and unknown charsets in their own way, or not at all
  /// - white space, quotes and brackets, which differ between the sent and the displayed form
  /// - at Gmail all texts, because it finds whole words only
  private init(inHeader pattern: TextPattern, _ dialect: Dialect, _ key: (String) -> SearchKey) {
    self.init(Self.all(Self.words(pattern, dialect).filter(Self.isPlain).map(key)), .none)
  }

  /// A text in a list of addresses.
  ///
  /// A header has international domains in ASCII, seldom in Unicode, and the pattern has either form. So a server gets the part
  /// before such a domain alone. Other words may be a part of such a domain (`bank.example` of `münchenbank.example`), whose
  /// ASCII form does not contain them: all messages with such domains are candidates.
  private init(inAddresses pattern: TextPattern, _ dialect: Dialect, _ key: (String) -> SearchKey) {
    let keys = Self.words(pattern, dialect).map { word -> SearchKey in
      let at = word.lastIndex(of: "@")
      let domain = at.map { word[word.index(after: $0)...] } ?? word[...]
      let isInternational = !Self.isPlain(String(domain)) || domain.lowercased().contains("xn-")
      let plain = isInternational ? at.map { String(word[...$0]) } ?? "" : word
      guard Self.isPlain(plain), !plain.isEmpty else { return .all }
      let mayBeInDomain =
        !domain.isEmpty && !isInternational && domain.utf8.allSatisfy { Self.isInDomain($0) }
      return mayBeInDomain ? .or([key(plain), key("xn--")]) : key(plain)
    }
    self.init(Self.all(keys), .none)
  }

  private static func words(_ pattern: TextPattern, _ dialect: Dialect) -> [String] {
    dialect.isGmail ? [] : pattern.text.split { $0.isWhitespace || "\"<>()\\,;".contains($0) }.map(String.init)
  }

  private static func isPlain(_ word: String) -> Bool { word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }

  private static func isInDomain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  // MARK: Joining

  private static func all(_ keys: [SearchKey]) -> SearchKey {
    if keys.contains(.none) { return .none }
    let kept = keys.filter { $0 != .all }
    return kept.isEmpty ? .all : kept.count == 1 ? kept[0] : .and(kept)
  }

  private static func any(_ keys: [SearchKey]) -> SearchKey {
    if keys.contains(.all) { return .all }
    let kept = keys.filter { $0 != .none }
    return kept.isEmpty ? .none : kept.count == 1 ? kept[0] : .or(kept)
  }

  private static func not(_ key: SearchKey) -> SearchKey {
    switch key {
    case .all: .none
    case .none: .all
    case .not(let inner): inner
    default: .not(key)
    }
  }

  // MARK: Values

  /// Sizes are numbers of 32 bits in older servers.
  private static let sizeLimit = 4_294_967_294

  /// Whether a name can be a flag of a server: a system flag, or an atom.
  static func isKeyword(_ name: String) -> Bool {
    if name.hasPrefix("\\") {
      return ["\\seen", "\\answered", "\\flagged", "\\deleted", "\\draft"].contains(name.lowercased())
    }
    return !name.isEmpty
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("(){%*\"\\]".utf8).contains($0) }
  }

  /// The days that surely begin before and after a bound, in every time zone.
  private static func day(_ bound: DateBound) -> (earlier: SearchDay, later: SearchDay) {
    let seconds =
      switch bound {
      case .instant(let seconds): seconds
      case .day(let day): max(-1_000_000, min(4_000_000, day)) * 86_400
      }
    return (SearchDay(seconds: seconds, later: -1), SearchDay(seconds: seconds, later: 2))
  }
}
