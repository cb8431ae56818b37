import Engine
import Glibc
import Localization

/// The name of an entry of a folder: on Linux any bytes but `/` and NUL, not always UTF-8.
struct EntryName {
  /// The bytes, with the NUL at the end.
  let bytes: [CChar]

  /// The name as text; `nil` if it is not UTF-8.
  var text: String? { bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { String(validatingCString: $0) } } }

  /// The name for people: bytes that are not ASCII, if it is not UTF-8, as `\xE9`.
  var shown: String {
    if let text { return text }
    return bytes.dropLast().map { byte in
      let byte = UInt8(bitPattern: byte)
      guard byte < 0x20 || byte > 0x7e else { return String(UnicodeScalar(byte)) }
      return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Whether it is `.` or `..`.
  fileprivate var isDots: Bool { bytes == [46, 0] || bytes == [46, 46, 0] }
}

extension Descriptor {
  /// The names in a folder, without `.` and `..`, in no order.
  ///
  /// - Parameter path: The folder's path, for errors.
  func entryNames(_ path: String) throws(ActionFailure) -> [EntryName] {
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .file(path, error: errno) }
    guard let stream = fdopendir(copy) else {
      close(copy)
      throw .file(path, error: errno)
    }
    defer { closedir(stream) }
    var names: [EntryName] = []
    while true {
      // Only this tells an error from the end.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .file(path, error: errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        EntryName(bytes: bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0])
      }
      if !name.isDots { names.append(name) }
    }
  }

  /// The names in a folder that are UTF-8, without `.` and `..`, in no order.
  func names(_ path: String) throws(ActionFailure) -> [String] { try entryNames(path).compactMap(\.text) }
}

extension ActionFailure {
  /// Recipes name files by text, so one with such a name is out of their reach.
  static func notUTF8(_ name: EntryName, in folder: String) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText(
        "the name of '\(name.shown)' in '\(folder)' is not UTF-8, so no expression can hold it",
        de: "der Name von '\(name.shown)' in '\(folder)' ist kein UTF-8; kein Ausdruck kann ihn enthalten"),
      advice: LocalizedText(
        "rename it, for example with 'convmv', or choose a 'pattern' that it does not match",
        de: "umbenennen, etwa mit 'convmv', oder ein 'pattern' wählen, zu dem er nicht passt"))
  }
}
