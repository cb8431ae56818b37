import Builtins
import Engine
import Expressions
import Localization
import Neutralisation
import PluginHost
import RecipeModel
import Synchronization

/// Lets nothing but neutral texts through to a provider, and puts the originals back into its answers.
///
/// It stands nearest to the plugin: what counts, checks or repeats stands outside and sees originals only. The mapping lives
/// as long as the call.
struct NeutralisingProvider: StepProvider {
  /// The provider's name.
  let name: String
  let base: any StepProvider
  let neutraliser: Neutraliser
  /// Whether rare names stay, as no dictionary tells them from words.
  let lacksDictionaries: Bool

  /// The actions whose input is made of texts that can be neutralised.
  private static let texts: Set<String> = ["chat.complete", "embed.texts"]

  private static let hint =
    """
    Words such as [PERSON_1] or [ADDRESS_2] stand for names, places and numbers. Write them exactly as they are. \
    [PERSON_1] and [PERSON_1b] are forms of the name of one person.
    """

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    guard Self.texts.contains(request.action) else {
      guard Self.isEmpty(request.input) else { throw refusal(of: request.action) }
      return try await base.perform(request, reporter: reporter)
    }
    if let images = request.input["images"]?.listValue, !images.isEmpty { throw refusal(of: "images") }
    // Results of tools are data, in which names stand without the words by which they are recognised.
    if Self.hasTools(request.input) { throw refusal(of: "tools") }
    var mapping = PlaceholderMapping()
    var request = request
    var statistics: [PersonalDataKind: Int] = [:]
    do throws(NeutralisationError) {
      var texts = NeutralTexts(request.input)
      let neutral = try neutraliser.neutralise(texts.collected, into: &mapping)
      for text in neutral { statistics.merge(text.statistics, uniquingKeysWith: +) }
      request.input = texts.replaced(by: neutral.map(\.text))
    } catch {
      throw ActionFailure(neutralising: error)
    }
    // Names of recipes and files are nobody's business either.
    request.recipe = ""
    request.recipePath = ""
    // Once for all items of a step.
    if lacksDictionaries, request.attempt == 1, (request.item ?? 0) == 0 {
      reporter.log(
        .warning, "rare names may have gone to '\(name)': \(Neutraliser.Options.missingDictionaries.english)")
    }
    guard !mapping.isEmpty else { return try await base.perform(request, reporter: reporter) }
    if request.action == "chat.complete", case .map(var input) = request.input {
      let system = input["system"]?.stringValue ?? ""
      input["system"] = .string(system.isEmpty ? Self.hint : system + "\n\n" + Self.hint)
      request.input = .map(input)
    }
    let counts = statistics.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
    reporter.log(.info, "replaced before it went to '\(name)': \(counts)")
    let resolving = ResolvingReporter(reporter, mapping)
    let output = try await base.perform(request, reporter: resolving)
    resolving.finish()
    let (resolved, unknown) = NeutralTexts.resolved(output, mapping)
    if !unknown.isEmpty {
      reporter.log(
        .warning,
        "the answer of '\(name)' has placeholders that stand for nothing in the request: "
          + unknown.joined(separator: ", "))
    }
    return resolved
  }

  private static func hasTools(_ input: Value) -> Bool {
    input["tools"]?.listValue?.isEmpty == false
      || input["messages"]?.listValue?.contains { $0["role"] == "tool" || $0["tool_calls"] != nil } == true
  }

  func passesOn(_ field: String, of action: String) -> Bool { base.passesOn(field, of: action) }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    // What is sent here only reads; nothing can be uncertain.
    .unknown
  }

  private static func isEmpty(_ input: Value) -> Bool {
    guard case .map(let map) = input else { return input.isNull }
    return map.isEmpty
  }

  private func refusal(of action: String) -> ActionFailure {
    ActionFailure(
      .unsupported,
      .init(
        "'\(action)' cannot go to '\(name)': sous.yaml has 'neutralise' for it, and only texts can be neutralised",
        de: "'\(action)' kann nicht an '\(name)' gehen: sous.yaml hat dafür 'neutralise', und nur Texte lassen sich "
          + "neutralisieren"),
      advice: .init(
        "ask a provider without 'neutralise', one on this machine for instance",
        de: "einen Provider ohne 'neutralise' fragen, etwa einen auf dieser Maschine"))
  }
}

/// Puts originals back into pieces of an answer while it comes.
private final class ResolvingReporter: ActionReporter {
  private let base: any ActionReporter
  private let mapping: PlaceholderMapping
  private let streams = Mutex<[String: PlaceholderStream]>([:])

  init(_ base: any ActionReporter, _ mapping: PlaceholderMapping) {
    self.base = base
    self.mapping = mapping
  }

  func log(_ level: LogLevel, _ message: String) { base.log(level, message) }
  func progress(done: UInt64, total: UInt64, label: String) { base.progress(done: done, total: total, label: label) }

  func delta(_ delta: Value) {
    guard case .map(let map) = delta else { return base.delta(NeutralTexts.resolved(delta, mapping).value) }
    var resolved = ValueMap()
    for (key, value) in map.entries {
      guard let piece = value.stringValue else {
        resolved[key] = NeutralTexts.resolved(value, mapping).value
        continue
      }
      let text = streams.withLock { $0[key.text, default: PlaceholderStream(mapping)].add(piece) }
      if !text.isEmpty { resolved[key] = .string(text) }
    }
    if !resolved.isEmpty { base.delta(.map(resolved)) }
  }

  /// Gives what was held back.
  func finish() {
    let rest = streams.withLock { streams in
      streams.keys.sorted().compactMap { key -> (String, String)? in
        guard let text = streams[key]?.finish(), !text.isEmpty else { return nil }
        return (key, text)
      }
    }
    for (key, text) in rest { base.delta(.map([key: .string(text)])) }
  }
}
