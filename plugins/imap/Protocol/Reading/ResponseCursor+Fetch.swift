import Mail

extension ResponseCursor {
  /// The most items and sections that a message may be described with.
  private static let maximumItems = 10_000

  /// The items of a FETCH response.
  ///
  /// The reader has delimited the response, so that an error in it concerns this message alone. Parsing stops at the error: text
  /// after it comes from the sender of the message and could imitate an item of another message.
  mutating func fetched(_ sequenceNumber: UInt32) -> FetchedMessage {
    var message = FetchedMessage(sequenceNumber: sequenceNumber)
    var count = 0
    do throws(ProtocolFault) {
      try list { cursor throws(ProtocolFault) in
        count += 1
        guard count <= Self.maximumItems else { throw ProtocolFault(.tooMany, "items of a message") }
        try cursor.item(of: &message)
      }
    } catch {
      message.isDamaged = true
      // The length of a section may have been wrong, so no section is reliable.
      message.sections = []
    }
    message.byteCount = bytes.count
    return message
  }

  private mutating func item(of message: inout FetchedMessage) throws(ProtocolFault) {
    if isNext("UID") {
      try skip()
      try space()
      message.uid = try uid()
      return
    }
    let name = try keyword()
    if peek == 0x5B {
      message.sections.append(try section())
      return
    }
    try space()
    switch name {
    case "FLAGS": message.flags = try flagList()
    case "RFC822.SIZE": message.size = try size()
    case "INTERNALDATE":
      guard let date = try nilOrString() else { return }
      message.internalDate = MessageDate(internalDate: date)
    case "BODYSTRUCTURE", "BODY": message.structure = try bodyStructure()
    case "X-GM-LABELS":
      var labels: [String] = []
      try list { cursor throws(ProtocolFault) in labels.append(try cursor.text()) }
      message.gmailLabels = labels
    case "X-GM-THRID": message.gmailThread = try number()
    case "MODSEQ":
      try list { cursor throws(ProtocolFault) in message.modSeq = try cursor.modSequence() }
    default: try skip()
    }
  }

  /// A UID, which is not 0 (RFC 9051 `uniqueid`).
  private mutating func uid() throws(ProtocolFault) -> UInt32 {
    let number = try number32()
    guard number > 0 else { throw Self.syntax("a UID above 0") }
    return number
  }

  /// The size of a message; `nil` for NIL and negative numbers, which some servers send for an unknown size.
  private mutating func size() throws(ProtocolFault) -> Int? {
    if isNext("NIL") {
      try skip()
      return nil
    }
    let isNegative = take(0x2D)
    let number = try number()
    return isNegative ? nil : Int(clamping: number)
  }

  /// `[HEADER.FIELDS (From)]<0> {5}` and the text.
  private mutating func section() throws(ProtocolFault) -> FetchedMessage.Section {
    try expect(0x5B)
    var name = ""
    while let next = peek, next != 0x5D {
      if next == 0x28 {
        // The names of fields are those that were asked for.
        try skip()
      } else if next == 0x20 {
        spaces()
      } else {
        name += try keyword()
      }
    }
    try expect(0x5D)
    var origin: Int?
    if take(0x3C) {
      origin = Int(clamping: try number())
      try expect(0x3E)
    }
    try space()
    return FetchedMessage.Section(name: name, origin: origin, content: try nilOrString())
  }
}

extension MessageDate {
  private static let months: [StaticString] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads `17-Jul-1996 02:44:25 -0700` (RFC 9051 `date-time`), the day with a space or zero in front.
  init?(internalDate bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    func number(_ start: Int, _ width: Int) -> Int? {
      var value = 0
      for byte in bytes[start..<(start + width)] {
        if byte == 0x20, value == 0 { continue }
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard bytes.count == 26, bytes[2] == 0x2D, bytes[6] == 0x2D, bytes[14] == 0x3A, bytes[17] == 0x3A,
      bytes[21] == 0x2B || bytes[21] == 0x2D,
      let month = Self.months.firstIndex(where: { name in
        name.withUTF8Buffer { $0.elementsEqual(bytes[3..<6].map { $0 | 0x20 }) }
      }),
      let day = number(0, 2), let year = number(7, 4), let hour = number(12, 2), let minute = number(15, 2),
      let second = number(18, 2), let hours = number(22, 2), let minutes = number(24, 2), hours <= 15
    else { return nil }
    let distance = (hours * 60 + minutes) * 60
    self.init(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second,
      zoneOffset: bytes[21] == 0x2D ? -distance : distance)
  }
}
