import Expressions
import Localization
import Plans
import RecipeSyntax

/// Reads the triggers that wait for something to happen.
struct EventReader {
  let reader: FieldReader
  /// The provider and the folder of mail where a trigger names none.
  let mailbox: (provider: String?, folder: String?)
  /// The recipe's name.
  let name: String

  /// The longest name of a webhook.
  private static let longestName = 100

  private func trigger(_ kind: Trigger.Kind, _ node: Node) -> Trigger {
    var trigger = Trigger(kind: kind, range: node.range)
    trigger.written = (node.mapping?["filter"], node.mapping?["inputs"])
    return trigger
  }

  private func report(_ message: LocalizedText, at range: SourceRange) {
    reader.report(.invalidTrigger, message, at: range)
  }

  // MARK: Mail

  func mail(_ node: Node) -> Trigger? { mailEvent(node).map { trigger(.mail($0), node) } }

  private func mailEvent(_ node: Node) -> MailEvent? {
    if node.mapping == nil {
      return reader.choice(node, "mail", of: MailEvent.Kind.self).map { usual($0) }
    }
    guard let map = reader.map(node, "mail", keys: RecipeDefinitions.mailEvent.keyNames) else { return nil }
    var event = usual(.new)
    if let node = map["event"], let kind = reader.choice(node, "event", of: MailEvent.Kind.self) { event.kind = kind }
    if let node = map["provider"] { event.provider = reader.name(node, "provider")?.value }
    if let node = map["folder"], let folder = reader.name(node, "folder") { event.folder = folder.value }
    return event
  }

  private func usual(_ kind: MailEvent.Kind) -> MailEvent {
    MailEvent(kind: kind, provider: mailbox.provider, folder: mailbox.folder ?? "INBOX")
  }

  // MARK: Files

  /// A path whose last part may have `*` and `?`, alone or in a map.
  func file(_ node: Node) -> Trigger? {
    var path = node
    var settle = 1.0
    if node.mapping != nil {
      guard let map = reader.map(node, "file", RecipeDefinitions.fileEvent), let written = map["path"] else {
        return nil
      }
      path = written
      if let node = map["settle"] { settle = reader.duration(node, "settle", allowsZero: true) ?? settle }
    }
    guard let text = reader.name(path, "file")?.value else { return nil }
    let resolved =
      RecipePath.normalized(RecipePath.resolve(text, in: RecipePath.directory(of: reader.path)))
      + (text.hasSuffix("/") ? "/" : "")
    let name = resolved.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let folder = RecipePath.directory(of: resolved)
    guard !folder.contains("*"), !folder.contains("?"), name != ".", name != "..", !text.contains("\0") else {
      report(
        .init(
          "only the last part of the path may have * and ?, and folders are not gone through",
          de: "nur der letzte Teil des Pfads darf * und ? haben, und Ordner werden nicht durchlaufen"), at: path.range)
      return nil
    }
    var event = FileEvent(folder: folder, match: name.isEmpty ? "*" : name)
    event.settle = min(settle, 3600)
    return trigger(.file(event), node)
  }

  // MARK: Webhooks

  func webhook(_ node: Node) -> Trigger? {
    guard let map = reader.map(node, "webhook", RecipeDefinitions.webhook),
      let name = map["name"].flatMap({ reader.name($0, "name") }),
      let secret = map["secret"].flatMap({ reader.name($0, "secret") })
    else { return nil }
    let isName = name.value.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    guard isName, name.value.utf8.count <= Self.longestName, !name.value.hasPrefix(".") else {
      report(
        .init(
          "a webhook's name has letters, digits, '_', '-' and '.', \(Self.longestName) at most",
          de: "der Name eines Webhooks hat Buchstaben, Ziffern, '_', '-' und '.', höchstens \(Self.longestName)"),
        at: name.range)
      return nil
    }
    var webhook = Webhook(name: name.value, secret: secret.value)
    if let node = map["signature"], let value = reader.choice(node, "signature", of: Webhook.Signature.self) {
      webhook.signature = value
    }
    if let node = map["limit"], let limit = reader.bytes(node, "limit", in: 1...16 << 20) { webhook.limit = limit }
    return trigger(.webhook(webhook), node)
  }

  // MARK: Other recipes

  /// - Parameters:
  ///   - ended: How its run has to end, if that is written beside the name.
  ///   - failed: `failed: true`, if it is written there.
  func recipe(_ node: Node, ended: Node?, failed: Node?) -> Trigger? {
    var name = node
    var (ended, failed) = (ended, failed)
    if node.mapping != nil {
      guard let map = reader.map(node, "recipe", RecipeDefinitions.recipeEnd), let written = map["name"] else {
        return nil
      }
      name = written
      (ended, failed) = (map["ended"] ?? ended, map["failed"] ?? failed)
    }
    guard let recipe = reader.name(name, "recipe") else { return nil }
    if recipe.value == self.name {
      report(
        .init(
          "'\(recipe.value)' would start itself in a circle; name another recipe",
          de: "'\(recipe.value)' würde sich selbst im Kreis starten; ein anderes Rezept nennen"), at: name.range)
      return nil
    }
    guard let endings = endings(ended, failed) else { return nil }
    return trigger(.recipe(RecipeEnd(recipe: recipe.value, ended: endings)), node)
  }

  private func endings(_ ended: Node?, _ failed: Node?) -> Set<RecipeEnd.Ending>? {
    if let failed {
      if ended != nil {
        report(
          .init("write either 'failed' or 'ended'", de: "entweder 'failed' oder 'ended' schreiben"), at: failed.range)
        return nil
      }
      guard let isWanted = reader.bool(failed, "failed") else { return nil }
      return isWanted ? RecipeEnd.failures : [.succeeded]
    }
    guard let ended else { return [.succeeded] }
    let words = ended.sequence ?? [ended]
    let endings = words.compactMap { reader.choice($0, "ended", of: RecipeEnd.Ending.self) }
    guard endings.count == words.count, !endings.isEmpty else {
      if words.isEmpty {
        report(.init("'ended' is empty: name an ending", de: "'ended' ist leer: ein Ende nennen"), at: ended.range)
      }
      return nil
    }
    return Set(endings)
  }

  // MARK: Plugins

  func plugin(_ entry: Node.Mapping.Entry) -> Trigger? {
    var event = PluginEvent(trigger: entry.name)
    if entry.value.isNull { return trigger(.plugin(event), entry.value) }
    guard let map = reader.map(entry.value, entry.name, keys: RecipeDefinitions.pluginEvent.keyNames) else {
      return nil
    }
    event.provider = map["provider"].flatMap { reader.name($0, "provider")?.value }
    if let node = map["with"], !node.isNull, reader.map(node, "with", keys: nil) != nil {
      event.settings = node.value.jsonString
    }
    return trigger(.plugin(event), entry.value)
  }
}
