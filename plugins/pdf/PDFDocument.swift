internal import CPango
import PluginKit

/// A document on its way to pages.
///
/// Lines are placed one by one from the top of the page; where the next one does not fit any more, a page ends. A heading
/// stays with the line that follows it.
struct PDFDocument {
  private static let mostPages = 10_000
  private static let longestText = 16 << 20

  let request: RenderRequest

  init(_ request: RenderRequest) { self.request = request }

  /// The PDF, how many pages it has, and how many signs no installed font has.
  ///
  /// - Throws: `invalid_input` where the text is too long, the margins leave no room, or no font is installed.
  func bytes() throws(ActionError) -> (content: [UInt8], pages: Int, unknownSigns: Int) {
    guard request.markdown.utf8.count <= Self.longestText else {
      throw Self.refusal("The text has more than 16 MiB.", german: "Der Text hat mehr als 16 MiB.")
    }
    let page = PageSize(
      width: request.page?.width ?? 595, height: request.page?.height ?? 842, margin: request.page?.margin ?? 40)
    guard page.room.width >= 36, page.room.height >= 36 else {
      throw Self.refusal(
        "The margins leave less than 36 points of the page.",
        german: "Die Ränder lassen weniger als 36 Punkte der Seite.")
    }
    let blocks = try MarkdownReader.blocks(request.markdown, keepsLineBreaks: request.lineBreaks ?? false)
    let output = PDFOutput()
    let canvas = try Canvas(page, output, request)
    try canvas.draw(blocks)
    let pages = canvas.finish()
    guard output.isComplete else {
      throw ActionError(.io, "The PDF could not be made.", german: "Das PDF ließ sich nicht erstellen.")
    }
    return (output.bytes, pages, canvas.unknownSigns)
  }

  static func refusal(_ english: String, german: String) -> ActionError {
    ActionError(.invalidInput, english, german: german)
  }

  static func tooMany() -> ActionError {
    refusal("The document has more than \(mostPages) pages.", german: "Das Dokument hat mehr als \(mostPages) Seiten.")
  }

  static func isTooMany(_ pages: Int) -> Bool { pages > mostPages }
}

/// A page in points.
struct PageSize {
  var width: Double
  var height: Double
  var margin: Double

  var room: (width: Double, height: Double) { (width - 2 * margin, height - 2 * margin) }
}

/// Gathers what Cairo writes.
final class PDFOutput {
  /// Larger documents are refused.
  private static let limit = 512 << 20

  fileprivate(set) var bytes: [UInt8] = []
  var isComplete = false

  /// Takes a piece.
  ///
  /// - Returns: Whether there was room for it.
  func take(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
    guard let data, bytes.count + count <= Self.limit else { return count == 0 }
    bytes += UnsafeBufferPointer(start: data, count: count)
    return true
  }
}
