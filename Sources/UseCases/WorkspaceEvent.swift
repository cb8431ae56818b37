public import Engine
public import Localization
public import Plans
public import RecipePlanning
public import RunStore

/// What happens in a workspace while somebody works in it, for whoever watches: a terminal, a server, a test.
public enum WorkspaceEvent: Sendable {
  /// The configuration, or a recipe that is going to run, can be used and yet has something to tell.
  case warnings(Planning)
  /// A provider has something to tell that belongs to no step.
  case provider(String, LogLevel, message: String)
  /// A run is repeated with a recipe that is not what its file says now, or not what the run had.
  case repeats(RunStart, with: RepeatedRecipe)
  /// A run that was asked for is about to be worked on by this plan.
  case begins(Plan)
  /// Something happened in a run.
  case run(RunID, RunEvent)
  /// Something happened while the queue was worked through.
  case work(WorkEvent)
  /// Something happened while recipes were served.
  case serve(ServeEvent)

  /// The recipe that a run is repeated with.
  public enum RepeatedRecipe: Sendable {
    /// That of its file, which has changed since.
    case changed
    /// The text that the run has kept, as its file cannot be used now.
    case keptAsFileIsUnusable
    /// The text that the run has kept, as its file has other steps now.
    case keptAsFileHasOtherSteps
  }

  /// What happens while the queue is worked through.
  public enum WorkEvent: Sendable {
    /// A run has ended, or was parked until a wait ends.
    case ended(RunResult, RunStart)
    /// A run cannot go on just now; it is tried again later.
    case heldUp(RunStart, ActionFailure)
    /// The run log fails: it is tried again, and runs that it has stopped go on then.
    case logFails(UseCaseError)
    /// The run log works again, after so many seconds.
    case logWorks(after: Double)
    /// What a run records is refused for good. It is left as it is; other runs go on.
    case refused(RunID, UseCaseError)
    /// No run is claimed any more; so many are suspended after what they are at, within so many seconds.
    case drains(Int, within: Double)
  }

  /// What happens while recipes are served.
  public enum ServeEvent: Sendable {
    /// It serves: so many recipes, with so many schedules and triggers. The triggers in `unwatched`, in words for people, do
    /// not watch yet: they have failed, or their first look takes long.
    case begins(recipes: Int, schedules: Int, triggers: Int, unwatched: [String])
    /// A process that served before has ended without a word: it was killed, or its machine went down.
    case foundGone(ServerRecord)
    /// Another process serves this project already; both share its schedules, triggers and runs.
    case servesBeside(ServerRecord)
    /// Something has become of a point of a schedule.
    case occurred(OccurrenceRecord, recipe: String)
    /// Points of a schedule have passed without a run.
    case passed(PassedPoints, recipe: String)
    /// An event has begun a run; by a word that tells of what: `mail`, `file`, `webhook` …
    case triggered(RunID, recipe: String, by: String)
    /// A schedule pauses, as its runs have failed one after another.
    case paused(ScheduleRecord)
    /// A recipe is new, or has changed. `unwatched` are those of its triggers that do not watch yet, in words for people.
    case loaded(path: String, name: String, unwatched: [String])
    /// A recipe's file has another name; its schedules and triggers go on where they were.
    case renamed(from: String, to: String)
    /// Something is wrong with a recipe's file; its last good version, where there is one, stays in force.
    case problem(path: String, LocalizedText)
    /// A message starts no run, because a run of Sous has put it back into its folder.
    case putBack(recipe: String, run: String)
    /// The server takes requests at this address.
    case listens(at: String)
    /// The server has answered a request.
    case answered(AnsweredRequest)
    /// The server cannot listen at its address; it tries again, and recipes are served meanwhile.
    case serverFails(LocalizedText)
    /// Recipes were taken over from a Git repository.
    case synced(RecipeSyncReport)
    /// The collector has accepted the traces of so many runs.
    case pushedTraces(Int)
    /// The collector takes no traces. `refused`: the traces of so many runs are given up; the others are pushed later.
    case tracesFail(LocalizedText, refused: Int)
    /// A trigger does not listen just now; it is tried again.
    case triggerFails(recipe: String, provider: String, LocalizedText)
  }
}

/// A request that the server has answered.
public struct AnsweredRequest: Sendable {
  /// Names the request; the client has it in `X-Request-ID`.
  public var id: String
  /// `GET`, `POST` …
  public var method: String
  /// The path without its query, which may hold personal data.
  public var path: String
  /// The status of HTTP.
  public var status: Int
  /// Seconds to the beginning of the answer.
  public var seconds: Double
  /// The user; `nil` for a caller who has not signed in.
  public var user: String?
  /// The address of the client.
  public var address: String

  /// Creates a record.
  public init(
    id: String, method: String, path: String, status: Int, seconds: Double, user: String?, address: String
  ) {
    (self.id, self.method, self.path, self.status) = (id, method, path, status)
    (self.seconds, self.user, self.address) = (seconds, user, address)
  }
}
