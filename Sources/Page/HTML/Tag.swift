/// The elements of pages. `style` is missing on purpose, and `script` only loads files: the pages forbid inline code.
package enum Tag: String, Sendable, Hashable {
  case a, article, aside, audio, blockquote, body, button, caption, code, datalist, dd, defs, details, div, dl, dt, em,
    fieldset, footer, form, g, h1,
    h2, h3, h4, hr,
    head, header, html, input, label, legend, li, link, main, mark, marker, meta, nav, noscript, ol, optgroup, option,
    output,
    p, path,
    pre, progress, rect, script, section, select, small, span, strong, summary, svg, table, tbody, td, textarea, th,
    thead,
    time, title, tr, ul
  case svgText = "text"

  /// Whether the element has neither contents nor an end tag (HTML Living Standard, "Void elements").
  var isVoid: Bool { self == .hr || self == .input || self == .link || self == .meta }
}
