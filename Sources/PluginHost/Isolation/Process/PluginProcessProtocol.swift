import PluginBoundary

/// The state of the host's conversation with one worker, without a socket: decides for every message whether it is allowed,
/// and how the host reacts.
///
/// Every message is untrusted, as a plugin may have taken its worker over. A message that a sound worker cannot send is a
/// violation, after which the worker is ended; a message that may be late is dropped.
struct PluginProcessProtocol {
  /// The name of a call in log lines, also after its end.
  struct Name: Equatable {
    var action: String
    var key: String
  }

  /// The reaction of the host to a message.
  enum Reaction: Equatable {
    case ignore
    /// The instance is there.
    case opened
    case refused(WorkerRefusal)
    /// The memory that was asked for.
    case heap(bytes: UInt64)
    /// `start` has returned.
    case started(call: UInt64)
    /// The call has its answer.
    case completed(call: UInt64, WorkerAnswer)
    /// An answer to a call for which the host has stopped waiting.
    case late(Name, WorkerAnswer)
    /// A call was answered again.
    case repeated(Name)
    /// To be handed to the provider's services.
    case report(WorkerMessage)
    /// To be carried out, with a reply.
    case carryOut(request: UInt64, WorkerRequest)
    case begin(exchange: UInt64, ExchangeCommand)
    case command(exchange: UInt64, ExchangeCommand)
  }

  private enum Phase {
    case opening, open, over
  }

  /// The most requests a worker may wait for at once: one for each of its threads, which are limited.
  static let requestLimit = 1024
  /// The most bytes of such requests: more than any plugin may keep, so that a worker cannot fill the host's memory.
  static let requestBytes = 256 << 20
  /// The most HTTP requests and streams of one worker at once.
  static let exchangeLimit = 1024
  private static let memory = 1024

  private var phase = Phase.opening
  private var calls: [UInt64: Name] = [:]
  /// Calls that have ended, and whether by an answer; the last ones.
  private var ended: [UInt64: (name: Name, isAnswered: Bool)] = [:]
  private var order: [UInt64] = []
  private var oldest = 0
  /// Requests that wait for their reply, with the bytes they hold.
  private var requests: [UInt64: Int] = [:]
  private var waitingBytes = 0
  private var measurements = 0
  private var exchanges: Set<UInt64> = []
  private var lastExchange: UInt64 = 0

  /// The calls that wait for an answer.
  var openCalls: Set<UInt64> { Set(calls.keys) }
  /// The exchanges that have not ended.
  var openExchanges: Set<UInt64> { exchanges }
  /// Whether nothing of the worker's is going on.
  var isIdle: Bool { calls.isEmpty && phase == .open }

  /// The worker is about to be asked for its memory.
  mutating func askForHeap() { measurements += 1 }

  /// A call is about to be sent.
  mutating func begin(call id: UInt64, _ name: Name) { calls[id] = name }

  /// The host stops waiting for a call; `false` if the call has ended before.
  mutating func abandon(call id: UInt64) -> Bool {
    guard let name = calls.removeValue(forKey: id) else { return false }
    remember(id, name, isAnswered: false)
    return true
  }

  /// A request has been replied to.
  mutating func replied(_ request: UInt64) { waitingBytes -= requests.removeValue(forKey: request) ?? 0 }

  /// An exchange has ended; `false` if it had before.
  mutating func ended(exchange id: UInt64) -> Bool { exchanges.remove(id) != nil }

  /// The worker has sent a message.
  mutating func receive(_ message: WorkerMessage) throws(FrameViolation) -> Reaction {
    guard phase != .over else { throw FrameViolation("a message after the last one") }
    switch message {
    case .opened:
      guard phase == .opening else { throw FrameViolation("opened twice") }
      phase = .open
      return .opened
    case .refused(let refusal):
      guard phase == .opening else { throw FrameViolation("refused after it was opened") }
      phase = .over
      return .refused(refusal)
    case .described: throw FrameViolation("a manifest that nobody has asked for")
    case .heap(let bytes):
      guard measurements > 0 else { throw FrameViolation("a measurement that nobody has asked for") }
      measurements -= 1
      return .heap(bytes: bytes)
    case .started(let id):
      return calls[id] != nil ? .started(call: id) : .ignore
    case .completed(let id, let answer):
      if let name = calls.removeValue(forKey: id) {
        remember(id, name, isAnswered: true)
        return .completed(call: id, answer)
      }
      guard let (name, isAnswered) = ended[id] else {
        throw FrameViolation("an answer to a call that this worker did not get")
      }
      ended[id] = (name, true)
      return isAnswered ? .repeated(name) : .late(name, answer)
    case .repeated(let id): return ended[id].map { .repeated($0.name) } ?? .ignore
    case .log(let id, _, _), .progress(let id, _, _, _), .delta(let id, _):
      // A line that belongs to no call is the provider's.
      if id == 0, case .log = message { return .report(message) }
      return calls[id] != nil ? .report(message) : .ignore
    case .defect, .createBlob, .discardBlob: return .report(message)
    case .request(let id, let request):
      guard requests.updateValue(request.byteCount, forKey: id) == nil else {
        throw FrameViolation("a request with the number of another one")
      }
      waitingBytes += request.byteCount
      guard requests.count <= PluginProcessProtocol.requestLimit, waitingBytes <= PluginProcessProtocol.requestBytes
      else {
        throw FrameViolation("too many requests")
      }
      return .carryOut(request: id, request)
    case .exchange(let id, let command):
      switch command {
      case .send, .open:
        guard id > lastExchange else { throw FrameViolation("an exchange with the number of another one") }
        lastExchange = id
        exchanges.insert(id)
        guard exchanges.count <= PluginProcessProtocol.exchangeLimit else {
          throw FrameViolation("too many requests and streams at once")
        }
        return .begin(exchange: id, command)
      default:
        if exchanges.contains(id) { return .command(exchange: id, command) }
        guard id <= lastExchange else { throw FrameViolation("a command for an exchange that there is not") }
        return .ignore
      }
    }
  }

  private mutating func remember(_ id: UInt64, _ name: Name, isAnswered: Bool) {
    ended[id] = (name, isAnswered)
    if order.count < PluginProcessProtocol.memory {
      order.append(id)
    } else {
      ended[order[oldest]] = nil
      order[oldest] = id
      oldest = (oldest + 1) % PluginProcessProtocol.memory
    }
  }
}
