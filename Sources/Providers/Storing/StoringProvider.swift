import Dispatch
import Engine
import Expressions
import Plans
import RecipeModel
import RunStore

/// Records which messages runs put into the folders of a mailbox, so that a recipe that starts itself by them comes to an end.
struct StoringProvider: StepProvider {
  private static let actions: Set<String> = [
    "mail.append", "mail.archive", "mail.copy", "mail.import", "mail.move", "mail.spam",
  ]

  let base: any StepProvider
  /// The provider's name.
  let name: String
  let store: RunStore
  let open: OpenStorings

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    guard Self.actions.contains(request.action) else { return try await base.perform(request, reporter: reporter) }
    let call = open.begin(MailFolder(provider: name, name: folder(request, [:])))
    defer { open.end(call) }
    let answer = try await base.perform(request, reporter: reporter)
    await note(answer, request)
    return answer
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    let verdict = try await base.verify(request, reporter: reporter)
    if case .done(let answer) = verdict, Self.actions.contains(request.action) { await note(answer, request) }
    return verdict
  }

  func passesOn(_ field: String, of action: String) -> Bool { base.passesOn(field, of: action) }

  /// The folder that messages come to; empty if only the answer says it.
  private func folder(_ request: ActionRequest, _ answer: Value) -> String {
    let isTransfer = request.action != "mail.append" && request.action != "mail.import"
    return answer["to"]?.stringValue ?? request.input[isTransfer ? "to" : "folder"]?.stringValue ?? ""
  }

  /// Records what was put where. If that fails, the call has succeeded all the same.
  private func note(_ answer: Value, _ request: ActionRequest) async {
    var uids = answer["uids"]?.listValue ?? []
    if let uid = answer["uid"] { uids.append(uid) }
    uids += (answer["messages"]?.listValue ?? []).compactMap { $0["uid"] }
    let (names, folder) = (uids.compactMap(\.stringValue), folder(request, answer))
    guard !names.isEmpty, !folder.isEmpty else { return }
    let messages = StoredMessages(store, at: SystemTime().now)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // It waits for the disk.
      DispatchQueue.global().async { [store, name] in
        defer { continuation.resume() }
        guard let (runs, recipe) = try? store.outerRuns(of: request.run) else { return }
        let line = runs.lazy.compactMap { try? messages.line(before: $0) }.first { !$0.isEmpty } ?? []
        try? messages.keep(
          line + [recipe ?? request.recipe], of: names, in: MailFolder(provider: name, name: folder))
      }
    }
  }
}
