extension Charset {
  /// Converters by label, the label reduced to its letters and digits in lower case.
  ///
  /// Names follow the WHATWG Encoding Standard where mail in the wild does: ISO-8859-1 means windows-1252, GB2312 means
  /// GB18030, Shift_JIS means windows-31J, EUC-KR means UHC, ISO-8859-9 means windows-1254.
  static let table: [String: Converter] = {
    var table: [String: Converter] = [
      "utf8": .utf8, "unicode11utf8": .utf8, "utf8mb4": .utf8, "utf08": .utf8,
      "utf16": .utf16, "unicode": .utf16, "ucs2": .utf16, "iso10646ucs2": .utf16,
      "utf16be": .utf16BigEndian, "utf16le": .utf16LittleEndian, "hzgb2312": .hz, "hz": .hz,
      "utf8n": .utf8, "cp65001": .utf8, "windows65001": .utf8, "unicodefffe": .utf16BigEndian,
      "unicodefeff": .utf16LittleEndian,
    ]
    for label in ["usascii", "ascii", "ansix341968", "iso646us", "us"] { table[label] = .ascii }
    // Phones and Outlook write the characters of Windows under the plain name.
    for label in ["iso2022jp", "iso2022jpms", "iso2022jp1", "jis", "jis7", "cp50220", "cp50221", "cp50222"] {
      table[label] = .iso2022JP
    }
    let windows1252 = [
      "iso88591", "88591", "iso885911987", "latin1", "l1",
      "windows1252", "cp1252", "1252", "ibm819", "cp819", "ansi", "default", "western", "msansi", "windows28591",
    ]
    for label in windows1252 { table[label] = .windows1252 }
    let converters: [(String, [String])] = [
      ("ISO-8859-2", ["iso88592", "88592", "latin2", "l2", "windows28592"]),
      ("ISO-8859-3", ["iso88593", "latin3", "l3"]),
      ("ISO-8859-4", ["iso88594", "latin4", "l4"]),
      ("ISO-8859-5", ["iso88595", "cyrillic"]),
      ("ISO-8859-6", ["iso88596", "iso88596e", "iso88596i", "arabic", "asmo708", "ecma114"]),
      ("ISO-8859-7", ["iso88597", "greek", "greek8", "ecma118", "elot928"]),
      ("ISO-8859-8", ["iso88598", "iso88598e", "iso88598i", "hebrew", "visual", "logical"]),
      ("WINDOWS-1254", ["iso88599", "latin5", "l5", "windows1254", "cp1254", "msturk"]),
      ("ISO-8859-10", ["iso885910", "latin6", "l6"]),
      ("ISO-8859-13", ["iso885913"]),
      ("ISO-8859-14", ["iso885914"]),
      ("ISO-8859-15", ["iso885915", "885915", "latin9", "l9", "latin0", "windows28605"]),
      ("ISO-8859-16", ["iso885916"]),
      ("CP874", ["iso885911", "tis620", "windows874", "cp874"]),
      ("WINDOWS-1250", ["windows1250", "cp1250", "msee"]),
      ("WINDOWS-1251", ["windows1251", "cp1251", "mscyrl"]),
      ("WINDOWS-1253", ["windows1253", "cp1253", "msgreek"]),
      ("WINDOWS-1255", ["windows1255", "cp1255", "mshebr"]),
      ("WINDOWS-1256", ["windows1256", "cp1256", "msarab"]),
      ("WINDOWS-1257", ["windows1257", "cp1257"]),
      ("WINDOWS-1258", ["windows1258", "cp1258"]),
      ("KOI8-R", ["koi8r", "koi8", "koi"]),
      ("KOI8-U", ["koi8u", "koi8ru"]),
      ("CP737", ["ibm737", "cp737"]),
      ("CP775", ["ibm775", "cp775"]),
      ("IBM857", ["ibm857", "cp857"]),
      ("IBM862", ["ibm862", "cp862", "dos862"]),
      ("IBM865", ["ibm865", "cp865"]),
      ("CP437", ["ibm437", "cp437"]),
      ("CP850", ["ibm850", "cp850"]),
      ("CP852", ["ibm852", "cp852"]),
      ("CP855", ["ibm855", "cp855"]),
      ("CP866", ["ibm866", "cp866"]),
      ("MACINTOSH", ["macintosh", "mac", "macroman"]),
      ("MAC-CYRILLIC", ["maccyrillic"]),
      ("MAC-CENTRALEUROPE", ["macce", "maccentraleurope", "maccentraleuroperoman"]),
      ("ISO-2022-JP-2", ["iso2022jp2"]),
      ("ISO-2022-JP-3", ["iso2022jp3", "iso2022jp2004"]),
      ("SHIFT_JISX0213", ["shiftjisx0213", "shiftjis2004"]),
      ("EUC-JISX0213", ["eucjisx0213", "eucjis2004"]),
      ("ISO-2022-KR", ["iso2022kr"]),
      ("CP932", ["shiftjis", "sjis", "mskanji", "windows31j", "cp932", "ms932"]),
      ("EUC-JP-MS", ["eucjp", "eucjpms", "ujis"]),
      ("UHC", ["euckr", "ksc56011987", "ksc5601", "ksc56011989", "korean", "uhc", "cp949", "windows949", "isoir149"]),
      ("JOHAB", ["johab"]),
      ("GB18030", ["gb18030", "gbk", "gb2312", "cp936", "ms936", "windows936", "chinese", "gb231280", "euccn"]),
      ("BIG5-HKSCS", ["big5", "big5hkscs", "xxbig5", "cp950", "windows950", "cnbig5"]),
      ("EUC-TW", ["euctw"]),
      ("UTF-7", ["utf7", "unicode11utf7", "unicode20utf7"]),
      ("UTF-32", ["utf32", "ucs4", "iso10646ucs4"]),
      ("UTF-32BE", ["utf32be"]),
      ("UTF-32LE", ["utf32le"]),
      ("VISCII", ["viscii"]),
      ("TCVN", ["tcvn"]),
      ("ARMSCII-8", ["armscii8"]),
    ]
    for (name, labels) in converters {
      for label in labels { table[label] = .iconv(name) }
    }
    return table
  }()

  /// The characters of windows-1252 at 0x80–0x9F; the five bytes it leaves open keep their control character.
  static let windows1252Controls: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
