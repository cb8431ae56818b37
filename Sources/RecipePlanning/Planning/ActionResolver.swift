import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Finds the action a step names and the providers that carry it out.
final class ActionResolver {
  private let catalog: ActionCatalog
  private let lookup: any ProviderLookup
  private let defaults: [String: [String]]
  private let reader: FieldReader
  private var described: [String: Result<ProviderDescription, ProviderProblem>] = [:]
  private(set) var problems: [ProviderProblem] = []

  init(
    catalog: ActionCatalog, lookup: any ProviderLookup, defaults: [String: [String]], reader: FieldReader
  ) {
    self.catalog = catalog
    self.lookup = lookup
    self.defaults = defaults
    self.reader = reader
  }

  // MARK: Actions

  /// The signature of the action a step uses; reports one that nothing offers.
  func action(_ step: Recipe.Step) -> ActionSignature? {
    guard let uses = step.uses else { return nil }
    if let signature = catalog[uses.value] { return signature }
    if let problem = catalog.problem(of: uses.value) {
      reader.report(
        .contractUnreadable,
        LocalizedText(
          "internal error: the contract '\(problem.contract)' of this build of Sous cannot be read: \(problem.message)",
          de: "interner Fehler: der Vertrag '\(problem.contract)' dieses Baus von Sous ist nicht lesbar: "
            + problem.message), at: uses.range)
      return nil
    }
    var candidates = Array(catalog.signatures.keys)
    var triggers: [String] = []
    var isUncertain = false
    for name in namesToAsk(step, uses.value) {
      switch describe(name, for: step) {
      case .success(let description):
        if let signature = description.actions.first(where: { $0.name == uses.value }) { return signature }
        candidates += description.actions.map(\.name)
        triggers += description.triggers
      case .failure: isUncertain = true
      }
    }
    // A plugin that could not be looked at may well have the action; its problem is reported instead.
    if !isUncertain {
      let installed = Self.plugin(of: uses.value).flatMap { lookup.installedPlugin($0) }
      let hint = Self.hint(uses.value, installed, triggers: triggers + (installed?.triggers ?? []))
      reader.report(
        .unknownAction,
        LocalizedText("unknown action '\(uses.value)'", de: "unbekannte Aktion '\(uses.value)'") + hint, at: uses.range,
        suggestion: hint.english.isEmpty
          ? reader.suggestion(for: uses.value, among: candidates + (installed?.actions ?? [])) : nil)
    }
    return nil
  }

  /// What to do about a name that is known, but not as an action that can be used as things are.
  private static func hint(_ action: String, _ installed: InstalledPluginOffer?, triggers: [String]) -> LocalizedText {
    if triggers.contains(action) {
      return LocalizedText(
        ": it is a trigger; it stands under 'on', as in on: { \(action): { with: {…} } }",
        de: ": das ist ein Auslöser; er steht unter 'on', wie in on: { \(action): { with: {…} } }")
    }
    if let hint = ForeignNames.hint(toAction: action) { return LocalizedText(verbatim: ": ") + hint }
    guard let plugin = plugin(of: action), installed?.actions.contains(action) == true else {
      return LocalizedText(verbatim: "")
    }
    return LocalizedText(
      ": the plugin '\(plugin)' is installed; add 'providers: { \(plugin): { plugin: \(plugin) } }' to sous.yaml",
      de: ": das Plugin '\(plugin)' ist installiert; 'providers: { \(plugin): { plugin: \(plugin) } }' in "
        + "sous.yaml eintragen")
  }

  /// The plugin whose own an action is by its name.
  private static func plugin(of action: String) -> String? {
    action.lastIndex(of: ".").map { String(action[..<$0]) }
  }

  /// The providers whose plugin may have an action of its own: those the step names, otherwise those of the plugin that
  /// the action's first word names.
  private func namesToAsk(_ step: Recipe.Step, _ action: String) -> [String] {
    if let providers = step.providers {
      return providers.map { ProviderRoute($0.value).provider }.filter { lookup.names.contains($0) }
    }
    guard let plugin = Self.plugin(of: action) else { return [] }
    return lookup.names.filter { lookup.pluginID(of: $0) == plugin }
  }

  /// What a step that sorts messages asks its provider with; `nil` for one that a recipe writes by itself, which is
  /// reported.
  func search(for step: Recipe.Step) -> ActionSignature? {
    guard step.rules != nil else {
      reader.report(
        .unknownAction,
        LocalizedText(
          "'\(ActionSignature.select.name)' belongs to recipes of kind mail-filter; a step uses mail.search",
          de: "'\(ActionSignature.select.name)' gehört zu Rezepten der Art mail-filter; ein Schritt nimmt mail.search"),
        at: step.uses?.range)
      return nil
    }
    var search = step
    search.uses = step.uses.map { Located("mail.search", at: $0.range) }
    return action(search)
  }

  /// What some providers offer; `nil` for one of which nothing is known.
  func descriptions(of names: [String]) -> [ProviderDescription?] {
    names.map { name in
      let provider = ProviderRoute(name).provider
      // One that no plugin carries out, such as the notes, is not looked at before.
      guard let known = described[provider] ?? described[name] else { return try? lookup.describe(provider) }
      return try? known.get()
    }
  }

  // MARK: Providers

  /// The providers a step uses, first choice first; empty for a built-in action or where a problem was found. Those that
  /// cannot carry out the step's task are left out.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - action: Its action.
  ///   - task: What it asks for.
  ///   - routing: Who of them may be asked, and in which order.
  func providers(
    _ step: Recipe.Step, _ action: ActionSignature, _ task: StepTask, _ routing: RoutingSettings = RoutingSettings()
  ) -> [String] {
    var suitable = suitable(step, action, task)
    if !step.tools.isEmpty {
      let reason = LocalizedText(
        "sous.yaml has 'neutralise' for it, and what tools give cannot be neutralised",
        de: "sous.yaml hat dafür 'neutralise', und was Werkzeuge ergeben, lässt sich nicht neutralisieren")
      suitable = admitted(suitable, step, named: "tools") { lookup.neutralises($0) ? reason : nil }
    }
    if routing.locality == .required {
      suitable = admitted(suitable, step, named: "local: required") { lookup.remoteness(of: $0) }
    }
    if let warning = lookup.mixedPrivacy(of: suitable) {
      reader.report(.mixedPrivacy, warning, at: step.providers?.first?.range ?? step.uses?.range, severity: .warning)
    }
    return ordered(suitable, by: routing.preference)
  }

  private func suitable(_ step: Recipe.Step, _ action: ActionSignature, _ task: StepTask) -> [String] {
    let candidates = candidates(step, action)
    guard task != .computed, !candidates.isEmpty else { return candidates }
    var limited: [(provider: String, tasks: [String])] = []
    let suitable = candidates.filter { name in
      guard case .success(let description) = describe(name, for: step, reporting: false),
        let tasks = description.declarations?[action.name]?.tasks, !task.isAmong(tasks)
      else { return true }
      limited.append((name, tasks))
      return false
    }
    if suitable.isEmpty, let first = limited.first { reportUnsuited(first.provider, first.tasks, task, step) }
    return suitable
  }

  /// Those of a step's providers that a key of the step admits. Reports where there is none, or where the step names another
  /// one.
  ///
  /// - Parameters:
  ///   - key: The key: `local: required`.
  ///   - reason: Why it does not admit a provider; `nil` where it does.
  private func admitted(
    _ names: [String], _ step: Recipe.Step, named key: String, reason: (String) -> LocalizedText?
  ) -> [String] {
    var reasons: [(name: String, reason: LocalizedText)] = []
    let rest = names.filter { name in
      guard let reason = reason(ProviderRoute(name).provider) else { return true }
      reasons.append((name, reason))
      return false
    }
    guard let first = reasons.first, rest.isEmpty || step.providers != nil else { return rest }
    let message = LocalizedText(
      "'\(key)' keeps this step from the provider '\(first.name)': ",
      de: "'\(key)' lässt den Provider '\(first.name)' für diesen Schritt nicht zu: ")
    let place = step.providers?.first { $0.value == first.name }?.range ?? step.uses?.range
    reader.report(.unsuitableProvider, message + first.reason, at: place)
    return []
  }

  /// Providers in the order in which they are asked; those whose price nobody knows come last.
  private func ordered(_ names: [String], by preference: RoutingSettings.Preference?) -> [String] {
    guard preference == .cheapest else { return names }
    let priced = names.map { (name: $0, price: lookup.price(of: ProviderRoute($0)) ?? .infinity) }
    return priced.enumerated().sorted {
      ($0.element.price, $0.offset) < ($1.element.price, $1.offset)
    }.map(\.element.name)
  }

  /// None of a step's providers carries out its task: says what to configure before anything runs.
  private func reportUnsuited(_ provider: String, _ tasks: [String], _ task: StepTask, _ step: Recipe.Step) {
    let list = tasks.joined(separator: ", ")
    let asked =
      if case .named(let name) = task {
        LocalizedText("the task of this step is \(name)", de: "die Aufgabe dieses Schritts ist \(name)")
      } else {
        LocalizedText("this step names no task", de: "dieser Schritt nennt keine Aufgabe (task)")
      }
    let message =
      LocalizedText(
        "this step needs a language model: the provider '\(provider)' has none and only carries out \(list), but ",
        de: "dieser Schritt braucht ein Sprachmodell: Der Provider '\(provider)' hat keines und kann nur \(list), aber "
      )
      + asked
      + LocalizedText(
        "; configure a model: 'providers: { local: { plugin: ollama } }' and 'defaults: { chat: local }' in sous.yaml",
        de: "; ein Modell einrichten: 'providers: { local: { plugin: ollama } }' und 'defaults: { chat: local }' in "
          + "sous.yaml")
    if let named = step.providers?.first {
      reader.report(.unsuitableProvider, message, at: named.range)
    } else {
      add(ProviderProblem(.taskUnsupported, message), step)
    }
  }

  private func candidates(_ step: Recipe.Step, _ action: ActionSignature) -> [String] {
    if action.isBuiltin {
      if let provider = step.providers?.first {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "'\(action.name)' is carried out by Sous itself and takes no provider",
            de: "'\(action.name)' führt Sous selbst aus und nimmt keinen Provider"),
          at: provider.range)
      }
      return []
    }
    if let named = step.providers { return self.named(named, action, step) }
    guard let contract = action.contract else { return ofPlugin(action, step) }
    let names: [String]
    if let defaults = defaults[contract], !defaults.isEmpty {
      names = fromDefaults(defaults, contract, step)
    } else {
      names = discovered(contract, step)
    }
    return names.filter { carriesOut(action, $0, step) }
  }

  /// An action with the strictest effect that it has with any of these providers, and costly where it is with one.
  ///
  /// A plugin that says of an action that repeating it is wrong knows more than the contract.
  func strictest(_ action: ActionSignature, of providers: [String]) -> ActionSignature {
    var action = action
    for name in providers {
      guard case .success(let description)? = described[name],
        let declaration = description.declarations?[action.name]
      else { continue }
      action.effect = max(action.effect, declaration.effect)
      if declaration.isCostly { action.isCostly = true }
    }
    return action
  }

  /// Whether a provider that claims an action's contract has the action; notes a problem where it does not.
  private func carriesOut(_ action: ActionSignature, _ name: String, _ step: Recipe.Step) -> Bool {
    let contract = action.contract ?? action.name
    guard case .success(let description)? = described[name], let declarations = description.declarations,
      declarations[action.name] == nil
    else { return true }
    add(
      ProviderProblem(
        .actionMissing,
        LocalizedText(
          "the provider '\(name)' (plugin \(description.plugin)) claims '\(contract)' but has no '\(action.name)'; "
            + "look for a newer version of the plugin",
          de: "der Provider '\(name)' (Plugin \(description.plugin)) gibt '\(contract)' an, hat aber kein "
            + "'\(action.name)'; sieh nach einer neueren Version des Plugins"),
        provider: name),
      step)
    return false
  }

  private func named(_ names: [Located<String>], _ action: ActionSignature, _ step: Recipe.Step) -> [String] {
    var result: [String] = []
    let known = lookup.names
    let embedded = action.contract.flatMap { lookup.embeddedDefault(for: $0) }
    for name in names {
      let provider = ProviderRoute(name.value).provider
      guard known.contains(provider) || provider == embedded else {
        reader.report(
          .unknownProvider,
          LocalizedText("unknown provider '\(provider)'", de: "unbekannter Provider '\(provider)'"),
          at: name.range, suggestion: reader.suggestion(for: provider, among: known))
        continue
      }
      guard case .success(let description) = describe(name.value, for: step) else { continue }
      let offers =
        action.contract.map { description.contracts.contains($0) }
        ?? description.actions.contains { $0.name == action.name }
      guard offers else {
        let what = action.contract ?? action.name
        reader.report(
          .unsuitableProvider,
          LocalizedText(
            "the provider '\(name.value)' (plugin \(description.plugin)) does not offer '\(what)'",
            de: "der Provider '\(name.value)' (Plugin \(description.plugin)) bietet '\(what)' nicht an"),
          at: name.range)
        continue
      }
      if action.contract == nil || carriesOut(action, name.value, step) { result.append(name.value) }
    }
    return result
  }

  private func fromDefaults(_ names: [String], _ contract: String, _ step: Recipe.Step) -> [String] {
    names.filter { name in
      let provider = ProviderRoute(name).provider
      guard lookup.names.contains(provider) || lookup.embeddedDefault(for: contract) == provider else {
        add(.missing(provider), step)
        return false
      }
      guard case .success(let description) = describe(name, for: step) else { return false }
      guard description.contracts.contains(contract) else {
        add(
          ProviderProblem(
            .noneForContract,
            LocalizedText(
              "the default for '\(contract)', '\(name)' (plugin \(description.plugin)), does not offer it",
              de: "der Standard für '\(contract)', '\(name)' (Plugin \(description.plugin)), bietet es nicht an"),
            provider: name),
          step)
        return false
      }
      return true
    }
  }

  /// The providers of a contract for something that names none; reports if none or several are possible.
  ///
  /// - Parameter user: What uses the contract, for messages.
  func providers(of contract: String, for user: Located<String>) -> [String] {
    var step = Recipe.Step(id: user, range: user.range)
    step.uses = user
    if let defaults = defaults[contract], !defaults.isEmpty { return fromDefaults(defaults, contract, step) }
    return discovered(contract, step)
  }

  /// The one configured provider that offers a contract, or the one that comes with Sous.
  private func discovered(_ contract: String, _ step: Recipe.Step) -> [String] {
    var offering: [String] = []
    var failures: [ProviderProblem] = []
    for name in lookup.names {
      switch describe(name, for: step, reporting: false) {
      case .success(let description): if description.contracts.contains(contract) { offering.append(name) }
      case .failure(let problem): failures.append(problem)
      }
    }
    if offering.count > 1 {
      let names = offering.joined(separator: ", ")
      reader.report(
        .ambiguousProvider,
        LocalizedText(
          "several providers offer '\(contract)': \(names); name one with 'provider', or set a default in sous.yaml",
          de: "mehrere Provider bieten '\(contract)' an: \(names); einen mit 'provider' nennen oder in sous.yaml "
            + "einen Standard setzen"),
        at: step.uses?.range)
      return []
    }
    if let only = offering.first { return [only] }
    for problem in failures { add(problem, step) }
    if !failures.isEmpty { return [] }
    if let embedded = lookup.embeddedDefault(for: contract) { return [embedded] }
    add(
      ProviderProblem(
        .noneForContract,
        LocalizedText(
          "nothing provides '\(contract)'; add a provider for it to sous.yaml",
          de: "nichts stellt '\(contract)' bereit; in sous.yaml einen Provider dafür eintragen")),
      step)
    return []
  }

  /// The first configured provider whose plugin has an action of its own.
  private func ofPlugin(_ action: ActionSignature, _ step: Recipe.Step) -> [String] {
    let offering = namesToAsk(step, action.name).filter { name in
      guard case .success(let description) = describe(name, for: step) else { return false }
      return description.actions.contains { $0.name == action.name }
    }
    return Array(offering.prefix(1))
  }

  private func describe(
    _ name: String, for step: Recipe.Step, reporting: Bool = true
  ) -> Result<ProviderDescription, ProviderProblem> {
    let result: Result<ProviderDescription, ProviderProblem>
    if let known = described[name] {
      result = known
    } else {
      do throws(ProviderProblem) {
        result = .success(try lookup.describe(ProviderRoute(name).provider))
      } catch {
        result = .failure(error)
      }
      described[name] = result
    }
    if reporting, case .failure(let problem) = result { add(problem, step) }
    return result
  }

  /// Notes a problem once, with the first step that met it.
  private func add(_ problem: ProviderProblem, _ step: Recipe.Step) {
    var problem = problem
    problem.step = step.id.value
    if problem.provider == nil, let uses = step.uses {
      problem.path = reader.path
      problem.range = uses.range
    }
    if !problems.contains(where: { $0.says(problem) }) { problems.append(problem) }
  }
}
