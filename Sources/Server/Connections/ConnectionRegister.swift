import Glibc
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import NIOPosix
import Networking
import Synchronization

/// The open connections: admits new ones, closes slow ones, and bounds the time of a request.
final class ConnectionRegister: Sendable {
  private struct State {
    var table: ClientTable
    var channels: [Int: any Channel] = [:]
    var numbers: [ObjectIdentifier: Int] = [:]
  }

  private let state: Mutex<State>

  /// - Parameter places: The most connections at a time.
  init(places: Int) { state = Mutex(State(table: ClientTable(places: places))) }

  /// The places for connections: half of the files that the process may open, 4096 at most.
  static var standardPlaces: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
    return max(32, min(4096, Int(clamping: limit.rlim_cur) / 2))
  }

  /// How many connections are open.
  var count: Int { state.withLock { $0.table.count } }

  /// Admits a connection, and closes the one that it replaces.
  fileprivate func enter(_ channel: any Channel) -> Bool {
    let (isAdmitted, evicted) = state.withLock { state -> (Bool, (any Channel)?) in
      let entry = state.table.enter()
      guard let id = entry.id else { return (false, nil) }
      state.channels[id] = channel
      state.numbers[ObjectIdentifier(channel)] = id
      return (true, entry.evicted.flatMap { state.channels[$0] })
    }
    evicted?.close(promise: nil)
    if isAdmitted { channel.closeFuture.whenComplete { [self] _ in leave(channel) } }
    return isAdmitted
  }

  private func leave(_ channel: any Channel) {
    state.withLock { state in
      guard let id = state.numbers.removeValue(forKey: ObjectIdentifier(channel)) else { return }
      state.table.leave(id)
      state.channels[id] = nil
    }
  }

  fileprivate func note(_ phase: ClientTable.Phase, of channel: any Channel) {
    state.withLock { state in
      // A stream of HTTP/2 is a channel of its own, whose parent is the connection.
      let id =
        state.numbers[ObjectIdentifier(channel)] ?? channel.parent.flatMap { state.numbers[ObjectIdentifier($0)] }
      if let id { state.table.note(phase, of: id) }
    }
  }

  /// The handler of the listening socket.
  func acceptHandler() -> AcceptHandler { AcceptHandler(self) }

  /// The handler of one connection, or of one stream of HTTP/2.
  ///
  /// - Parameters:
  ///   - head: Seconds in which the head of a request must arrive.
  ///   - whole: Seconds in which the rest must arrive; a large body gets a second more for each 100 kB that have arrived.
  func deadlineHandler(head: Double, whole: Double) -> DeadlineHandler {
    DeadlineHandler(self, head: .milliseconds(Int64(head * 1000)), whole: .milliseconds(Int64(whole * 1000)))
  }

  /// Admits connections. Server and connections share one event loop. Descriptors are not inherited by programs that steps
  /// start.
  final class AcceptHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let register: ConnectionRegister

    fileprivate init(_ register: ConnectionRegister) { self.register = register }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = unwrapInboundIn(data)
      channel.closeOnExec()
      guard register.enter(channel) else {
        channel.close(promise: nil)
        return
      }
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // Too many open files, or a client that is gone already: the next connection may succeed.
    }
  }

  /// Closes a connection whose request arrives too slowly.
  final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The bytes of a body that give it a second more.
    private static let bytesPerSecond: Int64 = 100_000

    private let register: ConnectionRegister
    private let head: TimeAmount
    private let whole: TimeAmount
    private var alarm: Scheduled<Void>?
    /// When the body began, and the bytes of it that have arrived.
    private var body: (began: NIODeadline, bytes: Int64) = (.now(), 0)

    fileprivate init(_ register: ConnectionRegister, head: TimeAmount, whole: TimeAmount) {
      self.register = register
      self.head = head
      self.whole = whole
    }

    func handlerAdded(context: ChannelHandlerContext) { setAlarm(head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { alarm?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
      alarm?.cancel()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        note(.body, context)
        body = (.now(), 0)
        setAlarm(whole, context)
      case .body(let piece): body.bytes += Int64(piece.readableBytes)
      case .end:
        note(.answering, context)
        alarm?.cancel()
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) { note(.idle, context) }
      context.write(data, promise: promise)
    }

    private func note(_ phase: ClientTable.Phase, _ context: ChannelHandlerContext) {
      register.note(phase, of: context.channel)
    }

    private func setAlarm(_ time: TimeAmount, _ context: ChannelHandlerContext) {
      alarm?.cancel()
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      alarm = context.eventLoop.scheduleTask(in: time) {
        let (handler, context) = bound.value
        handler.isDue(context)
      }
    }

    /// Closes the connection, unless a large body arrives steadily.
    private func isDue(_ context: ChannelHandlerContext) {
      let rest = body.began + whole + .seconds(body.bytes / Self.bytesPerSecond) - .now()
      guard body.bytes > 0, rest > .nanoseconds(0) else {
        context.close(promise: nil)
        return
      }
      setAlarm(rest, context)
    }
  }
}
