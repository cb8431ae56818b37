import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Copies, of which each message gets one, however often the filter runs.
extension MailFilterLowering {
  /// Makes the list of messages that are copied to a folder.
  mutating func copying(_ folder: Node) -> String {
    var name = "copy"
    var number = 2
    while sends.contains(where: { $0.list == name }) {
      name = "copy_\(number)"
      number += 1
    }
    let mark = "copy/\(provider?.value ?? "")/\(folder.string ?? "")"
    sends.append(SelectionRule.Sending(word: "copy", list: name, mark: mark, isBatch: true))
    sends.append(SelectionRule.Sending(word: "copy", list: Self.elsewhere(name), mark: mark, isElsewhere: true))
    return name
  }

  /// The name of the list of messages of a copy that earlier filters have moved to other folders.
  static func elsewhere(_ list: String) -> String { list + "_elsewhere" }

  /// Adds the steps that copy messages: noted before, and told at the end of the run.
  mutating func add(
    copyingTo folder: Node, _ list: String, _ id: String, _ rule: MailFilterRule, _ changes: inout Changes
  ) {
    let copied = "steps.\(foundID).output.rules.\(id).sends.\(list)"
    var noted = Recipe.Step(id: names.id(nil, otherwise: "\(id)_copy_noted", at: rule.place), range: rule.node.range)
    noted.uses = Located(ActionSignature.claim.name, at: rule.place)
    let conditions =
      ["size(\(changes.uids)) > 0", "size(\(copied).uids) > 0"] + changes.steps.map { "steps.\($0).status != 'failed'" }
    noted.madeCondition = placed(conditions.joined(separator: " && "), rule)
    noted.made = [
      ("uids", .text(placed("{{ \(changes.uids) }}", rule))), ("of", .text(placed("{{ \(copied).uids }}", rule))),
      ("keys", .text(placed("{{ \(copied).keys }}", rule))),
    ]
    noted.onError = .continue
    steps.append(noted)
    self.changes.append((id, "copy", noted.id.value))
    results.append(
      .map(
        [
          ("rule", .literal(.string(id))), ("action", .literal("copy")),
          ("error", .text(placed("{{ steps.\(noted.id.value).error }}", rule))),
        ], rule.node))
    let claimed = "steps.\(noted.id.value)"
    let isClaimed = "\(claimed).status == 'succeeded'"
    var own = Changes(uids: "(\(isClaimed) ? \(claimed).output.uids : [])", steps: [])
    act("copy", "mail.copy", id, [("to", .node(folder))], rule, &own)
    let copy = own.steps.first ?? ""
    changes.steps += [noted.id.value, copy]
    // What another run copies just now, it takes out of the folder too.
    changes.uids = "(\(isClaimed) ? \(claimed).output.rest : \(changes.uids))"
    var ending = Recipe.Step(id: names.id(nil, otherwise: "\(id)_copy_sent", at: rule.place), range: rule.node.range)
    ending.uses = Located(ActionSignature.noted.name, at: rule.place)
    ending.phase = .finally
    ending.madeCondition = placed("has(\(claimed)) && \(isClaimed) && size(\(claimed).output.keys) > 0", rule)
    let status = "(has(steps.\(copy)) ? steps.\(copy).status : 'skipped')"
    ending.made = [
      ("keys", .text(placed("{{ \(claimed).output.keys }}", rule))),
      (
        "value",
        .text(
          placed(
            "{{ \(status) == 'succeeded' ? 'sent' : \(status) == 'cancelled' ? run.id : \(status) == 'failed' ? 'failed' : null }}",
            rule))
      ),
    ]
    endings.append(ending)
  }
}
