import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

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

  /// Warns of a recipe that puts messages into the folder whose new messages start it.
  func warnOfOwnArrivals(_ plan: Plan) {
    guard plan.concurrency?.order == nil else { return }
    let usual = planner.defaults["mail.store"]?.first
    let folders = recipe.triggers.compactMap { trigger -> MailFolder? in
      guard case .mail(let event) = trigger.kind, trigger.written.filter == nil else { return nil }
      return MailFolder(provider: event.provider ?? usual ?? "", name: event.folder)
    }
    guard !folders.isEmpty else { return }
    for (position, step) in plan.steps.enumerated() where step.condition == nil {
      guard let folder = step.storingFolder, folders.contains(folder) else { continue }
      reader.report(
        .sharedFolder,
        LocalizedText(
          "this puts messages into \(folder.name), where they start the recipe again; after two rounds no run begins: take another "
            + "folder, or leave them out with 'filter'",
          de:
            "das legt Nachrichten in \(folder.name), wo sie das Rezept erneut starten; nach zwei Runden beginnt kein Lauf: ein "
            + "anderer Ordner hilft, oder 'filter' lässt sie aus"),
        at: recipe.steps[position].uses?.range ?? recipe.steps[position].range, severity: .warning)
    }
  }

  /// Refuses a filter that runs another filter of its folder: that one would wait for its turn until this one has ended.
  func refuseFiltersOfOwnFolder(_ plan: Plan) {
    guard plan.concurrency?.order != nil else { return }
    let own = Set(plan.sortedFolders)
    for (position, step) in plan.steps.enumerated() {
      guard let child = step.child,
        let folder = (child.sortedFolders + child.foldersSortedByOthers).first(where: own.contains)
      else { continue }
      reader.report(
        .sharedFolder,
        LocalizedText(
          "recipe '\(child.name)' sorts \(folder.name) of '\(folder.provider)' too, and would wait for the end of this filter: "
            + "start it by 'on: { mail: new }' of its own, with 'order' after this filter, or write its rules here",
          de:
            "das Rezept '\(child.name)' sortiert auch \(folder.name) von '\(folder.provider)' und würde auf das Ende dieses "
            + "Filters warten: es braucht ein eigenes 'on: { mail: new }' mit 'order' nach diesem Filter, oder seine Regeln "
            + "gehören hierher"),
        at: recipe.steps[position].uses?.range ?? recipe.steps[position].range)
    }
  }
}
