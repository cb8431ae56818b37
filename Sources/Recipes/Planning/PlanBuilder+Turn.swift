import Expressions
import Localization

extension PlanBuilder {
  /// The concurrency group of a mail filter: the runs of all filters of one folder of one account exclude each other, whatever
  /// starts them.
  ///
  /// A filter of several accounts belongs to the account of the event that starts it, without an event to its first account.
  func turn(_ turn: FolderTurn, _ steps: [PlanStep]) -> Plan.Concurrency {
    let first = turn.providers.first ?? steps.first { $0.selection != nil }?.providers.first ?? ""
    let folder = MailFolder.canonicalName(turn.folder)
    let account =
      turn.providers.count > 1
      ? "{{ event != null && has(event.provider) ? event.provider : \(Value.string(first).jsonString) }}" : first
    var scope = scope(step: nil)
    scope.allowsSteps = false
    let mailbox = "mail \(account)/"
    let text = PlacedText(
      text: mailbox + folder, node: turn.node, document: reader.document, base: -mailbox.utf8.count)
    return Plan.Concurrency(
      group: binder(scope).bind(text, literal: .string(text.text)).value, policy: .queue, order: turn.order)
  }
}
