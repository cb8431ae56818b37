import Engine
import Expressions
import Plans
import PluginHost
import RunStore
import Synchronization

/// The providers of a project, where those of `notify` put what they send into the inbox as well, and those of `mail.store`
/// record which messages runs put into folders.
final class NotifyingProviders: ProviderDirectory {
  private let project: Project
  private let inbox: RunStore
  /// The contracts of providers, as far as has been asked.
  private let contracts = Mutex<[String: [String]]>([:])

  init(_ project: Project, inbox: RunStore) {
    self.project = project
    self.inbox = inbox
  }

  var builtins: any StepProvider { project.host.builtins }

  func admit(to name: String) async throws(ActionFailure) -> Admission { try await project.host.admit(to: name) }

  func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    if project.providers.isInbox(name) { return NotifyingProvider(inbox: inbox, name: name, carrier: nil) }
    if project.providers.isNotes(name) {
      return NotesProvider(
        path: project.workspace.notes, blobs: inbox, reminders: NoteReminders(project: project, store: inbox))
    }
    if carriesOut("mail.store", name) {
      return StoringProvider(
        base: try await project.stepProvider(named: name), name: name, store: inbox, open: project.storings)
    }
    guard carriesOut("notify", name) else { return try await project.stepProvider(named: name) }
    let carrier: any StepProvider
    do throws(ActionFailure) {
      carrier = try await project.stepProvider(named: name)
    } catch {
      if error.kind == .cancelled { throw error }
      // After a missing secret or an expired sign-in too, the inbox gets the notification first, then the reason why it was not
      // sent.
      carrier = UnopenedProvider(failure: error)
    }
    return NotifyingProvider(inbox: inbox, name: name, carrier: carrier)
  }

  private func carriesOut(_ contract: String, _ name: String) -> Bool {
    if let known = contracts.withLock({ $0[name] }) { return known.contains(contract) }
    let found = (try? project.providers.describe(name))?.contracts ?? []
    contracts.withLock { $0[name] = found }
    return found.contains(contract)
  }
}

/// A provider that could not be opened: every call fails for the same reason.
private struct UnopenedProvider: StepProvider {
  let failure: ActionFailure

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    throw failure
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    throw failure
  }
}
