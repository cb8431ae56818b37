import Testing

@testable import OperatingSystem

@Suite struct UTF8TextTests {
  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0x61, 0xEF, 0xBB, 0xBF], "a\u{FEFF}"), ([], ""), ([0xEF, 0xBB], nil),
      ([0xFF], nil),
    ] as [([UInt8], String?)])
  func aByteOrderMarkIsNoPartOfTheText(_ bytes: [UInt8], _ text: String?) {
    #expect(String(utf8Text: bytes) == text)
  }
}
