/// The rules of a classifier, with filters that tell at once what is in none of their tables; shared by all its messages.
final class RuleTables: Sendable {
  let rules: ClassificationRules
  let roleAddresses: WordFilter
  let brandWords: WordFilter
  let personalDomains: WordFilter
  let marketingDomains: WordFilter
  /// The first letters of ``ClassificationRules/automaticAddressPrefixes``, a bit each.
  private let automaticLetters: UInt64

  init(_ rules: ClassificationRules) {
    self.rules = rules
    roleAddresses = WordFilter(rules.roleAddresses)
    brandWords = WordFilter(rules.brandWords)
    personalDomains = WordFilter(rules.personalDomains)
    marketingDomains = WordFilter(rules.marketingDomains)
    automaticLetters = rules.automaticAddressPrefixes.reduce(0) { bits, prefix in
      prefix.utf8.first.map { bits | 1 << UInt64($0 & 63) } ?? .max
    }
  }

  /// Whether an address may be one that programs send from, by the part before the `@` in lower case.
  func mayBeAutomatic(_ localPart: String) -> Bool {
    // A mark on a letter makes another character of it.
    guard localPart.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
    let isSeparator = { (byte: UInt8) in [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte) }
    guard let first = localPart.utf8.first(where: { !isSeparator($0) }),
      let last = localPart.utf8.last(where: { !isSeparator($0) })
    else { return true }
    return automaticLetters & 1 << UInt64(first & 63) != 0 || last == UInt8(ascii: "y")
  }
}

/// A set of words of ASCII, and bits that tell most words that are not in it without a look at the set.
struct WordFilter: Sendable {
  private let words: Set<String>
  /// 2048 bits, one for each word.
  private var bits = [UInt64](repeating: 0, count: 32)

  init(_ words: Set<String>) {
    self.words = words
    for word in words {
      let hash = WordFilter.hash(word.utf8)
      bits[hash >> 6] |= 1 << UInt64(hash & 63)
    }
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
    var hash = start
    for byte in bytes { step(&hash, byte) }
    return index(hash)
  }

  private static let start: UInt32 = 2_166_136_261
  private static func step(_ hash: inout UInt32, _ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
  private static func index(_ hash: UInt32) -> Int { Int((hash ^ hash >> 15) & 2047) }

  /// Whether a word is one of them.
  func contains(_ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return words.contains(word) }
    let hash = WordFilter.hash(word.utf8)
    return bits[hash >> 6] & 1 << UInt64(hash & 63) != 0 && words.contains(word)
  }

  /// Whether a domain or one above it is one of them.
  func containsDomain(of domain: String) -> Bool {
    var rest = domain[...]
    while !rest.isEmpty {
      if contains(String(rest)) { return true }
      guard let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
      rest = rest[rest.index(after: dot)...]
    }
    return false
  }
}
