import Localization

/// The sex that a title or a first name shows.
enum Sex: String {
  case female = "f"
  case male = "m"
}

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
    /// Which form of a person's name it is: 0 for the first one that was found, then 1, 2 and so on.
    public var form = 0
    /// The original text.
    public var original: String
    /// The sex that the titles before a person's name showed: "Frau Lehmann" is not a form of "Uwe Lehmann" in a later text either.
    var title: Set<Sex> = []

    /// The placeholder: `[PERSON_1]`, and `[PERSON_1b]` for another form of the same name.
    ///
    /// Plain ASCII, as models copy words and digits that they know; rare signs such as `⟦` they drop or replace. Brackets
    /// separate it from its neighbours; resolving works without them.
    public var placeholder: String {
      let forms = PlaceholderMapping.forms
      return "[\(kind.word)_\(number)\(forms.indices.contains(form) ? forms[form] : "")]"
    }
  }

  /// The letters of the forms of a name. `s` is the ending of a genitive.
  static let forms = [""] + "bcdefghijklmnopqrtuvwxyz".map(String.init)

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
    /// Bytes, as strings are equal whose composed and decomposed characters differ: each spelling has to come back.
    var original: [UInt8]
  }
  private var places: [Key: Int] = [:]
  /// For each number of a kind the places of its forms.
  private var originals: [PersonalDataKind: [[Int]]] = [:]

  /// Creates an empty mapping.
  public init() {}

  /// Whether nothing has been replaced.
  public var isEmpty: Bool { entries.isEmpty }

  /// The entry of an original, which is added if it is new.
  ///
  /// - Parameters:
  ///   - number: The number of the person that the original is another form of.
  ///   - title: The sex that the titles before the name show.
  mutating func entry(
    for original: String, _ kind: PersonalDataKind, formOf number: Int? = nil, title: Set<Sex> = []
  ) throws(NeutralisationError) -> Entry {
    let key = Key(kind: kind, original: Array(original.utf8))
    if let place = places[key] {
      entries[place].title.formUnion(title)
      return entries[place]
    }
    guard entries.count < Self.mostEntries else {
      throw NeutralisationError(
        .tooMany,
        .init(
          "more than \(Self.mostEntries) different values would be replaced; neutralise in several parts",
          de: "mehr als \(Self.mostEntries) verschiedene Angaben wären zu ersetzen; in mehreren Teilen neutralisieren"))
    }
    let numbers = originals[kind] ?? []
    var entry = Entry(kind: kind, number: numbers.count + 1, original: original, title: title)
    if let number, numbers.indices.contains(number - 1), numbers[number - 1].count < Self.forms.count {
      entry.number = number
      entry.form = numbers[number - 1].count
      originals[kind, default: []][number - 1].append(entries.count)
    } else {
      originals[kind, default: []].append([entries.count])
    }
    places[key] = entries.count
    entries.append(entry)
    return entry
  }

  /// The original of a placeholder; `nil` if there is none of that number and form.
  func original(_ kind: PersonalDataKind, _ number: Int, form: Int = 0) -> String? {
    guard let numbers = originals[kind], numbers.indices.contains(number - 1),
      numbers[number - 1].indices.contains(form)
    else { return nil }
    return entries[numbers[number - 1][form]].original
  }

  /// How many different values of each kind have been replaced.
  public var counts: [PersonalDataKind: Int] { originals.mapValues { $0.reduce(0) { $0 + $1.count } } }
}

extension PlaceholderMapping {
  /// The mapping as bytes, to be sealed: each entry its kind, a tab, its length in bytes, a tab, its bytes, a line end. Behind
  /// the kind of another form of a name are a blank and the number of the person; behind that of a name with a title a blank and
  /// the sex that it shows: `f`, `m` or `fm`.
  public var bytes: [UInt8] {
    var output = Array("sous-mapping 1\n".utf8)
    for entry in entries {
      let original = Array(entry.original.utf8)
      let title = entry.title.map(\.rawValue).sorted().joined()
      let parts = [entry.kind.rawValue, entry.form > 0 ? "\(entry.number)" : "", title].filter { !$0.isEmpty }
      output += "\(parts.joined(separator: " "))\t\(original.count)\t".utf8
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
      var head = field()?.split(separator: " ").map(String.init) ?? []
      let letters = head.count > 1 && !head[head.count - 1].contains(where: \.isNumber) ? head.removeLast() : ""
      let title = Set(letters.compactMap { Sex(rawValue: String($0)) })
      let number = head.count > 1 ? Int(head[1]) : nil
      guard let kind = head.first.flatMap(PersonalDataKind.init), head.count < 2 || head.count == 2 && number != nil,
        title.count == letters.count, let length = field().flatMap({ Int($0) }), length >= 0,
        length <= bytes.count - index - 1, bytes[index + length] == 0x0A
      else { throw invalid }
      _ = try entry(
        for: String(decoding: bytes[index..<index + length], as: UTF8.self), kind, formOf: number, title: title)
      index += length + 1
    }
    for entry in entries { Neutraliser.learn(entry, &self) }
  }
}
