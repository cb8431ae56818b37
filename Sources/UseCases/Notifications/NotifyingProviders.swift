import Engine
import Expressions
import PluginHost
import Recipes
import RunStore
import Synchronization

/// The providers of a project, where those of `notify` put what they send into the inbox as well.
final class NotifyingProviders: ProviderDirectory {
  private let project: Project
  private let inbox: RunStore
  /// Which providers carry out `notify`, as far as has been asked.
  private let notifiers = Mutex<[String: Bool]>([:])

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
    let provider = try await project.stepProvider(named: name)
    return isNotifier(name) ? NotifyingProvider(inbox: inbox, name: name, carrier: provider) : provider
  }

  private func isNotifier(_ name: String) -> Bool {
    if let known = notifiers.withLock({ $0[name] }) { return known }
    let description = try? project.providers.describe(name)
    let isNotifier = description?.contracts.contains("notify") ?? false
    notifiers.withLock { $0[name] = isNotifier }
    return isNotifier
  }
}
