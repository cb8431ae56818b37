import Builtins
import Engine
import Expressions
import Localization
import Mail
import MailWire
import Plans
import PluginKit
import RecipePlanning
import RecipeSyntax

/// Decides with a filter what becomes of messages: the recipe is planned, and `mail.select` sorts.
struct FilterRun {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let selection: MessageSelection

  init(_ recipe: String) throws {
    var planner = Planner(
      catalog: ActionCatalog(contracts: BundledContract.all) { name in
        let builtins = BuiltinActions()
        return name.map { builtins.signature(named: $0).map { [$0] } ?? [] } ?? builtins.signatures
      }, providers: Mailbox(), defaults: ["mail.store": ["home"], "mail.transport": ["home"]])
    planner.now = { Timestamp(seconds: 1_795_400_000) }
    let planning = planner.plan(SourceText(path: "filter.yaml", text: recipe))
    let problems = planning.diagnostics.map(\.message.english) + planning.providerProblems.map { "\($0)" }
    guard problems.isEmpty, let selection = planning.plan?.steps.first?.selection else {
      throw Failure(description: "\(problems)\n\(recipe)")
    }
    self.selection = selection
  }

  /// What becomes of each message.
  ///
  /// - Parameter messages: Whole messages.
  func outcomes(_ messages: [[UInt8]]) async throws -> [Outcome] {
    let fields = try MessageFields(selection.fields, headers: selection.headers)
    let values = try messages.enumerated().map { number, bytes -> Value in
      let facts = MessageFacts(uid: "\(number)", folder: "INBOX", size: bytes.count)
      let json = MessageJSON().json(MessageContent(facts, Message(parsing: bytes)), fields)
      return try Value(json: Array(json.json.utf8))
    }
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "found", attempt: 1, action: "mail.select", input: ["folder": "INBOX"],
      key: "R.found", recipe: "test")
    let sorting = MessageSorting(
      selection, bindings: Bindings(variables: ["inputs": [:]], now: Timestamp(seconds: 1_795_400_000)),
      store: Messages(values: values))
    var surroundings = BuiltinSurroundings()
    surroundings.state = NoState()
    let output = try await BuiltinActions(surroundings).sorting(sorting).perform(request, reporter: Silence())
    if let errors = output["errors"]?.listValue, !errors.isEmpty { throw Failure(description: "\(errors)") }
    let actions = Dictionary(uniqueKeysWithValues: selection.rules.map { ($0.name, $0.actions) })
    var outcomes = messages.map { _ in Outcome(rules: []) }
    for decision in output["decisions"]?.listValue ?? [] {
      guard let number = decision["uid"]?.stringValue.flatMap(Int.init) else { continue }
      let rules = decision["rules"]?.listValue?.compactMap(\.stringValue) ?? []
      outcomes[number] = Outcome(
        rules: rules.map { (actions[$0] ?? []).map { $0.replacing(#"{{ "{{" }}"#, with: "{{") } })
    }
    return outcomes
  }
}

private struct Silence: ActionReporter {
  func log(_ level: Engine.LogLevel, _ message: String) {}
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}

/// Gives all messages in one page.
private struct Messages: StepProvider {
  let values: [Value]

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    ["messages": .list(values), "total": .int(Int64(values.count)), "cursor": .null]
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

/// One provider for mail of every kind.
private struct Mailbox: ProviderLookup {
  var names: [String] { ["home"] }

  func pluginID(of name: String) -> String? { name == "home" ? "imap" : nil }

  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    ProviderDescription(name: "home", plugin: "imap", contracts: ["mail.store", "mail.transport"])
  }

  func embeddedDefault(for contract: String) -> String? { nil }
}
