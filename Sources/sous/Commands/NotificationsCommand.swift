import ArgumentParser
import Expressions
import Localization
import RecordJSON
import RunStore
import UseCases

/// `sous notifications`: the inbox of what recipes have told.
struct NotificationsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "notifications",
      abstract: say(
        "List and read notifications, mark them, clear them away.",
        de: "Benachrichtigungen auflisten, lesen, markieren und wegräumen."),
      subcommands: [
        NotificationsListCommand.self, NotificationsShowCommand.self, NotificationsReadCommand.self,
        NotificationsUnreadCommand.self, NotificationsClearCommand.self,
      ],
      defaultSubcommand: NotificationsListCommand.self)
  }
}

/// `sous notifications list`
struct NotificationsListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List notifications, the latest first.", de: "Benachrichtigungen auflisten, die neuesten zuerst."))
  }

  @Flag(help: ArgumentHelp(say("Only unread ones.", de: "Nur ungelesene.")))
  var unread = false

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 50

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let found = try await Workspace(global).notifications(isUnread: unread, limit: limit)
    if format.json { return writeJSON(.list(found.map { $0.json(in: Speech.language) })) }
    guard !found.isEmpty else {
      return write(
        unread
          ? say("nothing unread\n", de: "nichts Ungelesenes\n")
          : say("no notifications\n", de: "keine Benachrichtigungen\n"))
    }
    var table = TextTable([
      .init(""), .number(say("no.", de: "Nr.")), .time(say("time", de: "Zeit")),
      .init(say("recipe", de: "Rezept"), .cut(to: 10)), .init(say("notification", de: "Benachrichtigung"), .below),
      .init(say("delivery", de: "Zustellung")),
    ])
    for notification in found {
      table.append([
        notification.readAt == nil ? "●" : " ", String(notification.number), notification.at.spokenLocalTime,
        notification.recipe, notification.headline.cut(to: Self.headlineColumns),
        notification.trouble == nil && notification.mailTrouble == nil
          ? "" : say("not delivered", de: "nicht zugestellt"),
      ])
    }
    write(table.text())
  }

  private static let headlineColumns = 72
}

/// `sous notifications show`
struct NotificationsShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say(
        "Show a notification; it counts as read then.",
        de: "Eine Benachrichtigung zeigen; danach gilt sie als gelesen."))
  }

  @Argument(help: ArgumentHelp(say("Its number.", de: "Ihre Nummer."), valueName: "number"))
  var number: Int

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let notification = try await Workspace(global).readNotification(number)
    if format.json { return writeJSON(notification.json(in: Speech.language)) }
    var lines: [String] = []
    if !notification.title.isEmpty { lines.append(notification.title.singleLine) }
    lines.append(
      contentsOf: notification.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    lines.append("")
    if let link = notification.link { lines.append(link) }
    var facts = [notification.at.spokenLocalTime, notification.recipe]
    if notification.priority != .normal { facts.append(notification.priority.spoken) }
    facts += notification.tags.map { "#\($0)" }
    lines.append(facts.joined(separator: " · "))
    if let delivery = notification.spokenDelivery { lines.append(delivery) }
    if !notification.run.isEmpty { lines.append("sous show \(notification.run)") }
    write(lines.map { $0.singleLine + "\n" }.joined())
  }
}

/// `sous notifications read`
struct NotificationsReadCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "read",
      abstract: say("Mark notifications as read; without numbers all.", de: "Als gelesen markieren; ohne Nummern alle.")
    )
  }

  @OptionGroup var numbered: NumberedNotifications
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let count = try await Workspace(global).markNotifications(numbered.chosen, isRead: true)
    tell(count, format, say("\(count) read\n", de: "\(count) gelesen\n"))
  }
}

/// `sous notifications unread`
struct NotificationsUnreadCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "unread",
      abstract: say(
        "Mark notifications as unread; without numbers all.", de: "Als ungelesen markieren; ohne Nummern alle."))
  }

  @OptionGroup var numbered: NumberedNotifications
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let count = try await Workspace(global).markNotifications(numbered.chosen, isRead: false)
    tell(count, format, say("\(count) unread\n", de: "\(count) ungelesen\n"))
  }
}

/// `sous notifications clear`
struct NotificationsClearCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clear",
      abstract: say(
        "Clear notifications away: those of the numbers, or all that are read.",
        de: "Benachrichtigungen wegräumen: die der Nummern, oder alle gelesenen."))
  }

  @OptionGroup var numbered: NumberedNotifications

  @Flag(help: ArgumentHelp(say("Also unread ones.", de: "Auch ungelesene.")))
  var all = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let count = try await Workspace(global).clearNotifications(numbered.chosen, isAll: all)
    tell(count, format, say("\(count) cleared away\n", de: "\(count) weggeräumt\n"))
  }
}

/// Notifications that a command is about.
struct NumberedNotifications: ParsableArguments {
  @Argument(help: ArgumentHelp(say("Their numbers.", de: "Ihre Nummern."), valueName: "number"))
  var numbers: [Int] = []

  /// The numbers; `nil` if none are given.
  var chosen: [Int]? { numbers.isEmpty ? nil : numbers }
}

private func tell(_ count: Int, _ format: FormatOptions, _ text: String) {
  if format.json { return writeJSON(["changed": .int(Int64(count))]) }
  write(text)
}

extension NotificationRecord {
  /// Title and first line, for a list.
  fileprivate var headline: String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return title.isEmpty ? line : line.isEmpty || line == title ? title : "\(title): \(line)"
  }

  /// The result of the delivery; `nil` if no provider was to deliver it.
  fileprivate var spokenDelivery: String? {
    let mail = mailTrouble.map { say("not sent by mail: ", de: "nicht als Mail gesendet: ") + $0.spoken }
    let parts = [spokenDeliveryByProvider, mail].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var spokenDeliveryByProvider: String? {
    guard let provider else { return nil }
    if let deliveredAt {
      return say(
        "delivered by \(provider) \(deliveredAt.spokenLocalTime)",
        de: "zugestellt von \(provider) \(deliveredAt.spokenLocalTime)")
    }
    guard let trouble else {
      return say("\(provider) has not answered yet", de: "\(provider) hat noch nicht geantwortet")
    }
    return say("not delivered by \(provider): ", de: "nicht zugestellt von \(provider): ") + trouble.spoken
  }
}

extension NotificationRecord.Priority {
  /// The word of `priority` in recipes.
  fileprivate var spoken: String {
    switch self {
    case .min: say("min", de: "minimal")
    case .low: say("low", de: "niedrig")
    case .normal: say("normal", de: "normal")
    case .high: say("high", de: "hoch")
    case .urgent: say("urgent", de: "dringend")
    }
  }
}
