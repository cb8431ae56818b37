import Engine
import RecipeHistory
import RecipeModel
import UseCases

/// Syncs recipes while they are served, as `recipes.sync` of `sous.yaml` says.
struct RecipeSyncKeeper {
  let session: Session
  let server: RecipeServer
  var time: any TimeSource = SystemTime()

  /// Syncs at once and then again and again, until the session drains or the task is cancelled. The status has a failure until a sync
  /// succeeds.
  func keep() async {
    guard let sync = session.project.configuration.recipeSync else { return }
    while !Task.isCancelled, !session.drain.isSet {
      // A sync that is under way when the session drains writes all files or none.
      await session.drain.interrupt { await self.sync() }
      await session.drain.interrupt { [time] in try? await time.sleep(seconds: sync.interval) }
    }
  }

  private func sync() async {
    do {
      guard let order = try session.project.configuredSync() else { return }
      let report = try await session.project.syncRecipes(order)
      if !report.changes.isEmpty { session.project.workspace.surroundings.events(.serve(.synced(report))) }
      await server.noteSync(nil)
    } catch {
      if error.code != .interrupted { await server.noteSync(error.message) }
    }
  }
}
