internal import CPango
internal import PluginKit

/// Pages that text is drawn on, from top to bottom.
final class Canvas {
  private static let listIndent = 18.0
  private static let quoteIndent = 14.0
  private static let lineGap = 1.15

  private let page: PageSize
  private let output: PDFOutput
  private let surface: OpaquePointer
  private let cairo: OpaquePointer
  private let fontMap: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer
  private let fonts: Fonts

  /// Where the next line begins, from the top.
  private var top: Double
  private var pages = 1
  /// How many signs no installed font has.
  private(set) var unknownSigns = 0
  private var isPageEmpty = true

  /// Begins a document.
  ///
  /// - Throws: `unsupported` where Cairo or Pango cannot be used.
  init(_ page: PageSize, _ output: PDFOutput, _ request: RenderRequest) throws(ActionError) {
    self.page = page
    self.output = output
    top = page.margin
    fonts = Fonts(request)
    let receiver = Unmanaged.passUnretained(output).toOpaque()
    let surface = cairo_pdf_surface_create_for_stream(
      { receiver, data, count in
        guard let receiver else { return CAIRO_STATUS_WRITE_ERROR }
        // The output lives as long as the canvas, which holds it.
        let output = Unmanaged<PDFOutput>.fromOpaque(receiver).takeUnretainedValue()
        return output.take(data, Int(count)) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
      }, receiver, page.width, page.height)
    let cairo = surface.flatMap { cairo_create($0) }
    // A map of its own: one document's fonts are let go with it.
    let map = pango_cairo_font_map_new()
    guard let surface, let cairo, let map, let context = pango_font_map_create_context(map) else {
      throw ActionError(
        .unsupported, "Cairo or Pango cannot be used.", german: "Cairo oder Pango lassen sich nicht verwenden.")
    }
    (self.surface, self.cairo, self.context, fontMap) = (surface, cairo, context, map)
    // Pango's points are those of the page.
    pango_cairo_context_set_resolution(context, 72)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    if let language = request.language { pango_context_set_language(context, pango_language_from_string(language)) }
    if let title = request.title { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title) }
    if let author = request.author { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_AUTHOR, author) }
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Sous")
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(context))
    g_object_unref(UnsafeMutableRawPointer(fontMap))
    cairo_destroy(cairo)
    cairo_surface_destroy(surface)
  }

  /// Ends the document.
  ///
  /// - Returns: How many pages it has.
  func finish() -> Int {
    cairo_show_page(cairo)
    cairo_surface_finish(surface)
    output.isComplete =
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS && cairo_status(cairo) == CAIRO_STATUS_SUCCESS
    return pages
  }

  /// Draws blocks below one another.
  func draw(_ blocks: [MarkdownBlock]) throws(ActionError) {
    for (index, block) in blocks.enumerated() {
      if !isPageEmpty { top += gap(before: block, after: blocks[index - 1]) }
      switch block.kind {
      case .rule: try drawRule(block)
      case .row(let cells, let isHeader):
        if isHeader { try makeRoom(roomToBegin(blocks[index...])) }
        try draw(cells, isHeader: isHeader, block)
      default:
        try drawText(block, keepingRoomFor: block.isHeading ? roomToBegin(blocks[(index + 1)...]) : 0)
      }
    }
  }

  private func gap(before block: MarkdownBlock, after: MarkdownBlock) -> Double {
    switch (after.kind, block.kind) {
    case (.row, .row): return 0
    case (.heading, _): return fonts.size * 0.5
    case (_, .heading): return fonts.size * 1.5
    default: return block.isTight && after.indent > 0 ? fonts.size * 0.2 : fonts.size * 0.7
    }
  }

  // MARK: - Text

  private func left(_ block: MarkdownBlock) -> Double {
    page.margin + Double(block.indent) * Self.listIndent + Double(block.quotes) * Self.quoteIndent
      + (block.kind == .code ? 8 : 0)
  }

  private func layout(_ text: StyledText, _ font: Fonts.Face, width: Double) -> TextLayout {
    let layout = TextLayout(context, text, font, fonts, width: width, spacing: Self.lineGap)
    unknownSigns += layout.unknownSigns
    return layout
  }

  private func face(_ block: MarkdownBlock) -> Fonts.Face {
    switch block.kind {
    case .heading(let level): .heading(level)
    case .code: .code
    default: .text
    }
  }

  private func width(_ block: MarkdownBlock) -> Double { max(36, page.width - page.margin - left(block)) }

  /// The room that the first lines of blocks need; the head of a table does not stand alone.
  private func roomToBegin(_ blocks: ArraySlice<MarkdownBlock>) -> Double {
    guard let block = blocks.first else { return 0 }
    if case .rule = block.kind { return 0 }
    if case .row(let cells, let isHeader) = block.kind {
      let layouts = layouts(cells, isHeader: isHeader, block)
      let height = layouts.map { isHeader ? $0.height : $0.lines.first?.height ?? 0 }.max() ?? 0
      return min(height + 2 * Self.padding + 1, page.room.height / 2)
        + (isHeader ? roomToBegin(blocks.dropFirst()) : 0)
    }
    return fonts.size * 0.5 + (layout(block.text, face(block), width: width(block)).lines.first?.height ?? 0)
  }

  private func drawText(_ block: MarkdownBlock, keepingRoomFor following: Double) throws(ActionError) {
    let layout = layout(block.text, face(block), width: width(block))
    for (index, line) in layout.lines.enumerated() {
      let isLast = index == layout.lines.count - 1
      try makeRoom(line.height + (isLast ? following : 0))
      if index == 0, let marker = block.marker {
        var text = StyledText()
        text.append(marker)
        let markerLayout = self.layout(text, .text, width: 100)
        if let first = markerLayout.lines.first {
          show(first, of: markerLayout, x: left(block) - min(Self.listIndent, first.width + 5), baseline: line.baseline)
        }
      }
      drawQuoteBars(block, height: line.height)
      show(line, of: layout, x: left(block) + line.x, baseline: line.baseline)
      top += line.height
      isPageEmpty = false
    }
  }

  private func drawQuoteBars(_ block: MarkdownBlock, height: Double) {
    guard block.quotes > 0 else { return }
    cairo_set_source_rgb(cairo, 0.75, 0.75, 0.75)
    for depth in 0..<block.quotes {
      let x = page.margin + Double(block.indent) * Self.listIndent + Double(depth) * Self.quoteIndent
      cairo_rectangle(cairo, x, top, 2, height)
    }
    cairo_fill(cairo)
  }

  private func show(_ line: TextLayout.Line, of layout: TextLayout, x: Double, baseline: Double) {
    layout.nameEmoji(of: line, x: x, y: top + baseline, cairo)
    cairo_set_source_rgb(cairo, 0, 0, 0)
    cairo_move_to(cairo, x, top + baseline)
    pango_cairo_show_layout_line(cairo, line.pointer)
  }

  private func makeRoom(_ height: Double) throws(ActionError) {
    guard !isPageEmpty, top + height > page.height - page.margin + 0.01 else { return }
    cairo_show_page(cairo)
    pages += 1
    if PDFDocument.isTooMany(pages) { throw PDFDocument.tooMany() }
    top = page.margin
    isPageEmpty = true
  }

  // MARK: - Rules and tables

  private func drawRule(_ block: MarkdownBlock) throws(ActionError) {
    try makeRoom(2)
    cairo_set_source_rgb(cairo, 0.6, 0.6, 0.6)
    cairo_rectangle(cairo, left(block), top, width(block), 0.7)
    cairo_fill(cairo)
    top += 2
    isPageEmpty = false
  }

  private static let padding = 4.0

  private func layouts(_ cells: [StyledText], isHeader: Bool, _ block: MarkdownBlock) -> [TextLayout] {
    let column = width(block) / Double(max(1, cells.count))
    return cells.map { layout($0, isHeader ? .strong : .text, width: max(10, column - 2 * Self.padding)) }
  }

  /// How far a line of a cell moves to the right.
  private func shift(_ line: TextLayout.Line, _ column: Int, of block: MarkdownBlock, width: Double) -> Double {
    switch column < block.alignments.count ? block.alignments[column] : 0 {
    case UInt8(ascii: "r"): max(0, width - line.width) - line.x
    case UInt8(ascii: "c"): max(0, width - line.width) / 2 - line.x
    default: 0
    }
  }

  private func draw(_ cells: [StyledText], isHeader: Bool, _ block: MarkdownBlock) throws(ActionError) {
    guard !cells.isEmpty else { return }
    let padding = Self.padding
    let column = width(block) / Double(cells.count)
    let layouts = layouts(cells, isHeader: isHeader, block)
    // A row that is longer than a page goes on on the next one.
    var next = layouts.map { _ in 0 }
    repeat {
      let room = page.height - page.margin - top - 2 * padding
      let heights = layouts.map { $0.height }
      if (heights.max() ?? 0) > room { try makeRoom(min(heights.max() ?? 0, page.room.height) + 2 * padding) }
      let begin = top
      var used = 0.0
      for (index, layout) in layouts.enumerated() {
        top = begin + padding
        var isFirst = true
        while next[index] < layout.lines.count {
          let line = layout.lines[next[index]]
          guard isFirst || top + line.height + padding <= page.height - page.margin else { break }
          let x = left(block) + Double(index) * column + padding + line.x
          let shift = shift(line, index, of: block, width: column - 2 * padding)
          show(line, of: layout, x: x + shift, baseline: line.baseline)
          top += line.height
          next[index] += 1
          isFirst = false
        }
        used = max(used, top - begin + padding)
      }
      top = begin + used
      isPageEmpty = false
      cairo_set_source_rgb(cairo, 0.6, 0.6, 0.6)
      cairo_rectangle(cairo, left(block), top, width(block), isHeader ? 1 : 0.5)
      cairo_fill(cairo)
      top += 1
      let isDone = zip(next, layouts).allSatisfy { $0 >= $1.lines.count }
      if isDone { return }
      try makeRoom(page.height)
    } while true
  }
}

extension MarkdownBlock {
  fileprivate var isHeading: Bool { if case .heading = kind { true } else { false } }
}
