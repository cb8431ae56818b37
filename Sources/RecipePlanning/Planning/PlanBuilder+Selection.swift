import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension ActionSignature {
  /// `mail.select` with the output of a filter's rules.
  static func select(_ rules: [SelectionRule], search: ActionSignature) -> ActionSignature {
    var action = ActionSignature.select
    var input = search.input.document.mapValue ?? [:]
    if var properties = input["properties"]?.mapValue {
      // The provider is asked page by page, whatever a page holds.
      properties["limit"] = ["type": "integer", "minimum": 1, "maximum": 1_000_000]
      for key in ["cursor", "fields", "headers", "query"] { properties[key] = nil }
      input["properties"] = .map(properties)
    }
    action.input = Schema(document: .map(input))
    let message = search.messageSchema
    let text: Value = ["type": "string"]
    let texts: Value = ["type": "array", "items": text]
    var outputs = ValueMap()
    for rule in rules {
      var properties: ValueMap = [
        "uids": texts, "elsewhere": ["type": "array", "items": closed(["uid": text, "folder": text])],
      ]
      let messages: Value = ["type": "array", "items": message ?? [:]]
      if !rule.sends.isEmpty {
        let elsewhere: Value = ["type": "array", "items": closed(["uid": text, "folder": text, "key": text])]
        let lists = rule.sends.map { send in
          let list = send.isElsewhere ? elsewhere : messages
          return (
            key: MapKey.string(send.list),
            value: closed(send.isBatch ? ["uids": texts, "keys": texts] : ["messages": list, "keys": texts])
          )
        }
        properties["sends"] = closed(ValueMap(lists))
      }
      if rule.saves != nil { properties["files"] = ["type": "array", "items": search.fileSchema] }
      if rule.reply != nil {
        let reply = closed([
          "to": text, "subject": text, "message_id": ["type": ["string", "null"]], "references": texts, "key": text,
          "uid": text,
        ])
        properties["replies"] = ["type": "array", "items": reply]
      }
      if rule.authenticators != nil {
        properties["leave_by_request"] = [
          "type": "array", "items": closed(["url": text, "uid": text, "key": text]),
        ]
        properties["leave_by_mail"] = [
          "type": "array", "items": closed(["to": text, "subject": text, "text": text, "uid": text, "key": text]),
        ]
      }
      outputs[rule.name] = closed(properties)
    }
    let count: Value = ["type": "integer", "minimum": 0]
    let decision = closed(
      [
        "uid": text, "message_id": ["type": ["string", "null"]], "rules": texts, "reason": text, "actions": texts,
        "flags": texts, "from": text, "subject": text, "key": text, "notes": texts, "origin": text, "folder": text,
        "marks": ["type": "object"],
      ], required: ["uid", "message_id", "rules", "reason", "actions"])
    let failure = closed(
      [
        "uid": text, "message_id": ["type": ["string", "null"]], "rule": text, "error": text, "error_de": text,
        "origin": text, "key": text, "flags": texts, "marks": ["type": "object"],
      ],
      required: ["uid", "message_id", "rule", "error"])
    let optional: Value = ["type": ["string", "null"]]
    let left = closed(
      [
        "uid": text, "message_id": optional, "reason": text, "reason_de": text, "recipe": text,
        "gone": ["type": "boolean"], "failed": ["type": "boolean"],
      ],
      required: ["uid", "message_id", "reason"])
    let document = closed([
      "folder": text, "examined": count, "kept": count, "complete": ["type": "boolean"],
      "rules": closed(outputs), "decisions": ["type": "array", "items": decision],
      "errors": ["type": "array", "items": failure], "provider": optional, "taken_by": optional,
      "left": ["type": "array", "items": left], "settled": texts,
    ])
    guard case .map(var fields) = document else { return action }
    if let definitions = search.output.document["$defs"] { fields["$defs"] = definitions }
    action.output = Schema(document: .map(fields))
    return action
  }

  /// The schema of the messages that a search gives.
  fileprivate var messageSchema: Value? { output.document["properties"]?["messages"]?["items"] }

  /// The schema of a message with one of its attachments.
  fileprivate var fileSchema: Value {
    var message = messageSchema ?? [:]
    let prefix = "#/$defs/"
    if let reference = message["$ref"]?.stringValue, reference.hasPrefix(prefix) {
      message = output.document["$defs"]?[String(reference.dropFirst(prefix.count))] ?? [:]
    }
    guard case .map(var fields) = message, case .map(var properties)? = fields["properties"] else { return [:] }
    let text: Value = ["type": "string"]
    properties["attachment"] = Self.closed(["part": text, "name": text, "type": text])
    fields["properties"] = .map(properties)
    return .map(fields)
  }

  private static func closed(_ properties: ValueMap, required: [Value]? = nil) -> Value {
    [
      "type": "object", "properties": .map(properties),
      "required": .list(required ?? properties.keys.map { .string($0.text) }), "additionalProperties": false,
    ]
  }
}

extension PlanBuilder {
  /// The fields of each message that decisions are recorded with.
  private static let reported = ["date", "flags", "message_id", "size"]

  /// Compiles the rules of a mail filter; `nil` where something is wrong with one.
  func selection(
    _ step: Recipe.Step, _ scope: Scope, by search: ActionSignature, of providers: [String]
  ) -> MessageSelection? {
    var scope = scope
    let output = search.output.valueType(named: LocalizedText("message", de: "Nachricht"))
    if case .object(let object) = output, case .list(let message)? = object.fields["messages"] {
      scope.variables["message"] = message
    } else {
      scope.variables["message"] = .dynamic
    }
    var needs = FieldNeeds()
    var rules: [MessageSelection.Rule] = []
    for written in step.rules ?? [] {
      var rule = MessageSelection.Rule(name: written.name, title: written.title)
      if let node = written.condition {
        guard let condition = condition(node, scope) else { continue }
        rule.condition = condition
        rule.alternatives = alternatives(of: condition, node, scope)
        needs.add(condition.tree)
        if needs.readsUnnamedHeaders {
          reader.report(
            .invalidValue,
            LocalizedText(
              "say which header fields are meant: message.headers.exists(h, h.name == \"X-Spam\" && …)",
              de: "sagen, welche Kopfzeilen gemeint sind: message.headers.exists(h, h.name == \"X-Spam\" && …)"),
            at: node.range)
          needs.readsUnnamedHeaders = false
        }
      }
      rule.actions = written.actions
      rule.ends = written.ends
      rule.takes = written.takes
      rule.keeps = written.keeps
      rule.sends = written.sends.map {
        MessageSelection.Sending(
          word: $0.word, list: $0.list, mark: $0.mark, isBatch: $0.isBatch, isElsewhere: $0.isElsewhere)
      }
      rule.saves = written.saves
      if written.saves != nil { needs.fields.insert("attachments") }
      rule.reply = written.reply
      if written.reply != nil { needs.addReply() }
      rule.unsubscription = written.authenticators.map { UnsubscriptionPolicy(authenticators: $0) }
      if rule.unsubscription != nil { needs.addUnsubscription() }
      rules.append(rule)
    }
    needs.fields.formUnion(Self.reported)
    needs.fields.insert("labels")
    var selection = MessageSelection(
      search: search, rules: rules, fields: needs.isWhole ? nil : needs.asked, headers: needs.headers.sorted())
    selection.version = Fingerprint.version(of: recipe.document.source.bytes)
    return selection
  }

  /// The operands of a condition that is `a || b || …`, each as a condition of its own.
  private func alternatives(of condition: Expression, _ node: Node, _ scope: Scope) -> [Expression] {
    guard case .or(let operands) = condition.tree.kind, operands.count <= 20 else { return [] }
    let bytes = Array(condition.source.utf8)
    var result: [Expression] = []
    for operand in operands {
      guard operand.range.lowerBound >= 0, operand.range.upperBound <= bytes.count else { return [] }
      let text = String(decoding: bytes[operand.range], as: UTF8.self)
      let placed = PlacedText(text: text, node: node, document: reader.document)
      // What is right as a whole is right in its parts.
      guard let expression = compiler.expression(placed, scope) else { return [] }
      result.append(expression)
    }
    return result
  }

  /// Lets a step that sorts messages give the fields that later steps read of the messages they go through.
  func carry(from position: Int, _ drafts: inout [PlanStep?]) {
    guard var selection = drafts[position]?.selection else { return }
    let id = recipe.steps[position].id.value
    for index in selection.rules.indices {
      let name = selection.rules[index].name
      var needs = FieldNeeds()
      var isCarried = false
      for (other, step) in recipe.steps.enumerated() {
        guard let carrier = step.carrier, carrier == (id, name), let draft = drafts[other] else { continue }
        isCarried = true
        needs.add(draft.input.references + draft.keywords.flatMap(\.value.references), of: draft.loop?.variable ?? "")
      }
      guard isCarried else { continue }
      // Not a field of messages: which of its attachments is meant.
      needs.fields.remove("attachment")
      needs.fields.formUnion(["uid", "folder", "message_id"])
      selection.rules[index].carried = needs.isWhole ? nil : needs.fields.sorted()
      guard let fields = selection.fields, !needs.isWhole else {
        selection.fields = nil
        continue
      }
      selection.fields = Set(fields).union(needs.asked).sorted()
    }
    drafts[position]?.selection = selection
  }
}

/// The fields of messages that somebody reads.
private struct FieldNeeds {
  var fields: Set<String> = []
  var headers: Set<String> = []
  /// Whether messages are read as a whole.
  var isWhole = false
  var readsUnnamedHeaders = false

  /// What has to be asked for: `uid` and `folder` are always there.
  var asked: [String] { fields.subtracting(["uid", "folder", "headers"]).sorted() }

  mutating func add(_ condition: ExpressionTree) {
    if !condition.collectMessageFields(into: &fields) { isWhole = true }
    if !condition.collectHeaderNames(into: &headers) { readsUnnamedHeaders = true }
  }

  mutating func add(_ references: [Reference], of variable: String) {
    for reference in references where !reference.isKeyword && reference.path.first == variable {
      if let field = reference.path.dropFirst().first { fields.insert(field) } else { isWhole = true }
    }
  }

  /// What tells whether a message may be answered by itself.
  mutating func addReply() {
    fields.formUnion(["from", "to", "cc", "subject", "references", "bulk", "list_id"])
    headers.formUnion(AutomaticReply.headers)
  }

  /// What tells how a list is left, and whether the message is the list's.
  mutating func addUnsubscription() {
    fields.formUnion(["list_unsubscribe", "list_id", "from"])
    headers.formUnion(UnsubscriptionPolicy.headers)
  }
}
