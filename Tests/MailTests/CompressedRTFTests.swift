import Testing

@testable import Mail

@Suite struct CompressedRTFTests {
  private static func bytes(_ text: String) -> [UInt8] {
    text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
  }

  /// [MS-OXRTFCP] 4.1.1 and 4.1.2.
  private static let simple = bytes(
    "2D 00 00 00 2B 00 00 00 4C 5A 46 75 F1 C5 C7 A7 03 00 0A 00 72 63 70 67 31 32 35 42 32 0A F3 20 68 65 6C 09 00 20 62 77 "
      + "05 B0 6C 64 7D 0A 80 0F A0")
  private static let crossing = bytes(
    "1A 00 00 00 1C 00 00 00 4C 5A 46 75 E2 D4 4B 51 41 00 04 20 57 58 59 5A 0D 6E 7D 01 0E B0")

  @Test func examplesOfTheSpecificationAreRead() {
    #expect(
      CompressedRTF.decode(Self.simple[...]).map { String(decoding: $0, as: UTF8.self) }
        == "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n")
    #expect(
      CompressedRTF.decode(Self.crossing[...]).map { String(decoding: $0, as: UTF8.self) }
        == "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}")
    #expect(CompressedRTF.decode(Self.simple[...]).flatMap(RTFText.read) == "hello world")
  }

  @Test func damagedTextIsRefused() {
    for index in Self.simple.indices {
      var damaged = Self.simple
      damaged[index] ^= 0x15
      #expect(CompressedRTF.decode(damaged[...]) == nil, "byte \(index)")
      #expect(CompressedRTF.decode(Self.simple.prefix(index)) == nil)
    }
  }

  @Test(arguments: [
    (#"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe \u8364? \{a\}\par b\line c}"#, "Grüße € {a}\nb\nc"),
    (#"{\rtf1{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}{\stylesheet{\s0\plain Normal;}}{\f1\'cf\'f0} x}"#, "Пр x"),
    (
      #"{\rtf1 a{\v secret\plain  b}{\*\htmltag <b>}bold{\*\htmltag </b>}\uc2\u228ae\u-10179?x\u-8704?x.}"#,
      "a bboldä😀."
    ),
    (#"{\rtf1 a{\pict\bin3 }}}}b}"#, "ab"), (#"{\rtf1 a\tab b\emdash\'e4"#, "a\tb—ä"),
  ])
  func wordsAreRead(rtf: String, text: String) {
    #expect(RTFText.read(Array(rtf.utf8)) == text)
  }

  @Test func otherTextsAndDeepGroupsAreRefused() {
    #expect(RTFText.read(Array("hello".utf8)) == nil)
    #expect(RTFText.read(Array(#"{\rtf1"#.utf8) + [UInt8](repeating: UInt8(ascii: "{"), count: 100_000)) == nil)
  }
}
