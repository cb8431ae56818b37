import Expressions
import Localization
import Plans
import RecipeSyntax

/// Reads a message to send, as `send` and `reminder` have it, into a step that sends it.
struct MessageReader {
  let reader: FieldReader

  /// Fills a step.
  ///
  /// - Parameters:
  ///   - node: A map of the message's fields.
  ///   - defaults: The values of fields that it leaves out.
  /// - Returns: Whether the message could be read.
  func read(_ node: Node, into step: inout Recipe.Step, defaults: [(name: String, value: MadeValue)] = []) -> Bool {
    guard let map = reader.map(node, "mail", RecipeDefinitions.message) else { return false }
    step.uses = Located("mail.send", at: map.entries.first?.nameRange ?? node.range)
    step.providers = map["provider"].flatMap { reader.strings($0, "provider") }
    var entries: [(name: String, value: Node)] = []
    for entry in map.entries where RecipeDefinitions.message.key(entry.name) != nil && entry.name != "provider" {
      switch entry.name {
      case "to", "cc", "bcc":
        // One single expression may well give a list.
        let isExpression = entry.value.string.map { $0.hasPrefix("{{") && $0.hasSuffix("}}") } ?? false
        if isExpression {
          step.made.append((entry.name, .oneOrMore(entry.value)))
        } else {
          entries.append((entry.name, entry.value.asList))
        }
      case "attachments":
        guard let elements = entry.value.sequence else {
          entries.append((entry.name, entry.value))
          continue
        }
        step.made.append(("attachments", .list(elements.compactMap { attachment($0) }, entry.value)))
      default: entries.append((entry.name, entry.value))
      }
    }
    for (name, value) in defaults where map[name] == nil { step.made.append((name, value)) }
    step.input = Node.map(entries, at: node.range)
    return true
  }

  /// An attachment whose path begins at the recipe's folder.
  private func attachment(_ node: Node) -> MadeValue? {
    if node.string != nil { return path(node).map { .map([("path", $0)], node) } }
    guard let map = reader.map(node, "attachments", RecipeDefinitions.attachment) else { return nil }
    let entries = map.entries.filter { RecipeDefinitions.attachment.key($0.name) != nil }
    return .map(
      entries.compactMap { entry -> (name: String, value: MadeValue)? in
        entry.name == "path" ? path(entry.value).map { ("path", $0) } : (entry.name, .node(entry.value))
      }, node)
  }

  private func path(_ node: Node) -> MadeValue? {
    guard let text = reader.name(node, "path")?.value else { return nil }
    let resolved = RecipePath.resolve(text, in: RecipePath.directory(of: reader.path))
    guard text.contains("{{") else { return .literal(.string(resolved)) }
    guard resolved.hasSuffix(text) else { return .node(node) }
    return .text(
      PlacedText(
        text: resolved, node: node, document: reader.document, base: text.utf8.count - resolved.utf8.count))
  }
}
