internal import CMarkdown
import PluginKit

/// Reads Markdown into blocks, by the parser of cmark-gfm with its tables, task lists, links and strikethrough.
struct MarkdownReader {
  /// Nesting beyond this does not indent any further.
  private static let deepest = 8

  /// Whether a line break within a paragraph is one on the page.
  var keepsLineBreaks = false

  private var blocks: [MarkdownBlock] = []
  private var text = StyledText()
  private var styles: [StyledText.Style] = []
  private var lists: [(isOrdered: Bool, next: Int, isTight: Bool)] = []
  private var markers: [String] = []
  private var quotes = 0
  private var cells: [StyledText] = []
  private var alignments: [UInt8] = []
  private var isFirstInItem = false
  private var linkTargets: [(url: String, start: Int)] = []

  init(keepsLineBreaks: Bool = false) { self.keepsLineBreaks = keepsLineBreaks }

  /// The blocks of a text.
  ///
  /// - Throws: `invalid_input` where the parser does not take it.
  static func blocks(_ markdown: String, keepsLineBreaks: Bool = false) throws(ActionError) -> [MarkdownBlock] {
    var reader = MarkdownReader(keepsLineBreaks: keepsLineBreaks)
    return try reader.read(markdown)
  }

  private mutating func read(_ markdown: String) throws(ActionError) -> [MarkdownBlock] {
    cmark_gfm_core_extensions_ensure_registered()
    guard let parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8) else { throw Self.unreadable }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tasklist"] {
      if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
    }
    let bytes = Array(markdown.utf8)
    bytes.withUnsafeBytes { buffer in
      cmark_parser_feed(parser, buffer.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
    guard let document = cmark_parser_finish(parser) else { throw Self.unreadable }
    defer { cmark_node_free(document) }
    guard let walk = cmark_iter_new(document) else { throw Self.unreadable }
    defer { cmark_iter_free(walk) }
    while true {
      let event = cmark_iter_next(walk)
      guard event != CMARK_EVENT_DONE, event != CMARK_EVENT_NONE, let node = cmark_iter_get_node(walk) else { break }
      if event == CMARK_EVENT_ENTER { enter(node) } else { leave(node) }
    }
    return blocks
  }

  private static var unreadable: ActionError {
    ActionError(
      .invalidInput, "The Markdown cannot be read.", german: "Das Markdown lässt sich nicht lesen.")
  }

  private static func literal(_ node: OpaquePointer) -> String {
    cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
  }

  /// The name in a tag of HTML, in lower case; of a comment `!`.
  private static func tagName(_ tag: String) -> String {
    let name = tag.drop { $0 == "<" || $0 == "/" }
    return name.hasPrefix("!") ? "!" : name.prefix { $0.isLetter || $0.isNumber }.lowercased()
  }

  /// The elements of HTML that stand within a line.
  private static let tags: Set<String> = [
    "!", "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "div", "em", "font", "i", "img",
    "ins",
    "kbd", "mark", "p", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
    "wbr",
  ]

  // MARK: - Nodes

  private mutating func enter(_ node: OpaquePointer) {
    switch String(cString: cmark_node_get_type_string(node)) {
    case "text": text.append(Self.literal(node), style)
    case "softbreak": text.append(keepsLineBreaks ? "\n" : " ", style)
    case "linebreak": text.append("\n", style)
    case "code": text.append(Self.literal(node), style.union(.code))
    case "html_inline":
      let tag = Self.literal(node)
      switch Self.tagName(tag) {
      case "br": text.append("\n", style)
      case let name where Self.tags.contains(name): break
      // "<Anna>" is what somebody has written.
      default: text.append(tag, style)
      }
    case "emph": styles.append(.italic)
    case "strong": styles.append(.bold)
    case "strikethrough": styles.append(.struck)
    case "link":
      styles.append(.link)
      linkTargets.append((cmark_node_get_url(node).map { String(cString: $0) } ?? "", text.bytes.count))
    case "image": styles.append(.italic)
    case "code_block", "html_block":
      var code = Self.literal(node)
      if code.hasSuffix("\n") { code.removeLast() }
      text.append(code)
      end(.code)
    case "thematic_break": end(.rule)
    case "block_quote": quotes += 1
    case "list":
      lists.append(
        (
          cmark_node_get_list_type(node) == CMARK_ORDERED_LIST, Int(cmark_node_get_list_start(node)),
          cmark_node_get_list_tight(node) != 0
        ))
    case "item", "tasklist": begin(item: node)
    case "table":
      let count = Int(cmark_gfm_extensions_get_table_columns(node))
      let list = cmark_gfm_extensions_get_table_alignments(node)
      alignments = Array(UnsafeBufferPointer(start: list, count: list == nil ? 0 : count))
    case "table_row", "table_header": cells = []
    default: break
    }
  }

  private mutating func leave(_ node: OpaquePointer) {
    switch String(cString: cmark_node_get_type_string(node)) {
    case "emph", "strong", "strikethrough", "image": _ = styles.popLast()
    case "link":
      _ = styles.popLast()
      endLink()
    case "paragraph": end(.paragraph)
    case "heading": end(.heading(Int(cmark_node_get_heading_level(node))))
    case "block_quote": quotes = max(0, quotes - 1)
    case "list": _ = lists.popLast()
    case "item", "tasklist":
      // An element without a text still shows that it is there.
      if isFirstInItem { end(.paragraph) }
    case "table_cell":
      cells.append(text)
      text = StyledText()
    case "table_row": endRow(isHeader: false)
    case "table_header": endRow(isHeader: true)
    default: break
    }
  }

  private var style: StyledText.Style { styles.reduce(into: []) { $0.formUnion($1) } }

  /// On paper a link shows where it leads, unless its text does.
  private mutating func endLink() {
    guard let (url, start) = linkTargets.popLast(), !url.isEmpty else { return }
    let shown = String(decoding: text.bytes[min(start, text.bytes.count)...], as: UTF8.self)
    guard shown != url, "mailto:" + shown != url, url != "http://" + shown, !url.hasPrefix("#") else { return }
    text.append(" (\(url))", style)
  }

  private mutating func begin(item node: OpaquePointer) {
    guard let list = lists.last else { return }
    isFirstInItem = true
    var marker = "•"
    if list.isOrdered {
      marker = "\(list.next)."
      lists[lists.count - 1].next += 1
    }
    if String(cString: cmark_node_get_type_string(node)) == "tasklist" {
      marker = cmark_gfm_extensions_get_tasklist_item_checked(node) ? "☑" : "☐"
    }
    markers.append(marker)
  }

  private mutating func end(_ kind: MarkdownBlock.Kind) {
    var block = MarkdownBlock(kind: kind, text: text)
    text = StyledText()
    block.indent = min(lists.count, Self.deepest)
    block.quotes = min(quotes, Self.deepest)
    if isFirstInItem {
      block.marker = markers.popLast()
      isFirstInItem = false
      block.isTight = lists.last?.isTight ?? false
    }
    blocks.append(block)
  }

  private mutating func endRow(isHeader: Bool) {
    var block = MarkdownBlock(kind: .row(cells, isHeader: isHeader), alignments: alignments)
    block.indent = min(lists.count, Self.deepest)
    block.quotes = min(quotes, Self.deepest)
    cells = []
    blocks.append(block)
  }
}
