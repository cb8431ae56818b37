/// A subject in lower case, as words and phrases are looked for in it.
struct SubjectText {
  private let text: String
  /// Whether letters and their combining marks may be separate, so that equal texts can have different bytes.
  private let hasMarks: Bool

  init(_ subject: String) {
    var text = subject.lowercased()
    text.makeContiguousUTF8()
    self.text = text
    hasMarks = text.utf8.contains { $0 == 0xCC || $0 == 0xCD }
  }

  /// The words: runs of letters, digits and hyphens.
  var words: [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isWord = false
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x80 {
        // Combining marks belong to their character.
        isWord = SubjectText.isExtension(scalar) ? isWord : SubjectText.isPart(scalar)
      } else {
        isWord = scalar == "-" || (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value)
      }
      if isWord {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word = String.UnicodeScalarView()
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func isExtension(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.value == 0x200D
    }
  }

  /// Whether it contains one of some phrases; they are in lower case.
  func contains(anyOf phrases: [String]) -> Bool {
    if hasMarks { return phrases.contains { text.contains($0) } }
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      phrases.contains { SubjectText.find($0, in: bytes) }
    } ?? phrases.contains { text.contains($0) }
  }

  private static func find(_ phrase: String, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var phrase = phrase
    return phrase.withUTF8 { wanted in
      guard let first = wanted.first, bytes.count >= wanted.count else { return wanted.isEmpty }
      for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
        var offset = 1
        while offset < wanted.count, bytes[start + offset] == wanted[offset] { offset += 1 }
        if offset == wanted.count { return true }
      }
      return false
    }
  }
}
