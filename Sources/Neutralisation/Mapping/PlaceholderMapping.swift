import Localization

/// Which placeholder represents which original. Holds personal data in clear: in memory, or sealed.
///
/// The same original of the same kind has one placeholder, whichever texts it is in.
public struct PlaceholderMapping: Sendable, Equatable {
  /// One original.
  public struct Entry: Sendable, Hashable {
    /// The kind of data.
    public var kind: PersonalDataKind
    /// The number of the placeholder, from 1 within its kind.
    public var number: Int
    /// The original text.
    public var original: String

    /// The placeholder: `[PERSON_1]`.
    ///
    /// Plain ASCII, as models copy words and digits that they know; rare signs such as `⟦` they drop or replace. Brackets
    /// separate it from its neighbours; resolving works without them.
    public var placeholder: String { "[\(kind.word)_\(number)]" }
  }

  /// The most entries.
  public static let mostEntries = 200_000

  /// The entries in the order in which they were found.
  public private(set) var entries: [Entry] = []
  /// The words of names that were found, in lower case: other occurrences are names too.
  var nameWords: Set<String> = []
  /// The words that stood in no dictionary, in lower case and without the ending of a genitive. A neutraliser
  /// without a vocabulary finds them by this.
  var unknownNames: Set<String> = []
  /// The words of organisations, each the first of its list, with what follows it.
  var organisations: [String: Set<[String]>] = [:]

  private struct Key: Hashable {
    var kind: PersonalDataKind
    var original: String
  }
  private var places: [Key: Int] = [:]
  private var originals: [PersonalDataKind: [Int]] = [:]

  /// Creates an empty mapping.
  public init() {}

  /// Whether nothing has been replaced.
  public var isEmpty: Bool { entries.isEmpty }

  /// The entry of an original, which is added if it is new.
  mutating func entry(for original: String, _ kind: PersonalDataKind) throws(NeutralisationError) -> Entry {
    let key = Key(kind: kind, original: original)
    if let place = places[key] { return entries[place] }
    guard entries.count < Self.mostEntries else {
      throw NeutralisationError(
        .tooMany,
        .init(
          "more than \(Self.mostEntries) different values would be replaced; neutralise in several parts",
          de: "mehr als \(Self.mostEntries) verschiedene Angaben wären zu ersetzen; in mehreren Teilen neutralisieren"))
    }
    let entry = Entry(kind: kind, number: (originals[kind]?.count ?? 0) + 1, original: original)
    places[key] = entries.count
    originals[kind, default: []].append(entries.count)
    entries.append(entry)
    return entry
  }

  /// The original of a placeholder; `nil` if there is none of that number.
  func original(_ kind: PersonalDataKind, _ number: Int) -> String? {
    guard let places = originals[kind], number >= 1, number <= places.count else { return nil }
    return entries[places[number - 1]].original
  }

  /// How many different values of each kind have been replaced.
  public var counts: [PersonalDataKind: Int] { originals.mapValues(\.count) }
}

extension PlaceholderMapping {
  /// The mapping as bytes, to be sealed: each entry its kind, a tab, its length in bytes, a tab, its bytes, a line end.
  public var bytes: [UInt8] {
    var output = Array("sous-mapping 1\n".utf8)
    for entry in entries {
      let original = Array(entry.original.utf8)
      output += "\(entry.kind.rawValue)\t\(original.count)\t".utf8
      output += original
      output.append(0x0A)
    }
    return output
  }

  /// Reads what ``bytes`` has given. The words of its names are names in what follows too.
  ///
  /// - Throws: ``NeutralisationError`` with code `invalid_mapping`.
  public init(bytes: [UInt8]) throws(NeutralisationError) {
    let invalid = NeutralisationError(
      .invalidMapping, .init("this is not a mapping of placeholders", de: "das ist keine Zuordnung von Platzhaltern"))
    self.init()
    let head = Array("sous-mapping 1\n".utf8)
    guard bytes.starts(with: head) else { throw invalid }
    var index = head.count
    func field() -> String? {
      let start = index
      while index < bytes.count, bytes[index] != 0x09, index - start < 32 { index += 1 }
      guard index < bytes.count, bytes[index] == 0x09 else { return nil }
      index += 1
      return String(decoding: bytes[start..<index - 1], as: UTF8.self)
    }
    while index < bytes.count {
      guard let kind = field().flatMap(PersonalDataKind.init), let length = field().flatMap({ Int($0) }), length >= 0,
        length <= bytes.count - index - 1, bytes[index + length] == 0x0A
      else { throw invalid }
      _ = try entry(for: String(decoding: bytes[index..<index + length], as: UTF8.self), kind)
      index += length + 1
    }
    for entry in entries { Neutraliser.learn(entry, &self) }
  }
}
