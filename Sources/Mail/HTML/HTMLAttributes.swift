/// The attributes of a start tag: found when the tag is read, decoded when one is asked for.
struct HTMLAttributes {
  private let source: [UInt8]
  private var entries: [(name: Range<Int>, value: Range<Int>)] = []

  /// More attributes than this are ignored.
  private static let limit = 64

  init(source: [UInt8]) { self.source = source }

  /// Whether there are none.
  var isEmpty: Bool { entries.isEmpty }

  mutating func append(name: Range<Int>, value: Range<Int>) {
    if entries.count < HTMLAttributes.limit { entries.append((name, value)) }
  }

  /// The decoded value of the first attribute with a name in lower case; empty if it has none.
  subscript(name: String) -> String? {
    let wanted = name.utf8
    for entry in entries where entry.name.count == wanted.count {
      if zip(source[entry.name], wanted).allSatisfy({ $0.lowercasedASCII == $1 }) {
        return String(HTMLEntities.decode(source[entry.value]))
      }
    }
    return nil
  }

  /// The names in lower case, in their order, duplicates among them.
  var names: [String] { entries.map { String(decoding: source[$0.name].map(\.lowercasedASCII), as: UTF8.self) } }
}
