import Engine
import Expressions
import Localization
import RunStore

/// Puts notifications into the inbox, and hands them to the provider that carries them further, where there is one.
///
/// The inbox comes first, on disk: what is in it is known by the key of its step, so that no attempt adds a second one,
/// and a notification that cannot be delivered is not lost. All other actions go straight to the provider.
struct NotifyingProvider: StepProvider {
  /// The action that is looked at.
  private static let action = "notify.send"

  let inbox: RunStore
  /// The provider's name.
  let name: String
  /// Who delivers; `nil` where the inbox is all.
  let carrier: (any StepProvider)?

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    guard request.action == Self.action else { return try await other(request).perform(request, reporter: reporter) }
    let posting = try await kept { try await inbox.post(notification(request)) }
    switch posting {
    case .duplicate(let earlier):
      reporter.log(.info, "left out: notification \(earlier.number) has the same key")
      return Self.output(duplicate: true)
    case .delivered: return Self.output()
    case .open(let notification):
      guard let carrier else { return Self.output() }
      return try await deliver(notification, request, carrier, reporter)
    }
  }

  func passesOn(_ field: String, of action: String) -> Bool { carrier?.passesOn(field, of: action) ?? true }

  private func deliver(
    _ notification: NotificationRecord, _ request: ActionRequest, _ carrier: any StepProvider,
    _ reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    let answer: Value
    do throws(ActionFailure) {
      answer = try await carrier.perform(carried(request, notification), reporter: reporter)
    } catch {
      try? await inbox.noteDelivery(of: notification.number, by: name, trouble: error.message)
      throw error
    }
    // Where this is not kept, the provider is asked once more after a crash, with the same key.
    try? await inbox.noteDelivery(of: notification.number, by: name, trouble: nil)
    return Self.output(id: answer["id"]?.stringValue)
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    guard request.action == Self.action else { return try await other(request).verify(request, reporter: reporter) }
    // Without a row nothing has been sent: the row comes first. With one, posting it again tells what is left to do.
    guard let notification = try await kept({ try await inbox.notification(ofCall: request.key) }) else {
      return .notDone
    }
    guard let carrier, notification.deliveredAt == nil else { return .done(output: Self.output()) }
    let verdict = try await carrier.verify(carried(request, notification), reporter: reporter)
    guard case .done(let answer) = verdict else { return verdict }
    try? await inbox.noteDelivery(of: notification.number, by: name, trouble: nil)
    return .done(output: Self.output(id: answer["id"]?.stringValue))
  }

  private func other(_ request: ActionRequest) throws(ActionFailure) -> any StepProvider {
    guard let carrier else {
      throw ActionFailure(
        .unsupported,
        LocalizedText("the inbox has no '\(request.action)'", de: "der Posteingang hat kein '\(request.action)'"))
    }
    return carrier
  }

  /// The request as the provider gets it: under the call of the notification, without what is dealt with here.
  private func carried(_ request: ActionRequest, _ notification: NotificationRecord) -> ActionRequest {
    var request = request
    request.key = notification.call
    if case .map(var input) = request.input {
      input["key"] = nil
      request.input = .map(input)
    }
    return request
  }

  private func notification(_ request: ActionRequest) -> NotificationRecord {
    let input = request.input
    var notification = NotificationRecord(
      call: request.key, recipe: request.recipe, run: request.run.rawValue, text: input["text"]?.stringValue ?? "",
      at: SystemTime().now)
    notification.title = input["title"]?.stringValue ?? ""
    notification.priority = input["priority"]?.stringValue.flatMap(NotificationRecord.Priority.init) ?? .normal
    notification.tags = input["tags"]?.listValue?.compactMap(\.stringValue) ?? []
    notification.link = input["link"]?.stringValue
    notification.key = input["key"]?.stringValue
    notification.provider = carrier == nil ? nil : name
    return notification
  }

  private static func output(id: String? = nil, duplicate: Bool = false) -> Value {
    var output: ValueMap = ["duplicate": .bool(duplicate)]
    if let id { output["id"] = .string(id) }
    return .map(output)
  }

  /// Does something with the inbox; what fails there may pass.
  private func kept<Answer>(_ body: () async throws -> Answer) async throws(ActionFailure) -> Answer {
    do {
      return try await body()
    } catch {
      throw ActionFailure(runLog: error)
    }
  }
}

/// A provider that could not be opened: every call fails for the same reason.
struct UnopenedProvider: StepProvider {
  let failure: ActionFailure

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    throw failure
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    throw failure
  }
}
