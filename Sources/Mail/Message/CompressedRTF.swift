/// The text of Outlook messages in its compressed form ([MS-OXRTFCP]): LZ77 over a dictionary of 4096 bytes.
enum CompressedRTF {
  private static let headerSize = 16
  private static let compressed: UInt32 = 0x7546_5A4C  // LZFu
  private static let uncompressed: UInt32 = 0x414C_454D  // MELA
  private static let dictionarySize = 4096
  /// The first content of the dictionary ([MS-OXRTFCP] 2.1.2.1).
  private static let preset = Array(
    (#"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArial"#
      + #"Times New RomanCourier{\colortbl\red0\green0\blue0"# + "\r\n" + #"\par \pard\plain\f0\fs20\b\i\u\tab\tx"#)
      .utf8)

  /// The RTF in a property; `nil` if it is damaged: another format, another size or checksum than it says, or cut.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let data = Array(bytes)
    guard data.count >= headerSize else { return nil }
    let (size, rawSize) = (Int(number(data, 0)), Int(number(data, 4)))
    // The size counts from behind its own four bytes.
    guard size >= headerSize - 4, size + 4 <= data.count, rawSize <= OpaqueContent.sizeLimit else { return nil }
    let content = data[headerSize..<(size + 4)]
    switch number(data, 8) {
    case uncompressed: return content.count >= rawSize ? Array(content.prefix(rawSize)) : nil
    case compressed: return checksum(content) == number(data, 12) ? expand(content, rawSize) : nil
    default: return nil
    }
  }

  private static func number(_ data: [UInt8], _ start: Int) -> UInt32 {
    data[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func expand(_ content: ArraySlice<UInt8>, _ rawSize: Int) -> [UInt8]? {
    var dictionary = preset + [UInt8](repeating: 0x20, count: dictionarySize - preset.count)
    var (place, output) = (preset.count, [UInt8]())
    output.reserveCapacity(rawSize)
    var input = content.makeIterator()
    func isWhole() -> Bool { output.count == rawSize }
    while let control = input.next() {
      for bit in 0..<8 {
        guard control >> bit & 1 == 1 else {
          guard let byte = input.next() else { return isWhole() ? output : nil }
          append(byte)
          continue
        }
        guard let high = input.next(), let low = input.next() else { return nil }
        let reference = Int(high) << 8 | Int(low)
        let from = reference >> 4
        // A reference to the place of writing ends the text.
        if from == place { return isWhole() ? output : nil }
        for step in 0..<(reference & 15 + 2) { append(dictionary[(from + step) % dictionarySize]) }
        guard output.count <= rawSize else { return nil }
      }
    }
    return isWhole() ? output : nil

    func append(_ byte: UInt8) {
      output.append(byte)
      dictionary[place] = byte
      place = (place + 1) % dictionarySize
    }
  }

  /// CRC-32 that begins with 0 and is not inverted ([MS-OXRTFCP] 3.1.3.2).
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { checksum, byte in
      var value = (checksum ^ UInt32(byte)) & 0xFF
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      return checksum >> 8 ^ value
    }
  }
}
