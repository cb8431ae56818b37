/// A kind of thing on the server that rights are about.
public enum AccessObject: String, Sendable, Hashable, CaseIterable {
  /// Recipes and their files.
  case recipes
  /// Runs: to run a recipe is `create`; to cancel, retry, resume or settle a run is `update`.
  case runs
  /// Questions of runs to people: to answer one is `update`.
  case decisions
  /// Schedules: to pause or resume one is `update`.
  case schedules
  /// Triggers and webhooks.
  case triggers
  /// Messages that wait to be sent.
  case outbox
  /// Reminders.
  case reminders
  /// Notes.
  case notes
  /// The prompt catalog.
  case catalog
  /// Conversations with models.
  case conversations
  /// The use of models, and its cost.
  case usage
  /// Configured providers.
  case providers
  /// Installed plugins.
  case plugins
  /// Files of the workspace.
  case files
  /// Notifications.
  case notifications
  /// The configuration of the workspace and the server.
  case settings
  /// Users, roles, groups and tokens.
  case users
  /// The audit log.
  case audit
  /// Secrets of the vault: their values can be set and deleted, never read.
  case secrets

  /// Whether a rule can be limited to a folder of recipes.
  public var hasFolders: Bool {
    switch self {
    case .recipes, .runs, .decisions: true
    default: false
    }
  }
}

/// An action of an actor on an object.
public enum AccessVerb: String, Sendable, Hashable, CaseIterable {
  case read, create, update, delete
}

/// Which things of a kind a right is about; the later ones include the earlier ones.
public enum AccessScope: String, Sendable, Hashable, CaseIterable, Comparable {
  /// None.
  case none
  /// Those that belong to the actor.
  case my
  /// Those that belong to the actor or to a member of one of its groups.
  case group
  /// All.
  case all

  private var rank: Int {
    switch self {
    case .none: 0
    case .my: 1
    case .group: 2
    case .all: 3
    }
  }

  /// Whether the left scope is the smaller one.
  public static func < (left: AccessScope, right: AccessScope) -> Bool { left.rank < right.rank }
}
