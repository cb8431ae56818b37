import Foundation
import Mail

/// A message with a large file, which never is in memory as a whole.
struct StreamedMessage {
  /// The file's size in bytes.
  let size: Int

  /// Writes the message to a file in pieces and reads it again in pieces.
  ///
  /// - Parameter limit: Megabytes that the process may have held at most.
  /// - Returns: Whether it was so, and the file came out as it went in.
  func measure(limit: Int) throws -> Bool {
    let path = NSTemporaryDirectory() + "/sous-streamed-\(ProcessInfo.processInfo.processIdentifier).eml"
    defer { unlink(path) }
    let before = StreamedMessage.peak()
    let clock = ContinuousClock()
    let start = clock.now
    let written = try write(to: path)
    let middle = clock.now
    let (count, isSame) = try read(path)
    let taken = (middle - start, clock.now - middle)
    let peak = StreamedMessage.peak()
    func speed(_ duration: Duration) -> Int { Int(Double(written) / 1e6 / (duration / .seconds(1))) }
    print(
      "a message of \(written / 1_000_000) MB: written at \(speed(taken.0)) MB/s, read at \(speed(taken.1)) MB/s; the "
        + "process held \(peak / 1024) MB at most, \((peak - before) / 1024) MB more than at its start")
    let isMet = peak / 1024 <= limit && isSame && count == size
    if !isMet { print("MISSED: at most \(limit) MB, and the file unchanged: \(isSame && count == size)") }
    return isMet
  }

  private func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 167 &+ index >> 9) }

  private func write(to path: String) throws -> Int {
    var message = OutgoingMessage(from: Address(address: "a@example.org"), subject: "A large file", text: "See there.")
    message.attachments = [OutgoingAttachment(name: "large.bin", source: 0, size: size)]
    var stream = try message.stream(messageID: "1@example.org", date: MessageDate(secondsSinceEpoch: 0))
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    var position = 0
    while let step = try stream.next() {
      switch step {
      case .bytes(let bytes): _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      case .read(_, let count):
        try stream.supply((position..<(position + count)).map(byte))
        position += count
      }
    }
    return stream.size
  }

  private func read(_ path: String) throws -> (count: Int, isSame: Bool) {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var reader = MessageStreamReader()
    var count = 0
    var isSame = true
    var isFile = false
    func take(_ events: [MessageStreamReader.Event]) {
      for event in events {
        switch event {
        case .began(let part): isFile = part.fileName == "large.bin"
        case .content(let bytes) where isFile:
          for (offset, value) in bytes.enumerated() where value != byte(count + offset) { isSame = false }
          count += bytes.count
        default: break
        }
      }
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let length = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if length <= 0 { break }
      take(reader.read(buffer[..<length]))
    }
    take(reader.finish())
    return (count, isSame)
  }

  /// The most memory that the process has held, in KB.
  private static func peak() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }
}
