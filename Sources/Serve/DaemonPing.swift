import Engine
import Plans
import RecipeModel
import UseCases

/// Reports to a monitoring service that the daemon is alive: `engine.ping` in `sous.yaml`.
struct DaemonPing {
  let session: Session
  let server: RecipeServer
  var time: any TimeSource = SystemTime()

  /// Sends again and again, until the session drains or the task is cancelled. A server that does not answer, or that cannot write
  /// its signs of life, sends nothing.
  func keep() async {
    guard let ping = session.project.configuration.engine.ping else { return }
    let targets = PingTargets(urls: [.success: ping.url])
    while !Task.isCancelled, !session.drain.isSet {
      let isWell = await server.isWell
      if isWell { await session.pings.send(.success, targets, of: PingSender.daemon) }
      await session.drain.interrupt { [time] in try? await time.sleep(seconds: isWell ? ping.every : 1) }
    }
  }
}
