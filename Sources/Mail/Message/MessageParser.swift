/// Takes a message apart without copying it: every part is a range of the bytes it came in.
///
/// Each level of nesting reads its own bytes once, so the work is at most size × `nestingDepth`.
struct MessageParser {
  private let limits: ParsingLimits
  private(set) var defects: [Defect] = []
  private var partCount = 0
  /// Bytes looked at so far, for the tests of linearity.
  private(set) var work = 0

  init(limits: ParsingLimits) { self.limits = limits }

  /// Reads a whole message.
  mutating func parseMessage(_ bytes: ArraySlice<UInt8>, number: String, depth: Int) -> Part {
    let (headers, body) = parseHeaders(bytes, number: number, isMessage: true)
    return parsePart(
      source: bytes, headers: headers, body: body, number: number, defaultType: .plainText, depth: depth,
      isMessage: true)
  }

  private mutating func report(_ code: Defect.Code, at number: String) {
    // Enough to tell what is wrong; a hostile message could cause one per line.
    if defects.count < 100 { defects.append(Defect(code: code, partNumber: number)) }
  }

  // MARK: Parts

  private mutating func parsePart(
    source: ArraySlice<UInt8>, headers: Headers, body: ArraySlice<UInt8>, number: String, defaultType: ContentType,
    depth: Int, isMessage: Bool
  ) -> Part {
    partCount += 1
    var type = defaultType
    if let field = headers.first("Content-Type") {
      type = ContentType(parsing: field.rawValue)
      if !type.isValid { report(.invalidContentType, at: number) }
    }
    if case .unknown = TransferEncoding(headers: headers) { report(.unknownTransferEncoding, at: number) }
    var content = Part.Content.leaf
    if type.isMultipart || type.mediaType == "message/rfc822" || type.mediaType == "message/global" {
      if depth >= limits.nestingDepth {
        report(.tooDeeplyNested, at: number)
      } else if type.isMultipart {
        if let parts = parseMultipart(type, body: body, number: number, depth: depth) {
          content = .multipart(parts)
        } else {
          // A multipart that cannot be taken apart is shown as the text it is.
          type = .plainText
        }
      } else if let message = parseEnclosed(
        headers: headers, body: body, number: number, depth: depth, isMessage: isMessage)
      {
        content = .message(message)
      }
    }
    let partNumber = isMessage && !type.isMultipart ? MessageParser.join(number, 1) : number
    func part(_ content: Part.Content) -> Part {
      Part(number: partNumber, source: source, headers: headers, contentType: type, rawBody: body, content: content)
    }
    let closed = part(content)
    guard case .leaf = content, type.type == "application", depth < limits.nestingDepth, partCount < limits.partCount,
      let entity = OpaqueContent.entity(in: closed)
    else { return closed }
    return part(.multipart([parseEntity(entity[...], in: partNumber, depth: depth)]))
  }

  /// Reads the entity that a part of another format encloses: its parts are numbered as those of a multipart.
  private mutating func parseEntity(_ entity: ArraySlice<UInt8>, in number: String, depth: Int) -> Part {
    let (headers, body) = parseHeaders(entity, number: number, isMessage: false)
    let type = headers.first("Content-Type").map { ContentType(parsing: $0.rawValue) }
    return parsePart(
      source: entity, headers: headers, body: body,
      number: type?.isMultipart == true ? number : MessageParser.join(number, 1), defaultType: .plainText,
      depth: depth + 1, isMessage: false)
  }

  private mutating func parseEnclosed(
    headers: Headers, body: ArraySlice<UInt8>, number: String, depth: Int, isMessage: Bool
  ) -> Message? {
    var source = body
    // RFC 2046 §5.2.1 forbids an encoding here; some writers use one all the same.
    switch TransferEncoding(headers: headers) {
    case .base64: source = Base64.decode(body).bytes[...]
    case .quotedPrintable: source = QuotedPrintable.decode(body)[...]
    case .identity, .uuencode, .unknown: break
    }
    let inner = isMessage ? MessageParser.join(number, 1) : number
    let outerDefects = defects
    defects = []
    let root = parseMessage(source, number: inner, depth: depth + 1)
    let message = Message(source: source, body: root, defects: defects)
    defects = outerDefects + defects.prefix(max(0, 100 - outerDefects.count))
    return message
  }

  private mutating func parseMultipart(
    _ type: ContentType, body: ArraySlice<UInt8>, number: String, depth: Int
  ) -> [Part]? {
    var boundary = Array((type.parameter("boundary") ?? "").utf8)
    while boundary.last == UInt8.space { boundary.removeLast() }
    if boundary.isEmpty {
      report(.missingBoundaryParameter, at: number)
      guard let guessed = guessBoundary(in: body) else { return nil }
      boundary = guessed
    }
    var found = split(body, boundary: boundary, number: number)
    if found == nil {
      report(.boundaryNotFound, at: number)
      // The header names another boundary than the body has; the text between its lines must look like parts.
      guard let guessed = guessBoundary(in: body, isBeforeFields: true) else { return nil }
      found = split(body, boundary: guessed, number: number)
    }
    let ranges = found ?? []
    let isDigest = type.subtype == "digest"
    let defaultType = isDigest ? ContentType(mediaType: "message/rfc822") : .plainText
    var parts: [Part] = []
    for (index, range) in ranges.enumerated() {
      let partNumber = MessageParser.join(number, index + 1)
      let (headers, content) = parseHeaders(range, number: partNumber, isMessage: false)
      parts.append(
        parsePart(
          source: range, headers: headers, body: content, number: partNumber, defaultType: defaultType,
          depth: depth + 1,
          isMessage: false))
    }
    return parts
  }

  /// Cuts a body at the lines that are `--boundary`; the line end before each belongs to it (RFC 2046 §5.1.1).
  ///
  /// - Returns: `nil` if there is no such line; nothing if there is the last one alone.
  private mutating func split(
    _ body: ArraySlice<UInt8>, boundary: [UInt8], number: String
  ) -> [ArraySlice<UInt8>]? {
    work += body.count
    var ranges: [ArraySlice<UInt8>] = []
    var partStart: Int?
    var isClosed = false
    var index = body.startIndex
    while index < body.endIndex, !isClosed {
      let (lineEnd, next) = body.lineEnd(from: index)
      if body[index] == UInt8(ascii: "-"), let kind = delimiter(body[index..<lineEnd], boundary: boundary) {
        if let start = partStart { ranges.append(body[start..<contentEnd(in: body, from: start, before: index)]) }
        partStart = next
        if kind == .closing {
          isClosed = true
        } else if partCount + ranges.count + 1 >= limits.partCount {
          report(.tooManyParts, at: number)
          ranges.append(body[next...])
          return ranges
        }
      }
      index = next
    }
    if !isClosed, let start = partStart {
      report(.missingClosingBoundary, at: number)
      if start < body.endIndex { ranges.append(body[start...]) }
    }
    return ranges.isEmpty && !isClosed ? nil : ranges
  }

  private enum Delimiter { case opening, closing }

  private func delimiter(_ line: ArraySlice<UInt8>, boundary: [UInt8]) -> Delimiter? {
    let length = boundary.count + 2
    return line.withUnsafeBufferPointer { line in
      let dash = UInt8(ascii: "-")
      guard line.count >= length, line[0] == dash, line[1] == dash else { return nil }
      for index in boundary.indices where line[index + 2] != boundary[index] { return nil }
      let isClosing = line.count >= length + 2 && line[length] == dash && line[length + 1] == dash
      // Text behind the last one belongs to the epilogue.
      if isClosing, line.count > length + 2, line[length + 2].isMailWhitespace { return .closing }
      for index in (isClosing ? length + 2 : length)..<line.count where !line[index].isMailWhitespace { return nil }
      return isClosing ? .closing : .opening
    }
  }

  private func contentEnd(in body: ArraySlice<UInt8>, from start: Int, before delimiter: Int) -> Int {
    var end = delimiter
    if end > start, body[end - 1] == UInt8.lineFeed { end -= 1 }
    if end > start, body[end - 1] == UInt8.carriageReturn { end -= 1 }
    return end
  }

  /// The boundary of a multipart that does not name it: the first line that starts with `--` and comes again.
  ///
  /// - Parameter isBeforeFields: Whether the line has to be followed by a field of a part's header.
  private mutating func guessBoundary(in body: ArraySlice<UInt8>, isBeforeFields: Bool = false) -> [UInt8]? {
    work += body.count
    var candidate: [UInt8]?
    var index = body.startIndex
    while index < body.endIndex {
      let (lineEnd, next) = body.lineEnd(from: index)
      let line = body[index..<lineEnd]
      index = next
      guard line.count > 4, line.count <= 74, line.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]),
        !line.contains(UInt8.space)
      else { continue }
      guard let found = candidate else {
        if !isBeforeFields || isContentField(body, at: next) { candidate = Array(line.dropFirst(2)) }
        continue
      }
      if delimiter(line, boundary: found) != nil { return found }
    }
    return nil
  }

  private func isContentField(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    bytes[index...].prefix(8).map(\.lowercasedASCII).starts(with: "content-".utf8) && startsField(in: bytes, at: index)
  }

  private static func join(_ number: String, _ index: Int) -> String {
    number.isEmpty ? String(index) : "\(number).\(index)"
  }

  // MARK: Headers

  /// Reads the header fields at the start of some bytes and returns them with what follows.
  mutating func parseHeaders(
    _ bytes: ArraySlice<UInt8>, number: String, isMessage: Bool
  ) -> (Headers, body: ArraySlice<UInt8>) {
    var fields: [HeaderField] = []
    var index = bytes.startIndex
    var isTruncated = false
    defer { work += index - bytes.startIndex }
    if isMessage {
      // The mark of some editors, empty lines before the header, and the line that an mbox file puts there.
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
      while index < bytes.endIndex, bytes[index] == UInt8.lineFeed || bytes[index] == UInt8.carriageReturn {
        index += 1
      }
      if bytes[index...].starts(with: "From ".utf8) || bytes[index...].starts(with: ">From ".utf8) {
        index = bytes.lineEnd(from: index).next
      }
    }
    let start = index
    // Where lines begin that are not fields, though others follow them.
    var doubtful: (index: Int, fieldCount: Int)?
    while index < bytes.endIndex {
      let (lineEnd, next) = bytes.lineEnd(from: index)
      if lineEnd == index { return (Headers(fields: fields), bytes[next...]) }
      guard let colon = fieldColon(in: bytes, from: index, to: lineEnd) else {
        if isBlank(bytes[index..<lineEnd]) { return (Headers(fields: fields), bytes[next...]) }
        let continues = next < bytes.endIndex && startsField(in: bytes, at: next)
        if continues && (!fields.isEmpty || isMessage) {
          if doubtful == nil { doubtful = (index, fields.count) }
          report(.invalidHeaderLine, at: number)
          index = next
          continue
        }
        if fields.isEmpty {
          report(.missingHeaders, at: number)
          return (Headers(fields: []), bytes[start...])
        }
        report(.missingHeaderSeparator, at: number)
        return (Headers(fields: fields), bytes[index...])
      }
      let (valueEnd, afterField) = foldedEnd(in: bytes, lineEnd: lineEnd, next: next)
      if fields.count < limits.headerFieldCount {
        let name = bytes[index..<colon].trimmingMailWhitespace
        let value = bytes[(colon + 1)..<valueEnd]
        fields.append(HeaderField(name: name, rawValue: value))
      } else if !isTruncated {
        isTruncated = true
        report(.tooManyHeaderFields, at: number)
      }
      index = afterField
    }
    // No empty line ever came: the text began where the fields ended.
    if let doubtful, doubtful.fieldCount > 0 {
      report(.missingHeaderSeparator, at: number)
      return (Headers(fields: Array(fields.prefix(doubtful.fieldCount))), bytes[doubtful.index...])
    }
    return (Headers(fields: fields), bytes[bytes.endIndex...])
  }

  /// The colon after a field name, or `nil` if the line starts no field.
  private func fieldColon(in bytes: ArraySlice<UInt8>, from start: Int, to end: Int) -> Int? {
    let first = bytes.startIndex
    return bytes.withUnsafeBufferPointer { buffer in
      var index = start - first
      let end = end - first
      while index < end, buffer[index].isFieldName { index += 1 }
      guard index > start - first else { return nil }
      // RFC 5322 §4.5 allows white space before the colon.
      while index < end, buffer[index] == UInt8.space || buffer[index] == UInt8.tab { index += 1 }
      return index < end && buffer[index] == UInt8(ascii: ":") ? first + index : nil
    }
  }

  private func startsField(in bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    let limit = min(bytes.endIndex, index + 80)
    guard let colon = fieldColon(in: bytes, from: index, to: limit) else { return false }
    return bytes[index..<colon].allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  private func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy(\.isMailWhitespace) }

  /// The end of a field's value and the start of the next line that is not a continuation.
  private func foldedEnd(in bytes: ArraySlice<UInt8>, lineEnd: Int, next: Int) -> (valueEnd: Int, next: Int) {
    var valueEnd = lineEnd
    var index = next
    while index < bytes.endIndex, bytes[index] == UInt8.space || bytes[index] == UInt8.tab {
      let (end, following) = bytes.lineEnd(from: index)
      // A line of nothing but white space ends the header rather than continuing a field.
      if isBlank(bytes[index..<end]), !continues(bytes, at: following) { break }
      valueEnd = end
      index = following
    }
    return (valueEnd, index)
  }

  private func continues(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    index < bytes.endIndex
      && (bytes[index] == UInt8.space || bytes[index] == UInt8.tab || startsField(in: bytes, at: index))
  }
}
