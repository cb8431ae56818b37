import Foundation

/// Finds the files that the dynamic linker opens for a library, so that a worker can be given those and no others.
enum LinkedLibraries {
  /// More than any plugin is linked to; a made-up library must not keep the search going.
  private static let mostFiles = 512

  /// The system's own folders of libraries beside `/usr` and `/lib`: those of `/etc/ld.so.conf`, which belongs to root.
  static var folders: [String] {
    var files = ["/etc/ld.so.conf"]
    let extra = (try? FileManager.default.contentsOfDirectory(atPath: "/etc/ld.so.conf.d")) ?? []
    files += extra.sorted().filter { $0.hasSuffix(".conf") }.map { "/etc/ld.so.conf.d/" + $0 }
    return files.flatMap { file -> [String] in
      guard let data = FileManager.default.contents(atPath: file) else { return [] }
      return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("/") && $0 != "/" }
    }
  }

  /// A library, and what it and its libraries name by `DT_NEEDED` in folders of `DT_RUNPATH`, `DT_RPATH` and
  /// `LD_LIBRARY_PATH`. Only shared libraries count: a made-up name leads to nothing else.
  static func files(of library: String) -> [String] {
    let environment = (ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(
      String.init)
    var found: [String] = [library]
    var seen: Set<String> = [library]
    var next = 0
    // Libraries inherit the folders of `DT_RPATH` of those that need them.
    var inherited: [String] = []
    while next < found.count, found.count < mostFiles {
      let path = found[next]
      next += 1
      guard let file = DynamicSection(path: path) else { continue }
      let origin = (path as NSString).deletingLastPathComponent
      let own = file.searchPaths.map {
        $0.replacingOccurrences(of: "${ORIGIN}", with: origin).replacingOccurrences(of: "$ORIGIN", with: origin)
      }
      inherited += own
      for name in file.needed where !name.contains("/") {
        for folder in own + inherited + environment where folder.hasPrefix("/") {
          let candidate = folder + "/" + name
          guard seen.insert(candidate).inserted else { continue }
          if DynamicSection.isLibrary(candidate) { found.append(candidate) }
        }
      }
    }
    return found
  }
}

/// What the dynamic section of a shared library of 64 bits says (System V ABI, chapter 5); every number in it is checked.
struct DynamicSection {
  private(set) var needed: [String] = []
  private(set) var searchPaths: [String] = []

  /// Whether a regular file begins as a shared library does.
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

  /// Reads it; `nil` for a file that has none or is not for 64 bits, little-endian.
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
