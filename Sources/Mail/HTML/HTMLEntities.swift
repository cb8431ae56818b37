/// Character references of HTML: numbers and the names of HTML 4, which are the ones that mail uses.
package enum HTMLEntities {
  /// Decodes references; other text is kept.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String.UnicodeScalarView {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self).unicodeScalars }
    var output = String.UnicodeScalarView()
    var literalStart = bytes.startIndex
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "&"), let reference = reference(in: bytes, at: index + 1) else {
        index += 1
        continue
      }
      output.append(contentsOf: String(decoding: bytes[literalStart..<index], as: UTF8.self).unicodeScalars)
      output.append(reference.scalar)
      index = reference.end
      literalStart = index
    }
    output.append(contentsOf: String(decoding: bytes[literalStart...], as: UTF8.self).unicodeScalars)
    return output
  }

  /// The reference behind the `&` before `start`, and where it ends; `nil` if there is none.
  package static func reference(in bytes: ArraySlice<UInt8>, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    guard start < bytes.endIndex else { return nil }
    if bytes[start] == UInt8(ascii: "#") { return number(in: bytes, at: start + 1) }
    var end = start
    while end < bytes.endIndex, end - start < 10, bytes[end].isASCIILetter || bytes[end].isDigit { end += 1 }
    guard end > start, let scalar = names[String(decoding: bytes[start..<end], as: UTF8.self)] else { return nil }
    if end < bytes.endIndex, bytes[end] == UInt8(ascii: ";") { return (scalar, end + 1) }
    // Without a semicolon only what cannot be part of an address's query: `&copy 2026`, not `?a=1&copy=2`.
    return end < bytes.endIndex && bytes[end] == UInt8(ascii: "=") ? nil : (scalar, end)
  }

  private static func number(in bytes: ArraySlice<UInt8>, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    var index = start
    var radix: UInt32 = 10
    if index < bytes.endIndex, bytes[index].lowercasedASCII == UInt8(ascii: "x") {
      radix = 16
      index += 1
    }
    let digitStart = index
    var value: UInt32 = 0
    while index < bytes.endIndex, let digit = bytes[index].hexadecimalDigit, UInt32(digit) < radix {
      // Saturates beyond Unicode's last code point.
      value = min(value * radix + UInt32(digit), 0x11_0000)
      index += 1
    }
    guard index > digitStart else { return nil }
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: ";") { index += 1 }
    if (0x80..<0xA0).contains(value) { return (Charset.windows1252Controls[Int(value) - 0x80], index) }
    guard value != 0, let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", index) }
    return (scalar, index)
  }

  private static let names: [String: Unicode.Scalar] = {
    var names: [String: Unicode.Scalar] = [:]
    // U+00A0 to U+00FF in order.
    let latin1 =
      "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
      + "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring "
      + "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml "
      + "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil "
      + "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash "
      + "ugrave uacute ucirc uuml yacute thorn yuml"
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt32(0xA0 + offset))
    }
    // U+0391 to U+03A9 and U+03B1 to U+03C9; the capitals have no final sigma.
    let greek =
      "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau "
      + "upsilon phi chi psi omega"
    for (offset, name) in greek.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt32(0x3B1 + offset))
      if name != "sigmaf" {
        names[name.prefix(1).uppercased() + name.dropFirst()] = Unicode.Scalar(UInt32(0x391 + offset))
      }
    }
    let others: [String: Unicode.Scalar] = [
      "quot": "\"", "amp": "&", "lt": "<", "gt": ">", "apos": "'", "QUOT": "\"", "AMP": "&", "LT": "<", "GT": ">",
      "OElig": "\u{152}", "oelig": "\u{153}", "Scaron": "\u{160}", "scaron": "\u{161}", "Yuml": "\u{178}",
      "fnof": "\u{192}", "circ": "\u{2C6}", "tilde": "\u{2DC}", "ensp": "\u{2002}", "emsp": "\u{2003}",
      "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}",
      "ndash": "\u{2013}", "mdash": "\u{2014}", "lsquo": "\u{2018}", "rsquo": "\u{2019}", "sbquo": "\u{201A}",
      "ldquo": "\u{201C}", "rdquo": "\u{201D}", "bdquo": "\u{201E}", "dagger": "\u{2020}", "Dagger": "\u{2021}",
      "bull": "\u{2022}", "hellip": "\u{2026}", "permil": "\u{2030}", "prime": "\u{2032}", "Prime": "\u{2033}",
      "lsaquo": "\u{2039}", "rsaquo": "\u{203A}", "oline": "\u{203E}", "frasl": "\u{2044}", "euro": "\u{20AC}",
      "image": "\u{2111}", "weierp": "\u{2118}", "real": "\u{211C}", "trade": "\u{2122}", "alefsym": "\u{2135}",
      "larr": "\u{2190}", "uarr": "\u{2191}", "rarr": "\u{2192}", "darr": "\u{2193}", "harr": "\u{2194}",
      "crarr": "\u{21B5}", "lArr": "\u{21D0}", "uArr": "\u{21D1}", "rArr": "\u{21D2}", "dArr": "\u{21D3}",
      "hArr": "\u{21D4}", "forall": "\u{2200}", "part": "\u{2202}", "exist": "\u{2203}", "empty": "\u{2205}",
      "nabla": "\u{2207}", "isin": "\u{2208}", "notin": "\u{2209}", "ni": "\u{220B}", "prod": "\u{220F}",
      "sum": "\u{2211}", "minus": "\u{2212}", "lowast": "\u{2217}", "radic": "\u{221A}", "prop": "\u{221D}",
      "infin": "\u{221E}", "ang": "\u{2220}", "and": "\u{2227}", "or": "\u{2228}", "cap": "\u{2229}",
      "cup": "\u{222A}", "int": "\u{222B}", "there4": "\u{2234}", "sim": "\u{223C}", "cong": "\u{2245}",
      "asymp": "\u{2248}", "ne": "\u{2260}", "equiv": "\u{2261}", "le": "\u{2264}", "ge": "\u{2265}",
      "sub": "\u{2282}", "sup": "\u{2283}", "nsub": "\u{2284}", "sube": "\u{2286}", "supe": "\u{2287}",
      "oplus": "\u{2295}", "otimes": "\u{2297}", "perp": "\u{22A5}", "sdot": "\u{22C5}", "lceil": "\u{2308}",
      "rceil": "\u{2309}", "lfloor": "\u{230A}", "rfloor": "\u{230B}", "lang": "\u{27E8}", "rang": "\u{27E9}",
      "loz": "\u{25CA}", "spades": "\u{2660}", "clubs": "\u{2663}", "hearts": "\u{2665}", "diams": "\u{2666}",
      "check": "\u{2713}", "star": "\u{2606}", "starf": "\u{2605}", "phone": "\u{260E}", "hyphen": "\u{2010}",
      "NewLine": "\n", "Tab": "\t", "num": "#", "colon": ":", "comma": ",", "period": ".", "lpar": "(", "rpar": ")",
      "commat": "@", "lsqb": "[", "rsqb": "]", "sol": "/", "bsol": "\\", "lowbar": "_", "excl": "!", "quest": "?",
      "percnt": "%", "dollar": "$", "plus": "+", "equals": "=", "semi": ";", "ast": "*", "verbar": "|",
      "thetasym": "\u{3D1}", "upsih": "\u{3D2}", "piv": "\u{3D6}",
    ]
    return names.merging(others) { _, other in other }
  }()
}
