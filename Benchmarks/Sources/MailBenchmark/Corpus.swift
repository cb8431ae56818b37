import Foundation
import Mail

/// The messages of some folders.
struct Corpus {
  /// The bytes of each message, in the order of their paths.
  let messages: [[UInt8]]
  /// The paths of the files.
  let paths: [String]

  var size: Int { messages.reduce(0) { $0 + $1.count } }

  /// Reads every `.eml` file, and every file of a Maildir's `cur` and `new`.
  init(folders: [String]) {
    var paths: [String] = []
    for folder in folders {
      let files = FileManager.default.enumerator(atPath: folder)
      while let name = files?.nextObject() as? String {
        let parent = ((name as NSString).deletingLastPathComponent as NSString).lastPathComponent
        if name.hasSuffix(".eml") || parent == "cur" || parent == "new" { paths.append("\(folder)/\(name)") }
      }
    }
    let found = paths.sorted().compactMap { path in
      FileManager.default.contents(atPath: path).map { (path, [UInt8]($0)) }
    }
    self.paths = found.map(\.0)
    messages = found.map(\.1)
  }

  /// Takes all messages apart.
  ///
  /// - Returns: The number of header fields and parts.
  func parse() -> Int {
    var count = 0
    for bytes in messages {
      let message = Message(parsing: bytes)
      count += message.headers.count + Corpus.parts(message.body)
    }
    return count
  }

  private static func parts(_ part: Part) -> Int {
    switch part.content {
    case .leaf: 1
    case .multipart(let parts): parts.reduce(1) { $0 + Corpus.parts($1) }
    case .message(let message): 1 + parts(message.body)
    }
  }

  /// Takes all messages apart and asks for what a mailbox shows.
  ///
  /// - Returns: The bytes of what was read.
  func read() -> Int {
    var size = 0
    for bytes in messages {
      let message = Message(parsing: bytes)
      size +=
        message.subject.utf8.count + (message.messageID?.utf8.count ?? 0) + (message.date?.secondsSinceEpoch ?? 0) & 1
      for addresses in [message.from, message.to, message.cc, message.replyTo] {
        for address in addresses { size += address.address.utf8.count + (address.name?.utf8.count ?? 0) }
      }
      size += message.references.count
      size += Corpus.contents(message.body)
    }
    return size
  }

  private static func contents(_ part: Part) -> Int {
    switch part.content {
    case .leaf:
      if let text = part.text { return text.utf8.count }
      return part.decodedBytes.count + (part.fileName?.utf8.count ?? 0)
    case .multipart(let parts): return parts.reduce(0) { $0 + contents($1) }
    case .message(let message): return contents(message.body)
    }
  }
}
