import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// The inputs that are folders of a mailbox, and those that are paths.
  private static let folders: Set<String> = ["folder", "to"]
  private static let paths: Set<String> = ["path", "folder", "from", "to"]

  /// Reports folders of mailboxes that cannot exist, and warns of paths that a run may not use, as far as the recipe has them as
  /// plain texts.
  ///
  /// A path gives a warning only: the settings are not the recipe's.
  func checkPlaces(of step: Recipe.Step, _ action: ActionSignature) {
    var inputs = (step.input?.mapping?.entries ?? []).map { (name: $0.name, node: $0.value) }
    for made in step.made { if case .node(let node) = made.value { inputs.append((made.name, node)) } }
    let isOfMail = action.contract == "mail.store" || action.name == ActionSignature.select.name
    let isOfFiles = action.isBuiltin && action.name.hasPrefix("file.")
    for (name, node) in inputs {
      guard let whole = node.string else { continue }
      guard let text = Self.known(whole) else { continue }
      if text != whole {
        // Of a path that an expression goes on, the folder before it is known.
        if isOfFiles, Self.paths.contains(name), let refusal = planner.pathRefusal(text, false) {
          reader.report(.pathRefused, refusal, at: node.range, severity: .warning)
        }
        continue
      }
      if isOfMail, Self.folders.contains(name), let problem = MailFolder.problem(text) {
        reader.report(.invalidValue, problem, at: node.range)
      }
      if isOfFiles, Self.paths.contains(name),
        let refusal = planner.pathRefusal(text, name != "folder" && action.effect > .read)
      {
        reader.report(.pathRefused, refusal, at: node.range, severity: .warning)
      }
    }
  }

  /// A text without expressions; of another one the folder before the first expression, `nil` if it begins with one.
  private static func known(_ text: String) -> String? {
    guard let expression = text.firstRange(of: "{{") else { return text }
    let before = text[..<expression.lowerBound]
    guard let slash = before.lastIndex(of: "/"), slash > before.startIndex else { return nil }
    return String(before[..<slash])
  }
}
