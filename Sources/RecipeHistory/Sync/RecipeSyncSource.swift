import OperatingSystem
import RecipeModel
import RunStore
import UseCases

/// Reads the repository of a sync, on a thread that may block.
struct RecipeSyncSource {
  /// The files of the repository.
  struct Found: Sendable {
    var commit: RecipeRepository.Commit
    /// Whether the last synced commit is in its history; true before the first sync.
    var isForward: Bool
    var contents: [String: [UInt8]]
    var writers: [String: RecipeRepository.Commit]
    var others: Int
    var isSigned: Bool
  }

  private let order: RecipeSyncOrder
  private let folder: String
  private let environment: [String: String]
  private let state: RecipeSyncState?

  init(_ order: RecipeSyncOrder, _ workspace: Workspace, _ state: RecipeSyncState?) {
    self.order = order
    folder = CheckedFiles.canonical(workspace.stateFolder) + "/recipes.git"
    environment = workspace.surroundings.environment
    self.state = state?.source == order.source ? state : nil
  }

  /// The contents of a commit in the copy of the repository, without a fetch.
  ///
  /// - Throws: ``UseCaseError`` if the copy does not have the commit.
  static func contents(
    of intent: RecipeSyncIntent, _ workspace: Workspace
  ) async throws(UseCaseError) -> [String: [UInt8]] {
    let folder = CheckedFiles.canonical(workspace.stateFolder) + "/recipes.git"
    let environment = workspace.surroundings.environment
    var settings = ConfiguredRecipeSync(url: folder)
    settings.folder = intent.folder
    let order = RecipeSyncOrder(settings)
    try order.check()
    return try await mapErrors {
      try await BlockingPool.shared.run { () throws(UseCaseError) -> [String: [UInt8]] in
        let repository = RecipeRepository(order, folder: folder, environment: environment) { false }
        let commit = RecipeRepository.Commit(hash: intent.state.commit, author: "")
        return try repository.contents(of: try repository.files(of: commit).files)
      }
    }
  }

  func read() async throws(UseCaseError) -> Found {
    let flag = SyncCancellation()
    let (order, folder, environment, state) = (order, folder, environment, state)
    let work = { @Sendable () throws(UseCaseError) -> Found in
      let repository = RecipeRepository(order, folder: folder, environment: environment) { flag.isSet }
      let commit = try repository.fetch()
      let isForward = try state.map { (state) throws(UseCaseError) in
        try repository.isAncestor(state.commit, of: commit.hash)
      }
      let base = isForward == true ? state?.commit : nil
      try repository.verify(commit, since: base)
      let (files, others) = try repository.files(of: commit)
      return Found(
        commit: commit, isForward: isForward ?? true, contents: try repository.contents(of: files),
        writers: try repository.writers(of: commit, since: base), others: others,
        isSigned: order.settings.signatures != nil)
    }
    return try await mapErrors {
      try await withTaskCancellationHandler {
        try await BlockingPool.shared.run(work)
      } onCancel: {
        flag.set()
      }
    }
  }
}
