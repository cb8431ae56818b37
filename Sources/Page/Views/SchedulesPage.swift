import Access
package import Expressions
package import Localization

/// Schedules as a list and as the calendar of a month.
package struct SchedulesPage: PageView {
  /// A month, and the days before and after it.
  package struct Month: Sendable {
    /// The year.
    package var year: Int
    /// The month, from 1.
    package var month: Int
    /// The number of days.
    package var days: Int
    /// The weekday of the first day, 0 for Monday.
    package var start: Int
    /// The current day, if it is in the month.
    package var today: Int?
    /// The time zone.
    package var zone: String

    /// Creates a month.
    package init(year: Int, month: Int, days: Int, start: Int, today: Int?, zone: String) {
      (self.year, self.month, self.days, self.start, self.today, self.zone) = (year, month, days, start, today, zone)
    }

    func text(offset: Int) -> String {
      let index = year * 12 + month - 1 + offset
      let (year, month) = (index / 12, index % 12 + 1)
      return "\(year)-" + (month < 10 ? "0\(month)" : "\(month)")
    }
  }

  /// The rhythm of a schedule.
  package struct Rhythm: Sendable {
    /// The rule as its recipe says it.
    package var source: String
    /// The rule in words.
    package var words: LocalizedText

    /// Creates a rhythm.
    package init(source: String, words: LocalizedText) { (self.source, self.words) = (source, words) }
  }

  /// A point of a schedule in a month.
  package struct Point: Sendable {
    /// The day, from 1.
    package var day: Int
    /// The clock time: `07:00`.
    package var clock: String
    /// The recipe.
    package var recipe: String
    /// The outcome of a past point; `nil` for one to come.
    package var outcome: String?
    /// The run of a past point.
    package var run: String?

    /// Creates a point.
    package init(day: Int, clock: String, recipe: String, outcome: String? = nil, run: String? = nil) {
      (self.day, self.clock, self.recipe, self.outcome, self.run) = (day, clock, recipe, outcome, run)
    }
  }

  private let schedules: [Value]
  private let rhythms: [String: Rhythm]
  private let month: Month
  private let points: [Point]

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - page: The schedules, as the API answers them.
  ///   - rhythms: Their rhythms by source.
  ///   - month: The month of the calendar.
  ///   - points: The points in it.
  package init(_ page: Value, rhythms: [String: Rhythm], month: Month, points: [Point]) {
    (schedules, self.rhythms, self.month, self.points) = (page.items, rhythms, month, points)
  }

  package func title(_ context: PageContext) -> String { context.say("Schedules", de: "Zeitpläne") }

  package func contents(_ context: PageContext) -> HTML {
    if schedules.isEmpty {
      return context.empty(
        context.say(
          "No recipe has a schedule. Add 'on: [ { schedule: … } ]' to a recipe.",
          de: "Kein Rezept hat einen Zeitplan. In einem Rezept 'on: [ { schedule: … } ]' ergänzen."))
    }
    return .group([list(context), calendar(context)])
  }

  // MARK: - The list

  private func list(_ context: PageContext) -> HTML {
    context.table(
      context.say("Schedules", de: "Zeitpläne"),
      [
        context.say("Recipe", de: "Rezept"), context.say("Rhythm", de: "Rhythmus"), context.say("Next", de: "Nächster"),
        context.say("Missed", de: "Versäumt"), context.say("Failures", de: "Fehler"), "",
      ], schedules.enumerated().map { row($1, $0, context) })
  }

  private func row(_ schedule: Value, _ number: Int, _ context: PageContext) -> [HTML] {
    let name = schedule.text("recipe")
    let isPaused = schedule["paused"]?.boolValue ?? false
    let path = "POST /recipes/\(PageAddress.escaped(name))/schedules/"
    let source = schedule.text("source")
    let rhythm = rhythms[source]
    // A recipe may have several schedules.
    let title = rhythm.map { "\(name), \($0.words.string(in: context.language))" } ?? name
    return [
      tag(.a, .class("strong"), .href(PageContext.recipe(name)), text: name),
      rhythm.map { tag(.span, .with(.title, $0.source), text: $0.words.string(in: context.language)) } ?? .text("–"),
      isPaused ? .text(context.say("paused", de: "angehalten")) : context.time(schedule["next"]),
      .text("\(schedule.number("missed"))"), .text("\(schedule.number("failures"))"),
      context.may(.update, .schedules)
        ? tag(.div, .class("buttons")) {
          context.button(
            isPaused ? context.say("Go on", de: "Fortsetzen") : context.say("Pause", de: "Anhalten"),
            path + (isPaused ? "resume" : "pause"), body: ["schedule": .string(source)], style: "small",
            label: isPaused
              ? context.say("Go on with \(title)", de: "\(title) fortsetzen")
              : context.say("Pause \(title)", de: "\(title) anhalten"))
          if context.may(.create, .runs) { backfill(path, source, title, number, context) }
        } : .empty,
    ]
  }

  private func backfill(
    _ path: String, _ source: String, _ title: String, _ number: Int, _ context: PageContext
  ) -> HTML {
    tag(.details, .class("inline")) {
      tag(.summary) {
        context.say("Backfill …", de: "Nachholen …")
        tag(.span, .class("hidden"), text: " " + title)
      }
      context.form(path + "backfill", then: "say message", class: "card") {
        tag(.input, .with(.type, "hidden"), .data("constants", Value.map(["schedule": .string(source)]).jsonString))
        for (field, title) in [("since", context.say("From", de: "Von")), ("until", context.say("To", de: "Bis"))] {
          tag(.div, .class("field")) {
            tag(.label, .with(.forID, "\(field)-\(number)"), text: title)
            HTML.element(
              .input,
              [
                .id("\(field)-\(number)"), .with(.type, "datetime-local"), .data("field", field), .data("kind", "time"),
                .aria("describedby", "\(field)-\(number)-help"),
              ] + (field == "since" ? [.flag(.required)] : []), [])
            tag(.p, .class("help"), .id("\(field)-\(number)-help"), text: context.zoneHelp)
          }
        }
        tag(.div, .class("field check")) {
          tag(
            .input, .id("missed-\(number)"), .with(.type, "checkbox"), .data("field", "only_missed"),
            .data("kind", "boolean"),
            .flag(.checked))
          tag(.label, .with(.forID, "missed-\(number)"), text: context.say("Only missed ones", de: "Nur versäumte"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Backfill", de: "Nachholen"))
      }
    }
  }

  // MARK: - The calendar

  private func calendar(_ context: PageContext) -> HTML {
    let days = [
      ("Mon", "Mo"), ("Tue", "Di"), ("Wed", "Mi"), ("Thu", "Do"), ("Fri", "Fr"), ("Sat", "Sa"), ("Sun", "So"),
    ].map { context.say($0, de: $1) }
    let names = [
      ("January", "Januar"), ("February", "Februar"), ("March", "März"), ("April", "April"), ("May", "Mai"),
      ("June", "Juni"),
      ("July", "Juli"), ("August", "August"), ("September", "September"), ("October", "Oktober"),
      ("November", "November"),
      ("December", "Dezember"),
    ].map { context.say($0, de: $1) }
    let name = (names.indices.contains(month.month - 1) ? names[month.month - 1] : "") + " \(month.year)"
    let weeks = (month.start + month.days + 6) / 7
    return context.section(
      name, id: "calendar",
      aside: tag(.nav, .class("buttons"), .aria("label", context.say("Months", de: "Monate"))) {
        tag(
          .a, .class("button small"), .href("/schedules?month=\(month.text(offset: -1))#calendar"),
          text: "‹ " + context.say("Before", de: "Zurück"))
        tag(
          .a, .class("button small"), .href("/schedules?month=\(month.text(offset: 1))#calendar"),
          text: context.say("After", de: "Weiter") + " ›")
      }
    ) {
      tag(.table, .class("calendar")) {
        tag(.caption, .class("hidden"), text: name)
        tag(.thead) { tag(.tr) { for day in days { tag(.th, .with(.scope, "col"), text: day) } } }
        tag(.tbody) {
          for week in 0..<weeks {
            tag(.tr) { for weekday in 0..<7 { cell(week * 7 + weekday - month.start + 1, days[weekday], context) } }
          }
        }
      }
      tag(.p, .class("help"), text: context.say("Times are in \(month.zone).", de: "Zeiten in \(month.zone)."))
    }
  }

  private func cell(_ day: Int, _ weekday: String, _ context: PageContext) -> HTML {
    guard day >= 1, day <= month.days else { return tag(.td, .class("outside")) }
    let own = points.filter { $0.day == day }
    let classes = [day == month.today ? "today" : "", own.isEmpty ? "free" : ""].filter { !$0.isEmpty }
    return tag(.td, .class(classes.joined(separator: " "))) {
      tag(.span, .class("day")) {
        tag(.span, .class("weekday"), text: weekday + " ")
        "\(day)"
      }
      for point in own.prefix(6) { entry(point, context) }
      if own.count > 6 {
        tag(.span, .class("faint"), text: context.say("\(own.count - 6) more", de: "\(own.count - 6) weitere"))
      }
    }
  }

  private func entry(_ point: Point, _ context: PageContext) -> HTML {
    let address = point.run.map(PageContext.run) ?? PageContext.recipe(point.recipe)
    let outcome = point.outcome.map { PageContext.safeClass($0) } ?? "coming"
    return tag(.a, .class("point " + outcome), .href(address)) {
      tag(.span, .class("clock"), text: point.clock + " ")
      point.recipe
      if let outcome = point.outcome, outcome != "run" {
        tag(.span, .class("hidden"), text: " (" + context.word(outcome) + ")")
      }
    }
  }
}

/// The triggers and their health.
package struct TriggersPage: PageView {
  private let triggers: [Value]

  /// Creates the page from the answer of the API.
  package init(_ page: Value) { triggers = page.items }

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Triggers", de: "Auslöser") }

  package func contents(_ context: PageContext) -> HTML {
    context.live("triggers", seconds: 15) {
      if triggers.isEmpty {
        context.empty(
          context.say(
            "No recipe waits for mail, files, webhooks or other runs.",
            de: "Kein Rezept wartet auf Mail, Dateien, Webhooks oder andere Läufe."))
      } else {
        context.table(
          context.say("Triggers", de: "Auslöser"),
          [
            context.say("Recipe", de: "Rezept"), context.say("Trigger", de: "Auslöser"),
            context.say("Provider", de: "Provider"),
            context.say("State", de: "Zustand"), context.say("Events", de: "Ereignisse"),
            context.say("Last event", de: "Letztes Ereignis"),
          ],
          triggers.map { trigger in
            [
              tag(
                .a, .class("strong"), .href(PageContext.recipe(trigger.text("recipe"))), text: trigger.text("recipe")),
              .text(trigger.text("trigger")), .text(trigger.text("provider").isEmpty ? "–" : trigger.text("provider")),
              trigger["trouble"]?.stringValue.map { tag(.span, .class("reason"), text: $0) }
                ?? tag(.span, .class("status succeeded")) {
                  tag(.span, .class("dot"), .aria("hidden", "true"))
                  context.say("listening", de: "wartet auf Ereignisse")
                }, .text("\(trigger.number("events"))"), context.time(trigger["event_at"], isRelative: true),
            ]
          })
      }
    }
  }
}

/// The notifications.
package struct NotificationsPage: PageView {
  private let notifications: [Value]

  /// Creates the page from the answer of the API.
  package init(_ page: Value) { notifications = page.items }

  package func title(_ context: PageContext) -> String { context.say("Notifications", de: "Benachrichtigungen") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.update, .notifications), notifications.contains(where: { $0["read_at"]?.stringValue == nil })
    else {
      return .empty
    }
    return context.button(
      context.say("Mark all as read", de: "Alle als gelesen markieren"), "PATCH /notifications", body: ["read": true])
  }

  package func contents(_ context: PageContext) -> HTML {
    if notifications.isEmpty {
      return context.empty(
        context.say(
          "No notifications. The action 'notify' sends them.",
          de: "Keine Benachrichtigungen. Die Aktion 'notify' sendet sie."))
    }
    return tag(.ul, .class("cards-list")) { for notification in notifications { card(notification, context) } }
  }

  private func card(_ notification: Value, _ context: PageContext) -> HTML {
    let number = notification["number"] ?? .int(0)
    let isRead = notification["read_at"]?.stringValue != nil
    return tag(.li, .class(isRead ? "card" : "card unread")) {
      tag(.h2) {
        notification.text("title")
        if !isRead { tag(.span, .class("badge"), text: context.say("new", de: "neu")) }
      }
      tag(.p, .class("text"), text: notification.text("text"))
      if let link = notification["link"]?.stringValue {
        tag(.p) { tag(.a, .href(link), .with(.rel, "noreferrer"), text: link) }
      }
      if let trouble = notification["trouble"]?.stringValue { tag(.p, .class("reason"), text: trouble) }
      tag(.div, .class("buttons")) {
        tag(.span, .class("faint")) {
          notification.text("recipe") + " · "
          context.time(notification["at"], isRelative: true)
        }
        if !notification.text("run").isEmpty, context.may(.read, .runs) {
          tag(.a, .href(PageContext.run(notification.text("run"))), text: context.say("Run", de: "Lauf"))
        }
        if context.may(.update, .notifications) {
          context.button(
            isRead
              ? context.say("Mark as unread", de: "Als ungelesen markieren")
              : context.say("Mark as read", de: "Als gelesen markieren"),
            "PATCH /notifications", body: ["numbers": [number], "read": .bool(!isRead)], style: "small",
            label: notification.text("title") + ": "
              + (isRead
                ? context.say("mark as unread", de: "als ungelesen markieren")
                : context.say("mark as read", de: "als gelesen markieren")))
        }
        if context.may(.delete, .notifications) {
          context.button(
            context.say("Delete", de: "Löschen"), "DELETE /notifications/\(notification.number("number"))",
            style: "small quiet",
            label: notification.text("title") + ": " + context.say("delete", de: "löschen"))
        }
      }
    }
  }
}
