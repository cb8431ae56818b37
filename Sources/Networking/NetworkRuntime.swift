import Dispatch
import NIOCore
import NIOPosix

/// The thread of the network and what lives on it. Made at the first use.
final class NetworkRuntime: Sendable {
  /// State of the event loop.
  final class OnLoop {
    let connector: Connector
    let pool: ConnectionPool
    /// Ends what is under way.
    var endings: [ObjectIdentifier: () -> Void] = [:]
    /// Whether what begins now ends at once.
    var isClosing = false

    init(_ connector: Connector, limits: NetworkLimits) {
      self.connector = connector
      pool = ConnectionPool(connector: connector, limits: limits)
    }
  }

  let loop: any EventLoop
  let turns: EventLoopTurns
  let limits: NetworkLimits
  /// Entered by everything whose `end` is still to come.
  let unfinished = DispatchGroup()
  private let group: MultiThreadedEventLoopGroup
  private let box: NIOLoopBoundBox<OnLoop>

  init(limits: NetworkLimits, resolver: any HostResolver) {
    self.limits = limits
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let turns = EventLoopTurns(loop: loop)
    self.loop = loop
    self.turns = turns
    box = NIOLoopBoundBox.makeBoxSendingValue(
      OnLoop(Connector(loop: loop, turns: turns, resolver: resolver), limits: limits), eventLoop: loop)
  }

  /// State of the event loop; use it there only.
  var onLoop: OnLoop { box.value }

  /// Ends everything, waits for the last `end`, and stops the thread.
  func shutDown() async {
    turns.run { [self] in
      onLoop.isClosing = true
      for ending in onLoop.endings.values { ending() }
    }
    await withCheckedContinuation { continuation in
      unfinished.notify(queue: .global()) { continuation.resume() }
    }
    let closed = loop.makePromise(of: Void.self)
    turns.run { [self] in
      onLoop.pool.close()
      closed.succeed()
    }
    try? await closed.futureResult.get()
    turns.shut()
    try? await group.shutdownGracefully()
  }
}
