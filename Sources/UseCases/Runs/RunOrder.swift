public import Engine
public import Expressions
import Glibc
import Localization
public import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// A wish to run a recipe: once, or once for each line of a file.
public struct RunOrder: Sendable {
  /// The recipe's file.
  public var recipe: String
  /// Inputs with the types that the recipe declares.
  public var inputs: [String: Value] = [:]
  /// Inputs as somebody has typed them; read as what the recipe declares, and the last one of a name counts.
  public var typedInputs: [Assignment] = []
  /// Keywords, which override all others.
  public var keywords: [Assignment] = []
  /// Which queued runs are claimed first, higher before lower, from -100 to 100; `nil` for the recipe's own.
  public var priority: Int?
  /// The permissions that the runs do not get, in addition to those that their recipe does not allow.
  public var denied: Set<Permission> = []
  /// JSON lines, each an object of inputs for one run, which override the other inputs; `-` is standard input.
  public var inputsFile: String?

  /// The id of the run, for a caller that asks again if it got no answer; `nil` for a new one.
  public var run: RunID?
  /// What starts it, as the run log keeps it.
  public var trigger = "manual"

  /// Creates a wish to run a recipe without inputs.
  public init(_ recipe: String) { self.recipe = recipe }
}

/// A name and a text for it, as somebody has typed them.
public struct Assignment: Sendable {
  /// The name.
  public var name: String
  /// The text.
  public var text: String

  /// Creates an assignment.
  public init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

/// Runs that were asked for and that can begin: their plan, and what each starts from.
public struct CheckedOrder: Sendable {
  /// What runs.
  public let plan: Plan
  package let requests: [RunRequest]
}

extension Project {
  /// Checks everything about runs that can be checked before they begin, and gets the secrets that they are bound to need.
  ///
  /// - Throws: ``UseCaseError`` with what is wrong; then none of the runs can begin.
  public func check(_ order: RunOrder) throws(UseCaseError) -> CheckedOrder {
    var plan = try plan(order.recipe)
    if let priority = order.priority { plan.priority = priority }
    let requests = RunRequests(plan: plan, order: order)
    let all: [RunRequest]
    if let file = order.inputsFile {
      all = try requests.requests(from: file, at: file == "-" ? nil : workspace.surroundings.resolve(file))
    } else {
      all = [try requests.request()]
    }
    try openSecrets(for: plan)
    return CheckedOrder(plan: plan, requests: all)
  }
}

/// What runs of a recipe start from.
private struct RunRequests {
  /// The most runs, and the most rows for them and their steps, that one file queues: they are put into the run log all at
  /// once, which holds others up for seconds.
  private static let (mostRuns, mostRows) = (100_000, 300_000)
  /// Problems of a file that are told.
  private static let toldProblems = 20

  package let plan: Plan
  let order: RunOrder

  /// How many runs of the recipe one file queues.
  private var limit: Int { max(1, min(Self.mostRuns, Self.mostRows / (plan.steps.count + 1))) }

  /// The one run without a file.
  func request() throws(UseCaseError) -> RunRequest {
    let (given, keywords) = (try inputs(), try keywords())
    do throws(EngineError) {
      var random = SystemRandomNumberGenerator()
      return RunRequest(
        id: order.run ?? RunID(at: SystemTime().now, using: &random), inputs: try plan.inputs(from: given),
        keywords: keywords, trigger: order.trigger)
    } catch {
      throw UseCaseError(error)
    }
  }

  /// A run for each line of a file, in the file's order. Empty lines do not count.
  ///
  /// - Parameters:
  ///   - name: The file as problems name it.
  ///   - path: The file; `nil` for standard input.
  /// - Throws: ``UseCaseError`` that names the lines that cannot be used; then none can.
  func requests(from name: String, at path: String?) throws(UseCaseError) -> [RunRequest] {
    let (common, keywords) = (try inputs(), try keywords())
    var all: [Value] = []
    var problems: [LocalizedText] = []
    var number = 0
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else {
      let cause = LocalizedText.systemError(errno)
      throw .wrongInput(.init("'\(name)' cannot be read: ", de: "'\(name)' lässt sich nicht lesen: ") + cause)
    }
    defer { if path != nil { close(descriptor) } }
    var lines = InputLines(from: descriptor)
    while let line = lines.next() {
      number += 1
      do throws(EngineError) {
        guard let inputs = try inputs(in: line, common) else { continue }
        guard all.count < limit else {
          throw .unusable(
            "more than \(limit) runs of this recipe at once: split the file",
            de: "mehr als \(limit) Läufe dieses Rezepts auf einmal: die Datei aufteilen")
        }
        all.append(inputs)
      } catch {
        problems.append(LocalizedText(verbatim: "\(name):\(number): ") + error.message)
        if problems.count == Self.toldProblems || all.count == limit { break }
      }
    }
    if let first = problems.first {
      throw UseCaseError(
        .invalidInput, problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 })
    }
    var random = SystemRandomNumberGenerator()
    let now = SystemTime().now
    // Names of one moment have no order; the queue goes by names.
    let names = all.map { _ in RunID(at: now, using: &random) }.sorted()
    return zip(names, all).map { RunRequest(id: $0, inputs: $1, keywords: keywords) }
  }

  /// The inputs of one line; `nil` for an empty one.
  private func inputs(
    in line: InputLines.Line, _ common: [String: Value]
  ) throws(EngineError) -> Value? {
    guard case .complete(let bytes) = line else {
      throw .unusable(
        "longer than \(InputLines.limit >> 20) MiB", de: "länger als \(InputLines.limit >> 20) MiB")
    }
    guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    guard let value = try? Value(json: bytes), case .map(let map) = value else {
      throw .unusable(
        "a line has to be a JSON object of inputs", de: "eine Zeile muss ein JSON-Objekt mit Eingaben sein")
    }
    var given = common
    for (key, value) in map.entries { if case .string(let name) = key { given[name] = value } }
    return try plan.inputs(from: given)
  }

  private func inputs() throws(UseCaseError) -> [String: Value] {
    var given = order.inputs
    for input in order.typedInputs {
      guard let declared = plan.inputs.first(where: { $0.name == input.name }) else {
        given[input.name] = .string(input.text)
        continue
      }
      do throws(SchemaViolation) {
        given[input.name] = try declared.schema.coerce(input.text)
      } catch {
        var refusal = UseCaseError.wrongInput(
          LocalizedText("input '\(input.name)': ", de: "Eingabe '\(input.name)': ") + error.message)
        refusal.faults = [InputFault(error, below: ["inputs", input.name])]
        throw refusal
      }
    }
    return given
  }

  private func keywords() throws(UseCaseError) -> [String: Value] {
    var keywords: [String: Value] = [:]
    for keyword in order.keywords {
      guard plan.keywordNames.contains(keyword.name) else {
        var refusal = UseCaseError.wrongInput(
          LocalizedText(
            "the recipe has no keyword '\(keyword.name)'", de: "das Rezept hat kein Schlüsselwort '\(keyword.name)'")
            + Suggestion.text(for: keyword.name, among: plan.keywordNames))
        refusal.faults = [InputFault(at: ["keywords", keyword.name], refusal.message)]
        throw refusal
      }
      keywords[keyword.name] = .string(keyword.text)
    }
    if !order.denied.isEmpty {
      keywords[Permission.denialKey] = .string(order.denied.sorted().map(\.rawValue).joined(separator: " "))
    }
    return keywords
  }
}

extension EngineError {
  /// A line of inputs that cannot be used.
  fileprivate static func unusable(_ english: String, de german: String) -> EngineError {
    EngineError(.invalidInput, LocalizedText(english, de: german))
  }
}
