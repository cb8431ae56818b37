extension ResponseCursor {
  /// The most items and sections that a message may be described with.
  private static let maximumItems = 10_000

  /// What stands in the parentheses of a FETCH.
  mutating func fetched(_ sequenceNumber: UInt32) throws(ProtocolFault) -> FetchedMessage {
    var message = FetchedMessage(sequenceNumber: sequenceNumber)
    var count = 0
    try list { cursor throws(ProtocolFault) in
      count += 1
      guard count <= Self.maximumItems else { throw ProtocolFault(.tooMany, "items of a message") }
      try cursor.item(of: &message)
    }
    return message
  }

  private mutating func item(of message: inout FetchedMessage) throws(ProtocolFault) {
    if isNext("UID") {
      try skip()
      try space()
      message.uid = try number32()
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
    case "RFC822.SIZE": message.size = Int(clamping: try number())
    case "INTERNALDATE":
      guard let date = try nilOrString() else { return }
      message.internalDate = InternalDate(date)
    case "MODSEQ":
      try list { cursor throws(ProtocolFault) in message.modSeq = try cursor.number() }
    case "BODYSTRUCTURE", "BODY": message.structure = try bodyStructure()
    case "X-GM-LABELS":
      var labels: [String] = []
      try list { cursor throws(ProtocolFault) in labels.append(try cursor.text()) }
      message.gmailLabels = labels
    case "X-GM-THRID": message.gmailThread = try number()
    default: try skip()
    }
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

extension InternalDate {
  private static let months: [String] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads `17-Jul-1996 02:44:25 -0700` (RFC 9051 `date-time`), the day with a space or zero in front.
  init?(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let fields = text.split { $0 == " " || $0 == "-" || $0 == ":" || $0 == "+" }
    guard fields.count == 7, let day = Int(fields[0]), let year = Int(fields[2]), let hour = Int(fields[3]),
      let minute = Int(fields[4]), let second = Int(fields[5]), let zone = Int(fields[6]),
      let month = Self.months.firstIndex(of: fields[1].lowercased()),
      (1...31).contains(day), (1...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second), zone <= 1500
    else { return nil }
    let distance = (zone / 100 * 60 + zone % 100) * 60
    zoneOffset = text.dropFirst(20).contains("-") ? -distance : distance
    seconds =
      Self.days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second - zoneOffset
  }

  /// Days since 1970 of a date, after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
