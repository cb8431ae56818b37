/// Reads a message that comes in pieces: reports its parts, and their decoded content, as they arrive.
///
/// For messages too large for memory; ``Message/init(parsing:limits:)`` understands more kinds of broken messages. A
/// multipart that names no boundary is read as text; enclosed messages are not looked into.
public struct MessageStreamReader: Sendable {
  /// A part of the message that has been read.
  public enum Event: Sendable {
    /// A part begins, a multipart among them: its number and its header, without its body.
    case began(Part)
    /// Bytes of the part that began last, decoded.
    case content([UInt8])
    /// The part that began last has ended; not told of multiparts.
    case ended
  }

  private struct Level {
    let delimiter: [UInt8]
    let number: String
    let isDigest: Bool
    var count = 0
    var isClosed = false
  }

  private enum State {
    case header
    case body
    /// Before the first part, between a multipart's end and the next delimiter.
    case passedOver
  }

  private let limits: ParsingLimits
  private var levels: [Level] = []
  private var state = State.header
  private var number = ""
  private var isMessage = true
  private var defaultType = ContentType.plainText
  /// The beginning of a line whose end has not come yet.
  private var line: [UInt8] = []
  /// Whether `line` continues a line whose beginning has been dealt with.
  private var isContinued = false
  private var header: [UInt8] = []
  private var content: [UInt8] = []
  /// The line end that belongs to the delimiter, should one follow.
  private var lineEnd: [UInt8] = []
  private var decoder = TransferDecoder(.identity)
  private var partCount = 0
  private var events: [Event] = []

  private static let lineLimit = 16_384
  private static let headerLimit = 1 << 20

  /// Creates a reader.
  public init(limits: ParsingLimits = ParsingLimits()) { self.limits = limits }

  /// The bytes that are held back; bounded whatever comes.
  var heldCount: Int { line.count + header.count + content.count + lineEnd.count }

  /// Reads a piece.
  ///
  /// - Returns: The events of the piece; content is cut into pieces of about the size of the input.
  public mutating func read(_ bytes: some Collection<UInt8>) -> [Event] {
    let input = Array(bytes)
    var start = 0
    while start < input.count {
      if let end = input[start...].firstIndex(of: UInt8.lineFeed) {
        line += input[start...end]
        start = end + 1
        takeLine(isWhole: true)
      } else {
        line += input[start...]
        start = input.count
        if line.count > MessageStreamReader.lineLimit { takeLine(isWhole: false) }
      }
    }
    flushContent()
    defer { events = [] }
    return events
  }

  /// Reads the end of the message.
  public mutating func finish() -> [Event] {
    if !line.isEmpty { takeLine(isWhole: true) }
    if state == .header { endHeader() }
    content += lineEnd
    lineEnd = []
    endPart()
    state = .passedOver
    defer { events = [] }
    return events
  }

  // MARK: Lines

  private mutating func takeLine(isWhole: Bool) {
    defer {
      line.removeAll(keepingCapacity: true)
      isContinued = !isWhole
    }
    if !isContinued, line.first == UInt8(ascii: "-"), takeDelimiter() { return }
    take(line, isWhole: isWhole)
  }

  private mutating func take(_ line: [UInt8], isWhole: Bool) {
    switch state {
    case .passedOver: break
    case .header:
      header += line
      let isBlank = line.allSatisfy(\.isMailWhitespace) && !isContinued
      let isLeading = isMessage && header.allSatisfy(\.isMailWhitespace)
      if isBlank && !isLeading || header.count > MessageStreamReader.headerLimit { endHeader() }
    case .body: takeContent(line)
    }
  }

  private mutating func takeContent(_ line: [UInt8]) {
    content += lineEnd
    lineEnd = []
    var end = line.count
    if end > 0, line[end - 1] == UInt8.lineFeed { end -= 1 }
    if end < line.count, end > 0, line[end - 1] == UInt8.carriageReturn { end -= 1 }
    content += line[..<end]
    lineEnd = Array(line[end...])
    if content.count > 65_536 { flushContent() }
  }

  private mutating func takeDelimiter() -> Bool {
    for index in levels.indices.reversed() where !levels[index].isClosed {
      let delimiter = levels[index].delimiter
      guard line.starts(with: delimiter) else { continue }
      var rest = line[delimiter.count...]
      let isClosing = rest.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")])
      if isClosing { rest = rest.dropFirst(2) }
      guard rest.allSatisfy(\.isMailWhitespace) else { continue }
      if !isClosing, partCount + 1 >= limits.partCount { return false }
      if state == .header { endHeader(atDelimiter: true) }
      endPart()
      levels.removeSubrange((index + 1)...)
      if isClosing {
        levels[index].isClosed = true
        state = .passedOver
      } else {
        beginPart(in: index)
      }
      return true
    }
    return false
  }

  // MARK: Parts

  private mutating func beginPart(in index: Int) {
    levels[index].count += 1
    let level = levels[index]
    number = level.number.isEmpty ? String(level.count) : "\(level.number).\(level.count)"
    defaultType = level.isDigest ? ContentType(mediaType: "message/rfc822") : .plainText
    isMessage = false
    header = []
    state = .header
  }

  private mutating func endHeader(atDelimiter: Bool = false) {
    let source = header
    header = []
    var parser = MessageParser(limits: limits)
    let (headers, body) = parser.parseHeaders(source[...], number: number, isMessage: isMessage)
    partCount += 1
    var type = headers.first("Content-Type").map { ContentType(parsing: $0.rawValue) } ?? defaultType
    var boundary = Array((type.parameter("boundary") ?? "").utf8)
    while boundary.last == UInt8.space { boundary.removeLast() }
    let isMultipart = type.isMultipart && !boundary.isEmpty && levels.count < limits.nestingDepth
    if type.isMultipart, !isMultipart { type = .plainText }
    let partNumber = isMessage && !isMultipart ? "1" : number
    events.append(
      .began(
        Part(
          number: partNumber, source: source[..<body.startIndex], headers: headers, contentType: type, rawBody: [],
          content: .leaf)))
    if isMultipart {
      levels.append(
        Level(
          delimiter: [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary, number: number,
          isDigest: type.subtype == "digest"))
      state = .passedOver
    } else {
      decoder = TransferDecoder(headers: headers)
      state = .body
    }
    // Fields that are missing in the header.
    var rest = body
    while !rest.isEmpty {
      let end = rest.lineEnd(from: rest.startIndex).next
      take(Array(rest[..<end]), isWhole: true)
      rest = rest[end...]
    }
  }

  private mutating func flushContent() {
    guard state == .body, !content.isEmpty else { return }
    let decoded = decoder.decode(content)
    content.removeAll(keepingCapacity: true)
    if !decoded.isEmpty { events.append(.content(decoded)) }
  }

  private mutating func endPart() {
    guard state == .body else { return }
    flushContent()
    let rest = decoder.finish()
    if !rest.isEmpty { events.append(.content(rest)) }
    lineEnd = []
    events.append(.ended)
  }
}
