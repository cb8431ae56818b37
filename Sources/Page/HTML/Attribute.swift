/// An attribute of an element.
package struct Attribute: Sendable, Hashable {
  /// The name.
  let name: String
  /// The value; `nil` for an attribute that only has to be there.
  let value: String?

  private init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }

  /// The classes.
  package static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  /// The id in the page.
  package static func id(_ id: String) -> Attribute { Attribute("id", id) }
  /// An address to go to. Other schemes than `http`, `https` and `mailto` are replaced by `#`.
  package static func href(_ address: String) -> Attribute { Attribute("href", PageAddress.safe(address)) }
  /// The file of a script.
  package static func src(_ path: String) -> Attribute { Attribute("src", PageAddress.isLocal(path) ? path : "#") }
  /// The address that a form is sent to; an address of another server is replaced by `#`.
  package static func action(_ path: String) -> Attribute {
    Attribute("action", PageAddress.isLocal(path) ? path : "#")
  }
  /// An attribute for scripts of the page.
  package static func data(_ name: String, _ value: String) -> Attribute { Attribute("data-" + name, value) }
  /// An attribute of WAI-ARIA.
  package static func aria(_ name: String, _ value: String) -> Attribute { Attribute("aria-" + name, value) }
  /// The role of WAI-ARIA.
  package static func role(_ role: String) -> Attribute { Attribute("role", role) }
  /// An attribute that only has to be there.
  package static func flag(_ flag: Flag) -> Attribute { Attribute(flag.rawValue, nil) }
  /// Any other attribute with a text.
  package static func with(_ name: Name, _ value: String) -> Attribute { Attribute(name.rawValue, value) }

  /// Attributes that only have to be there.
  package enum Flag: String, Sendable {
    case checked, controls, disabled, hidden, multiple, open, required, selected, readonly, autofocus
  }

  /// Attributes whose text is neither an address nor code.
  package enum Name: String, Sendable {
    case accept, autocapitalize, autocomplete, charset, colspan, content, d, datetime, download, forID = "for", height,
      lang,
      list,
      max,
      maxlength, method, min, minlength, name, pattern, placeholder, preload, rel, rows, scope, spellcheck, start, step,
      tabindex,
      title, type,
      value, viewBox, width, wrap, x, y, rx, xmlns, inputmode, enctype
    case markerEnd = "marker-end", markerUnits, markerWidth, markerHeight, refX, refY, orient
  }
}

/// Addresses in pages.
package enum PageAddress {
  /// The address if a click on it is harmless, otherwise `#`: no code, no other scheme.
  package static func safe(_ address: String) -> String {
    if isLocal(address) || address.hasPrefix("#") || address.hasPrefix("?") { return address }
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(scheme), !address.unicodeScalars.contains(where: { $0.value <= 0x20 })
    else {
      return "#"
    }
    return address
  }

  /// Whether an address is a path of this server. Browsers read `//host` and `/\host` as addresses of other servers, and skip
  /// control characters.
  package static func isLocal(_ address: String) -> Bool {
    guard address.hasPrefix("/"), address.utf8.count <= 2000 else { return false }
    let second = address.utf8.dropFirst().first
    return second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
      && !address.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F || $0 == "\\" }
  }

  /// A text as one part of a path or a query (RFC 3986, section 2.3).
  package static func escaped(_ text: String) -> String {
    var result = ""
    let digits = Array("0123456789ABCDEF")
    for byte in text.utf8 {
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-_.~".contains(character) {
        result.append(character)
      } else {
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return result
  }
}
