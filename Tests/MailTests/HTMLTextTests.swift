import Testing

@testable import Mail

struct HTMLTextTests {
  @Test(arguments: [
    ("<p>One</p><p>Two</p>", "One\n\nTwo"),
    ("a<br>b<br/>c", "a\nb\nc"),
    ("<div>a</div><div>b</div>", "a\nb"),
    ("  much \n white   space ", "much white space"),
    ("<b>bold</b> and <i>italic</i>", "bold and italic"),
    ("<ul><li>one<li>two</ul>after", "• one\n• two\n\nafter"),
    ("<ol start=3><li>three</li><li>four</li></ol>", "3. three\n4. four"),
    ("<ul><li>a<ul><li>b</li></ul></li></ul>", "• a\n  • b"),
    ("<a href='https://example.org/x'>here</a>!", "here (https://example.org/x)!"),
    ("<a href=\"https://example.org/\">example.org</a>", "example.org"),
    ("<a href='mailto:a@example.org?subject=x'>write</a>", "write (a@example.org)"),
    ("<a href='javascript:alert(1)'>no</a>", "no"),
    ("<a href='https://example.org'><img src=x></a>", ""),
    ("<blockquote><p>said</p></blockquote><p>reply</p>", "> said\n\nreply"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
    ("<pre>x\n  y</pre>", "x\n  y"),
    ("<h1>Title</h1>text", "Title\n\ntext"),
    ("<img alt='Logo' src=x>", "[Logo]"),
    ("<script>if (a < b) alert('<p>')</script>text<style>p{}</style>", "text"),
    ("<head><title>t</title></head><body>b</body>", "b"),
    ("<!-- <p>hidden</p> -->shown", "shown"),
    ("<![if mso]>x<![endif]>", "x"),
    ("<!--><p>a</p><!-- b --><!---><p>c</p>", "a\n\nc"),
    ("a<blockquote>b<br>c</blockquote>d", "a\n\n> b\n> c\n\nd"),
    ("<blockquote>a<blockquote>b</blockquote>c</blockquote>", "> a\n>\n> > b\n>\n> c"),
    ("&lt;tag&gt; &amp;amp; &quot;q&quot; &#8364;&#x20AC; &#128; &euro;", "<tag> &amp; \"q\" €€ € €"),
    ("&unknown; &copy 2026 ?a=1&copy=2", "&unknown; © 2026 ?a=1&copy=2"),
    ("&#0;&#xD800;&#99999999;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("a < b and c > d", "a < b and c > d"),
    ("<p title='a > b'>quoted</p>", "quoted"),
    ("unclosed <b", "unclosed <b"),
    ("<p class=\"x>never closed", "never closed"),
    ("<P>UPPER</P>", "UPPER"),
    ("no\u{200B}thing&zwnj;&nbsp;here", "nothing here"),
    ("", ""),
  ])
  func htmlBecomesReadableText(html: String, text: String) {
    #expect(HTMLText.convert(html) == text)
  }

  @Test(arguments: [
    ("<div style='display:none'>Preview</div><p>Text</p>", "Text"),
    ("<div style=\"display: none; max-height: 0px\"><div>Pre</div>view</div>Text", "Text"),
    ("<span style='font-size:1px;max-height:0;overflow:hidden'>Preview</span>Text", "Text"),
    ("<span hidden>Preview</span>Text", "Text"),
    ("<span style='visibility:hidden'>Preview</span>Text", "Text"),
    ("<div style='mso-hide:all'>Preview</div>Text", "Text"),
    ("<div style='DISPLAY : NONE'>Preview</div>Text", "Text"),
    ("<div style='position:absolute; left:-9999px'>Preview</div>Text", "Text"),
    ("<div style='text-indent: -999em'>Preview</div>Text", "Text"),
    ("<div style='text-indent: -20px'>Text</div>", "Text"),
    ("<div style='font-size:0'>hidden</div><p>after</p>", "after"),
    ("<span style='FONT-SIZE: 0.0em !important'>hidden</span>after", "after"),
    ("<div style='font:0/0 a'>hidden</div>after", "after"),
    ("<div style='font:700 14px/1.5 serif'>Text</div>", "Text"),
    ("<td style='font-size:0px'>x<table><tr><td style='font-size:0'><div style='font-size:13px'>Text", "Text"),
    ("<td style='font-size:0'><table><tr><td style='font-size:14px'>A<table><tr><td>B</table>C</td>", "A\n\nB\n\nC"),
    ("<div style='font-size:0'><span style='font-size:100%'>hidden</span></div>after", "after"),
    ("<p style='font-size:0'>hidden<p>after", "after"),
    ("<div style='font-size:0'><div style='display:none'>x</div>y</div>after", "after"),
    ("<td style='display:none'><table><tr><td>hidden</table></td><td>after</td>", "after"),
    ("<table><tr><td><span style='display:none'>hidden</td><td>after</table>", "after"),
    ("<style>#pre{display:none}</style><div id=pre>hidden</div>after", "after"),
    ("<div style='max-width:0;overflow:hidden'>hidden</div>after", "after"),
    ("<span style='position:absolute;clip:rect(0,0,0,0)'>hidden</span>after", "after"),
    ("<p>before</p><svg><path d='M0'/><p>after</p>", "before\n\nafter"),
    ("<svg><g><svg/></g><title/><text>x</text></svg>after", "after"),
    ("<svg><foreignObject><div>x</div></foreignObject></svg>after", "after"),
    ("<svg viewBox='0'/>after", "after"), ("<svg><path>x", ""),
    ("<p>a</p><noscript>after</noscript>", "a\n\nafter"), ("<iframe>x</iframe>after", "after"),
    ("<td style='font-size:0'><div style='font-size:14px'>Text</div></td>", "Text"),
    ("<style>.preheader { display: none !important }</style><td class='a preheader'>Preview</td><td>Text</td>", "Text"),
    ("<p style='display:none'>Preview<p>Text", "Text"),
    ("<table><tr><td style='display:none'>Preview<td>Text</table>", "Text"),
    ("<div style='display:block;font-size:10px'>Text</div>", "Text"),
    ("<div style='height:0'>Text</div>", "Text"),
    ("<div style='opacity:0.5'>Text</div>", "Text"),
    ("<body style='display:none'>Text</body>", "Text"),
    // A page of nothing but hidden text is read all the same.
    ("<div style='display:none'>All there is</div>", "All there is"),
  ])
  func hiddenTextIsNotRead(html: String, text: String) {
    #expect(HTMLText.convert(html) == text)
  }

  @Test func linksCanBeLeftOut() {
    #expect(HTMLText.convert("<a href='https://example.org/x'>here</a>", links: .omitted) == "here")
  }

  @Test func escapedTextReadsAsItself() {
    let text = "a < b & \"c\" > d"
    #expect(HTMLText.convert(HTMLText.escape(text)) == text)
  }

  @Test func charsetInTheDocumentCounts() {
    let head = Array("Content-Type: text/html\n\n<meta charset='iso-8859-2'><p>".utf8)
    #expect(Message(parsing: head + [0xB1]).textBody == "ą")
    let old = "Content-Type: text/html\n\n<meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\">"
    #expect(Message(parsing: Array(old.utf8) + [0xF0]).textBody == "П")
  }

  /// Inputs that make naive converters search to the end again and again; the output cannot outgrow the input.
  @Test(arguments: [
    "<", "<a ", "<a href=\"", "<!--", "<script>", "&#", "&amp", "<ul>", "<blockquote>", "<a href=x>y", "<pre>\n",
  ])
  func hostileInputStaysProportional(piece: String) {
    let html = String(repeating: piece, count: 20_000)
    #expect(HTMLText.convert(html).utf8.count <= html.utf8.count * 4 + 100)
  }
}
