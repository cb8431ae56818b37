/// Which elements and attributes of a message's HTML may be shown; everything else is left out.
enum HTMLAllowList {
  /// Elements that are written again.
  static let elements: Set<String> = [
    "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "caption",
    "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "dir", "div", "dl", "dt", "em",
    "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "ins",
    "kbd", "li", "main", "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small",
    "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr",
    "tt", "u", "ul", "var", "wbr",
  ]

  /// Elements that go with all that is in them.
  static let removedWithContent: Set<String> = [
    "applet", "audio", "canvas", "frameset", "iframe", "noembed", "noframes", "object", "plaintext", "script", "select",
    "template", "textarea", "title", "video", "xml", "xmp",
  ]

  /// Elements without content, which have no end tag.
  static let void: Set<String> = ["br", "hr", "img", "col", "wbr"]

  /// Attributes that every element may have; `class` and `style` are dealt with apart.
  private static let common: Set<String> = ["dir", "lang", "title", "align"]

  private static let own: [String: Set<String>] = [
    "bdo": ["dir"], "blockquote": ["type"], "br": ["clear"], "col": ["span", "width"], "colgroup": ["span", "width"],
    "details": ["open"], "font": ["color", "face", "size"], "hr": ["color", "noshade", "size", "width"],
    "img": ["alt", "border", "height", "hspace", "vspace", "width"], "li": ["type", "value"],
    "ol": ["start", "type", "reversed"], "ul": ["type"],
    "table": ["bgcolor", "border", "cellpadding", "cellspacing", "height", "rules", "summary", "width"],
    "td": ["bgcolor", "colspan", "height", "nowrap", "rowspan", "valign", "width"],
    "th": ["bgcolor", "colspan", "height", "nowrap", "rowspan", "scope", "valign", "width"], "time": ["datetime"],
    "tr": ["bgcolor", "height", "valign"], "tbody": ["valign"], "thead": ["valign"], "tfoot": ["valign"],
  ]

  static func allows(_ attribute: String, on element: String) -> Bool {
    common.contains(attribute) || own[element]?.contains(attribute) ?? false
  }

  /// Open elements that a start tag ends, looked for no further out than `boundaries`.
  static func implicitlyClosed(by name: String) -> (names: Set<String>, boundaries: Set<String>)? {
    switch name {
    case "li": (["li"], ["ul", "ol", "dir", "table"])
    case "dt", "dd": (["dt", "dd"], ["dl", "table"])
    case "td", "th": (["td", "th"], ["table", "tr"])
    case "tr": (["tr"], ["table"])
    case "tbody", "thead", "tfoot": (["tbody", "thead", "tfoot"], ["table"])
    case _ where endsParagraph.contains(name): (["p"], ["table", "td", "th", "blockquote", "li", "div", "center"])
    default: nil
    }
  }

  private static let endsParagraph: Set<String> = [
    "address", "article", "aside", "blockquote", "center", "details", "dir", "div", "dl", "figure", "footer", "h1",
    "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "ul",
  ]

  /// Elements that an end tag inside a cell does not reach.
  static let scopes: Set<String> = ["td", "th", "caption"]

  /// The start of an address that a link may lead to, in lower case.
  static let linkSchemes = ["https:", "http:", "mailto:", "tel:"]

  /// Types of pictures that hold nothing but a picture, as a data URL names them.
  static let pictureTypes: Set<String> = [
    "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/bmp", "image/x-ms-bmp", "image/avif",
  ]

  /// Parts of the addresses of pictures that only count who opens a message.
  static let trackingMarks = [
    "/track/open", "/wf/open", "/open.php", "/open.gif", "/o.gif", "/pixel.gif", "/pixel.png", "/1x1.", "/spacer.gif?",
    "/trk?", "/trackopen", "/tracking/open", "/open.aspx", "/emailopen", "/mailopen",
  ]
}
