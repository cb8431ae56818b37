internal import Engine
internal import Glibc

/// Tells by a look at their bytes which texts cannot hold the words of a search, so that few have to be taken apart.
///
/// It errs on one side alone: a candidate need not hold the words, but what is no candidate does not. Upper and lower
/// case and accents make no difference, as in the index (`unicode61 remove_diacritics 2`).
struct SearchPrefilter {
  /// Parts of the words, in ASCII, that occur in every text that fits.
  private let parts: [[UInt8]]
  private var missing: Set<Int> = []
  private var isUncertain = false
  private var folded: [UInt8] = []

  init(_ words: SearchWords) {
    parts = words.words.flatMap { word -> [[UInt8]] in
      var prefilter = SearchPrefilter(parts: [])
      _ = word.utf8.withContiguousStorageIfAvailable { prefilter.fold(UnsafeRawBufferPointer($0)) }
      if prefilter.isUncertain { return [] }
      return prefilter.folded.split { !($0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39) }.map(Array.init)
    }
  }

  private init(parts: [[UInt8]]) { self.parts = parts }

  /// Begins with another text.
  mutating func begin() {
    missing = Set(parts.indices)
    isUncertain = false
  }

  /// Looks at a piece of the text, in UTF-8.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if isCandidate { return }
    fold(bytes)
    for index in missing where contains(parts[index]) { missing.remove(index) }
  }

  /// Whether the text may hold the words.
  var isCandidate: Bool { isUncertain || missing.isEmpty }

  private func contains(_ part: [UInt8]) -> Bool {
    folded.withUnsafeBytes { text in
      part.withUnsafeBytes { part in
        guard let first = part.first, let sought = part.baseAddress, var place = text.baseAddress else {
          return part.isEmpty
        }
        let end = place + text.count
        while place < end, let found = memchr(place, Int32(first), end - place) {
          let candidate = UnsafeRawPointer(found)
          guard end - candidate >= part.count else { return false }
          if memcmp(candidate, sought, part.count) == 0 { return true }
          place = candidate + 1
        }
        return false
      }
    }
  }

  /// The letters of U+00C0 to U+00FF without accents; a space for what is none.
  private static let latin = Array(
    "aaaaaa ceeeeiiii nooooo ouuuuy  aaaaaa ceeeeiiii nooooo ouuuuy y".utf8)

  /// Writes the bytes down in ASCII: other letters become separators, those with accents lose them.
  private mutating func fold(_ bytes: UnsafeRawBufferPointer) {
    folded.removeAll(keepingCapacity: true)
    folded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x41...0x5A: folded.append(byte | 0x20)
      case 0..<0x80: folded.append(byte)
      case 0xC3 where index < bytes.count && bytes[index] & 0xC0 == 0x80:
        folded.append(Self.latin[Int(bytes[index] & 0x3F)])
        index += 1
      // Further letters with accents, and accents that stand alone.
      case 0xC4...0xC9, 0xCC, 0xCD, 0xE1: isUncertain = true
      // The signs of Kelvin and Angstrom are among them.
      case 0xE2 where index < bytes.count && bytes[index] == 0x84: isUncertain = true
      default: folded.append(0x20)
      }
    }
  }
}
