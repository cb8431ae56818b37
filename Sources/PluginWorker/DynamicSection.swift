import Foundation

/// The dynamic section of a 64-bit shared library (System V ABI, chapter 5). The file is untrusted, so every number is checked.
struct DynamicSection {
  /// The names of the libraries that this one needs (`DT_NEEDED`).
  private(set) var needed: [String] = []
  /// The folders of `DT_RPATH` and `DT_RUNPATH`; may contain `$ORIGIN`.
  private(set) var searchPaths: [String] = []

  /// Whether a path is a regular file with the header of a shared library.
  static func isLibrary(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 18), head.count == 18 else { return false }
    let bytes = [UInt8](head)
    // The magic number, and the type ET_DYN.
    return Array(bytes[0..<4]) == [0x7F, 0x45, 0x4C, 0x46] && bytes[16] == 3 && bytes[17] == 0
  }

  /// Reads the section; `nil` for a file without one, or one that is not 64-bit little-endian.
  init?(path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
    func number(_ offset: UInt64, _ size: UInt64) -> UInt64? {
      let (end, isOver) = offset.addingReportingOverflow(size)
      guard !isOver, end <= UInt64(data.count) else { return nil }
      return data[Int(offset)..<Int(end)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard number(0, 4) == 0x464C_457F, number(4, 2) == 0x0102, let headers = number(32, 8), let size = number(54, 2),
      let count = number(56, 2), size >= 56
    else { return nil }
    var segments: [(address: UInt64, offset: UInt64, size: UInt64)] = []
    var dynamic: (offset: UInt64, size: UInt64)?
    for index in 0..<count {
      let (header, isOver) = headers.addingReportingOverflow(index * size)
      guard !isOver, header < UInt64(Int.max), let type = number(header, 4), let offset = number(header + 8, 8),
        let address = number(header + 16, 8), let length = number(header + 32, 8)
      else { return nil }
      if type == 1 { segments.append((address, offset, length)) }
      if type == 2 { dynamic = (offset, length) }
    }
    guard let dynamic, dynamic.offset <= UInt64(data.count) else { return nil }
    var names: [UInt64] = []
    var paths: [UInt64] = []
    var table: UInt64?
    for index in 0..<min(dynamic.size / 16, 4096) {
      guard let tag = number(dynamic.offset + index * 16, 8), let value = number(dynamic.offset + index * 16 + 8, 8)
      else { break }
      if tag == 0 { break }
      if tag == 1 { names.append(value) }
      if tag == 5 { table = value }
      if tag == 15 || tag == 29 { paths.append(value) }
    }
    guard let table,
      let segment = segments.first(where: { table >= $0.address && table - $0.address < $0.size })
    else { return nil }
    let (texts, isOver) = segment.offset.addingReportingOverflow(table - segment.address)
    guard !isOver else { return nil }
    func text(_ offset: UInt64) -> String? {
      let (start, isOver) = texts.addingReportingOverflow(offset)
      guard !isOver, start < UInt64(data.count) else { return nil }
      let rest = data[Int(start)...].prefix(4096)
      guard let end = rest.firstIndex(of: 0) else { return nil }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    needed = names.compactMap(text)
    searchPaths = paths.compactMap(text).flatMap { $0.split(separator: ":").map(String.init) }
  }
}
