import Engine
import Expressions
import Foundation
import Localization
import OperatingSystem
import Plans

extension BuiltinAction {
  /// The actions on files, within the folders of `sous.yaml`.
  static let fileActions = [
    fileRead, fileText, fileBlob, fileWrite, fileSave, fileAppend, fileList, fileMove, fileDelete,
  ]

  /// The largest file in bytes that is read or written as a whole.
  static let fileLimit = 64 << 20

  private static let path: Value = [
    "type": "string", "minLength": 1,
    "description": "The file, as seen from the folder of sous.yaml; it must be in one of the folders of 'files:'.",
  ]
  private static let encoding: Value = [
    "type": "string", "enum": ["text", "base64"], "default": "text",
    "description": "Whether the content is text in UTF-8 or Base64.",
  ]
  private static let createFolders: Value = [
    "type": "boolean", "default": true, "description": "Whether folders on the way that are missing are made.",
  ]
  private static let size: Value = ["type": "integer", "description": "The size of the file in bytes."]
  private static let fullPath: Value = ["type": "string", "description": "The absolute path."]

  /// `file.read`: reads a file.
  static let fileRead = BuiltinAction(
    "file.read", .init("Reads a file", de: "Liest eine Datei"), effect: .read, required: ["path"],
    input: [
      "path": path, "encoding": encoding,
      "max_bytes": [
        "type": "integer", "minimum": 0, "maximum": .int(Int64(fileLimit)),
        "description":
          "The largest size that is read; a larger file is a failure. Default: `engine.limits.text` of `sous.yaml`, else 16 MiB.",
      ],
    ],
    output: [
      "path": fullPath, "content": ["type": "string", "description": "The content."], "size": size,
      "modified": ["type": "string", "format": "date-time", "description": "When it was last written."],
    ]
  ) { call in
    let limit = call.textLimit("max_bytes", default: 16 << 20, most: fileLimit)
    return try await call.files { files in
      let place = try files.place(of: call.text("path"))
      let file = try OpenFile(reading: place)
      try files.checkContent(of: file, at: place)
      guard file.size <= limit else {
        throw ActionFailure(
          .invalidInput,
          LocalizedText(
            "'\(place.path)' has \(file.size) bytes, more than \(limit)",
            de: "'\(place.path)' hat \(file.size) Byte, mehr als \(limit)"),
          advice: BuiltinCall.raising("max_bytes"))
      }
      let bytes = try file.read(limit: limit)
      return [
        "path": .string(place.path), "content": try encoded(bytes, call.text("encoding"), place.path),
        "size": .int(Int64(bytes.count)), "modified": .string(file.modified),
      ]
    }
  }

  /// `file.write`: puts a file in place, as a whole.
  static let fileWrite = BuiltinAction(
    "file.write", .init("Writes a file", de: "Schreibt eine Datei"), effect: .idempotent,
    required: ["path", "content"],
    input: [
      "path": path, "content": ["type": "string", "description": "The whole content."], "encoding": encoding,
      "overwrite": [
        "type": "boolean", "default": true,
        "description": "Whether a file with another content may be replaced; otherwise that is a failure.",
      ],
      "create_folders": createFolders,
    ],
    output: ["path": fullPath, "size": size]
  ) { call in
    try await call.files { files in
      let bytes = try decoded(call.text("content"), call.text("encoding"))
      let place = try files.place(of: call.text("path"), createsFolders: call.flag("create_folders"))
      try files.checkChange(of: place)
      try files.checkContent(at: place, isRead: false)
      let file = FileReplacement(place: place, key: call.request.key, attempt: call.request.attempt)
      do throws(ActionFailure) {
        try file.write(bytes, replaces: call.flag("overwrite"))
      } catch {
        // A file that an earlier attempt has written does not count as another file.
        guard error.kind == .failed, let old = try? OpenFile(reading: place), old.size == bytes.count,
          (try? old.read(limit: bytes.count)) == bytes
        else { throw error }
      }
      return ["path": .string(place.path), "size": .int(Int64(bytes.count))]
    }
  }

  /// `file.append`: adds to the end of a file.
  static let fileAppend = BuiltinAction(
    "file.append", .init("Adds to the end of a file", de: "Hängt an eine Datei an"), effect: .idempotent,
    required: ["path", "content"],
    input: [
      "path": path, "content": ["type": "string", "description": "The text to add."], "encoding": encoding,
      "newline": [
        "type": "boolean", "default": false,
        "description": "Whether a line end follows where the content has none at its end.",
      ],
      "create_folders": createFolders,
    ],
    output: ["path": fullPath, "size": size]
  ) { call in
    let state = try call.recipeState
    return try await call.files { files in
      var bytes = try decoded(call.text("content"), call.text("encoding"))
      if call.flag("newline"), bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      let place = try files.place(of: call.text("path"), createsFolders: call.flag("create_folders"))
      try files.checkChange(of: place)
      let addition = FileAddition(files: files, place: place, bytes: bytes)
      let size = try addition.append { offset in
        guard let offset else { return try state.beginOfAddition(by: call.request.key, to: place.realPath) }
        try state.setBeginOfAddition(offset, by: call.request.key, to: place.realPath)
        return offset
      }
      return ["path": .string(place.path), "size": .int(size)]
    }
  }

  /// `file.list`: lists a folder.
  static let fileList = BuiltinAction(
    "file.list", .init("Lists the files of a folder", de: "Listet die Dateien eines Ordners auf"), effect: .read,
    required: [],
    input: [
      "path": [
        "type": "string", "minLength": 1, "default": ".",
        "description": "The folder, as seen from that of sous.yaml.",
      ],
      "pattern": [
        "type": "string", "default": "*",
        "description": "The pattern of names: '*' for anything, '?' for one character, '[a-z]' for one of these.",
      ],
      "recursive": ["type": "boolean", "default": false, "description": "Whether folders below are listed as well."],
      "hidden": [
        "type": "boolean", "default": false, "description": "Whether names that begin with a dot are listed as well.",
      ],
      "limit": [
        "type": "integer", "minimum": 1, "maximum": 100_000, "default": 10_000,
        "description": "The most entries; more in the folder are a failure.",
      ],
    ],
    output: [
      "entries": [
        "type": "array", "description": "The entries by their paths.",
        "items": [
          "type": "object", "required": ["name", "path", "type", "size", "modified"], "additionalProperties": false,
          "properties": [
            "name": ["type": "string"],
            "path": ["type": "string", "description": "The absolute path."],
            "type": ["type": "string", "enum": ["file", "folder", "link", "other"]],
            "size": size,
            "modified": ["type": "string", "format": "date-time"],
          ],
        ],
      ]
    ]
  ) { call in
    try await call.files { files in
      var listing = FolderListing(
        files: files, pattern: call.text("pattern"), isRecursive: call.flag("recursive"), hidden: call.flag("hidden"),
        limit: call.number("limit", default: 10_000, in: 1...100_000))
      return ["entries": .list(try listing.entries(of: call.text("path")))]
    }
  }

  /// `file.move`: gives a file another name or folder.
  static let fileMove = BuiltinAction(
    "file.move", .init("Moves or renames a file", de: "Verschiebt eine Datei oder benennt sie um"), effect: .once,
    required: ["from", "to"],
    input: [
      "from": path, "to": path,
      "overwrite": [
        "type": "boolean", "default": false, "description": "Whether a file at the new place may be replaced.",
      ],
      "create_folders": createFolders,
    ],
    output: ["path": fullPath],
    verification: { call in
      try await call.files { files in
        try FileMove.verdict(
          from: try files.existingPlace(of: call.text("from")), to: try files.existingPlace(of: call.text("to")),
          FileMoveNotes(call))
      }
    }
  ) { call in
    try await call.files { files in
      let from = try files.place(of: call.text("from"))
      let to = try files.place(of: call.text("to"), createsFolders: call.flag("create_folders"))
      try files.checkChange(of: from)
      // It may have to be copied.
      try files.checkContent(at: from, isRead: true)
      try files.checkChange(of: to)
      try FileMove(
        from: from, to: to, replaces: call.flag("overwrite"), key: call.request.key, attempt: call.request.attempt,
        notes: FileMoveNotes(call)
      ).run()
      return ["path": .string(to.path)]
    }
  }

  /// `file.delete`: takes a file away.
  static let fileDelete = BuiltinAction(
    "file.delete", .init("Deletes a file or folder", de: "Löscht eine Datei oder einen Ordner"), effect: .idempotent,
    required: ["path"],
    input: [
      "path": path,
      "recursive": [
        "type": "boolean", "default": false,
        "description": "Whether a folder goes with all that is in it; otherwise only an empty one goes.",
      ],
    ],
    output: ["deleted": ["type": "boolean", "description": "Whether it was there."]]
  ) { call in
    try await call.files { files in
      let place: FolderAccess.Place
      do throws(ActionFailure) {
        place = try files.place(of: call.text("path"))
      } catch {
        guard error.kind == .notFound else { throw error }
        return ["deleted": false]
      }
      try files.checkChange(of: place)
      return ["deleted": .bool(try FileDeletion(files: files, isRecursive: call.flag("recursive")).delete(place))]
    }
  }

  private static func encoded(_ bytes: [UInt8], _ encoding: String, _ path: String) throws(ActionFailure) -> Value {
    if encoding == "base64" { return .string(Data(bytes).base64EncodedString()) }
    guard let text = String(utf8Text: bytes) else {
      throw ActionFailure(
        .parse, LocalizedText("'\(path)' is not a text in UTF-8", de: "'\(path)' ist kein Text in UTF-8"),
        advice: LocalizedText("read it with 'encoding: base64'", de: "mit 'encoding: base64' lesen"))
    }
    return .string(text)
  }

  private static func decoded(_ content: String, _ encoding: String) throws(ActionFailure) -> [UInt8] {
    guard content.utf8.count <= fileLimit * 4 / 3 + 4 else {
      throw ActionFailure(
        .invalidInput, LocalizedText("the content is larger than 64 MiB", de: "der Inhalt ist größer als 64 MiB"))
    }
    guard encoding == "base64" else { return Array(content.utf8) }
    guard let data = Data(base64Encoded: content, options: .ignoreUnknownCharacters) else {
      throw ActionFailure(
        .invalidInput, LocalizedText("the content is not Base64", de: "der Inhalt ist kein Base64"))
    }
    return Array(data)
  }
}

extension BuiltinCall {
  /// Does something with files, on a thread that may block.
  func files<Answer: Sendable>(
    _ body: @escaping @Sendable (FolderAccess) throws -> Answer
  ) async throws -> Answer {
    let files = surroundings.files
    return try await BlockingPool.shared.run { try body(files) }
  }
}
