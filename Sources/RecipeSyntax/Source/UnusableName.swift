import Glibc

/// Names of files that are not UTF-8. On Linux a name is any bytes but `/` and NUL; a path in Sous is text.
public enum UnusableName {
  /// A name for people: every byte that is not printable ASCII is written as `\\xE9`.
  public static func shown(_ name: some Sequence<UInt8>) -> String {
    name.map { byte in
      guard byte < 0x20 || byte > 0x7e else { return String(UnicodeScalar(byte)) }
      return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The path of a file for people, if a name in it is not UTF-8 and its bytes were replaced by U+FFFD when it became text.
  ///
  /// - Returns: The path with these bytes as `\\xE9`; `nil` if no file has such a name.
  static func shown(path: String) -> String? {
    var names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let place = names.firstIndex(where: { $0.contains("\u{FFFD}") }) else { return nil }
    let folder = place == 0 ? "." : names[..<place].joined(separator: "/") + "/"
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in bytes.prefix { $0 != 0 }.map(\.self) }
      guard String(validating: bytes, as: UTF8.self) == nil, String(decoding: bytes, as: UTF8.self) == names[place]
      else { continue }
      names[place] = shown(bytes)
      return names.joined(separator: "/")
    }
    return nil
  }
}
