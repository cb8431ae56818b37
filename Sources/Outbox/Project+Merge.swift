import Engine
import Expressions
import Foundation
import Hashing
import Localization
import OperatingSystem
import Plans
public import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Schemas
public import UseCases

/// A mail merge: a template and a row for each message.
public struct MailMerge: Sendable {
  /// Where the rows come from.
  public enum Source: Sendable {
    /// A file: `.csv` with a header, otherwise JSON lines.
    case file(String)
    /// What a step of a run has given: a list of maps.
    case run(String, step: String)
  }

  /// Where the rows come from.
  public var source: Source
  /// The file with the message: a map of the fields of `mail`, or a recipe of kind `send`.
  public var template: String
  /// When the messages go out; `nil` for at once.
  public var at: SendMoment?
  /// Who sends; empty for the default transport, or the template's.
  public var providers: [String] = []
  /// Whether messages that were queued before are queued once more.
  public var isAgain = false

  /// Creates a merge.
  public init(_ source: Source, template: String) {
    self.source = source
    self.template = template
  }
}

/// The messages of a merge, checked.
public struct CheckedMerge: Sendable {
  /// The messages, in the order of the rows.
  public let mails: [CheckedMail]
  /// How many rows said the same as one before them, and are left out.
  public let duplicates: Int
}

extension Session {
  /// Makes the messages of a merge and checks them all.
  ///
  /// - Throws: ``UseCaseError`` with code `wrong_input` that names the lines that are wrong; then nothing is queued.
  public func check(_ merge: MailMerge) async throws(UseCaseError) -> CheckedMerge {
    let rows: MergeRows
    switch merge.source {
    case .file(let name): rows = try MergeRows(file: name, project.workspace.surroundings)
    case .run(let run, let step):
      let value = try await mapErrors { try await store.output(of: store.resolve(run), step: step) }
      rows = try MergeRows(value, of: "\(run)/\(step)")
    }
    return try project.check(merge, rows)
  }
}

extension Project {
  /// Names of merged messages have the same beginning, so that the rest alone tells them apart.
  private static let epoch = Timestamp(seconds: 1_577_836_800)
  private static let toldProblems = 20

  fileprivate func check(_ merge: MailMerge, _ rows: MergeRows) throws(UseCaseError) -> CheckedMerge {
    let template = try MergeTemplate(merge.template, rows.columns, self)
    let now = SystemTime().now
    var plans: [[String]: Plan] = [:]
    var mails: [CheckedMail] = []
    var seen: Set<RunID> = []
    var problems: [LocalizedText] = []
    for row in rows.rows {
      guard problems.count < Self.toldProblems else { break }
      do throws(UseCaseError) {
        let message = try template.message(row.values, at: now)
        var order = MailOrder(
          message, providers: merge.providers.isEmpty ? template.providers : merge.providers, at: merge.at,
          name: template.plan.name)
        order.id = RunID(at: Self.epoch, of: "merge\n\(template.fingerprint)\n\(message.jsonString)")
        if merge.isAgain { order.id = .new() }
        let plan: Plan
        if let known = plans[order.providers] {
          plan = known
        } else {
          plan = try outboxPlan(name: order.name, providers: order.providers)
        }
        plans[order.providers] = plan
        let mail = try check(order, by: plan, at: now)
        if let id = order.id, seen.insert(id).inserted { mails.append(mail) }
      } catch {
        problems.append(LocalizedText(verbatim: "\(row.place): ") + error.message)
      }
    }
    if let first = problems.first {
      throw .wrongInput(problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 })
    }
    guard !mails.isEmpty else {
      throw .wrongInput(.init("there is nobody to send to", de: "es gibt niemanden, an den gesendet würde"))
    }
    if let plan = plans.values.first { try openSecrets(for: plan) }
    return CheckedMerge(mails: mails, duplicates: rows.rows.count - mails.count)
  }
}

/// The message of a merge, with expressions that speak of columns.
private struct MergeTemplate {
  let plan: Plan
  let fingerprint: String
  /// The columns that it uses.
  private let used: Set<String>

  var providers: [String] { plan.steps.last?.providers ?? [] }

  init(_ name: String, _ columns: [String], _ project: Project) throws(UseCaseError) {
    let path = project.workspace.surroundings.resolve(name)
    guard let data = FileManager.default.contents(atPath: path), data.count <= 16 << 20,
      let text = String(utf8Text: Array(data))
    else {
      throw .wrongInput(.init("the template '\(name)' cannot be read", de: "die Vorlage '\(name)' ist nicht lesbar"))
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isRecipe = lines.contains { $0.hasPrefix("kind:") }
    let source = isRecipe ? text : Self.recipe(lines, name, columns)
    let planning = project.planning(SourceText(path: path, text: source), from: .file)
    if planning.hasErrors || planning.plan == nil {
      let problems = planning.diagnostics.filter { $0.severity == .error }.map {
        Self.words($0, name, isRecipe, columns)
      }
      let first = problems.first ?? planning.providerProblems.first?.message ?? LocalizedText(verbatim: name)
      throw .wrongInput(problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 })
    }
    guard let plan = planning.plan, plan.dispatch != nil, let send = plan.steps.last else {
      throw .wrongInput(
        .init("the template '\(name)' is no message", de: "die Vorlage '\(name)' ist keine Nachricht"))
    }
    self.plan = plan
    fingerprint = ContentHash.hexadecimal(of: Array(text.utf8))
    used = Set(
      send.input.references.compactMap { reference in
        let path = reference.path
        return reference.isKeyword ? path.first : path.first == "inputs" && path.count > 1 ? path[1] : nil
      })
  }

  /// The template as a recipe: each column is an input and a keyword of the same name.
  private static func recipe(_ lines: [Substring], _ name: String, _ columns: [String]) -> String {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    let title = Value.string(file.split(separator: ".").first.map(String.init) ?? file).jsonString
    let body = lines.filter { $0 != "---" }.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    let usable = columns.filter { IdentifierName.problem(with: $0, as: .input) == nil }
    let keywords = usable.filter { !PlanVariables.reserved.contains($0) }
    var text = "mail:\n\(body)\nkind: send\nname: \(title)\n"
    if !usable.isEmpty {
      text += "inputs:\n" + usable.map { "  \($0): { required: false }\n" }.joined()
    }
    if !keywords.isEmpty {
      text += "keywords:\n" + keywords.map { "  \($0): \"{{ inputs.\($0) }}\"\n" }.joined()
    }
    return text
  }

  /// A problem of the template at its own place.
  private static func words(
    _ problem: Diagnostic, _ name: String, _ isRecipe: Bool, _ columns: [String]
  ) -> LocalizedText {
    let (line, column) = isRecipe ? (0, 0) : (1, 2)
    let place = problem.range.map { ":\(max(1, $0.start.line - line)):\(max(1, $0.start.column - column))" } ?? ""
    let known = columns.joined(separator: ", ")
    return LocalizedText(verbatim: "\(name)\(place): ") + problem.message
      + LocalizedText("; the columns are: \(known)", de: "; die Spalten sind: \(known)")
  }

  /// The message for one row.
  func message(_ row: [String: Value], at now: Timestamp) throws(UseCaseError) -> Value {
    for name in plan.inputs.map(\.name) where used.contains(name) && row[name] ?? .null == .null {
      throw .wrongInput(.init("there is no '\(name)'", de: "'\(name)' fehlt"))
    }
    let names = Set(plan.inputs.map(\.name))
    do {
      let inputs = try plan.inputs(from: row.filter { names.contains($0.key) })
      guard let send = plan.steps.last else { return .null }
      let request = RunRequest(id: RunID(rawValue: ""), inputs: inputs)
      return try plan.input(of: send, request, at: now).asMessage
    } catch let error as EngineError {
      throw .wrongInput(error.message)
    } catch let error as ExpressionError {
      throw .wrongInput(error.message)
    } catch {
      throw UseCaseError(error)
    }
  }
}
