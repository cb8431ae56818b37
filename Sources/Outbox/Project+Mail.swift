import Engine
import Expressions
import Localization
public import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas
public import UseCases

extension Project {
  /// The most recipients of one message.
  private static let recipientLimit = 1000
  /// The most bytes of text and HTML of one message together.
  private static let textLimit = 16 << 20

  /// Checks a message before it is queued: who gets it, the files, who sends.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` for an address that is none, a missing file, a time that is past; what
  ///   ``plan(_:)`` throws where nobody can send.
  public func check(_ order: MailOrder) throws(UseCaseError) -> CheckedMail {
    let plan = try outboxPlan(name: order.name, providers: order.providers, settings: order.settings)
    let mail = try check(order, by: plan, at: SystemTime().now)
    try openSecrets(for: plan)
    return mail
  }

  /// Checks a message that goes out by a plan.
  func check(_ order: MailOrder, by plan: Plan, at now: Timestamp) throws(UseCaseError) -> CheckedMail {
    try checkMessage(order.message, plan)
    let files = try AttachedFile.all(
      in: order.message, workspace.surroundings, fence: fence, isTyped: !order.isOfRecipe)
    let undo = order.undoFor ?? configuration.outbox.undoFor
    let isUrgent = order.at?.isNow == true
    let wanted = order.at.flatMap { $0.isNow ? nil : $0.time }
    if let wanted, wanted <= now {
      throw .wrongInput(
        .init(
          "the time is past: \(wanted.spokenLocalTime); leave the time out to send it at once",
          de: "die Zeit ist vorbei: \(wanted.spokenLocalTime); ohne Zeit geht sie sofort hinaus"))
    }
    let time = isUrgent ? now : max(wanted ?? now, now.adding(seconds: undo))
    let quiet = configuration.outbox.quiet(of: plan.transport ?? "")
    let expected = isUrgent ? time : quiet?.delaying(time) ?? time
    return CheckedMail(
      plan: plan, message: order.message, time: time, expected: expected, isImmediate: expected <= now, files: files,
      id: order.id, at: isUrgent ? "now" : time.rfc3339Milliseconds)
  }

  /// The plan by which a message goes out.
  ///
  /// - Throws: ``UseCaseError`` where a provider is unknown or there is none that sends.
  func outboxPlan(name: String, providers: [String], settings: String = "") throws(UseCaseError) -> Plan {
    for provider in providers where configuration.provider(provider) == nil {
      throw .unknownProvider(provider, among: configuration.providers.map(\.name))
    }
    let source = OutboxRecipe.source(name: name, providers: providers, settings: settings)
    let planning = planning(source, from: .outbox)
    if let problem = planning.providerProblems.first {
      var error = UseCaseError(
        .init(rawValue: problem.code.rawValue),
        LocalizedText("the message cannot be sent", de: "die Nachricht lässt sich nicht senden"))
      (error.planning, error.recipe) = (planning, source.path)
      throw error
    }
    guard !planning.hasErrors, let plan = planning.plan, plan.transport != nil else {
      let why =
        planning.diagnostics.first { $0.severity == .error }?.message
        ?? LocalizedText("no provider sends mail", de: "kein Provider versendet Mail")
      throw UseCaseError(
        .unsuitableProvider,
        LocalizedText("the message cannot be sent: ", de: "die Nachricht lässt sich nicht senden: ") + why
          + LocalizedText(
            "; configure a transport in sous.yaml, such as 'plugin: smtp'",
            de: "; in sous.yaml einen Transport einrichten, etwa 'plugin: smtp'"))
    }
    return plan
  }

  /// Checks the fields of a message.
  ///
  /// - Throws: ``UseCaseError`` with code `wrong_input`.
  func checkMessage(_ message: Value, _ plan: Plan) throws(UseCaseError) {
    let recipients = ["to", "cc", "bcc"].flatMap { message[$0]?.listValue ?? [] }
    guard message["to"]?.listValue?.isEmpty == false else {
      throw .wrongInput(.init("the message has no recipient", de: "die Nachricht hat keinen Empfänger"))
    }
    guard recipients.count <= Self.recipientLimit else {
      throw .wrongInput(
        .init(
          "\(recipients.count) recipients are more than \(Self.recipientLimit)",
          de: "\(recipients.count) Empfänger sind mehr als \(Self.recipientLimit)"))
    }
    let size = ["text", "html", "subject"].reduce(0) { $0 + (message[$1]?.stringValue?.utf8.count ?? 0) }
    guard size <= Self.textLimit else {
      throw .wrongInput(
        .init(
          "the text has more than \(Self.textLimit >> 20) MiB", de: "der Text hat mehr als \(Self.textLimit >> 20) MiB")
      )
    }
    if let subject = message["subject"]?.stringValue, subject.contains(where: \.isNewline) {
      throw .wrongInput(.init("the subject is one line", de: "der Betreff ist eine Zeile"))
    }
    let violations = plan.steps.last?.action.input.validate(message) ?? []
    guard let violation = violations.first else { return }
    let value = violation.value(in: message).map { " '\($0.prefix(80))'" } ?? ""
    throw .wrongInput(LocalizedText(verbatim: "\(violation.pathText)\(value): ") + violation.message)
  }
}

extension SchemaViolation {
  /// The text at the place that is wrong.
  fileprivate func value(in value: Value) -> String? {
    var found: Value? = value
    for element in path {
      switch element {
      case .key(let key): found = found?[key]
      case .index(let index):
        let list = found?.listValue ?? []
        found = list.indices.contains(index) ? list[index] : nil
      }
    }
    return found?.stringValue
  }
}

extension Plan {
  /// The provider that sends the message of a recipe of kind `send`, first choice; `nil` for other kinds.
  public var transport: String? { dispatch == nil ? nil : steps.last?.providers.first }
}
