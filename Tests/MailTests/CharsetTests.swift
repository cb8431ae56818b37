import Testing

@testable import Mail

struct CharsetTests {
  @Test(
    arguments: [
      ("utf-8", [0x47, 0xC3, 0xBC], "Gü"),
      ("us-ascii", [0x41, 0x62], "Ab"),
      ("iso-8859-1", [0xFC, 0x80], "ü€"),
      ("ISO_8859-2", [0xB1, 0xE6], "ąć"),
      ("iso-8859-5", [0xBF], "П"),
      ("iso-8859-7", [0xE1], "α"),
      ("iso-8859-8-i", [0xE0], "א"),
      ("iso-8859-9", [0xFE], "ş"),
      ("iso-8859-15", [0xA4], "€"),
      ("windows-1250", [0x9C], "ś"),
      ("cp1251", [0xCF], "П"),
      ("windows-1252", [0x93, 0x94], "“”"),
      ("Windows-1257", [0xE0], "ą"),
      ("koi8-r", [0xF0], "П"),
      ("KOI8-U", [0xA4], "є"),
      ("macintosh", [0x8A], "ä"),
      ("x-mac-cyrillic", [0x8F], "П"),
      ("ibm850", [0x84], "ä"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
      ("iso-2022-jp", Array("\u{1B}$B-!-j\u{1B}(B".utf8), "①㈱"),
      ("iso-2022-jp", Array("\u{1B}(I1\u{1B}(Bx".utf8), "ｱx"),
      ("iso-2022-jp", Array("\u{1B}$B|b66\u{1B}(J\\~\u{1B}(B\\~".utf8), "髙橋¥‾\\~"),
      ("iso-2022-jp", Array("\u{1B}$(D0!\u{1B}(B".utf8), "丂"),
      ("iso-2022-jp", Array("\u{1B}$AVP\u{1B}(B".utf8), "中"),
      ("cp50221", Array("a\u{0E}1\u{0F}b".utf8), "aｱb"),
      ("ISO-2022-JP-MS", Array("\u{1B}$BF|\r\nK\\\u{1B}(B".utf8), "日\r\n本"),
      ("win-1251", [0xCF], "П"), ("ansi1250", [0x9C], "ś"), ("charset=utf-8", [0xC3, 0xBC], "ü"),
      ("cp65001", [0xC3, 0xBC], "ü"), ("dos-862", [0x80], "א"),
      ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40], "日本①"),
      ("x-sjis", [0x93, 0xFA], "日"),
      ("euc-jp", [0xC6, 0xFC], "日"),
      ("euc-kr", [0xB9, 0xF8], "번"),
      ("ks_c_5601-1987", [0xB9, 0xF8], "번"),
      ("gb2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
      ("GBK", [0xE9, 0x46], "镕"),
      ("gb18030", [0x95, 0x34, 0xB2, 0x35], "𠮷"),
      ("big5", [0xA7, 0x41], "你"),
      ("hz-gb-2312", Array("~~a~{<:Ky~}b~\nc".utf8), "~a己所bc"),
      ("tis-620", [0xA1], "ก"),
      ("utf-7", [0x2B, 0x41, 0x50, 0x77, 0x2D], "ü"),
      ("utf-16", [0xFE, 0xFF, 0x00, 0xFC], "ü"),
      ("utf-16", [0x48, 0x00, 0x69, 0x00], "Hi"),
      ("utf-16le", [0xFC, 0x00], "ü"),
      ("utf-16be", [0x00, 0xFC], "ü"),
      ("utf-32be", [0x00, 0x00, 0x00, 0xFC], "ü"),
    ] as [(String, [UInt8], String)])
  func labelledBytesAreDecoded(label: String, bytes: [UInt8], text: String) {
    let decoded = Charset.decode(bytes[...], label: label)
    #expect(decoded.text == text)
    #expect(decoded.isClean)
  }

  @Test(
    arguments: [
      (nil, [0x47, 0xC3, 0xBC], "Gü"),
      (nil, [0x47, 0xFC], "Gü"),
      (nil, [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
      (nil, [0x41, 0x1B, 0x5B, 0x31, 0x6D, 0x42], "A\u{1B}[1mB"),
      ("us-ascii", [0x47, 0xC3, 0xBC], "Gü"),
      ("us-ascii", [0x47, 0xFC], "Gü"),
      ("utf-8", [0x47, 0xFC], "Gü"),
      ("utf-8", [0xC3, 0xBC, 0xC3, 0xA4, 0xC3], "üä\u{FFFD}"),
      ("unheard-of", [0xC3, 0xBC], "ü"),
      ("ISO-2022-CN-EXT", [0x41], "A"),
      ("utf-8//TRANSLIT", [0x41], "A"),
      ("iso-2022-jp", [0x41, 0x1B, 0x24, 0x42, 0xFF, 0x1B, 0x28, 0x42, 0x42], "A\u{FFFD}B"),
      ("euc-kr", [0x41, 0xB9], "A\u{FFFD}"),
      ("utf-16be", [0xD8, 0x00, 0x00, 0x41], "\u{FFFD}A"),
    ] as [(String?, [UInt8], String)])
  func unfitBytesGiveTheBestText(label: String?, bytes: [UInt8], text: String) {
    #expect(Charset.decode(bytes[...], label: label).text == text)
  }

  @Test func longTextsPassThroughTheConverterInPieces() {
    let bytes = (0..<20_000).flatMap { _ in [0xC6, 0xFC] as [UInt8] }
    #expect(Charset.decode(bytes[...], label: "euc-jp").text == String(repeating: "日", count: 20_000))
  }

  @Test func everyLabelInTheTableHasAConverter() {
    for (label, converter) in Charset.table {
      let decoded = Charset.decode(Array("plain".utf8)[...], label: label)
      if case .iconv = converter, !label.contains("32"), !label.contains("ucs4") {
        #expect(decoded.text == "plain" && decoded.isClean, "\(label)")
      }
    }
  }
}
