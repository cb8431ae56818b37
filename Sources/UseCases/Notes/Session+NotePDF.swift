import Engine
import Expressions
import Localization
public import Notes
import Providers
import RecipeModel
import RunStore
import Schedules

extension Session {
  /// Notes as a PDF of A4 pages: date, summary and text of each, by the provider of `document`.
  ///
  /// - Returns: The bytes of the PDF, and how many signs no installed font has.
  /// - Throws: ``UseCaseError`` where the provider is missing or fails.
  public func pdf(ofNotes notes: [Note]) async throws(UseCaseError) -> (bytes: [UInt8], unknownSigns: Int) {
    let input: Value = [
      "markdown": .string(NoteText.pages(notes, zone: .current)), "title": "Sprachnotizen", "language": "de",
      "page": ["width": 595, "height": 842, "margin": 40], "size": 11, "headings": [16, 12, 11], "line_breaks": true,
    ]
    let name =
      project.configuration.defaults(for: "document")?.first
      ?? project.providers.embeddedDefault(for: "document") ?? "pdf"
    return try await mapErrors {
      let output = try await project.call("document.render", input, by: name, reporter: SilentReporter())
      guard let blob = output["blob"]?.stringValue, blob.hasPrefix("blob:sha256:") else {
        throw ActionFailure(
          .protocol,
          LocalizedText("the provider '\(name)' gave no document", de: "der Provider '\(name)' gab kein Dokument"))
      }
      let hash = String(blob.dropFirst("blob:sha256:".count))
      var bytes: [UInt8] = []
      while true {
        let piece = try store.readBlob(hash: hash, offset: UInt64(bytes.count), length: NoteStore.pieceSize)
        if piece.isEmpty { return (bytes, output["unknown_signs"]?.intValue.map { Int(clamping: $0) } ?? 0) }
        bytes += piece
      }
    }
  }
}
