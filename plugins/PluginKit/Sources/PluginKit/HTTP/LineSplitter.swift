/// Cuts bytes into lines, wherever the pieces are cut.
struct LineSplitter {
  /// The bytes that end a line.
  enum Ending {
    /// LF, or CR and LF.
    case newline
    /// LF, CR, or CR and LF.
    case any
  }

  private let ending: Ending
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The start of the next line, and the position up to which its end has been searched.
  private var start = 0
  private var position = 0
  /// The last line ended with CR: an LF right behind it belongs to it.
  private var followsCarriageReturn = false

  init(ending: Ending, limit: Int) {
    self.ending = ending
    self.limit = limit
  }

  /// Takes the next piece; every line of the one before has to have been taken.
  mutating func append(_ piece: [UInt8]) {
    if start == buffer.count {
      buffer = piece
      position = 0
    } else {
      if start > 0 {
        buffer.removeSubrange(..<start)
        position -= start
      }
      buffer += piece
    }
    start = 0
  }

  /// The next whole line without its end, or `nil` if more bytes are needed.
  mutating func next() throws(ActionError) -> ArraySlice<UInt8>? {
    if followsCarriageReturn, start < buffer.count {
      followsCarriageReturn = false
      if buffer[start] == 0x0A {
        start += 1
        position = start
      }
    }
    let found: Int? = buffer.withUnsafeBufferPointer { bytes in
      var index = position
      while index < bytes.count {
        let byte = bytes[index]
        if byte == 0x0A || (byte == 0x0D && ending == .any) { return index }
        index += 1
      }
      return nil
    }
    guard let found else {
      position = buffer.count
      // One more for a CR whose LF has not come yet.
      guard position - start <= limit + 1 else { throw tooLong }
      return nil
    }
    var end = found
    if buffer[found] == 0x0D {
      followsCarriageReturn = true
    } else if ending == .newline, end > start, buffer[end - 1] == 0x0D {
      end -= 1
    }
    guard end - start <= limit else { throw tooLong }
    defer {
      start = found + 1
      position = start
    }
    return buffer[start..<end]
  }

  /// The bytes after the last end of a line, once no more bytes will come; `nil` if none.
  mutating func rest() throws(ActionError) -> ArraySlice<UInt8>? {
    guard start < buffer.count else { return nil }
    let end = ending == .newline && buffer.last == 0x0D ? buffer.count - 1 : buffer.count
    guard end - start <= limit else { throw tooLong }
    defer { start = buffer.count }
    return buffer[start..<end]
  }

  private var tooLong: ActionError {
    ActionError(
      .protocol, "The service sent a line of more than \(limit) bytes.",
      german: "Der Dienst schickte eine Zeile von mehr als \(limit) Byte.")
  }
}
