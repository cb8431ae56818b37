/// Finds placeholders in what a model has written, also where it has changed their case, their brackets or their end.
///
/// `[PERSON_1]`, `PERSON_1`, `person_1`, `[Person 1]`, `PERSON\_1`, `\[PERSON_1\]`, `⟦PERSON_1⟧`, `PERSON_1s`,
/// `[PERSON_1]'s`, `{{PERSON_1}}`, `<PERSON_1>`, `[PERSONEN_1]`, `PERSON-1`. A form of a name has a letter: `[PERSON_1b]`.
struct PlaceholderReader {
  /// A placeholder in a text.
  struct Match {
    /// Its range in bytes, with its brackets and its ending.
    var range: Range<Int>
    var kind: PersonalDataKind
    var number: Int
    /// Which form of a person's name it is; 0 for the first.
    var form: Int
    /// The ending that the model has added: `s`, `'s`, `’s`.
    var ending: String
  }

  /// The result of parsing at an index.
  enum Reading {
    case none
    case match(Match)
    /// The text ends before it is known.
    case cut
  }

  /// The most bytes that a placeholder with its brackets and ending can have.
  static let longest = 48

  private static let kinds: [String: PersonalDataKind] = {
    var kinds: [String: PersonalDataKind] = [:]
    for kind in PersonalDataKind.allCases {
      for word in [kind.word] + kind.otherWords {
        for ending in ["", "S", "ES", "EN", "N"] where kinds[word + ending] == nil { kinds[word + ending] = kind }
      }
    }
    return kinds
  }()
  private static let words = Array(kinds.keys)
  private static let longestWord = words.map(\.utf8.count).max() ?? 0
  /// For each byte whether a placeholder may begin with it.
  static let canBegin: [Bool] = {
    var can = [Bool](repeating: false, count: 256)
    for word in words {
      for first in [word.utf8.first, word.lowercased().utf8.first].compactMap(\.self) { can[Int(first)] = true }
    }
    for bracket in brackets {
      if let first = bracket.opening.first { can[Int(first)] = true }
    }
    return can
  }()

  private typealias Bracket = (opening: [UInt8], closing: [UInt8])
  /// Brackets and quotes that belong to a placeholder, the longer ones first.
  private static let brackets: [Bracket] = [
    ("\\[", "\\]"), ("[[", "]]"), ("[", "]"), ("{{", "}}"), ("{", "}"), ("&lt;", "&gt;"), ("<", ">"),
    ("&#91;", "&#93;"), ("\u{27E6}", "\u{27E7}"), ("\u{3010}", "\u{3011}"), ("\u{FF3B}", "\u{FF3D}"),
  ].map { (opening: Array($0.utf8), closing: Array($1.utf8)) }
  /// The separator between the word and its number.
  private static let joints = ["\\_", "__", "_", "-", "\u{2010}", "\u{2011}"].map { Array($0.utf8) }
  private static let blankJoints = [" #", " ", "#", "\u{A0}", "\u{202F}"].map { Array($0.utf8) }

  let bytes: UnsafeBufferPointer<UInt8>
  let isComplete: Bool

  /// Looks whether a placeholder begins at a place.
  func read(at start: Int) -> Reading {
    var isCut = false
    for bracket in Self.brackets {
      switch skip([bracket.opening], at: start) {
      case .none: continue
      case .cut: isCut = true
      case .match(let end):
        switch word(from: start, at: end, bracket) {
        case .none: continue
        case let reading: return reading
        }
      }
    }
    if isCut { return .cut }
    // In the middle of a word nothing begins.
    if start > 0, Self.isWordByte(bytes[start - 1]) { return .none }
    return word(from: start, at: start, nil)
  }

  private func word(from start: Int, at wordStart: Int, _ bracket: Bracket?) -> Reading {
    var position = wordStart
    while position < bytes.count, position - wordStart <= Self.longestWord,
      Self.isLetter(bytes[position]) || bytes[position] == UInt8(ascii: "-")
    {
      position += 1
    }
    let written = String(decoding: UnsafeBufferPointer(rebasing: bytes[wordStart..<position]), as: UTF8.self)
    var word = written.uppercased()
    if position == bytes.count, !isComplete {
      let isBegun = Self.words.contains { $0.hasPrefix(word) }
      return isBegun || word.hasSuffix("-") && Self.kinds[String(word.dropLast())] != nil ? .cut : .none
    }
    if word.hasSuffix("-") {
      word.removeLast()
      position -= 1
    }
    guard let kind = Self.kinds[word] else { return .none }
    // Within brackets also a blank or nothing; without them a word and its number must not be what people write.
    let isShouted = written == word || written == word + "-"
    var joints = Self.joints
    if bracket == nil, !isShouted { joints.removeAll { $0 != [0x5C, 0x5F] && $0 != [0x5F] } }
    if bracket != nil { joints += Self.blankJoints }
    switch skip(joints, at: position) {
    case .cut: return .cut
    case .match(let end): position = end
    case .none: if bracket == nil { return .none }
    }
    if bracket != nil, position < bytes.count, bytes[position] == 0x20 { position += 1 }
    return number(kind, from: start, at: position, bracket)
  }

  private func number(_ kind: PersonalDataKind, from start: Int, at position: Int, _ bracket: Bracket?) -> Reading {
    var position = position
    var number = 0
    let first = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - first < 7 {
      number = number * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    if position == bytes.count, !isComplete { return .cut }
    guard position > first, position - first < 7 else { return .none }
    guard let form = form(kind, at: position) else { return .cut }
    position = form.end
    var ending = ""
    if let bracket {
      // `[PERSON_1s]`
      guard let inner = end(at: position) else { return .cut }
      switch skip([bracket.closing], at: inner.end) {
      case .cut: return .cut
      case .match(let end):
        ending = inner.text
        position = end
      // A list in brackets: the first of its placeholders is looked at again without them.
      case .none: return .none
      }
    }
    if ending.isEmpty {
      guard let outer = end(at: position) else { return .cut }
      ending = outer.text
      position = outer.end
    }
    return .match(Match(range: start..<position, kind: kind, number: number, form: form.form, ending: ending))
  }

  /// The letter of a form of a name at a place; form 0 if there is none, `nil` if that cannot be known yet.
  private func form(_ kind: PersonalDataKind, at position: Int) -> (form: Int, end: Int)? {
    guard kind == .person, position < bytes.count else { return (0, position) }
    let letter = String(decoding: [bytes[position] | 0x20], as: UTF8.self)
    guard Self.isLetter(bytes[position]), letter == "a" || PlaceholderMapping.forms.contains(letter) else {
      return (0, position)
    }
    guard let ending = end(at: position + 1) else { return nil }
    guard ending.end < bytes.count else { return isComplete ? (Self.form(letter), position + 1) : nil }
    return Self.isWordByte(bytes[ending.end]) ? (0, position) : (Self.form(letter), position + 1)
  }

  private static func form(_ letter: String) -> Int { PlaceholderMapping.forms.firstIndex(of: letter) ?? 0 }

  /// A genitive's ending at a place; empty if there is none, `nil` if that cannot be known yet.
  private func end(at position: Int) -> (text: String, end: Int)? {
    for text in ["'s", "\u{2019}s", "s"] {
      let ending = Array(text.utf8)
      let rest = bytes.count - position
      let shared = min(rest, ending.count)
      guard bytes[position..<position + shared].elementsEqual(ending[..<shared]) else { continue }
      if shared < ending.count || rest == ending.count {
        if !isComplete { return nil }
        if shared < ending.count { continue }
        return (text, position + ending.count)
      }
      if !Self.isWordByte(bytes[position + ending.count]) { return (text, position + ending.count) }
    }
    return ("", position)
  }

  private enum Skip {
    case none
    case match(end: Int)
    case cut
  }

  private func skip(_ signs: [[UInt8]], at position: Int) -> Skip {
    for sign in signs {
      let shared = min(bytes.count - position, sign.count)
      guard bytes[position..<position + shared].elementsEqual(sign[..<shared]) else { continue }
      if shared == sign.count { return .match(end: position + shared) }
      if !isComplete { return .cut }
    }
    return .none
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Whether a byte belongs to a word: letters, digits, the underscore, and everything beyond ASCII but brackets.
  static func isWordByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || (0xC3...0xDF).contains(byte)
  }
}
