/// Removes from a transcript the marks that recognisers write for silence, noise and music, and the credits of
/// subtitles that models of Whisper add in pauses, as they were trained with such subtitles.
///
/// `[inaudible]` stays, as words were said there.
public enum TranscriptMarks {
  /// Contents of brackets, in lower case.
  private static let marks: Set<String> = [
    "blank_audio", "blank audio", "blank", "silence", "stille", "pause", "no audio", "no speech", "kein ton", "music",
    "musik", "music playing", "musik spielt", "upbeat music", "soft music", "gentle music", "dramatic music",
    "piano music",
    "ruhige musik", "fröhliche musik", "spannungsvolle musik", "theme music", "titelmusik", "outro", "intro", "jingle",
    "applause", "applaus", "beifall", "klatschen", "clapping", "cheering", "jubel", "laughter", "laughs", "laughing",
    "lachen", "lacht", "gelächter", "cough", "coughs", "coughing", "husten", "hustet", "sigh", "sighs", "seufzen",
    "seufzt",
    "noise", "noises", "background noise", "geräusch", "geräusche", "rauschen", "static", "wind", "beep", "piepen",
    "bell", "klingeln", "phone ringing", "telefon klingelt", "door opens", "door closes", "footsteps", "schritte",
    "breathing", "atmen", "typing", "clicking", "sound", "sounds", "bird chirping", "birds chirping",
    "vogelgezwitscher",
    "engine", "engine revving", "motor", "musique", "applaudissements", "rires", "musica", "música", "applausi",
  ]
  private static let brackets: [Character: Character] = ["[": "]", "(": ")", "*": "*", "♪": "♪"]
  /// Beginnings of a line of credits, in lower case.
  private static let credits = [
    "untertitel", "subtitle", "sous-titr", "sottotitoli", "subtítulos", "legendas", "ondertitel",
  ]
  private static let broadcasters = ["zdf", "ard", "br", "wdr", "swr", "ndr", "mdr", "rbb", "orf", "srf", "funk"]

  /// The text without marks and credits. Lines of which nothing is left go; others keep their words as they are.
  public static func removed(from text: String) -> String {
    guard text.contains(where: { brackets[$0] != nil || $0 == "\n" }) || mayHaveCredits(text) else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String? in
      let words = withoutCredits(withoutMarks(String(line)))
      guard words != line else { return String(line) }
      let trimmed = trimmed(words)
      return trimmed.isEmpty ? nil : trimmed
    }
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private static func withoutMarks(_ line: String) -> String {
    var output = ""
    var rest = line[...]
    while let start = rest.firstIndex(where: { brackets[$0] != nil }), let closing = brackets[rest[start]] {
      let inner = rest.index(after: start)
      guard let end = rest[inner...].firstIndex(of: closing) else {
        output += rest[...start]
        rest = rest[inner...]
        continue
      }
      if isMark(rest[inner..<end], in: rest[start]) {
        // One blank of the two around the mark stays.
        output += rest[..<start]
        rest = rest[rest.index(after: end)...]
        if output.isEmpty || output.last?.isWhitespace == true { rest = rest.drop(while: \.isWhitespace) }
      } else {
        output += rest[...start]
        rest = rest[inner...]
      }
    }
    return output + rest
  }

  private static func isMark(_ content: Substring, in bracket: Character) -> Bool {
    let text = trimmed(String(content)).trimmingDots.lowercased()
    if marks.contains(text) { return true }
    if bracket == "♪" { return text.isEmpty }
    // "[SOUND_OF_RAIN]"
    return bracket == "[" && content.contains("_") && content.allSatisfy { $0.isUppercase || $0 == "_" || $0 == " " }
  }

  private static func mayHaveCredits(_ text: String) -> Bool {
    let text = text.lowercased()
    return credits.contains(where: text.contains) || text.contains("copyright")
      || broadcasters.contains { text.hasPrefix($0) }
  }

  /// The line without the credits at its end: they are the last sentence, or the whole line.
  private static func withoutCredits(_ line: String) -> String {
    let lower = line.lowercased()
    guard lower.count == line.count else { return line }
    for credit in credits {
      guard let range = lower.ranges(of: credit).last else { continue }
      let before = trimmed(String(lower[..<range.lowerBound]))
      guard before.isEmpty || ".!?…\"»”".contains(before.last ?? " "), isCredit(lower[range.lowerBound...]) else {
        continue
      }
      let kept = lower.distance(from: lower.startIndex, to: range.lowerBound)
      return String(line.prefix(kept))
    }
    return isCopyright(lower) ? "" : line
  }

  /// Whether a sentence that begins with a word for subtitles names who made them.
  private static func isCredit(_ sentence: Substring) -> Bool {
    guard sentence.count < 100 else { return false }
    if sentence.contains("amara.org") || sentence.contains("stephanie geiges") { return true }
    let words = sentence.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let hasYear = words.last.map(isYear) ?? false
    return words.count <= 10 && words.contains(where: broadcasters.contains) && hasYear
      || words.count <= 5 && hasYear && ["untertitelung", "untertitel"].contains(words.first)
  }

  /// "Copyright WDR 2021", "SWR 2020"
  private static func isCopyright(_ line: String) -> Bool {
    let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { $0 != "copyright" }
    guard let first = words.first, let last = words.last, (2...4).contains(words.count) else { return false }
    return broadcasters.contains(first) && isYear(last)
  }

  private static func isYear(_ word: String) -> Bool {
    word.count == 4 && (word.hasPrefix("20") || word.hasPrefix("19")) && word.allSatisfy(\.isNumber)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...].drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension String {
  fileprivate var trimmingDots: String {
    var text = self[...]
    while let last = text.last, ".…!".contains(last) { text.removeLast() }
    return String(text)
  }
}
