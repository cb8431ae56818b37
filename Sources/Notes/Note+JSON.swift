public import Expressions

extension Note {
  /// The note as `note.get` gives it, and its number.
  ///
  /// - Parameters:
  ///   - defaultCategory: The category of notes that have none.
  ///   - blobs: The names of the contents of its files in the run log, by hash; without them they are null.
  public func json(defaultCategory: String, blobs: [String: String] = [:]) -> ValueMap {
    func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    func json(_ file: NoteFile) -> Value {
      [
        "name": .string(file.name), "type": .string(file.type), "size": file.size.map { .int(Int64($0)) } ?? .null,
        "blob": text(file.hash.flatMap { blobs[$0] }),
      ]
    }
    return [
      "id": .string(id), "heading": .string(heading), "title": text(title), "kind": .string(kind.rawValue),
      "text": .string(self.text), "corrected": text(corrected), "summary": text(summary),
      "category": .string(category ?? defaultCategory), "tags": .list(tags.map { .string($0) }),
      "source": text(source), "audio": audio.map(json) ?? .null, "attachments": .list(attachments.map(json)),
      "reminder": text(reminder?.rfc3339), "created": .string(created.rfc3339), "updated": .string(updated.rfc3339),
    ]
  }
}
