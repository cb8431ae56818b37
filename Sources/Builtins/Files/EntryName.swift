import Engine
import Glibc
import Localization
import OperatingSystem
import RecipeSyntax

/// The name of an entry of a folder: on Linux any bytes but `/` and NUL, not always UTF-8.
struct EntryName {
  /// The bytes, with the NUL at the end.
  let bytes: [CChar]

  /// The name as text; `nil` if it is not UTF-8.
  var text: String? { bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { String(validatingCString: $0) } } }

  /// The name for messages; escaped if it is not UTF-8.
  var shown: String { text ?? UnusableName.shown(bytes.dropLast().map { UInt8(bitPattern: $0) }) }

  /// Whether the name is `.` or `..`.
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
      // readdir(3) returns NULL at the end and after an error; only errno differs.
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
  /// Expressions hold texts, so a recipe cannot name a file whose name is not UTF-8.
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
