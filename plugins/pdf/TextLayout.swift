internal import CPango

/// A text in lines.
final class TextLayout {
  /// A line of it. It is there as long as the layout is.
  struct Line {
    let pointer: UnsafeMutablePointer<PangoLayoutLine>
    /// From the left edge, in points.
    let x: Double
    let width: Double
    let height: Double
    /// From the line's top.
    let baseline: Double
  }

  private let layout: OpaquePointer
  private let text: StyledText
  let lines: [Line]
  /// Of all lines together.
  let height: Double

  init(
    _ context: OpaquePointer, _ text: StyledText, _ face: Fonts.Face, _ fonts: Fonts, width: Double, spacing: Double
  ) {
    self.text = text
    let layout: OpaquePointer = pango_layout_new(context)
    self.layout = layout
    let font = pango_font_description_new()
    pango_font_description_set_family(font, fonts.family(face))
    pango_font_description_set_absolute_size(font, fonts.size(face) * Double(PANGO_SCALE))
    if fonts.isBold(face) { pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD) }
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_width(layout, Int32(width * Double(PANGO_SCALE)))
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    text.bytes.withUnsafeBytes { buffer in
      pango_layout_set_text(layout, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count))
    }
    let attributes = Self.attributes(text, fonts, face)
    pango_layout_set_attributes(layout, attributes)
    pango_attr_list_unref(attributes)
    (lines, height) = Self.lines(layout, spacing: spacing)
  }

  /// How many signs no installed font has; boxes are drawn for them.
  var unknownSigns: Int { Int(pango_layout_get_unknown_glyphs_count(layout)) }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  private static func lines(_ layout: OpaquePointer, spacing: Double) -> ([Line], Double) {
    var lines: [Line] = []
    var height = 0.0
    guard let walk = pango_layout_get_iter(layout) else { return ([], 0) }
    defer { pango_layout_iter_free(walk) }
    let scale = Double(PANGO_SCALE)
    repeat {
      guard let pointer = pango_layout_iter_get_line_readonly(walk) else { continue }
      var area = PangoRectangle()
      pango_layout_iter_get_line_extents(walk, nil, &area)
      let lineHeight = Double(area.height) / scale
      // From the top of the line to its baseline.
      let ascent = Double(pango_layout_iter_get_baseline(walk) - area.y) / scale
      let line = Line(
        pointer: pointer, x: Double(area.x) / scale, width: Double(area.width) / scale, height: lineHeight * spacing,
        baseline: ascent + lineHeight * (spacing - 1) / 2)
      lines.append(line)
      height += line.height
    } while pango_layout_iter_next_line(walk) != 0
    return (lines, height)
  }

  private static func attributes(_ text: StyledText, _ fonts: Fonts, _ face: Fonts.Face) -> OpaquePointer? {
    let list = pango_attr_list_new()
    func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?, _ range: Range<Int>) {
      guard let attribute else { return }
      attribute.pointee.start_index = guint(range.lowerBound)
      attribute.pointee.end_index = guint(range.upperBound)
      // The list owns it from now on.
      pango_attr_list_insert(list, attribute)
    }
    for span in text.spans {
      if span.style.contains(.bold) { add(pango_attr_weight_new(PANGO_WEIGHT_BOLD), span.range) }
      if span.style.contains(.italic) { add(pango_attr_style_new(PANGO_STYLE_ITALIC), span.range) }
      if span.style.contains(.code) { add(pango_attr_family_new("monospace"), span.range) }
      if span.style.contains(.struck) { add(pango_attr_strikethrough_new(1), span.range) }
      if span.style.contains(.link) {
        add(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE), span.range)
        add(pango_attr_foreground_new(0x1000, 0x4000, 0xA000), span.range)
      }
    }
    return list
  }

  // MARK: - Emoji

  /// Names the emoji of a line, so that they can be searched, copied and read aloud.
  ///
  /// Cairo draws glyphs in colour as pictures, which a PDF knows no text of. So a letter as wide as the picture stands
  /// below it, white on white, and the PDF says of the letter that it means the emoji. To be called before the line is
  /// drawn. A blank would not do: Cairo leaves out what has no ink.
  func nameEmoji(of line: Line, x: Double, y: Double, _ cairo: OpaquePointer) {
    let scale = Double(PANGO_SCALE)
    var offset = 0.0
    var run = line.pointer.pointee.runs
    while let element = run {
      defer { run = element.pointee.next }
      guard let glyphs = element.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self),
        let item = glyphs.pointee.item
      else { continue }
      let start = offset
      let width = Double(pango_glyph_string_get_width(glyphs.pointee.glyphs)) / scale
      offset += width
      guard width > 0, let font = item.pointee.analysis.font, Self.isColored(font) else { continue }
      let range = Int(item.pointee.offset)..<Int(item.pointee.offset + item.pointee.length)
      guard range.upperBound <= text.bytes.count else { continue }
      show(Array(text.bytes[range]), x: x + start, y: y, width: width, cairo)
    }
  }

  private static func isColored(_ font: UnsafeMutablePointer<PangoFont>) -> Bool {
    guard let description = pango_font_describe(font) else { return false }
    defer { pango_font_description_free(description) }
    guard let family = pango_font_description_get_family(description) else { return false }
    return String(cString: family).lowercased().contains("emoji")
  }

  private func show(_ meaning: [UInt8], x: Double, y: Double, width: Double, _ cairo: OpaquePointer) {
    guard let description = pango_layout_get_font_description(layout),
      let font = pango_context_load_font(pango_layout_get_context(layout), description)
    else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(font)) }
    guard let plain = pango_cairo_font_get_scaled_font(OpaquePointer(font)) else { return }
    var extents = cairo_text_extents_t()
    cairo_scaled_font_text_extents(plain, "x", &extents)
    guard extents.x_advance > 0 else { return }
    var matrix = cairo_matrix_t()
    cairo_scaled_font_get_font_matrix(plain, &matrix)
    matrix.xx *= width / extents.x_advance
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_set_font_face(cairo, cairo_scaled_font_get_font_face(plain))
    cairo_set_font_matrix(cairo, &matrix)
    cairo_set_source_rgb(cairo, 1, 1, 1)
    var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
    var count: Int32 = 0
    let status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(cairo), x, y, "x", 1, &glyphs, &count, nil, nil, nil)
    defer { cairo_glyph_free(glyphs) }
    guard status == CAIRO_STATUS_SUCCESS, count == 1, let glyphs else { return }
    var cluster = cairo_text_cluster_t(num_bytes: Int32(meaning.count), num_glyphs: 1)
    meaning.withUnsafeBytes { buffer in
      cairo_show_text_glyphs(
        cairo, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), glyphs, 1, &cluster, 1,
        cairo_text_cluster_flags_t(rawValue: 0))
    }
  }
}
