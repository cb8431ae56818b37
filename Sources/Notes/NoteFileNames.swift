/// Names and media types of the files of notes.
public enum NoteFileNames {
  private static let types = [
    "m4a": "audio/mp4", "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "aac": "audio/aac", "caf": "audio/x-caf", "webm": "audio/webm", "aiff": "audio/aiff",
    "amr": "audio/amr", "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "html": "text/html",
    "csv": "text/csv", "json": "application/json", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "heic": "image/heic", "zip": "application/zip", "ics": "text/calendar",
    "eml": "message/rfc822",
  ]

  /// The media type that a name's ending represents.
  public static func type(of name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }

  /// A name without folders, control characters and dots in front, of at most 200 bytes: a shell or Git reads many files whose
  /// names begin with a dot, and the sender of a message chooses the names of its files.
  public static func safe(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    var result = String.UnicodeScalarView()
    for scalar in last.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F { result.append(scalar) }
    var text = String(result)
    while text.utf8.count > 200 { text.removeFirst() }
    text = String(text.drop { $0 == "." })
    return text.isEmpty ? "file" : text
  }
}
