public import Foundation
public import Localization

/// A time in words, within a sentence: `Zahnarzt morgen um 9`, `water the plants every Friday`.
///
/// German and English are understood at once, whatever the language of the process. A day without a time of day means
/// 09:00; morning is 8, noon 12, afternoon 15, evening 19 and night 22 o'clock.
public struct Phrase: Sendable, Hashable {
  /// When it is.
  public enum When: Sendable, Hashable {
    /// Once.
    case once(Date)
    /// Again and again.
    case repeated(Schedule)
  }

  /// The possible meanings of the words.
  public enum Reading: Sendable, Hashable {
    /// There is one meaning.
    case clear(Phrase)
    /// There are several; a person has to choose. The likeliest comes first.
    case ambiguous([Phrase])

    /// The meanings, the likeliest first.
    public var choices: [Phrase] {
      switch self {
      case .clear(let phrase): [phrase]
      case .ambiguous(let phrases): phrases
      }
    }
  }

  /// When it is.
  public var when: When
  /// The rest of the sentence, without the words for the time: `Zahnarzt`.
  public var title: String
  /// The words that told the time: `morgen um 9`.
  public var words: String
  /// The interpretation, for people: `Tuesday, 24 November 2026, 09:00`.
  public var understood: LocalizedText
  /// Words of the title that may be meant as a time: `Friday` in `Friday report tomorrow at 9`; `nil` for none.
  public var doubt: String?

  /// A moment in words, as a clock of a zone shows it: `Tuesday, 24 November 2026, 09:00`.
  public static func words(for date: Date, in zone: Zone) -> LocalizedText { PhraseText.moment(zone.local(date)) }

  /// The first moment.
  public func first(after now: Date) -> Date? {
    switch when {
    case .once(let date): date
    case .repeated(let schedule): schedule.next(after: now)
    }
  }

  /// Reads a sentence.
  ///
  /// - Parameters:
  ///   - sentence: The sentence, at most 200 words of which are looked at.
  ///   - now: The moment that `tomorrow` and the like count from.
  ///   - zone: Where the clock hangs.
  /// - Throws: ``ScheduleError/Code/notUnderstood`` where no words tell a time, ``ScheduleError/Code/invalidTime`` where
  ///   they tell one that is past or that no calendar has.
  public static func read(_ sentence: String, now: Date, zone: Zone) throws(ScheduleError) -> Reading {
    let parser = PhraseParser(sentence)
    let range = 0..<sentence.utf8.count
    if let words = parser.impossible { throw ScheduleError.noTime(words, range) }
    if parser.draft.isEmpty, parser.isOver { throw PhraseResolver.past(range) }
    guard !parser.draft.isEmpty else {
      throw ScheduleError(
        .notUnderstood,
        LocalizedText("no words here tell a time", de: "keine Wörter hier nennen eine Zeit"),
        advice: LocalizedText(
          "say for example 'tomorrow at 9', 'every Monday at 8' or '2027-05-03 14:00'",
          de: "zum Beispiel 'morgen um 9', 'jeden Montag um 8' oder '3.5.2027 14:00' schreiben"), range: range)
    }
    if parser.isOver { throw PhraseResolver.past(range) }
    if let (written, meant) = parser.misspelt { throw ScheduleError.misspelt(written, meant, range) }
    if let words = parser.draft.unclear { throw ScheduleError.unclear(words, range) }
    if parser.draft.isContradictory { throw ScheduleError.twoTimes(parser.words, range) }
    let resolver = PhraseResolver(draft: parser.draft, now: now, zone: zone)
    let found = try resolver.readings(range)
    let phrases = found.map { when in
      Phrase(
        when: when, title: parser.title, words: parser.words, understood: PhraseText.text(when, zone: zone, now: now),
        doubt: parser.draft.doubt)
    }
    return phrases.count == 1 ? .clear(phrases[0]) : .ambiguous(phrases)
  }
}

extension ScheduleError {
  fileprivate static func noTime(_ words: String, _ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidTime, LocalizedText("there is no time '\(words)'", de: "eine Zeit '\(words)' gibt es nicht"),
      advice: LocalizedText("check day and time of day", de: "Tag und Uhrzeit prüfen"), range: range)
  }

  fileprivate static func misspelt(_ written: String, _ meant: String, _ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .notUnderstood,
      LocalizedText(
        "'\(written)' is not a day; is '\(meant)' meant?", de: "'\(written)' ist kein Tag; ist '\(meant)' gemeint?"),
      advice: LocalizedText(
        "correct the word, or name the day as well", de: "das Wort berichtigen oder den Tag dazu nennen"), range: range)
  }

  fileprivate static func unclear(_ words: String, _ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .notUnderstood,
      LocalizedText("'\(words)' beside the time is not understood", de: "'\(words)' neben der Zeit ist unverständlich"),
      advice: LocalizedText(
        "name one time, or days that repeat: 'every Monday and Tuesday at 8'; give it apart from a text with other days",
        de: "eine Zeit nennen, oder Tage, die sich wiederholen: 'jeden Montag und Dienstag um 8'; neben einem Text mit "
          + "anderen Tagen getrennt angeben"), range: range)
  }

  fileprivate static func twoTimes(_ words: String, _ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidTime,
      LocalizedText(
        "'\(words)' gives two times that contradict", de: "'\(words)' nennt zwei Zeiten, die sich widersprechen"),
      advice: LocalizedText("name one of them", de: "eine davon nennen"), range: range)
  }
}

extension PhraseParser {
  /// Words that look like a time of day or a date and are none: `um 25 Uhr`, `9:75`, `13pm`, `2027-13-01`.
  var impossible: String? {
    for index in tokens.indices where !used.contains(index) {
      let text = word(index)
      let isHour =
        Digits.number(text.utf8).map { $0 > 24 } == true && ["uhr", "o'clock", "o’clock"].contains(word(index + 1))
      let end = isHour ? index + 1 : index
      guard isHour || Self.isImpossible(text) else { continue }
      let begin = index > 0 && ["um", "at", "gegen", "ab"].contains(word(index - 1)) ? index - 1 : index
      return tokens[begin...end].map { String($0.source) }.joined(separator: " ")
    }
    return nil
  }

  private static func isImpossible(_ text: String) -> Bool {
    let bytes = text.utf8.map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
    switch String(decoding: bytes, as: UTF8.self) {
    case "0:00", "00:00", "0pm", "00pm", "0am", "00am": return clock(text) == nil
    case "0000-00-00", "00.00.0000": return true
    default: return false
    }
  }

  /// The words that tell the time.
  var words: String { used.sorted().map { String(tokens[$0].source) }.joined(separator: " ") }

  /// The rest of the sentence, without words that only led to the time.
  var title: String {
    var words = tokens.indices.filter { !used.contains($0) }.map { String(tokens[$0].source) }
    let leads = [
      ["remind", "me", "to"], ["remind", "me", "about"], ["remind", "me"], ["erinnere", "mich", "an"],
      ["erinnere", "mich", "daran,"], ["erinnere", "mich"], ["erinnerung:"], ["reminder:"],
    ]
    if let lead = leads.first(where: { words.prefix($0.count).map { $0.lowercased() } == $0 }) {
      words.removeFirst(lead.count)
    }
    let trimmed = words.joined(separator: " ").drop { ",;:–-".contains($0) || $0 == " " }
    var title = String(trimmed)
    while let last = title.last, ",;:–- ".contains(last) { title.removeLast() }
    return title
  }
}
