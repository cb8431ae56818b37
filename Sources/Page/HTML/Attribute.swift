/// An attribute of an element.
public struct Attribute: Sendable, Hashable {
  /// The name.
  let name: String
  /// The value; `nil` for an attribute that only has to be there.
  let value: String?

  private init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }

  /// The classes.
  public static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  /// The id in the page.
  public static func id(_ id: String) -> Attribute { Attribute("id", id) }
  /// An address to go to. Other schemes than `http`, `https` and `mailto` are replaced by `#`.
  public static func href(_ address: String) -> Attribute { Attribute("href", PageAddress.safe(address)) }
  /// The file of a script.
  public static func src(_ path: String) -> Attribute { Attribute("src", PageAddress.isLocal(path) ? path : "#") }
  /// The address that a form is sent to; an address of another server is replaced by `#`.
  public static func action(_ path: String) -> Attribute { Attribute("action", PageAddress.isLocal(path) ? path : "#") }
  /// An attribute for scripts of the page.
  public static func data(_ name: String, _ value: String) -> Attribute { Attribute("data-" + name, value) }
  /// An attribute of WAI-ARIA.
  public static func aria(_ name: String, _ value: String) -> Attribute { Attribute("aria-" + name, value) }
  /// The role of WAI-ARIA.
  public static func role(_ role: String) -> Attribute { Attribute("role", role) }
  /// An attribute that only has to be there.
  public static func flag(_ flag: Flag) -> Attribute { Attribute(flag.rawValue, nil) }
  /// Any other attribute with a text.
  public static func with(_ name: Name, _ value: String) -> Attribute { Attribute(name.rawValue, value) }

  /// Attributes that only have to be there.
  public enum Flag: String, Sendable {
    case checked, disabled, hidden, multiple, open, required, selected, defer_ = "defer", readonly, autofocus
  }

  /// Attributes with a text that is no address and no code.
  public enum Name: String, Sendable {
    case accept, autocapitalize, autocomplete, charset, colspan, content, d, datetime, for_ = "for", height, lang, list,
      max,
      maxlength, method, min, minlength, name, pattern, placeholder, rel, rows, scope, spellcheck, step, tabindex,
      title, type,
      value, viewBox, width, wrap, x, y, rx, xmlns, inputmode, enctype
    case markerEnd = "marker-end", markerWidth, markerHeight, refX, refY, orient
  }
}

/// Addresses in pages.
public enum PageAddress {
  /// The address if a click on it is harmless, otherwise `#`: no code, no other scheme.
  public static func safe(_ address: String) -> String {
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
  public static func isLocal(_ address: String) -> Bool {
    guard address.hasPrefix("/"), address.utf8.count <= 2000 else { return false }
    let second = address.utf8.dropFirst().first
    return second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
      && !address.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F || $0 == "\\" }
  }

  /// A text as one part of a path or a query (RFC 3986, section 2.3).
  public static func escaped(_ text: String) -> String {
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
