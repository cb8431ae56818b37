import Expressions
@_spi(Fuzzing) import IMAPPlugin
import Localization
import Plans
@_spi(Fuzzing) import PluginHost
import RecipeModel
import RecipePlanning
import RecipeSyntax
@_spi(Fuzzing) import SMTPPlugin
import Schemas

/// What reads the input, and what must hold for whatever it reads.
enum FuzzTarget: String, CaseIterable, Sendable {
  case expression, template, json, yaml, recipe, worker, mail, imap, smtp, sieve

  /// Reads one input. It may be refused with an error, but neither trap nor take long.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .expression: Self.expression(String(decoding: bytes, as: UTF8.self))
    case .template: Self.template(String(decoding: bytes, as: UTF8.self))
    case .json: Self.json(bytes)
    case .yaml: Self.yaml(bytes)
    case .recipe: Self.recipe(bytes)
    case .mail: MailInput.read(bytes)
    case .imap: Self.demand(FuzzInput.isTakenInGoodOrder(bytes), "responses differ when they come in pieces, or grow")
    case .smtp: Self.demand(ReplyInput.isTakenInGoodOrder(bytes), "the replies of a mail server were taken wrongly")
    case .sieve: Self.demand(SieveInput.isTranslatedSoundly(bytes), "a script became no recipe")
    case .worker: Self.demand(WorkerInput.isTakenInGoodOrder(bytes), "the conversation with a worker went wrong")
    }
  }

  /// Ends the program so that libFuzzer keeps the input.
  private static func demand(_ condition: Bool, _ what: String) {
    if !condition { fatalError(what) }
  }

  // MARK: Expressions

  private static let variables: [String: Value] = [
    "message": [
      "subject": "Rechnung 17", "size": 2048, "flags": ["\\Seen"],
      "from": ["name": "Ada", "address": "ada@example.com"],
    ],
    "text": "ab", "count": 3, "nothing": .null, "list": [1, 2.5, "three", true, [4]],
  ]
  private static let environment = Environment(
    variables: [
      "message": .object(
        ObjectType(
          name: "message",
          fields: ["subject": .string, "size": .int, "flags": .list(.string), "from": .map(.string, .string)])),
      "text": .string, "count": .int, "nothing": .null, "list": .list(.dynamic),
    ], keywords: ["Anrede", "Länge", "Absender-Name"])
  private static let unchecked = Environment(container: "a.b", checksTypes: false)
  private static let bindings = Bindings(
    variables: variables, keywords: ["Anrede": "Du", "Länge": "kurz", "Absender-Name": "Anna"],
    now: Timestamp(seconds: 1_769_850_000))
  private static let limits = EvaluationLimits(cost: 50_000, depth: 250, size: 4 << 20)

  private static func expression(_ source: String) {
    for environment in [environment, unchecked] {
      do {
        let expression = try Expression(source, in: environment)
        _ = expression.references.map(\.path)
        for offset in [0, source.utf8.count / 2, source.utf8.count] { _ = expression.type(at: offset) }
        examine(try expression.evaluate(bindings, limits: limits))
      } catch let errors as ExpressionErrors {
        demand(!errors.all.isEmpty, "no error among the errors")
        for error in errors.all { examine(error, in: source) }
      } catch let error as ExpressionError {
        examine(error, in: source)
      } catch {
        demand(false, "an error of another type")
      }
    }
  }

  private static func template(_ source: String) {
    do {
      let template = try Template(source, in: environment)
      _ = template.references.map(\.path)
      for offset in [0, source.utf8.count / 2, source.utf8.count] { _ = template.type(at: offset) }
      examine(try template.render(bindings, limits: limits))
    } catch let errors as ExpressionErrors {
      demand(!errors.all.isEmpty, "no error among the errors")
      for error in errors.all { examine(error, in: source) }
    } catch let error as ExpressionError {
      examine(error, in: source)
    } catch {
      demand(false, "an error of another type")
    }
  }

  /// An error's place lies within the text.
  private static func examine(_ error: ExpressionError, in source: String) {
    demand(error.range.map { $0.lowerBound >= 0 && $0.upperBound <= source.utf8.count } ?? true, "place outside")
    demand(!error.message.english.isEmpty, "no message")
  }

  /// A value equals and hashes like itself, and its JSON can be read again.
  private static func examine(_ value: Value) {
    demand(value == value && value.hashValue == value.hashValue, "a value differs from itself")
    let text = value.json()
    if let again = try? Value(json: text, limits: JSONLimits(depth: 2000, size: 64 << 20)) {
      // Reading turns some types into strings; from then on nothing changes any more.
      demand(again.json() == text, "JSON changes when it is read and written")
    } else {
      demand(false, "JSON that cannot be read again")
    }
  }

  // MARK: Documents

  private static func json(_ bytes: [UInt8]) {
    demand(isStableInKit(bytes), "what the plugin kit reads changes when it is written and read again")
    guard let value = try? Value(json: bytes, limits: JSONLimits(depth: 128, size: 1 << 20)) else { return }
    examine(value)
    let pretty = try? Value(json: value.json(pretty: true))
    demand(pretty == value, "pretty JSON differs")
  }

  private static func yaml(_ bytes: [UInt8]) {
    let source = SourceText(path: "/nowhere/input.yaml", bytes: bytes)
    let (_, problems) = YAMLDocument.parse(source)
    _ = DiagnosticRenderer().render(problems, sources: [source.path: source])
    let (_, diagnostics) = Configuration.parse(source)
    _ = DiagnosticRenderer(language: .german).render(diagnostics, sources: [source.path: source])
  }

  private static let planner = Planner(
    catalog: ActionCatalog(
      ["template", "mail.search", "chat.complete", "mail.send"].map { name in
        ActionSignature(
          name: name, summary: LocalizedText("Does something", de: "Tut etwas"), effect: .pure,
          input: Schema(document: ["type": "object"]),
          output: Schema(
            document: ["type": "object", "properties": ["text": ["type": "string"], "messages": ["type": "array"]]]),
          isBuiltin: true)
      }))

  private static func recipe(_ bytes: [UInt8]) {
    let planning = planner.plan(SourceText(path: "/nowhere/recipe.yaml", bytes: bytes))
    _ = DiagnosticRenderer().render(planning.diagnostics, sources: planning.sources)
    demand(
      planning.plan != nil || !planning.diagnostics.isEmpty || !planning.providerProblems.isEmpty,
      "neither a plan nor a reason")
  }
}
