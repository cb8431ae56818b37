import Engine
import Expressions
import Glibc
import Localization
import OperatingSystem
import Plans

extension BuiltinAction {
  /// `file.save`: puts a blob into a folder, under a name that is safe and free.
  static let fileSave = BuiltinAction(
    "file.save",
    .init(
      "Saves a blob in a folder, each content once", de: "Speichert einen Blob in einem Ordner, jeden Inhalt einmal"),
    effect: .idempotent, required: ["folder", "name", "blob"],
    input: [
      "folder": [
        "type": "string", "minLength": 1,
        "description": "The folder, relative to that of sous.yaml; made if it is missing.",
      ],
      "name": [
        "type": "string",
        "description": "The wanted file name; changed if it is not safe, or if a file with another content has it.",
      ],
      "blob": [
        "type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$",
        "description": "The content, from mail.attachment or mail.raw; 64 MiB at most.",
      ],
    ],
    output: [
      "path": ["type": "string", "description": "The absolute path."],
      "size": ["type": "integer", "description": "The size of the file in bytes."],
      "saved": ["type": "boolean", "description": "False where the folder has a file of this content already."],
    ]
  ) { call in
    let blobs = try blobs(of: call)
    return try await call.files { files in
      let bytes = try read(String(call.text("blob").dropFirst("blob:sha256:".count)), from: blobs)
      let name = SafeFileName(call.text("name"))
      let folder = call.text("folder")
      let place = try files.place(
        of: folder.hasSuffix("/") ? folder + name.text : "\(folder)/\(name.text)", createsFolders: true)
      return try save(bytes, as: name, at: place, files, call)
    }
  }

  /// `file.blob`: makes a blob of a file, for steps that take one.
  static let fileBlob = BuiltinAction(
    "file.blob", .init("Makes a blob of a file", de: "Macht aus einer Datei einen Blob"), effect: .read,
    required: ["path"],
    input: ["path": ["type": "string", "minLength": 1, "description": "The file."]],
    output: [
      "path": ["type": "string", "description": "The absolute path."],
      "name": ["type": "string", "description": "The name of the file, without folders."],
      "blob": ["type": "string", "description": "The content, as `note.save` and `file.save` take it."],
      "size": ["type": "integer", "description": "The size in bytes."],
    ]
  ) { call in
    let blobs = try blobs(of: call)
    return try await call.files { files in
      let place = try files.place(of: call.text("path"))
      let file = try OpenFile(reading: place)
      try files.checkContent(of: file, at: place)
      guard file.size <= blobLimit else {
        throw ActionFailure(
          .invalidInput,
          LocalizedText(
            "'\(place.path)' has more than \(blobLimit >> 20) MiB",
            de: "'\(place.path)' hat mehr als \(blobLimit >> 20) MiB"))
      }
      let bytes = try file.read(limit: blobLimit)
      let hash = try store(bytes, in: blobs)
      return [
        "path": .string(place.path), "name": .string(place.path.split(separator: "/").last.map(String.init) ?? ""),
        "blob": .string("blob:sha256:\(hash)"), "size": .int(Int64(bytes.count)),
      ]
    }
  }

  /// The largest file that becomes a blob: hours of a recording.
  private static let blobLimit = 256 << 20

  private static func store(_ bytes: [UInt8], in blobs: any BlobStore) throws -> String {
    let number = try blobs.createBlob()
    do {
      for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
        try blobs.append(Array(bytes[start..<min(bytes.count, start + (1 << 20))]), toBlob: number)
      }
      return try blobs.finishBlob(number)
    } catch {
      blobs.discardBlob(number)
      throw error
    }
  }

  private static func blobs(of call: BuiltinCall) throws(ActionFailure) -> any BlobStore {
    guard let blobs = call.surroundings.blobs else {
      throw ActionFailure(
        .unsupported,
        LocalizedText("there are no blobs without a run log", de: "ohne Laufprotokoll gibt es keine Blobs"))
    }
    return blobs
  }

  private static func read(_ hash: String, from blobs: any BlobStore) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= fileLimit {
      let piece = try blobs.readBlob(hash: hash, offset: UInt64(bytes.count), length: 1 << 20)
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    throw ActionFailure(
      .invalidInput,
      LocalizedText(
        "the content has more than \(fileLimit >> 20) MiB", de: "der Inhalt hat mehr als \(fileLimit >> 20) MiB"))
  }

  private static func save(
    _ bytes: [UInt8], as name: SafeFileName, at place: FolderAccess.Place, _ files: FolderAccess, _ call: BuiltinCall
  ) throws(ActionFailure) -> Value {
    func answer(_ place: FolderAccess.Place, _ saved: Bool) -> Value {
      ["path": .string(place.path), "size": .int(Int64(bytes.count)), "saved": .bool(saved)]
    }
    let contents = call.surroundings.contents
    // One that cannot be read is not a reason not to save.
    func content(of name: String) -> [UInt8]? {
      (try? OpenFile(reading: place.sibling(named: name))).flatMap { try? $0.read(limit: bytes.count) }
    }
    for other in try contents.names(of: bytes, in: place, read: content(of:)) where content(of: other) == bytes {
      return answer(place.sibling(named: other), false)
    }
    var number = 1
    for _ in 0..<tries {
      number = try contents.freeNumber(of: name, in: place, after: number)
      let candidate = place.sibling(named: name.numbered(number))
      try files.checkChange(of: candidate)
      // By another content or a folder that came meanwhile.
      guard !candidate.exists else {
        number += 1
        continue
      }
      do {
        try FileReplacement(place: candidate, key: call.request.key, attempt: call.request.attempt)
          .write(bytes, replaces: false)
        contents.add(candidate.name, bytes, to: candidate)
        return answer(candidate, true)
      } catch {
        guard candidate.exists else { throw error }
        number += 1
      }
    }
    throw ActionFailure(
      .failed,
      LocalizedText(
        "other programs take every name like '\(place.path)'",
        de: "andere Programme nehmen jeden Namen wie '\(place.path)'"))
  }

  /// How often another name is tried where one is taken that seemed to be free.
  private static let tries = 1000
}

/// A file name from outside, made safe: it stays in its folder and is not hidden.
struct SafeFileName {
  private static let longest = 150

  let text: String

  init(_ written: String) {
    let last = written.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    var scalars = String.UnicodeScalarView()
    for scalar in last.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Format characters turn text round, so that `exe.pdf` reads as `fdp.exe`.
      case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator: continue
      default: scalars.append("<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar)
      }
    }
    var name = Substring(String(scalars))
    while let first = name.first, first == "." || first.isWhitespace { name.removeFirst() }
    while let last = name.last, last == "." || last.isWhitespace { name.removeLast() }
    // Else programs take it for an option.
    if name.first == "-" { name = "_" + name.dropFirst() }
    let (stem, ending) = Self.parts(String(name))
    var short = stem
    while short.utf8.count + ending.utf8.count > Self.longest, !short.isEmpty { short.removeLast() }
    text = short.isEmpty ? "attachment" + ending : short + ending
  }

  /// The name with a number before its ending; the first is the name itself.
  func numbered(_ number: Int) -> String {
    guard number > 1 else { return text }
    let (stem, ending) = Self.parts(text)
    return "\(stem)-\(number)\(ending)"
  }

  private static func parts(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.distance(from: dot, to: name.endIndex) <= 12
    else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}

extension FolderAccess.Place {
  /// Another name in the same folder.
  fileprivate func sibling(named other: String) -> FolderAccess.Place {
    FolderAccess.Place(
      folder: folder, name: other, path: path.dropLast(name.count) + other,
      realPath: realPath.dropLast(name.count) + other, root: root)
  }

  fileprivate var exists: Bool {
    var information = stat()
    return fstatat(folder.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0
  }
}
