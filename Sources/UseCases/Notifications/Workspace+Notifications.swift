import Localization
public import RunStore

extension Workspace {
  /// The notifications in the inbox, the latest first.
  ///
  /// - Parameters:
  ///   - isUnread: Only those that nobody has read.
  ///   - limit: At most so many.
  public func notifications(isUnread: Bool, limit: Int) async throws(UseCaseError) -> [NotificationRecord] {
    try await readingFile({ try await $0.notifications(isUnread: isUnread, limit: limit) }, ifMissing: { [] })
  }

  /// How many notifications nobody has read.
  public func unreadNotifications() async throws(UseCaseError) -> Int {
    try await readingFile({ try await $0.unreadNotifications() }, ifMissing: { 0 })
  }

  /// A notification, which counts as read from now on.
  ///
  /// - Throws: ``UseCaseError`` where there is none of that number.
  public func readNotification(_ number: Int) async throws(UseCaseError) -> NotificationRecord {
    try await require([number])
    return try await changingRunLog { store in
      _ = try await store.markNotifications([number], isRead: true)
      guard let found = try await store.notification(number) else { throw Self.unknown(number) }
      return found
    }
  }

  /// Marks notifications as read or unread.
  ///
  /// - Parameters:
  ///   - numbers: Which; `nil` for all.
  ///   - isRead: As what.
  /// - Returns: How many have changed.
  /// - Throws: ``UseCaseError`` where there is none of a number.
  public func markNotifications(_ numbers: [Int]?, isRead: Bool) async throws(UseCaseError) -> Int {
    guard try await require(numbers) else { return 0 }
    return try await changingRunLog { try await $0.markNotifications(numbers, isRead: isRead) }
  }

  /// Removes notifications from the inbox.
  ///
  /// - Parameters:
  ///   - numbers: Which; `nil` for all that somebody has read.
  ///   - isAll: Whether those that nobody has read go as well, where no numbers are given.
  /// - Returns: How many are gone.
  /// - Throws: ``UseCaseError`` where there is none of a number.
  public func clearNotifications(_ numbers: [Int]?, isAll: Bool) async throws(UseCaseError) -> Int {
    guard try await require(numbers) else { return 0 }
    return try await changingRunLog {
      try await $0.clearNotifications(numbers, isRead: numbers == nil && !isAll)
    }
  }

  /// Refuses numbers that there are not.
  ///
  /// - Returns: Whether there is a run log.
  @discardableResult
  private func require(_ numbers: [Int]?) async throws(UseCaseError) -> Bool {
    let found: (hasLog: Bool, missing: Int?) = try await readingFile(
      { store in
        for number in numbers ?? [] where try await store.notification(number) == nil { return (true, number) }
        return (true, nil)
      }, ifMissing: { (false, numbers?.first) })
    if let missing = found.missing { throw Self.unknown(missing) }
    return found.hasLog
  }

  private static func unknown(_ number: Int) -> UseCaseError {
    .notFound(
      .init(
        "there is no notification \(number): 'sous notifications' lists them",
        de: "es gibt keine Benachrichtigung \(number): 'sous notifications' zählt sie auf"))
  }
}
