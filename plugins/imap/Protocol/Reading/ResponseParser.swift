/// Understands one whole response.
enum ResponseParser {
  /// - Throws: ``ProtocolFault`` for what is not a response.
  static func parse(_ bytes: [UInt8]) throws(ProtocolFault) -> Response {
    var cursor = ResponseCursor(bytes)
    if cursor.take(0x2B) {
      cursor.spaces()
      return .continuation(cursor.rest())
    }
    guard cursor.take(0x2A) else {
      let tag = try cursor.word()
      try cursor.space()
      guard let condition = StatusResponse.Condition(rawValue: try cursor.keyword()),
        [.ok, .no, .bad].contains(condition)
      else { throw ResponseCursor.syntax("OK, NO or BAD") }
      return .completion(tag: tag, try cursor.status(condition))
    }
    try cursor.space()
    return .untagged(try cursor.untagged())
  }
}

extension ResponseCursor {
  fileprivate mutating func untagged() throws(ProtocolFault) -> Untagged {
    if let next = peek, next >= 0x30, next <= 0x39 { return try numbered() }
    let word = try keyword()
    if let condition = StatusResponse.Condition(rawValue: word) { return .status(try status(condition)) }
    switch word {
    case "CAPABILITY": return .capability(try words())
    case "ENABLED": return .enabled(try words())
    case "FLAGS":
      try space()
      return .flags(try flagList())
    case "SEARCH", "SORT": return .search(try numbers())
    case "ESEARCH": return .extendedSearch(try extendedSearch())
    case "LIST", "LSUB":
      return listed()
    case "STATUS":
      // An unreadable STATUS leaves one folder without counts.
      let start = self
      do {
        try space()
        return .mailboxStatus(try mailboxStatus())
      } catch {
        self = start
        return .other(word + rest())
      }
    case "NAMESPACE":
      try space()
      return .namespace(try namespace())
    case "VANISHED":
      try space()
      let isEarlier = peek == 0x28
      if isEarlier {
        try skip()
        try space()
      }
      return .vanished(try uidSet(), isEarlier: isEarlier)
    default: return .other(word)
    }
  }

  private mutating func numbered() throws(ProtocolFault) -> Untagged {
    let number = try number32()
    try space()
    switch try keyword() {
    case "EXISTS": return .exists(number)
    case "RECENT": return .recent(number)
    case "EXPUNGE": return .expunge(number)
    case "FETCH":
      try space()
      return .fetch(fetched(number))
    case let other: return .other(other)
    }
  }

  // MARK: Status

  mutating func status(_ condition: StatusResponse.Condition) throws(ProtocolFault) -> StatusResponse {
    spaces()
    let code = peek == 0x5B ? try responseCode() : nil
    spaces()
    return StatusResponse(condition: condition, code: code, text: rest())
  }

  private mutating func responseCode() throws(ProtocolFault) -> ResponseCode? {
    let start = self
    do {
      try expect(0x5B)
      let code = try responseCode(keyword())
      spaces()
      try expect(0x5D)
      return code
    } catch {
      // An unknown code is kept as text; it has no effect.
      self = start
      guard let end = bytes[position...].firstIndex(of: 0x5D) else { return nil }
      let name = bytes[(position + 1)..<end].prefix { $0 > 0x20 }
      while position <= end { _ = take(bytes[position]) }
      return .other(String(decoding: name, as: UTF8.self).uppercased())
    }
  }

  private mutating func responseCode(_ name: String) throws(ProtocolFault) -> ResponseCode {
    switch name {
    case "CAPABILITY": return .capability(try words())
    case "UIDVALIDITY":
      try space()
      return .uidValidity(try number32())
    case "UIDNEXT":
      try space()
      return .uidNext(try number32())
    case "PERMANENTFLAGS":
      try space()
      return .permanentFlags(try flagList())
    case "HIGHESTMODSEQ":
      try space()
      return .highestModSeq(try modSequence())
    case "MODIFIED":
      try space()
      return .modified(try uidSet())
    case "READ-ONLY": return .readOnly
    case "READ-WRITE": return .readWrite
    case "APPENDUID":
      try space()
      let validity = try number32()
      try space()
      return .appendUID(validity: validity, try uidSet())
    case "COPYUID":
      try space()
      let validity = try number32()
      try space()
      let from = try uidSet()
      try space()
      return .copyUID(validity: validity, from: from, to: try uidSet())
    default:
      while let next = peek, next != 0x5D { _ = take(next) }
      return .other(name)
    }
  }

  /// The words up to the end or a bracket.
  private mutating func words() throws(ProtocolFault) -> [String] {
    var words: [String] = []
    spaces()
    while let next = peek, next != 0x5D {
      words.append(try keyword())
      guard words.count <= 1000 else { throw ProtocolFault(.tooMany, "words") }
      spaces()
    }
    return words
  }

  mutating func flagList() throws(ProtocolFault) -> [String] {
    var flags: [String] = []
    try list { cursor throws(ProtocolFault) in
      flags.append(try cursor.word())
      guard flags.count <= 10_000 else { throw ProtocolFault(.tooMany, "flags") }
    }
    return flags
  }

  // MARK: Searches

  private mutating func numbers() throws(ProtocolFault) -> [UInt32] {
    var numbers: [UInt32] = []
    spaces()
    while let next = peek {
      if next == 0x28 {
        // (MODSEQ 5), RFC 7162.
        try skip()
      } else {
        numbers.append(try number32())
      }
      spaces()
    }
    return numbers
  }

  private mutating func extendedSearch() throws(ProtocolFault) -> SearchResult {
    var result = SearchResult()
    spaces()
    if peek == 0x28 {
      try expect(0x28)
      _ = try keyword()
      try space()
      result.tag = try text()
      spaces()
      try expect(0x29)
      spaces()
    }
    while !isAtEnd {
      let name = try keyword()
      spaces()
      switch name {
      case "UID": break
      case "ALL": result.all = try uidSet()
      case "COUNT": result.count = try number32()
      case "MIN": result.minimum = try number32()
      case "MAX": result.maximum = try number32()
      default: try skip()
      }
      spaces()
    }
    return result
  }

  // MARK: Mailboxes

  /// A line of LIST. The text of an unreadable line is kept, because it shows which folder is missing.
  private mutating func listed() -> Untagged {
    let start = self
    do throws(ProtocolFault) {
      try space()
      let mailbox = try listedMailbox()
      // Only extended data may follow. Other text means that the server did not quote a name with spaces or quotes.
      spaces()
      guard isAtEnd || peek == 0x28 else { throw Self.syntax("the end of a name") }
      return .list(mailbox)
    } catch {
      self = start
      return .unreadableMailbox(rest())
    }
  }

  private mutating func listedMailbox() throws(ProtocolFault) -> ListedMailbox {
    let attributes = try flagList()
    try space()
    let delimiter = try nilOrString()?.first
    try space()
    return ListedMailbox(attributes: attributes, delimiter: delimiter, name: Array(try astring()))
  }

  private mutating func mailboxStatus() throws(ProtocolFault) -> MailboxStatus {
    var status = MailboxStatus(name: Array(try astring()))
    try space()
    try list { cursor throws(ProtocolFault) in
      let name = try cursor.keyword()
      try cursor.space()
      switch name {
      case "MESSAGES": status.messages = try cursor.number32()
      case "UNSEEN": status.unseen = try cursor.number32()
      case "UIDNEXT": status.uidNext = try cursor.number32()
      case "UIDVALIDITY": status.uidValidity = try cursor.number32()
      default: try cursor.skip()
      }
    }
    return status
  }

  private mutating func namespace() throws(ProtocolFault) -> Namespace {
    guard peek == 0x28 else {
      _ = rest()
      return Namespace(prefix: [], delimiter: nil)
    }
    try expect(0x28)
    try expect(0x28)
    let prefix = Array(try astring())
    try space()
    let delimiter = try nilOrString()?.first
    _ = rest()
    return Namespace(prefix: prefix, delimiter: delimiter)
  }
}
