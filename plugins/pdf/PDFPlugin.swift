public import PluginKit

/// Makes PDF documents of Markdown: read by cmark-gfm, set by Pango in the fonts of the system, drawn by Cairo.
///
/// Nothing is fetched: pictures stand as their descriptions.
public struct PDFPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "pdf", version: "1.0.0", summary: "PDF documents made of Markdown",
      summaryGerman: "PDF-Dokumente aus Markdown", contracts: ["document/1"], files: [])
  }

  /// Nothing is configured.
  public init(configuration: NoConfiguration, context: PluginContext) {}

  /// `document.render`.
  public static var actions: ActionList<PDFPlugin> {
    Action(
      "document.render", effect: .idempotent, summary: "Makes a PDF of Markdown",
      summaryGerman: "Macht aus Markdown ein PDF", input: RenderRequest.self,
      output: RenderedDocument.self, blocking: true
    ) { _, request, context throws(ActionError) in
      let bytes = try PDFDocument(request).bytes()
      let blob = try await context.blobs.write(bytes.content)
      if bytes.unknownSigns > 0 {
        context.log(
          .warning,
          "no installed font has \(bytes.unknownSigns) signs of the text: install one, such as fonts-noto-cjk or "
            + "fonts-noto-color-emoji")
      }
      return RenderedDocument(
        blob: blob, type: "application/pdf", pages: bytes.pages, size: bytes.content.count,
        unknownSigns: bytes.unknownSigns)
    }
  }
}

/// The input of `document.render`.
public struct RenderRequest: Decodable, Sendable {
  /// The size of pages in points.
  public struct Page: Decodable, Sendable {
    /// From the left to the right edge.
    public var width: Double?
    /// From the top to the bottom edge.
    public var height: Double?
    /// The empty space on all four sides.
    public var margin: Double?
  }

  /// GitHub Flavored Markdown.
  public var markdown: String
  /// `pdf`.
  public var format: String?
  /// The document's title.
  public var title: String?
  /// Who has written it.
  public var author: String?
  /// The language of its text.
  public var language: String?
  /// The size of pages; A4 where it is absent.
  public var page: Page?
  /// The family of its font.
  public var font: String?
  /// The size of text in points.
  public var size: Double?
  /// The sizes of headings in points, the first level first.
  public var headings: [Double]?
  /// Whether line breaks within a paragraph are kept.
  public var lineBreaks: Bool?

  private enum CodingKeys: String, CodingKey {
    case markdown, format, title, author, language, page, font, size, headings
    case lineBreaks = "line_breaks"
  }

  /// A request for Markdown with everything else absent.
  public init(markdown: String) { self.markdown = markdown }
}

/// The output of `document.render`.
public struct RenderedDocument: Encodable, Sendable {
  /// The PDF.
  public var blob: Blob
  /// `application/pdf`.
  public var type: String
  /// How many pages it has.
  public var pages: Int
  /// Its size in bytes.
  public var size: Int
  /// How many signs of the text no installed font has.
  public var unknownSigns: Int

  private enum CodingKeys: String, CodingKey {
    case blob, type, pages, size
    case unknownSigns = "unknown_signs"
  }
}
