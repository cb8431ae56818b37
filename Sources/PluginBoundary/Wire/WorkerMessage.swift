package import Engine

/// A message of a worker to the host. All of it may come from a plugin that has taken the process over.
package enum WorkerMessage: Equatable {
  /// The instance is there.
  case opened
  /// The manifest that was asked for; the last message.
  case described(manifest: [UInt8])
  /// The bytes that the process has allocated.
  case heap(bytes: UInt64)
  /// The library or the instance could not be had; the last message.
  case refused(WorkerRefusal)
  /// `start` has returned without an answer.
  case started(call: UInt64)
  /// The answer to a call.
  case completed(call: UInt64, WorkerAnswer)
  /// The plugin answered a call again.
  case repeated(call: UInt64)
  /// Call 0 means no call.
  case log(call: UInt64, LogLevel, String)
  case progress(call: UInt64, done: UInt64, total: UInt64, label: String)
  /// `nil` for JSON that is too large.
  case delta(call: UInt64, json: [UInt8]?)
  /// The worker noticed that the plugin broke a rule, or could not take all measures against it.
  case defect(LogLevel, String)
  /// A service that replies; the id names the request.
  case request(UInt64, WorkerRequest)
  /// A command for an HTTP request or a stream; the id is the worker's number for it.
  case exchange(UInt64, ExchangeCommand)
  /// A blob begins; the id is the worker's number for it.
  case createBlob(UInt64, call: UInt64)
  /// An unfinished blob is not wanted.
  case discardBlob(UInt64)

  private enum Kind {
    static let opened: UInt8 = 1
    static let refused: UInt8 = 2
    static let started: UInt8 = 3
    static let completed: UInt8 = 4
    static let repeated: UInt8 = 5
    static let log: UInt8 = 6
    static let progress: UInt8 = 7
    static let delta: UInt8 = 8
    static let defect: UInt8 = 9
    static let discardBlob: UInt8 = 10
    static let createBlob: UInt8 = 11
    static let described: UInt8 = 12
    static let heap: UInt8 = 13
    /// And those that follow: one for each request.
    static let request: UInt8 = 32
    /// And those that follow: one for each command.
    static let exchange: UInt8 = 64
  }

  /// The message as a frame.
  package func encoded() -> [UInt8] {
    switch self {
    case .opened: return FrameBuilder(type: Kind.opened, id: 0).finish()
    case .described(let manifest):
      var frame = FrameBuilder(type: Kind.described, id: 0, reserving: manifest.count + 8)
      frame.append(manifest)
      return frame.finish()
    case .heap(let bytes):
      var frame = FrameBuilder(type: Kind.heap, id: 0)
      frame.append(bytes)
      return frame.finish()
    case .refused(let refusal):
      var frame = FrameBuilder(type: Kind.refused, id: 0)
      refusal.append(to: &frame)
      return frame.finish()
    case .started(let id): return FrameBuilder(type: Kind.started, id: id).finish()
    case .completed(let id, let answer):
      var frame = FrameBuilder(type: Kind.completed, id: id, reserving: 64 + answer.payload.bytes)
      answer.append(to: &frame)
      return frame.finish()
    case .repeated(let id): return FrameBuilder(type: Kind.repeated, id: id).finish()
    case .log(let id, let level, let text):
      var frame = FrameBuilder(type: Kind.log, id: id)
      frame.append(WorkerMessage.levels.firstIndex(of: level).map { UInt8($0) } ?? 0)
      frame.append(text)
      return frame.finish()
    case .progress(let id, let done, let total, let label):
      var frame = FrameBuilder(type: Kind.progress, id: id)
      frame.append(done)
      frame.append(total)
      frame.append(label)
      return frame.finish()
    case .delta(let id, let json):
      var frame = FrameBuilder(type: Kind.delta, id: id, reserving: (json?.count ?? 0) + 8)
      frame.append(UInt8(json == nil ? 0 : 1))
      frame.append(json ?? [])
      return frame.finish()
    case .defect(let level, let text):
      var frame = FrameBuilder(type: Kind.defect, id: 0)
      frame.append(WorkerMessage.levels.firstIndex(of: level).map { UInt8($0) } ?? 0)
      frame.append(text)
      return frame.finish()
    case .request(let id, let request):
      var frame = FrameBuilder(type: Kind.request + request.type, id: id)
      request.append(to: &frame)
      return frame.finish()
    case .exchange(let id, let command):
      var frame = FrameBuilder(type: Kind.exchange + command.type, id: id)
      command.append(to: &frame)
      return frame.finish()
    case .discardBlob(let id): return FrameBuilder(type: Kind.discardBlob, id: id).finish()
    case .createBlob(let id, let call):
      var frame = FrameBuilder(type: Kind.createBlob, id: id)
      frame.append(call)
      return frame.finish()
    }
  }

  private static let levels: [LogLevel] = [.debug, .info, .warning, .error]

  private static func level(_ fields: inout FieldReader) throws(FrameViolation) -> LogLevel {
    let number = Int(try fields.number(UInt8.self))
    guard levels.indices.contains(number) else { throw FrameViolation("an unknown level") }
    return levels[number]
  }

  package init(_ frame: Frame) throws(FrameViolation) {
    var fields = FieldReader(frame.payload)
    let id = frame.id
    switch frame.type {
    case Kind.opened: self = .opened
    case Kind.described: self = .described(manifest: try fields.field())
    case Kind.heap: self = .heap(bytes: try fields.number())
    case Kind.refused: self = .refused(try WorkerRefusal(&fields))
    case Kind.started: self = .started(call: id)
    case Kind.completed: self = .completed(call: id, try WorkerAnswer(&fields))
    case Kind.repeated: self = .repeated(call: id)
    case Kind.log:
      self = .log(call: id, try Self.level(&fields), try fields.text())
    case Kind.progress:
      let done = try fields.number(UInt64.self)
      let total = try fields.number(UInt64.self)
      self = .progress(call: id, done: done, total: total, label: try fields.text())
    case Kind.delta:
      let isThere = try fields.number(UInt8.self) != 0
      let json = try fields.field()
      self = .delta(call: id, json: isThere ? json : nil)
    case Kind.defect: self = .defect(try Self.level(&fields), try fields.text())
    case Kind.discardBlob: self = .discardBlob(id)
    case Kind.createBlob: self = .createBlob(id, call: try fields.number())
    case Kind.request..<Kind.exchange: self = .request(id, try WorkerRequest(frame.type - Kind.request, &fields))
    case Kind.exchange...: self = .exchange(id, try ExchangeCommand(frame.type - Kind.exchange, &fields))
    default: throw FrameViolation("a frame of the unknown type \(frame.type)")
    }
    try fields.end()
  }
}

/// Why a worker has no instance.
package struct WorkerRefusal: Equatable {
  /// The code of a ``PluginError``; empty where `create` failed.
  package var code: String
  package var english: String
  package var german: String
  /// The answer of `create`, if it gave one.
  package var answer: WorkerAnswer?

  package init(code: String, english: String = "", german: String = "", answer: WorkerAnswer? = nil) {
    self.code = code
    self.english = english
    self.german = german
    self.answer = answer
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(code)
    frame.append(english)
    frame.append(german)
    frame.append(UInt8(answer == nil ? 0 : 1))
    answer?.append(to: &frame)
  }

  fileprivate init(_ fields: inout FieldReader) throws(FrameViolation) {
    code = try fields.text()
    english = try fields.text()
    german = try fields.text()
    if try fields.number(UInt8.self) != 0 { answer = try WorkerAnswer(&fields) }
  }
}

/// The result that a plugin handed to `complete`.
package struct WorkerAnswer: Equatable {
  package enum Payload: Equatable {
    case bytes([UInt8])
    case null
    case tooLarge(UInt64)
    /// A NULL result, or one that is too small.
    case noResult

    fileprivate var bytes: Int {
      if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
  }

  package var status: UInt32
  package var payload: Payload

  package init(status: UInt32, payload: Payload) {
    self.status = status
    self.payload = payload
  }

  /// The answer as a message; `nil` means no usable result.
  package init(_ answer: Answer?) {
    status = answer?.status ?? 0
    payload =
      switch answer?.payload {
      case nil: .noResult
      case .bytes(let bytes)?: .bytes(bytes)
      case .null?: .null
      case .tooLarge(let size)?: .tooLarge(UInt64(clamping: size))
      }
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    frame.append(status)
    switch payload {
    case .bytes(let bytes):
      frame.append(UInt8(0))
      frame.append(bytes)
    case .null: frame.append(UInt8(1))
    case .tooLarge(let size):
      frame.append(UInt8(2))
      frame.append(size)
    case .noResult: frame.append(UInt8(3))
    }
  }

  fileprivate init(_ fields: inout FieldReader) throws(FrameViolation) {
    status = try fields.number()
    switch try fields.number(UInt8.self) {
    case 0: payload = .bytes(try fields.field())
    case 1: payload = .null
    case 2: payload = .tooLarge(try fields.number())
    case 3: payload = .noResult
    default: throw FrameViolation("an unknown form of an answer")
    }
  }
}

extension Answer {
  /// Reads what a worker sent; `nil` if the plugin handed it no usable result.
  package init?(_ answer: WorkerAnswer) {
    status = answer.status
    switch answer.payload {
    case .bytes(let bytes):
      lease = AnswerLease.reserve(bytes.count)
      payload = lease == nil ? .tooLarge(bytes.count) : .bytes(bytes)
    case .null: payload = .null
    case .tooLarge(let size): payload = .tooLarge(Int(clamping: size))
    case .noResult: return nil
    }
  }
}

/// A service whose reply the worker waits for.
package enum WorkerRequest: Equatable {
  /// Milliseconds since 1970.
  case now
  /// Nanoseconds.
  case monotonic
  case readSecret(name: String)
  case readState(key: String)
  case listState(prefix: String)
  case commitState([StateChange])
  case writeBlob(blob: UInt64, piece: [UInt8])
  case finishBlob(blob: UInt64)
  case readBlob(call: UInt64, name: String, offset: UInt64, length: UInt64)
  case emit(EmittedEvent)

  /// The bytes that the host keeps until it has replied.
  package var byteCount: Int {
    switch self {
    case .commitState(let changes): changes.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) }
    case .writeBlob(_, let piece): piece.count
    case .emit(let event): event.event.count
    default: 0
    }
  }

  fileprivate var type: UInt8 {
    switch self {
    case .now: 0
    case .monotonic: 1
    case .readSecret: 2
    case .readState: 3
    case .listState: 4
    case .commitState: 5
    case .writeBlob: 6
    case .finishBlob: 7
    case .readBlob: 8
    case .emit: 9
    }
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    switch self {
    case .now, .monotonic: break
    case .readSecret(let name): frame.append(name)
    case .readState(let key): frame.append(key)
    case .listState(let prefix): frame.append(prefix)
    case .commitState(let changes):
      frame.append(UInt32(clamping: changes.count))
      for change in changes {
        frame.append(change.key)
        frame.append(UInt8((change.value == nil ? 0 : 1) | (change.expectedVersion == nil ? 0 : 2)))
        frame.append(change.value ?? [])
        frame.append(change.expectedVersion ?? 0)
      }
    case .writeBlob(let blob, let piece):
      frame.append(blob)
      frame.append(piece)
    case .finishBlob(let blob): frame.append(blob)
    case .readBlob(let call, let name, let offset, let length):
      frame.append(call)
      frame.append(name)
      frame.append(offset)
      frame.append(length)
    case .emit(let event):
      frame.append(event.call)
      frame.append(event.id)
      frame.append(event.event)
      frame.append(event.cursor)
    }
  }

  fileprivate init(_ type: UInt8, _ fields: inout FieldReader) throws(FrameViolation) {
    switch type {
    case 0: self = .now
    case 1: self = .monotonic
    case 2: self = .readSecret(name: try fields.text())
    case 3: self = .readState(key: try fields.text())
    case 4: self = .listState(prefix: try fields.text())
    case 5:
      var changes: [StateChange] = []
      for _ in 0..<(try fields.count(elementBytes: 17)) {
        let key = try fields.text()
        let flags = try fields.number(UInt8.self)
        let value = try fields.field()
        let version = try fields.number(UInt64.self)
        changes.append(
          StateChange(
            key: key, value: flags & 1 == 0 ? nil : value, expectedVersion: flags & 2 == 0 ? nil : version))
      }
      self = .commitState(changes)
    case 6:
      let blob = try fields.number(UInt64.self)
      self = .writeBlob(blob: blob, piece: try fields.field())
    case 7: self = .finishBlob(blob: try fields.number())
    case 8:
      let call = try fields.number(UInt64.self)
      let name = try fields.text()
      let offset = try fields.number(UInt64.self)
      self = .readBlob(call: call, name: name, offset: offset, length: try fields.number())
    case 9:
      let call = try fields.number(UInt64.self)
      let id = try fields.text()
      let event = try fields.field()
      self = .emit(EmittedEvent(call: call, id: id, event: event, cursor: try fields.text()))
    default: throw FrameViolation("a request of the unknown type \(type)")
    }
  }
}

/// A command of a plugin for an HTTP request or a stream.
package enum ExchangeCommand: Equatable {
  case send(HTTPExchangeRequest)
  case open(ByteStreamRequest)
  case write([UInt8])
  /// The body of a request is complete.
  case finish
  case startTLS
  case consumed(UInt64)
  /// Ends a request, closes a stream.
  case cancel

  fileprivate var type: UInt8 {
    switch self {
    case .send: 0
    case .open: 1
    case .write: 2
    case .finish: 3
    case .startTLS: 4
    case .consumed: 5
    case .cancel: 6
    }
  }

  fileprivate func append(to frame: inout FrameBuilder) {
    switch self {
    case .send(let request):
      frame.append(request.call)
      frame.append(request.method)
      frame.append(request.url)
      frame.append(request.headers)
      frame.append(request.body)
      frame.append(UInt8((request.streamsBody ? 1 : 0) | (request.keepsRedirects ? 2 : 0)))
      frame.append(request.connectTimeout)
      frame.append(request.idleTimeout)
      frame.append(request.responseLimit)
      frame.append(request.window)
    case .open(let request):
      frame.append(request.call)
      frame.append(request.host)
      frame.append(request.port)
      frame.append(UInt8(request.isSecured ? 1 : 0))
      frame.append(request.connectTimeout)
      frame.append(request.idleTimeout)
      frame.append(request.window)
    case .write(let piece): frame.append(piece)
    case .consumed(let bytes): frame.append(bytes)
    case .finish, .startTLS, .cancel: break
    }
  }

  fileprivate init(_ type: UInt8, _ fields: inout FieldReader) throws(FrameViolation) {
    switch type {
    case 0:
      var request = HTTPExchangeRequest(call: try fields.number(), method: "", url: "", headers: [], body: [])
      request.method = try fields.text()
      request.url = try fields.text()
      request.headers = try fields.headers()
      request.body = try fields.field()
      let flags = try fields.number(UInt8.self)
      request.streamsBody = flags & 1 != 0
      request.keepsRedirects = flags & 2 != 0
      request.connectTimeout = try fields.number()
      request.idleTimeout = try fields.number()
      request.responseLimit = try fields.number()
      request.window = try fields.number()
      self = .send(request)
    case 1:
      var request = ByteStreamRequest(call: try fields.number(), host: "", port: 0, isSecured: false)
      request.host = try fields.text()
      request.port = try fields.number()
      request.isSecured = try fields.number(UInt8.self) != 0
      request.connectTimeout = try fields.number()
      request.idleTimeout = try fields.number()
      request.window = try fields.number()
      self = .open(request)
    case 2: self = .write(try fields.field())
    case 3: self = .finish
    case 4: self = .startTLS
    case 5: self = .consumed(try fields.number())
    case 6: self = .cancel
    default: throw FrameViolation("a command of the unknown type \(type)")
    }
  }
}
