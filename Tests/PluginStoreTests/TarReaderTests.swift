import Localization
import Testing

@testable import PluginStore

struct TarReaderTests {
  /// An entry of an archive, as `tar` writes it.
  static func entry(
    _ name: String, _ contents: [UInt8] = [], type: Character = "0", size: Int? = nil, link: String = ""
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    put(name, 0)
    put("0000644", 100)
    put(octal(size ?? contents.count, 11), 124)
    put("        ", 148)
    put(String(type), 156)
    put(link, 157)
    put("ustar\u{0}00", 257)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", 148)
    return header + contents + [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
  }

  /// An entry whose size is in GNU's binary form, big-endian with the highest bit set.
  static func base256(_ size: UInt64) -> [UInt8] {
    var bytes = entry("huge", [1])
    bytes.replaceSubrange(
      124..<136, with: [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) })
    bytes.replaceSubrange(148..<156, with: Array("        ".utf8))
    let sum = String(bytes.prefix(512).reduce(0) { $0 + Int($1) }, radix: 8)
    bytes.replaceSubrange(148..<156, with: Array((String(repeating: "0", count: 6 - sum.count) + sum + "\u{0} ").utf8))
    return bytes
  }

  static let end = [UInt8](repeating: 0, count: 1024)

  private func names(_ archive: [UInt8], piece: Int = 100_000, limits: TarReader.Limits = .init()) throws -> [String] {
    var reader = TarReader(limits: limits)
    var names: [String] = []
    for start in stride(from: 0, to: archive.count, by: piece) {
      for event in try reader.take(Array(archive[start..<min(start + piece, archive.count)])) {
        if case .file(let name, _) = event { names.append(name) }
      }
    }
    #expect(reader.isComplete)
    return names
  }

  @Test(arguments: [1, 7, 511, 512, 513, 100_000])
  func filesAreReadWhereverPiecesEnd(piece: Int) throws {
    let archive = Self.entry("weather/", type: "5") + Self.entry("weather/a", [1, 2, 3]) + Self.entry("b") + Self.end
    #expect(try names(archive, piece: piece) == ["weather/a", "b"])
    var reader = TarReader()
    var contents: [UInt8] = []
    for byte in archive {
      for case .data(let bytes) in try reader.take([byte]) { contents += bytes }
    }
    #expect(contents == [1, 2, 3])
  }

  @Test func longNamesOfPaxAndGNUAreRead() throws {
    let name = String(repeating: "n", count: 150)
    // The length counts itself.
    let record = "160 path=\(name)\n"
    #expect(record.utf8.count == 160)
    let pax = Self.entry("x", Array(record.utf8), type: "x") + Self.entry("short", [1])
    let gnu = Self.entry("././@LongLink", Array((name + "\u{0}").utf8), type: "L") + Self.entry("short", [1])
    #expect(try names(pax + gnu + Self.end) == [name, name])
  }

  @Test(arguments: [
    entry("../evil", [1]), entry("/etc/passwd", [1]), entry("a/../../b", [1]), entry("", [1]),
    entry("link", type: "2", link: "/etc/passwd"), entry("hard", type: "1", link: "x"), entry("device", type: "3"),
    entry("block", type: "4"), entry("pipe", type: "6"), entry("sparse", type: "S"), entry("unknown", type: "Z"),
    // 8 GiB in a header of the archive, and in one of GNU's forms for more.
    entry("huge", [1], size: 0o77_777_777_777), base256(1 << 33), entry("folder", [1], type: "5"),
    entry("x", Array("18 size=99999999\n\n".utf8), type: "x"), entry("x", Array("99 path=x\n".utf8), type: "x"),
    entry("x", Array("27 GNU.sparse.realsize=1000\n".utf8), type: "x"),
    entry("x", Array("16 path=../evil\n".utf8), type: "x") + entry("short", [1]),
    entry("bad\u{1B}[2J", [1]), [UInt8](repeating: 0x41, count: 512),
  ])
  func hostileEntriesAreRefused(archive: [UInt8]) {
    #expect(throws: PluginStoreError(.badArchive, .init(verbatim: ""))) { try names(archive + Self.end) }
  }

  @Test func numberAndSizeOfEntriesAreBounded() {
    let many = (0..<20).flatMap { Self.entry("f\($0)", [1]) } + Self.end
    #expect(throws: PluginStoreError(.badArchive, .init(verbatim: ""))) {
      try names(many, limits: .init(entries: 10))
    }
    #expect(throws: PluginStoreError(.badArchive, .init(verbatim: ""))) {
      try names(many, limits: .init(bytes: 10))
    }
  }

  @Test func archiveThatIsCutOffIsNotComplete() throws {
    var reader = TarReader()
    _ = try reader.take(Array(Self.entry("a", [UInt8](repeating: 1, count: 600)).prefix(700)))
    #expect(!reader.isComplete)
  }
}
