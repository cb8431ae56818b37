/// The role of a sentence in a text, by its wording.
struct SentenceSigns: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Asks something of the reader.
  static let request = SentenceSigns(rawValue: 1)
  /// Says that no answer is wanted, or that no person wrote it.
  static let refusal = SentenceSigns(rawValue: 2)
  /// Names a time by which something is due.
  static let deadline = SentenceSigns(rawValue: 4)
  /// Is only understood after the sentence before.
  static let leaning = SentenceSigns(rawValue: 8)
  /// Is polite and says nothing else.
  static let courtesy = SentenceSigns(rawValue: 16)
  /// Belongs to the small print of a mailing.
  static let smallPrint = SentenceSigns(rawValue: 32)

  /// Reads a sentence.
  /// - Parameters:
  ///   - sentence: Its text.
  ///   - tokens: The text's tokens.
  init(_ sentence: String, tokens: [Token]) {
    let lower = Array(sentence.lowercased().utf8)
    self = []
    if Courtesies.areIn(lower) { insert(.courtesy) }
    if Courtesies.areSmallPrint(lower) { insert(.smallPrint) }
    if ReplySignals.refuse(lower) { insert(.refusal) }
    if isDisjoint(with: [.courtesy, .smallPrint]), ReplySignals.ask(lower, tokens: tokens) { insert(.request) }
    if Deadlines.areNamed(in: tokens) { insert(.deadline) }
    if Connectives.leanOnPrevious(tokens) { insert(.leaning) }
  }
}
