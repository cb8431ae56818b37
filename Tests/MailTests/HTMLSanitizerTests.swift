import Testing

@testable import Mail

struct HTMLSanitizerTests {
  private func clean(_ html: String, _ pictures: HTMLSanitizer.RemotePictures = .blocked) -> String {
    HTMLSanitizer(remotePictures: pictures).sanitize(html).html
  }

  @Test(arguments: [
    ("<p>One <b>bold</b></p>", "<p>One <b>bold</b></p>"),
    ("a<script>alert(1)</script>b", "ab"),
    ("<SCRIPT SRC=//x.example/y>1</SCRIPT >z", "z"),
    ("<p onclick=\"x()\">a</p>", "<p>a</p>"),
    ("<p onclick=x() ONLOAD='y'>a</p>", "<p>a</p>"),
    ("<p/onclick=x>a</p>", "<p>a</p>"),
    ("<iframe src='https://x.example'>in</iframe>out", "out"),
    ("<object data=x><embed src=y></object>z", "z"),
    ("<form action='https://x.example'><input name=a value=b><button>Send</button>text</form>", "Sendtext"),
    ("<meta http-equiv=refresh content='0;url=https://x.example'>a", "a"),
    ("<base href='https://x.example/'><link rel=stylesheet href='https://x.example/s.css'>a", "a"),
    ("<svg><script>x</script><a href='javascript:x'>y</a></svg>a", "a"),
    ("<math><mi xlink:href='javascript:x'>y</mi></math>a", "a"),
    (
      "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>a",
      "<p title=\"&lt;/noscript&gt;&lt;img src=x onerror=alert(1)&gt;\">a</p>"
    ),
    ("<noscript><b onclick=x>a</b></noscript>", "<b>a</b>"),
    ("<svg><path d='M0'/><p>a</p>", "<p>a</p>"), ("<svg width=1/>a", "a"),
    ("<a href='javascript:alert(1)'>x</a>", "<a>x</a>"),
    ("<a href='java\nscript:alert(1)'>x</a>", "<a>x</a>"),
    ("<a href='&#106;avascript:alert(1)'>x</a>", "<a>x</a>"),
    ("<a href=' JaVaScRiPt:alert(1)'>x</a>", "<a>x</a>"),
    ("<a href='data:text/html,x'>x</a><a href='vbscript:x'>y</a>", "<a>x</a><a>y</a>"),
    (
      "<a href='https://example.org/?a=1&amp;b=2'>x</a>",
      "<a href=\"https://example.org/?a=1&amp;b=2\" target=\"_blank\" rel=\"noopener noreferrer\">x</a>"
    ),
    (
      "<div style=\"color: red; background-image: url(https://x.example/p.png)\">a</div>",
      "<div style=\"color: red\">a</div>"
    ),
    (
      "<div style=\"background: #fff url('https://x.example/p.png') no-repeat\">a</div>",
      "<div style=\"background: #fff no-repeat\">a</div>"
    ),
    ("<div style=\"width: expression(alert(1))\">a</div>", "<div>a</div>"),
    ("<div style=\"position: fixed; top: 0; color: blue\">a</div>", "<div style=\"color: blue\">a</div>"),
    ("<div style=\"background: u\\72l(https://x.example)\">a</div>", "<div>a</div>"),
    ("<div style=\"margin-left: -500px; margin-top: 2px\">a</div>", "<div style=\"margin-top: 2px\">a</div>"),
    ("<td background='https://x.example/p.png'>a</td>", "<td>a</td>"),
    ("<div id=x name=y data-z=1>a", "<div>a</div>"),
    ("</div></p>a<b>b", "a<b>b</b>"),
    ("<table><tr><td>a</div></td></tr></table>", "<table><tr><td>a</td></tr></table>"),
    ("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul>c"),
    ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<body bgcolor='#eee'><p>a</p></body>", "<div style=\"background-color: #eee\"><p>a</p></div>"),
    ("<!-- <img src=x onerror=y> -->a", "a"),
    ("<p title='\"><img src=x onerror=y>'>a</p>", "<p title=\"&quot;&gt;&lt;img src=x onerror=y&gt;\">a</p>"),
    ("a < b & c", "a &lt; b &amp; c"),
    ("<unknown>a</unknown>", "a"),
    ("<video src=x><source src=y></video>a", "a"),
    ("<img src='x.png' alt='Logo'>", "<img alt=\"Logo\">"),
    ("<plaintext>a", ""),
  ])
  func onlyWhatIsHarmlessIsWritten(html: String, expected: String) {
    #expect(clean(html) == expected)
  }

  @Test(arguments: [
    ("<style>@import url('https://x.example/a.css'); p { color: red }</style>", "<style>\np { color: red }\n</style>"),
    ("<style>p { background-image: url(https://x.example) }</style>a", "a"),
    (
      "<style>@font-face { font-family: x; src: url(x) } p { margin: 1px }</style>",
      "<style>\np { margin: 1px }\n</style>"
    ),
    (
      "<style>@media (max-width: 600px) { .a { width: 100% } }</style>",
      "<style>\n@media (max-width: 600px) {\n.a { width: 100% }\n}\n</style>"
    ),
    ("<style>p{color:red}/*</style><img src=x onerror=y>*/</style>", "<style>\np { color: red }\n</style>*/"),
    ("<style>a[href^='x'] { behavior: url(x.htc); -moz-binding: url(x) }</style>a", "a"),
  ])
  func styleSheetsLoadNothing(html: String, expected: String) {
    #expect(clean(html) == expected)
  }

  @Test func styleSheetsCanBeLeftOut() {
    let output = HTMLSanitizer(keepsStyleSheets: false).sanitize("<style>p{color:red}</style><p class=a>x</p>")
    #expect(output.html == "<p>x</p>")
  }

  @Test func remotePicturesLoadOnlyWhereAllowed() {
    let html =
      "<img src=https://cdn.example.org/a.png srcset='https://x.example/b 2x' width=80 alt=A><img src='//y.example/c'>"
    let blocked = HTMLSanitizer().sanitize(html)
    #expect(blocked.blockedPictures == 2)
    #expect(blocked.html == "<img width=\"80\" alt=\"A\">")
    let allowed = HTMLSanitizer(remotePictures: .allowed).sanitize(html)
    #expect(allowed.blockedPictures == 0)
    #expect(allowed.html.contains("src=\"https://cdn.example.org/a.png\"") && allowed.html.contains("//y.example/c"))
    #expect(!allowed.html.contains("srcset"))
    let some = HTMLSanitizer(remotePictures: .hosts(["example.org"])).sanitize(
      html + "<img src='https://example.org:80@evil.example/x'><img src='https://evilexample.org/x'>")
    #expect(some.blockedPictures == 3)
    #expect(some.html.contains("cdn.example.org") && !some.html.contains("evil"))
  }

  @Test(arguments: [
    "<img src='https://x.example/a' width=1 height=1>", "<img src='https://x.example/a' style='width:1px;height:1px'>",
    "<img src='https://x.example/a' width='0' height='0' alt=''>", "<img src='https://x.example/wf/open?upn=1'>",
    "<img src='https://x.example/a' style='display:none'>", "<img src='https://x.example/a' hidden>",
    "<img src='https://x.example/track/open.php?u=1' width=10>",
  ])
  func trackingPixelsNeverLoad(html: String) {
    let output = HTMLSanitizer(remotePictures: .allowed).sanitize(html)
    #expect(output.html.isEmpty && output.removedTrackers == 1)
  }

  @Test(arguments: [
    "<div style='display:none'><b><img src=https://a.org/a></b></div>", "<div hidden><img src=https://a.org/a></div>",
    "<div style='height:0;max-height:0;overflow:hidden'><img src=https://a.org/a width=20 height=20></div>",
    "<style>.px{display:none}</style><img class='b px' src=https://a.org/a>",
    "<img src=https://a.org/a style='max-width:1px;max-height:1px'>", "<img src=https://a.org/a width=1 height=auto>",
    "<img src=https://a.org/a style='width:.5px;height:.5px'>", "<img src=https://a.org/a width='0%' height='0%'>",
    "<img src=https://a.org/a style='width:0.75pt;height:0em'>", "<img src=https://a.org/a width=' 1 ' height='1 px'>",
  ])
  func picturesThatNobodySeesNeverLoad(html: String) {
    let output = HTMLSanitizer(remotePictures: .allowed).sanitize(html)
    #expect(!output.html.contains("a.org") && output.removedTrackers == 1, "\(output.html)")
  }

  @Test(arguments: [
    "<img src=https://a.org/a>", "<img src=https://a.org/a width=600 height=1>",
    "<img src=https://a.org/a width=1 height=40>",
    "<div style='display:none'>x</div><img src=https://a.org/a>",
    "<img src=https://a.org/a style='max-width:100%;width:100px'>",
  ])
  func picturesThatPeopleSeeMayLoad(html: String) {
    let output = HTMLSanitizer(remotePictures: .allowed).sanitize(html)
    #expect(output.html.contains("a.org") && output.removedTrackers == 0, "\(output.html)")
  }

  @Test func inlinePicturesBecomeDataAddresses() throws {
    let source = """
      Content-Type: multipart/related; boundary=b

      --b
      Content-Type: text/html

      <p>x<img src="cid:logo%40example.org" alt=Logo><img src=cid:missing alt=""></p>
      --b
      Content-Type: image/png
      Content-ID: <logo@example.org>
      Content-Transfer-Encoding: base64

      iVBORw0KGgo=
      --b
      Content-Type: image/svg+xml
      Content-ID: <missing>

      <svg onload="alert(1)"/>
      --b--
      """
    let output = try #require(Message(parsing: Array(source.utf8)).sanitizedHTML())
    #expect(output.html.contains("src=\"data:image/png;base64,iVBORw0KGgo=\" alt=\"Logo\""))
    #expect(!output.html.contains("svg") && !output.html.contains("cid:"))
  }

  /// The writer's output is what it would write again: nothing in it is read differently the second time.
  @Test(arguments: [
    "<p>a<table><tr><td>b<p>c</table>", "<b><i>x</b></i>", "<a href=x><a href=https://x.example>y",
    "<style>p{color:red}",
    "<div style='font-family: \"A\", sans-serif'>x</div>", "<p title='`'>x", "<img alt='<b>' src=x>",
    "<ol><li>a<ul><li>b</ol>", "<dl><dt>a<dd>b<dt>c</dl>", "<pre>\n\n a</pre>",
  ])
  func cleaningTwiceChangesNothing(html: String) {
    let once = clean(html)
    #expect(clean(once) == once)
  }

  @Test(arguments: [
    "<div>", "<a href=https://x.example>", "<style>p{", "<b style='", "<table><tr><td>", "<p>", "&", "<li>",
  ])
  func hostileInputStaysProportional(piece: String) {
    let html = String(repeating: piece, count: 20_000)
    #expect(clean(html).utf8.count <= html.utf8.count * 6 + 10_000)
  }
}
