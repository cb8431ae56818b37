import Expressions
import Localization

extension ToolCall {
  /// The most questions about one call, if the recipe changes each time before the person has answered.
  private static let mostQuestions = 3

  /// Runs a recipe: asks for approval if it has effects, starts it, and waits for its end.
  mutating func run(_ recipe: String, inputs: Value) async throws -> ValueMap {
    if !state.isStarted, let refusal = try await start(recipe, inputs) { return refusal }
    do {
      return try await outcome()
    } catch let question as InputRequired {
      throw question
    } catch {
      throw await ended(by: error)
    }
  }

  /// Starts the run, in the version of the recipe that the person has approved.
  ///
  /// - Returns: The result of a call that may not be carried out; `nil` if the run has started.
  private mutating func start(_ recipe: String, _ inputs: Value) async throws -> ValueMap? {
    for number in 1...Self.mostQuestions {
      let (refusal, fingerprint) = try await approvalOfRun(recipe, inputs)
      if let refusal { return refusal }
      do throws(AssistantError) {
        let started = try await operations.perform(
          OperationCall(
            "runRecipe", path: ["recipe": recipe], body: ["inputs": inputs], run: state.run, fingerprint: fingerprint))
        state.run = started["id"]?.stringValue ?? state.run
        state.isStarted = true
        break
      } catch {
        guard error.code == .recipeChanged, number < Self.mostQuestions else { throw await failed(error) }
        // The person is asked again, about the recipe as it is now.
        (state.subject, state.isApproved) = (nil, false)
      }
    }
    return nil
  }

  /// The error of a start that was cut off: the run may be recorded all the same.
  private func failed(_ error: AssistantError) async -> any Error {
    guard Task.isCancelled || error.code == .interrupted else { return error }
    let (operations, run) = (operations, state.run)
    // The task of the call is cancelled, and would end the operation at once.
    guard (try? await Task { try await operations.summary(of: run) }.value) != nil else { return error }
    return await ended(by: error)
  }

  private mutating func outcome() async throws -> ValueMap {
    let report = RunReport(operations)
    if tool.work == .runRecipe, arguments["wait"]?.boolValue == false {
      return try await report.outcome(state.run, isOutputs: false)
    }
    if call.version.hasRequestedTasks, call.params["task"]?.mapValue != nil {
      return ["task": try await RunTask(call, operations).task(of: state.run, isTool: tool.output != nil)]
    }
    if let task = try await follow() { return task }
    return try await report.outcome(state.run, isOutputs: tool.output != nil)
  }

  /// The error of a call that has started a run.
  private func ended(by error: any Error) async -> any Error {
    // An operation under way reports the end of its task with an error of its own.
    let isCut = error is CancellationError || (error as? AssistantError)?.code == .interrupted
    guard !isCut, !Task.isCancelled else {
      if channel.isWithdrawn {
        await cancelRun(state.run)
        return error
      }
      return channel.refusal?.naming(run: state.run) ?? goesOn
    }
    return (error as? AssistantError)?.naming(run: state.run) ?? error
  }

  /// Waits for the end of the run, and has its questions answered.
  ///
  /// - Returns: A task in place of the result, if the client knows tasks and the run takes long.
  private func follow() async throws -> ValueMap? {
    let watch = RunWatch(run: state.run, operations: operations)
    let isTask = call.version.isStateless && call.features.knowsTasks
    var progress = RunProgress(call, channel)
    while true {
      let reason = try await watch.wait(lateAfter: isTask ? assistant.taskDelay : nil) { done, total, status in
        progress.report(done, of: total, status)
      }
      switch reason {
      case .ended: return nil
      case .late: return try await RunTask(call, operations).created(state.run, isTool: tool.output != nil)
      case .asks:
        if isTask { return try await RunTask(call, operations).created(state.run, isTool: tool.output != nil) }
        guard call.features.elicitsForms, operations.permits("answerDecision"), try await answerQuestion() else {
          return nil
        }
      }
    }
  }

  /// Cancels the run of a call that the client does not want any more.
  private func cancelRun(_ run: String) async {
    guard operations.permits("cancelRun") else { return }
    let operations = operations
    // The task of the call is cancelled, and would end the operation at once.
    _ = await Task { try? await operations.perform(OperationCall("cancelRun", path: ["run": run])) }.value
  }

  /// The error of a call that ends with the server: a repetition would start a second run.
  private var goesOn: AssistantError {
    AssistantError(
      .interrupted, .internalError,
      "the server is stopping; run \(state.run) goes on later: do not repeat the call, show_run shows the run",
      de:
        "der Server hält gerade an; Lauf \(state.run) geht später weiter: den Aufruf nicht wiederholen, show_run zeigt den Lauf",
      data: ["run": .string(state.run)])
  }

  // MARK: - Approval

  /// Asks a person whether the run may start, if the recipe needs that.
  ///
  /// - Returns: The result of a call that may not be carried out, and the version of the recipe that may run; `nil` for each
  ///   version.
  private mutating func approvalOfRun(
    _ recipe: String, _ inputs: Value
  ) async throws -> (refusal: ValueMap?, fingerprint: String?) {
    let detail = try await operations.perform(OperationCall("showRecipe", path: ["recipe": recipe]))
    let word = detail["tool"]?["approve"]?.stringValue
    if word == "never" { return (nil, nil) }
    let plan = try await operations.perform(OperationCall("explainRecipe", path: ["recipe": recipe]))
    let fingerprint = plan["fingerprint"]?.stringValue
    let effects = Self.effects(of: plan, depth: 0)
    if word != "always", effects.isEmpty { return (nil, fingerprint) }
    let remedy = LocalizedText(
      "run it with 'sous run', or allow it in the recipe with 'tool: { approve: never }'",
      de: "mit 'sous run' ausführen, oder es im Rezept mit 'tool: { approve: never }' erlauben")
    let question = Self.question(recipe, inputs, effects)
    return (try await approval(question, version: fingerprint ?? "", remedy), fingerprint)
  }

  /// The steps that change or send something: `id (action)`.
  private static func effects(of plan: Value, depth: Int) -> [String] {
    // Steps that are not looked at may have effects: a person is asked.
    guard depth < 10 else { return ["…"] }
    return (plan["steps"]?.listValue ?? []).flatMap { step -> [String] in
      let inner = ["recipe", "block"].compactMap { name -> Value? in
        guard let value = step[name], !value.isNull else { return nil }
        return value.listValue == nil ? value : ["steps": value]
      }
      if !inner.isEmpty { return inner.flatMap { effects(of: $0, depth: depth + 1) } }
      guard let effect = step["effect"]?.stringValue, effect == "once" || effect == "idempotent" else { return [] }
      return ["\(step["id"]?.stringValue ?? "") (\(step["action"]?.stringValue ?? ""))"]
    }
  }

  private static func question(_ recipe: String, _ inputs: Value, _ effects: [String]) -> LocalizedText {
    var text = LocalizedText("Run the recipe '\(recipe)'?", de: "Das Rezept '\(recipe)' ausführen?")
    if !effects.isEmpty {
      let steps = effects.prefix(20).joined(separator: ", ") + (effects.count > 20 ? ", …" : "")
      text =
        text
        + LocalizedText(
          "\nSteps that change or send something: \(steps)", de: "\nSchritte, die etwas ändern oder senden: \(steps)")
    }
    guard inputs.mapValue?.isEmpty == false else { return text }
    let json = String(inputs.jsonString.prefix(2000))
    return text + LocalizedText("\nInputs: \(json)", de: "\nEingaben: \(json)")
  }
}

/// Reports progress to clients that want it; the numbers only grow.
struct RunProgress {
  private let token: Value?
  private let channel: CallChannel
  private var last: Int64 = -1

  init(_ call: AssistantCall, _ channel: CallChannel) {
    token = call.progressToken
    self.channel = channel
  }

  mutating func report(_ done: Int64, of total: Int64, _ status: String) {
    guard let token, done > last else { return }
    last = done
    channel.notify(
      "notifications/progress",
      [
        "progressToken": token, "progress": .int(done), "total": .int(max(total, done)), "message": .string(status),
      ])
  }
}
