import Access
import RecipeModel
import RunStore
import Serve
import UseCases

/// The shared objects of all operations.
struct ServerServices: Sendable {
  /// The open workspace of the daemon.
  let session: Session
  /// Users, tokens, sessions, and kept answers.
  let access: AccessStore
  /// Sign-in at an identity provider; `nil` if none is set.
  let identity: IdentitySignIn?
  /// The settings.
  let settings: ConfiguredServer
  /// Runs that requests have started and that this process works on.
  let tasks: RunTasks
  /// The followers of runs.
  let events: EventHub
  /// Reports that the run log has changed.
  let changes: RunLogChanges
  /// The counters of this process.
  let metrics: ServerMetrics
  /// The open connections.
  let connections: ConnectionRegister
  /// The version of the program.
  let version: String
  /// Whether this process works on the runs that it starts. Otherwise they are queued for the daemon.
  var worksHere = false

  /// Reports an answer.
  func log(_ request: AnsweredRequest) { workspace.surroundings.events(.serve(.answered(request))) }

  /// The run log.
  var store: RunStore { session.store }
  /// The workspace.
  var workspace: Workspace { session.project.workspace }
}
