/// The secrets that were found, to find them in every other place. The search is linear in the length of the text for values of
/// one length; values have at most ``longest`` bytes.
struct SecretValues {
  /// The longest value, in bytes. Longer ones, such as private keys, are found by their form.
  private static let longest = 200
  /// From so many characters on a value counts although it is a usual word.
  private static let longWord = 6
  /// The bytes by which the places to compare are chosen.
  private static let headLength = 3

  private let isWord: (String) -> Bool
  private var values: Set<ArraySlice<UInt8>> = []
  /// The lengths of the values, by their first bytes.
  private var lengths: [UInt32: Set<Int>] = [:]
  private var begins = [Bool](repeating: false, count: 256)

  /// - Parameter isWord: Whether a text is a usual word of a language.
  init(isWord: @escaping (String) -> Bool) { self.isWord = isWord }

  var isEmpty: Bool { values.isEmpty }

  /// Adds a value, unless it is too short or too usual to be the same secret elsewhere.
  mutating func insert(_ value: some Collection<UInt8>) {
    guard (4...Self.longest).contains(value.count) else { return }
    let bytes = Array(value)
    let text = String(decoding: bytes, as: UTF8.self)
    let isNumber = bytes.allSatisfy { (0x30...0x39).contains($0) }
    // "2024" is a year, and "1200" an amount.
    if isNumber, bytes.count == 4, text.hasPrefix("19") || text.hasPrefix("20") || text.hasSuffix("00") { return }
    if text.count < Self.longWord, text.allSatisfy(\.isLetter), isWord(text) || text.allSatisfy(\.isLowercase) {
      return
    }
    values.insert(bytes[...])
    begins[Int(bytes[0])] = true
    lengths[Self.head(bytes[...]), default: []].insert(bytes.count)
  }

  /// Every place where a value occurs by itself.
  func find(in bytes: UnsafeBufferPointer<UInt8>) -> [Finding] {
    var found: [Finding] = []
    var index = 0
    while index + Self.headLength <= bytes.count {
      defer { index += 1 }
      guard begins[Int(bytes[index])], let lengths = lengths[Self.head(bytes[index..<index + Self.headLength])] else {
        continue
      }
      for length in lengths where index + length <= bytes.count {
        let end = index + length
        guard !isInWord(bytes, at: index), !isInWord(bytes, at: end), !isInNumber(bytes, index..<end),
          values.contains(ArraySlice(bytes[index..<end]))
        else { continue }
        found.append(Finding(range: index..<end, kind: .idNumber))
      }
    }
    return found
  }

  /// Whether a letter or a digit is on both sides of a place.
  private func isInWord(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index > 0, index < bytes.count else { return false }
    return Self.isWord(bytes[index - 1]) && Self.isWord(bytes[index])
  }

  /// Whether digits are only a part of a longer number: "4711.50", "0,4711", "12-4711".
  private func isInNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    func byte(_ index: Int) -> UInt8 { index >= 0 && index < bytes.count ? bytes[index] : 0 }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let (before, after) = (byte(range.lowerBound - 1), byte(range.upperBound))
    return ".,-/:".utf8.contains(before) && isDigit(byte(range.lowerBound - 2))
      || ".,-/:".utf8.contains(after) && isDigit(byte(range.upperBound + 1))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  private static func head(_ bytes: some Collection<UInt8>) -> UInt32 {
    bytes.prefix(headLength).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
