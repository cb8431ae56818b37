import MailWire
import PluginKit

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Which keyword each of the letters `a` to `z` represents in one folder: the file `dovecot-keywords`.
///
/// Its lines are `INDEX NAME`, index 0 for `a`, as
/// <https://doc.dovecot.org/main/core/config/mailbox/formats/maildir.html> describes. Names are compared whatever their
/// case.
struct Keywords: Sendable, Equatable {
  static let fileName = "dovecot-keywords"
  /// A file of 26 names is far below this many bytes.
  private static let sizeLimit = 64 * 1024
  /// How many letters there are.
  static let limit = 26

  /// The names by their index.
  private(set) var names: [Int: String] = [:]

  init() {}

  /// Reads a file; lines that are none are skipped.
  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0a) {
      let parts = line.split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2, let index = Int(String(decoding: parts[0], as: UTF8.self)),
        (0..<Self.limit).contains(index), let name = String(validating: parts[1], as: UTF8.self), !name.isEmpty
      else { continue }
      names[index] = name
    }
  }

  /// Reads the file of a folder; empty if there is none.
  init(in folder: Directory) throws(FileError) {
    guard let (bytes, _) = try folder.read(Self.fileName, .upTo(Self.sizeLimit)) else {
      self.init()
      return
    }
    self.init(bytes)
  }

  /// The file's content.
  var bytes: [UInt8] {
    Array(names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined().utf8)
  }

  /// The keyword a letter represents.
  subscript(letter: Character) -> String? { Self.index(letter).flatMap { names[$0] } }

  /// The letter of a keyword, where it has one.
  func letter(_ name: String) -> Character? {
    let folded = name.lowercased()
    return names.first { $0.value.lowercased() == folded }.flatMap { Self.letter($0.key) }
  }

  /// The keywords of a message.
  func names(of flags: MessageFlags) -> [String] { flags.keywordLetters.compactMap { self[$0] } }

  /// Gives a keyword a letter, where it has none.
  /// - Returns: The letter; nil where all are taken.
  mutating func add(_ name: String) -> Character? {
    if let letter = letter(name) { return letter }
    guard let index = (0..<Self.limit).first(where: { names[$0] == nil }) else { return nil }
    names[index] = name
    return Self.letter(index)
  }

  private static func index(_ letter: Character) -> Int? {
    guard let value = letter.asciiValue, (0x61...0x7a).contains(value) else { return nil }
    return Int(value) - 0x61
  }

  private static func letter(_ index: Int) -> Character? {
    UInt8(exactly: index + 0x61).map { Character(Unicode.Scalar($0)) }
  }
}

extension MaildirFolder {
  /// The keywords that messages here can have.
  func keywords() throws(FileError) -> Keywords { try Keywords(in: directory) }

  /// The letters of keywords, which are given letters where they have none yet.
  /// - Throws: `unsupported` if there are more keywords than letters, `io` where another program holds the file.
  func letters(of names: [String]) throws -> [Character] {
    let known = try keywords()
    let letters = names.compactMap(known.letter)
    if letters.count == names.count { return letters }
    return try withKeywordsLocked { keywords in
      try names.map { name in
        guard let letter = keywords.add(name) else {
          throw ActionError(
            .unsupported, "The folder \(self.name.display) has \(Keywords.limit) labels already, which is all it can.",
            german: "Der Ordner \(self.name.display) hat schon \(Keywords.limit) Labels; mehr kann er nicht.",
            advice: "Use one of them: \(keywords.names.values.sorted().prefix(26).joined(separator: ", "))",
            adviceGerman: "Vorhanden sind: \(keywords.names.values.sorted().prefix(26).joined(separator: ", "))")
        }
        return letter
      }
    }
  }

  /// A lock of this age, in seconds, was left by a program that crashed.
  private static let staleLock = 60

  /// Changes the file under the lock that Dovecot uses for it, and puts it in its place whole.
  private func withKeywordsLocked<Result>(_ body: (inout Keywords) throws -> Result) throws -> Result {
    let lock = Keywords.fileName + ".lock"
    try makeLock(lock)
    do {
      // Another program may have been faster.
      var keywords = try keywords()
      let before = keywords
      let result = try body(&keywords)
      guard keywords != before else {
        try directory.remove(lock)
        return result
      }
      try directory.write(keywords.bytes, over: lock)
      _ = try directory.rename(lock, to: directory, Keywords.fileName)
      try directory.synchronize()
      return result
    } catch {
      _ = try? directory.remove(lock)
      throw error
    }
  }

  private func makeLock(_ lock: String) throws {
    // Two seconds in all; whoever holds it has a few lines to write.
    for attempt in 1...40 {
      do {
        try directory.create(lock, [])
        return
      } catch {
        guard error.isOccupied else { throw error }
        if let found = try directory.status(lock), Int(time(nil)) - found.modified > Self.staleLock {
          try directory.remove(lock)
        } else if attempt < 40 {
          usleep(50_000)
        }
      }
    }
    throw ActionError(
      .io, "Another program holds '\(directory.path(lock))'.",
      german: "Ein anderes Programm hält '\(directory.path(lock))'.")
  }
}
