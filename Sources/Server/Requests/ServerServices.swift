import Access
import Engine
import RecipeModel
import RunStore
import Serve
import UseCases

/// The shared objects of all operations.
struct ServerServices: Sendable {
  /// The open workspace of the daemon; of a request, with the caller as the owner of the runs that it starts.
  private(set) var session: Session
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
  /// The answers of models that are being made.
  let answers = ChatAnswers()
  /// The requests with a key that are being carried out.
  let requests = OpenRequests()
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
  /// Seconds between two looks at the rights of a caller whose answer goes on.
  var rightsInterval = standardRightsInterval

  /// The usual ``rightsInterval``.
  static let standardRightsInterval = 5.0

  /// The services for the request of a caller.
  ///
  /// - Parameter trace: The field `traceparent` of the request.
  func acting(for actor: Actor?, trace: String? = nil) -> ServerServices {
    var services = self
    services.session = session.acting(
      for: actor?.owner, continuing: trace.flatMap { TraceParent(field: $0) })
    return services
  }

  /// Reports an answer.
  func log(_ request: AnsweredRequest) { workspace.surroundings.events(.serve(.answered(request))) }

  /// The run log.
  var store: RunStore { session.store }
  /// The workspace.
  var workspace: Workspace { session.project.workspace }
}
