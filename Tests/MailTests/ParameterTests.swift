import Testing

@testable import Mail

struct ParameterTests {
  private func fileName(_ headers: String...) -> String? {
    Message(parsing: Array((headers.joined(separator: "\n") + "\n\nx").utf8)).body.fileName
  }

  @Test(arguments: [
    ("attachment; filename=\"plan.pdf\"", "plan.pdf"),
    ("attachment; filename=plan.pdf", "plan.pdf"),
    ("attachment; filename=my plan.pdf", "my plan.pdf"),
    ("attachment; filename=plan (2) (old).pdf; size=3", "plan (2) (old).pdf"),
    ("attachment; size=3 (bytes); filename=plan.pdf", "plan.pdf"),
    ("attachment; filename=\"a\\\"b.pdf\"", "a\"b.pdf"),
    ("attachment; filename=\"C:\\\\temp\\\\plan.pdf\"", "plan.pdf"),
    ("attachment; filename=\"C:\\temp\\plan.pdf\"", "plan.pdf"),
    ("attachment; filename=\"../../etc/passwd\"", "passwd"),
    ("attachment; filename=\"/\"", nil),
    ("attachment; filename=\"..\"", nil),
    ("attachment; filename*=utf-8''%C3%9Cbung.pdf", "Übung.pdf"),
    ("attachment; filename*=iso-8859-1'de'%DCbung.pdf; filename=plain.pdf", "Übung.pdf"),
    ("attachment; filename*0*=utf-8''%C3; filename*1*=%9Cbung; filename*2=.pdf", "Übung.pdf"),
    ("attachment; filename*1=b.pdf; filename*0=a", "ab.pdf"),
    ("attachment; filename=\"=?utf-8?Q?=C3=9Cbung=2Epdf?=\"", "Übung.pdf"),
    ("attachment; filename==?utf-8?B?w5xidW5nLnBkZg==?=", "Übung.pdf"),
    ("attachment; filename*=bad%zz", "bad%zz"),
    ("attachment\n filename=\"no semicolon.pdf\"", "no semicolon.pdf"),
    ("attachment; filename=\"unclosed.pdf", "unclosed.pdf"),
    ("attachment (comment; filename=no); filename=yes.pdf", "yes.pdf"),
    ("attachment; filename=\"Übung.pdf\"", "Übung.pdf"),
    ("attachment", nil),
  ])
  func fileNameIsRead(disposition: String, expected: String?) {
    #expect(fileName("Content-Disposition: \(disposition)") == expected)
  }

  @Test func fileNameFallsBackToTheTypesName() {
    #expect(fileName("Content-Type: application/pdf; name=\"a.pdf\"") == "a.pdf")
    #expect(fileName("Content-Type: application/pdf; name*=utf-8''%C3%A4.pdf; name=b.pdf") == "ä.pdf")
    #expect(fileName("Content-Type: a/b; name=t.pdf", "Content-Disposition: attachment; filename=d.pdf") == "d.pdf")
    #expect(fileName("Content-Type: a/b; name=t.pdf", "Content-Disposition: attachment; filename=\"/\"") == "t.pdf")
  }

  @Test(arguments: [
    ("inline", ContentDisposition.inline), ("ATTACHMENT; x=y", .attachment), ("form-data", .attachment),
  ])
  func dispositionIsRead(value: String, expected: ContentDisposition) {
    let message = Message(parsing: Array("Content-Disposition: \(value)\n\n".utf8))
    #expect(message.body.disposition == expected)
  }
}
