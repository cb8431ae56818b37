package import Engine
package import Localization

/// A message of the host to a worker.
package enum HostMessage: Equatable {
  /// Which provider the worker is for; the first message.
  case open(WorkerAssignment)
  /// The library whose manifest is wanted, in place of ``open(_:)``; the worker says it and ends.
  case describe(path: String)
  /// How much memory the plugin has allocated is wanted.
  case measureHeap
  /// A call; the id is the call's.
  case start(CallRequest)
  /// The call is to end soon.
  case cancel(call: UInt64)
  /// No further call comes: the instance is to be destroyed and the process to end.
  case close
  /// The answer to a request of the worker's; the id is the request's.
  case reply(request: UInt64, WorkerReply)
  /// Something happened to an HTTP request or a stream; the id is the worker's number for it.
  case exchange(UInt64, ExchangeEvent)

  private enum Kind {
    static let open: UInt8 = 1
    static let start: UInt8 = 2
    static let cancel: UInt8 = 3
    static let close: UInt8 = 4
    static let reply: UInt8 = 5
    static let describe: UInt8 = 6
    static let measureHeap: UInt8 = 7
    /// And those that follow: one for each event.
    static let exchange: UInt8 = 16
  }

  /// The message as a frame.
  package func encoded() -> [UInt8] {
    switch self {
    case .open(let assignment):
      var frame = FrameBuilder(type: Kind.open, id: 0)
      assignment.append(to: &frame)
      return frame.finish()
    case .start(let call):
      var frame = FrameBuilder(type: Kind.start, id: call.id, reserving: call.input.count + call.key.utf8.count + 128)
      call.append(to: &frame)
      return frame.finish()
    case .cancel(let id): return FrameBuilder(type: Kind.cancel, id: id).finish()
    case .close: return FrameBuilder(type: Kind.close, id: 0).finish()
    case .describe(let path):
      var frame = FrameBuilder(type: Kind.describe, id: 0)
      frame.append(path)
      return frame.finish()
    case .measureHeap: return FrameBuilder(type: Kind.measureHeap, id: 0).finish()
    case .reply(let id, let reply):
      var frame = FrameBuilder(type: Kind.reply, id: id)
      reply.append(to: &frame)
      return frame.finish()
    case .exchange(let id, let event):
      var frame = FrameBuilder(type: Kind.exchange + event.type, id: id)
      event.append(to: &frame)
      return frame.finish()
    }
  }

  package init(_ frame: Frame) throws(FrameViolation) {
    var fields = FieldReader(frame.payload)
    switch frame.type {
    case Kind.open: self = .open(try WorkerAssignment(&fields))
    case Kind.start: self = .start(try CallRequest(frame.id, &fields))
    case Kind.cancel: self = .cancel(call: frame.id)
    case Kind.close: self = .close
    case Kind.describe: self = .describe(path: try fields.text())
    case Kind.measureHeap: self = .measureHeap
    case Kind.reply: self = .reply(request: frame.id, try WorkerReply(&fields))
    case Kind.exchange...: self = .exchange(frame.id, try ExchangeEvent(frame.type - Kind.exchange, &fields))
    default: throw FrameViolation("a frame of the unknown type \(frame.type)")
    }
    try fields.end()
  }
}

/// The task of a worker: library, provider, limits.
package struct WorkerAssignment: Equatable {
  /// The largest piece of a request that a worker sends at once; a larger one is refused there.
  package static let requestBytes = 64 << 20

  /// The library.
  package var path: String
  /// The name of the configured provider.
  package var provider: String
  /// Its settings as JSON, secrets included.
  package var settings: [UInt8]
  /// Whether the host's time is the system's, so that the worker need not ask for it.
  package var hasSystemTime: Bool
  /// The files and folders that the worker may use, besides those that every worker needs.
  package var places: [WorkerPlace]
  /// What `get` is to find.
  package var offered: Set<Capability>
  private var answerBytes: UInt64
  private var deltaBytes: UInt64
  private var requestBytes: UInt64
  private var logLineBytes: UInt64
  private var threads: UInt64
  private var cancelGrace: Double

  package init(
    path: String, provider: String, settings: [UInt8], limits: PluginLimits, hasSystemTime: Bool,
    places: [WorkerPlace] = [], offered: Set<Capability>
  ) {
    self.path = path
    self.provider = provider
    self.settings = settings
    self.hasSystemTime = hasSystemTime
    self.places = places
    self.offered = offered
    answerBytes = UInt64(clamping: limits.answerBytes)
    deltaBytes = UInt64(clamping: limits.deltaBytes)
    requestBytes = UInt64(clamping: min(limits.requestBytes, Self.requestBytes))
    logLineBytes = UInt64(clamping: limits.logLineBytes)
    threads = UInt64(clamping: limits.threads)
    cancelGrace = limits.cancelGrace
  }

  /// The host's limits as far as they matter to a worker.
  package var limits: PluginLimits {
    var limits = PluginLimits()
    limits.answerBytes = Int(clamping: answerBytes)
    limits.deltaBytes = Int(clamping: deltaBytes)
    limits.requestBytes = Int(clamping: requestBytes)
    limits.logLineBytes = Int(clamping: logLineBytes)
    limits.threads = Int(clamping: threads)
    limits.cancelGrace = cancelGrace
    return limits
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(path)
    frame.append(provider)
    frame.append(settings)
    frame.append(UInt8(hasSystemTime ? 1 : 0))
    frame.append(UInt32(clamping: places.count))
    for place in places {
      frame.append(place.path)
      frame.append(UInt8(place.isWritable ? 1 : 0))
    }
    frame.append(UInt32(clamping: offered.count))
    for capability in offered { frame.append(capability.rawValue) }
    for limit in [answerBytes, deltaBytes, requestBytes, logLineBytes, threads] { frame.append(limit) }
    frame.append(cancelGrace.bitPattern)
  }

  fileprivate init(_ fields: inout FieldReader) throws(FrameViolation) {
    path = try fields.text()
    provider = try fields.text()
    settings = try fields.field()
    hasSystemTime = try fields.number(UInt8.self) == 1
    places = []
    for _ in 0..<(try fields.count(elementBytes: 5)) {
      places.append(WorkerPlace(path: try fields.text(), isWritable: try fields.number(UInt8.self) == 1))
    }
    offered = []
    for _ in 0..<(try fields.count(elementBytes: 4)) {
      if let capability = Capability(rawValue: try fields.text()) { offered.insert(capability) }
    }
    answerBytes = try fields.number()
    deltaBytes = try fields.number()
    requestBytes = try fields.number()
    logLineBytes = try fields.number()
    threads = try fields.number()
    cancelGrace = Double(bitPattern: try fields.number())
  }
}

extension CallRequest {
  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(operation.rawValue)
    frame.append(attempt)
    frame.append(timeout)
    frame.append(action)
    frame.append(input)
    frame.append(key)
  }

  fileprivate init(_ id: UInt64, _ fields: inout FieldReader) throws(FrameViolation) {
    guard let operation = Operation(rawValue: try fields.number()) else { throw FrameViolation("an unknown operation") }
    let attempt = try fields.number(UInt32.self)
    let timeout = try fields.number(UInt64.self)
    let action = try fields.text()
    let input = try fields.field()
    self.init(
      id: id, operation: operation, attempt: attempt, action: action, input: input, key: try fields.text(),
      timeout: timeout)
  }
}

/// The reply to a request of a worker's.
package struct WorkerReply: Equatable {
  /// Why the host refused; `nil` if it did it.
  package var failure: ServiceStatus?
  /// A time, or the version of a value of the state.
  package var number: UInt64 = 0
  /// A value, a name, keys.
  package var items: [[UInt8]] = []

  package init(number: UInt64 = 0, items: [[UInt8]] = []) {
    self.number = number
    self.items = items
  }

  package init(_ failure: ServiceStatus) { self.failure = failure }

  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(failure?.rawValue ?? 0)
    frame.append(number)
    frame.append(UInt32(clamping: items.count))
    for item in items { frame.append(item) }
  }

  fileprivate init(_ fields: inout FieldReader) throws(FrameViolation) {
    let code = try fields.number(UInt32.self)
    if code != 0 { failure = ServiceStatus(rawValue: code) ?? .failed }
    number = try fields.number()
    for _ in 0..<(try fields.count(elementBytes: 4)) { items.append(try fields.field()) }
  }
}

/// An event of an HTTP request or a stream.
package enum ExchangeEvent: Equatable {
  case head(status: UInt32, headers: [HeaderField])
  case data([UInt8])
  case opened
  case secured
  case sent(total: UInt64)
  /// The last one.
  case end(WireFailure?)

  fileprivate var type: UInt8 {
    switch self {
    case .head: 0
    case .data: 1
    case .opened: 2
    case .secured: 3
    case .sent: 4
    case .end: 5
    }
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    switch self {
    case .head(let status, let headers):
      frame.append(status)
      frame.append(headers)
    case .data(let bytes): frame.append(bytes)
    case .opened, .secured: break
    case .sent(let total): frame.append(total)
    case .end(let failure):
      frame.append(UInt8(failure == nil ? 0 : 1))
      failure?.append(to: &frame)
    }
  }

  fileprivate init(_ type: UInt8, _ fields: inout FieldReader) throws(FrameViolation) {
    switch type {
    case 0:
      let status = try fields.number(UInt32.self)
      self = .head(status: status, headers: try fields.headers())
    case 1: self = .data(try fields.field())
    case 2: self = .opened
    case 3: self = .secured
    case 4: self = .sent(total: try fields.number())
    case 5: self = .end(try fields.number(UInt8.self) == 0 ? nil : try WireFailure(&fields))
    default: throw FrameViolation("an unknown event of an exchange")
    }
  }
}

/// An `ActionFailure` as it crosses; that one is equal to any of its kind.
package struct WireFailure: Equatable {
  package var kind: String
  package var message: LocalizedText
  package var advice: LocalizedText?
  package var retryAfter: Double?

  package init(_ failure: ActionFailure) {
    kind = failure.kind.rawValue
    message = failure.message
    advice = failure.advice
    retryAfter = failure.retryAfter
  }

  package var failure: ActionFailure {
    var failure = ActionFailure(ActionFailure.Kind(rawValue: kind), message, advice: advice)
    failure.retryAfter = retryAfter
    return failure
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(kind)
    frame.append(message.english)
    frame.append(message.german)
    frame.append(UInt8(advice == nil ? 0 : 1))
    frame.append(advice?.english ?? "")
    frame.append(advice?.german ?? "")
    frame.append((retryAfter ?? -1).bitPattern)
  }

  fileprivate init(_ fields: inout FieldReader) throws(FrameViolation) {
    kind = try fields.text()
    let english = try fields.text()
    message = LocalizedText(english, de: try fields.text())
    let hasAdvice = try fields.number(UInt8.self) != 0
    let advice = try fields.text()
    let german = try fields.text()
    if hasAdvice { self.advice = LocalizedText(advice, de: german) }
    let seconds = Double(bitPattern: try fields.number())
    if seconds >= 0, seconds.isFinite { retryAfter = seconds }
  }
}

extension FrameBuilder {
  package mutating func append(_ headers: [HeaderField]) {
    append(UInt32(clamping: headers.count))
    for header in headers {
      append(header.name)
      append(header.value)
    }
  }
}

extension FieldReader {
  package mutating func headers() throws(FrameViolation) -> [HeaderField] {
    var headers: [HeaderField] = []
    for _ in 0..<(try count(elementBytes: 8)) {
      let name = try text()
      headers.append(HeaderField(name: name, value: try text()))
    }
    return headers
  }
}
