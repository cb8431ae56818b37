/// Address lists as most fields hold them: mailboxes `Name <address>` or `address` between commas, without quotes and comments.
/// The name may hold encoded words that are written as RFC 2047 §5 wants them.
enum PlainMailboxes {
  /// Reads a list.
  ///
  /// - Returns: What ``AddressParser`` would make of the value; `nil` if that has to read it.
  static func read(_ value: ArraySlice<UInt8>) -> [Address]? {
    value.withUnsafeBufferPointer { bytes in
      var addresses: [Address] = []
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
        guard let mailbox = mailbox(bytes, start, end) else { return nil }
        addresses.append(mailbox)
        start = end + 1
      }
      return addresses
    }
  }

  private static func mailbox(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, _ last: Int) -> Address? {
    var (start, end) = (first, last)
    while start < end, bytes[start].isMailWhitespace { start += 1 }
    while end > start, bytes[end - 1].isMailWhitespace { end -= 1 }
    var open: Int?
    var at: Int?
    var hasWords = false
    var isSpaced = false
    var previous: UInt8 = 0
    for index in start..<end {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "<"):
        if open != nil || at != nil { return nil }
        open = index
      case UInt8(ascii: ">"):
        if open == nil || index + 1 != end { return nil }
      case UInt8(ascii: "@"):
        if at != nil { return nil }
        at = index
      case UInt8.space:
        if previous == UInt8.space || open != nil { return nil }
        isSpaced = true
      // Encoded words begin and end with it; an address with it is rare.
      case UInt8(ascii: "="), UInt8(ascii: "?"):
        if open != nil || at != nil { return nil }
        hasWords = true
      // `isToken`, and characters of addresses and names without a meaning of their own.
      case UInt8(ascii: "/"), UInt8(ascii: "."): break
      default: if !byte.isToken { return nil }
      }
      previous = byte
    }
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    guard let at, at > start else { return nil }
    guard let open else { return isSpaced || hasWords ? nil : Address(address: text(start..<end)) }
    guard bytes[end - 1] == UInt8(ascii: ">"), at > open + 1, end - 2 > at else { return nil }
    var nameEnd = open
    while nameEnd > start, bytes[nameEnd - 1] == UInt8.space { nameEnd -= 1 }
    let address = text((open + 1)..<(end - 1))
    guard hasWords else { return Address(name: nameEnd > start ? text(start..<nameEnd) : nil, address: address) }
    let name = EncodedWord.decodeUnstructured(Array(bytes[start..<nameEnd])[...])
    return Address(name: name.isEmpty ? nil : name, address: address)
  }
}
