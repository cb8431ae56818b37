import Expressions
import Localization

/// Runs as tasks of the protocol. The id of a task is that of its run, so tasks outlive the connection and this process.
struct RunTask {
  /// The words before the id of the run: for tools with a schema of their outputs, and for others.
  private static let (tool, plain) = ("tool-", "run-")
  /// Milliseconds between two looks of a client.
  private static let pollInterval: Value = 1000

  private let call: AssistantCall
  private let operations: any AssistantOperations

  init(_ call: AssistantCall, _ operations: any AssistantOperations) {
    (self.call, self.operations) = (call, operations)
  }

  // MARK: - New tasks

  /// The task of a run that was just started, for versions in which the client asks for it.
  func task(of run: String, isTool: Bool) async throws(AssistantError) -> Value {
    .map(members(try await operations.summary(of: run), id: (isTool ? Self.tool : Self.plain) + run, questions: []))
  }

  /// The result of a call that goes on as a task, for versions in which the server decides on it.
  func created(_ run: String, isTool: Bool) async throws(AssistantError) -> ValueMap {
    var map = try await task(of: run, isTool: isTool).mapValue ?? [:]
    map["resultType"] = "task"
    return map
  }

  // MARK: - Methods

  /// `tasks/get`.
  func show() async throws -> ValueMap {
    let (id, detail, isTool) = try await found()
    let questions = forms(detail)
    var map = members(detail, id: id, questions: questions.map(\.key))
    guard call.version.isStateless else { return map }
    if map["status"] == "completed" { map["result"] = .map(try await outcome(detail, isTool)) }
    if map["status"] == "input_required" {
      var requests = ValueMap()
      for form in questions { requests[form.key] = request(form) }
      map["inputRequests"] = .map(requests)
    }
    return map
  }

  /// `tasks/update`: the answers of a person.
  func update() async throws -> ValueMap {
    let (_, detail, _) = try await found()
    guard let answers = call.params["inputResponses"]?.mapValue else {
      throw AssistantError.invalidParameters(
        "'inputResponses' must be an object", de: "'inputResponses' muss ein Objekt sein")
    }
    for form in forms(detail) {
      guard let answer = answers[form.key], let body = form.body(PersonsAnswer(answer)) else { continue }
      _ = try await operations.perform(
        OperationCall("answerDecision", path: ["run": Self.run(detail)], body: body))
    }
    return [:]
  }

  /// `tasks/cancel`.
  func cancel() async throws -> ValueMap {
    let (id, detail, _) = try await found()
    let isOver = Self.isTerminal(Self.status(detail, questions: []))
    if isOver, !call.version.isStateless {
      throw AssistantError.invalidParameters("the task has ended already", de: "die Aufgabe ist schon zu Ende")
    }
    if !isOver {
      _ = try await operations.perform(OperationCall("cancelRun", path: ["run": Self.run(detail)]))
    }
    if call.version.isStateless { return [:] }
    var map = members(detail, id: id, questions: [])
    map["status"] = "cancelled"
    return map
  }

  /// `tasks/result`: waits for the end of the task, and has its questions answered meanwhile.
  func result(_ channel: CallChannel, _ assistant: Assistant) async throws -> ValueMap {
    let (id, first, isTool) = try await found()
    let related: Value = [MetaKey.relatedTask: ["taskId": .string(id)]]
    let canAsk = call.features.elicitsForms && operations.permits("answerDecision")
    let watch = RunWatch(run: Self.run(first), operations: operations)
    while case .asks = try await watch.wait(stopsAtQuestions: canAsk) {
      let detail = try await operations.perform(OperationCall("showRun", path: ["run": Self.run(first)]))
      guard let form = forms(detail).first else {
        _ = try await watch.wait(stopsAtQuestions: false)
        break
      }
      var params = form.parameters(in: operations.language)
      params["_meta"] = related
      guard let body = form.body(PersonsAnswer(try await channel.ask("elicitation/create", params))) else {
        _ = try await watch.wait(stopsAtQuestions: false)
        break
      }
      _ = try await operations.perform(
        OperationCall("answerDecision", path: ["run": Self.run(first)], body: body))
    }
    var map = try await outcome(first, isTool)
    var meta = map["_meta"]?.mapValue ?? [:]
    for (key, value) in related.mapValue?.entries ?? [] { meta[key] = value }
    map["_meta"] = .map(meta)
    return map
  }

  // MARK: - Parts

  /// The run of the task that the call names. Runs that no assistant has started are not tasks.
  private func found() async throws(AssistantError) -> (id: String, detail: Value, isTool: Bool) {
    let id = try call.text("taskId")
    for prefix in [Self.tool, Self.plain] where id.hasPrefix(prefix) {
      let run = String(id.dropFirst(prefix.count))
      guard let detail = try await existing(run), Self.run(detail) == run,
        detail["trigger"]?.stringValue == "assistant"
      else { break }
      return (id, detail, prefix == Self.tool)
    }
    throw AssistantError(
      .unknownTask, .invalidParameters, "no task '\(id)', or you may not see it",
      de: "keine Aufgabe '\(id)', oder sie ist nicht sichtbar")
  }

  private func existing(_ run: String) async throws(AssistantError) -> Value? {
    do {
      return try await operations.perform(OperationCall("showRun", path: ["run": run]))
    } catch {
      guard error.number == 404 else { throw error }
      return nil
    }
  }

  private static func run(_ detail: Value) -> String { detail["id"]?.stringValue ?? "" }

  private func outcome(_ detail: Value, _ isTool: Bool) async throws(AssistantError) -> ValueMap {
    try await RunReport(operations).outcome(Self.run(detail), isOutputs: isTool)
  }

  /// The open questions that this client can show.
  private func forms(_ detail: Value) -> [QuestionForm] {
    guard call.features.elicitsForms, operations.permits("answerDecision") else { return [] }
    return RunReport.questions(detail).compactMap(QuestionForm.init)
  }

  private func request(_ form: QuestionForm) -> Value {
    ["method": "elicitation/create", "params": .map(form.parameters(in: operations.language))]
  }

  private func members(_ run: Value, id: String, questions: [String]) -> ValueMap {
    let began = run["started_at"]?.stringValue ?? ""
    let times = (run["steps"]?.listValue ?? []).flatMap { step in
      [step["started_at"]?.stringValue, step["ended_at"]?.stringValue].compactMap { $0 }
    }
    let updated = run["ended_at"]?.stringValue ?? times.max() ?? began
    var status = Self.status(run, questions: questions)
    if status == "completed", !call.version.isStateless, run["status"] != "succeeded", run["status"] != "skipped" {
      status = "failed"
    }
    return [
      "taskId": .string(id), "status": .string(status), "statusMessage": run["status"] ?? .null,
      "createdAt": .string(began), "lastUpdatedAt": .string(updated),
      call.version.isStateless ? "ttlMs" : "ttl": .null,
      call.version.isStateless ? "pollIntervalMs" : "pollInterval": Self.pollInterval,
    ]
  }

  /// The status of a task. A run whose cancellation was asked for counts as cancelled, also while it undoes its effects.
  private static func status(_ run: Value, questions: [String]) -> String {
    switch run["status"]?.stringValue ?? "" {
    case "cancelled": "cancelled"
    case "succeeded", "failed", "skipped": "completed"
    case _ where run["cancel_requested"]?.boolValue ?? false: "cancelled"
    case "needs_attention": "completed"
    case "waiting" where !questions.isEmpty: "input_required"
    default: "working"
    }
  }

  private static func isTerminal(_ status: String) -> Bool { !["working", "input_required"].contains(status) }
}
