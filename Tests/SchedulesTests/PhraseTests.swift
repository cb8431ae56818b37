import Foundation
import Localization
import Testing

@testable import Schedules

/// Phrases as people say them on Monday, 23 November 2026, at 10:00 in Zurich.
@Suite struct PhraseTests {
  static let zone = Zone("Europe/Zurich") ?? .utc
  static let now = zone.moment(LocalTime(iso: "2026-11-23T10:00") ?? LocalTime(seconds: 0))

  @Test(arguments: PhraseTable.moments + TypedPhrases.moments)
  func momentsAreUnderstood(phrase: String, expected: String) throws {
    let reading = try Phrase.read(phrase, now: Self.now, zone: Self.zone)
    guard case .clear(let found) = reading, case .once(let date) = found.when else {
      Issue.record("'\(phrase)': \(reading.choices.map(\.understood.english))")
      return
    }
    #expect(Self.text(date) == expected, "'\(phrase)'")
    #expect(found.title.isEmpty, "'\(phrase)' leaves '\(found.title)'")
  }

  /// The first three times of what repeats.
  @Test(arguments: PhraseTable.repetitions + TypedPhrases.repetitions)
  func repetitionsAreUnderstood(phrase: String, expected: [String]) throws {
    let reading = try Phrase.read(phrase, now: Self.now, zone: Self.zone)
    guard case .clear(let found) = reading, case .repeated(let schedule) = found.when else {
      Issue.record("'\(phrase)': \(reading.choices.map(\.understood.english))")
      return
    }
    let times = schedule.occurrences(after: Self.now).prefix(expected.count).map(Self.text)
    #expect(times == expected, "'\(phrase)'")
    #expect(found.title.isEmpty, "'\(phrase)' leaves '\(found.title)'")
  }

  @Test(arguments: PhraseTable.ambiguous + TypedPhrases.ambiguous)
  func severalMeaningsAreAskedAbout(now: String, phrase: String, choices: Set<String>) throws {
    let now = Self.zone.moment(try #require(LocalTime(iso: now)))
    let reading = try Phrase.read(phrase, now: now, zone: Self.zone)
    guard case .ambiguous(let phrases) = reading else {
      Issue.record("'\(phrase)' is clear: \(reading.choices.map(\.understood.english))")
      return
    }
    #expect(Set(phrases.compactMap { $0.first(after: now).map(Self.text) }) == choices, "'\(phrase)'")
  }

  @Test(arguments: PhraseTable.sentences + TypedPhrases.sentences)
  func theRestOfASentenceIsItsTitle(sentence: String, title: String, expected: String) throws {
    let phrase = try #require(try Phrase.read(sentence, now: Self.now, zone: Self.zone).choices.first)
    #expect(phrase.title == title)
    #expect(phrase.first(after: Self.now).map(Self.text) == expected)
  }

  @Test(arguments: LeftOverPhrases.understood)
  func everyWordOfTimeCounts(sentence: String, title: String, expected: [String]) throws {
    let reading = try Phrase.read(sentence, now: Self.now, zone: Self.zone)
    guard case .clear(let phrase) = reading else {
      Issue.record("'\(sentence)': \(reading.choices.map(\.understood.english))")
      return
    }
    let times: [String] =
      switch phrase.when {
      case .once(let date): [Self.text(date)]
      case .repeated(let schedule): schedule.occurrences(after: Self.now).prefix(expected.count).map(Self.text)
      }
    #expect(times == expected, "'\(sentence)'")
    #expect(phrase.title == title)
    #expect(phrase.doubt == nil)
  }

  @Test(arguments: LeftOverPhrases.refused)
  func leftOverWordsOfTimeAreNamed(sentence: String, words: String) {
    do throws(ScheduleError) {
      let reading = try Phrase.read(sentence, now: Self.now, zone: Self.zone)
      Issue.record("'\(sentence)': \(reading.choices.map(\.understood.english))")
    } catch {
      #expect(error.message.english.contains(words), "'\(sentence)': \(error.message.english)")
    }
  }

  /// Words that may belong to the title need an answer.
  @Test(arguments: [("tomorrow at 9 prepare Friday report", "Friday"), ("morgen um 9 Uhr April abrechnen", "April")])
  func wordsThatMayBeATimeAreDoubtful(sentence: String, words: String) throws {
    let reading = try Phrase.read(sentence, now: Self.now, zone: Self.zone)
    #expect(reading.choices.first?.doubt == words)
  }

  /// RFC 5545 leaves months without a 31st out, which 'every month' does not mean.
  @Test func everyMonthFromTheLastDayComesEachMonth() throws {
    let now = Self.zone.moment(LocalTime(iso: "2026-01-31T10:00") ?? LocalTime(seconds: 0))
    let phrase = try #require(Phrase.read("every month pay", now: now, zone: Self.zone).choices.first)
    guard case .repeated(let schedule) = phrase.when else { return #expect(Bool(false)) }
    let days = schedule.occurrences(after: now).prefix(4).map { Self.text($0).prefix(10) }
    #expect(days == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
  }

  @Test(arguments: ["Zahnarzt", "", "buy 3 apples", "do the laundry", "Projekt 2026 planen", "may I come in"])
  func sentencesWithoutATimeAreRefused(sentence: String) {
    #expect(Self.code(sentence) == .notUnderstood)
  }

  /// Better refused than understood wrongly.
  @Test(arguments: TypedPhrases.refused)
  func whatIsPastMisspeltOrUnclearIsRefused(sentence: String) {
    #expect(Self.code(sentence) != nil)
  }

  @Test(arguments: [
    "am 3. Mai 2020", "2026-11-22 um 9", "heute um 8 Uhr", "am 30. Februar", "31.4.2027", "Montag, 27.11.2026",
  ])
  func timesThatAreNotToComeAreRefused(sentence: String) {
    #expect(Self.code(sentence) == .invalidTime)
  }

  @Test func whatWasUnderstoodIsSaidInBothLanguages() throws {
    let once = try #require(try Phrase.read("morgen um 9", now: Self.now, zone: Self.zone).choices.first)
    #expect(once.understood.english == "Tuesday, 24 November 2026, 09:00")
    #expect(once.understood.german == "Dienstag, 24. November 2026, 09:00")
    let weekly = try #require(try Phrase.read("jeden Montag um 8", now: Self.now, zone: Self.zone).choices.first)
    #expect(weekly.understood.english == "every week on Monday at 08:00, first on Monday, 30 November 2026, 08:00")
    #expect(weekly.understood.german == "jede Woche am Montag um 08:00, zuerst am Montag, 30. November 2026, 08:00")
  }

  private static func code(_ sentence: String) -> ScheduleError.Code? {
    do throws(ScheduleError) {
      _ = try Phrase.read(sentence, now: now, zone: zone)
      return nil
    } catch {
      return error.code
    }
  }

  private static func text(_ date: Date) -> String { String("\(zone.local(date))".prefix(16)) }
}
