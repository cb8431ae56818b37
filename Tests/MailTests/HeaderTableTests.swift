import Testing

@testable import Mail

/// Header values with the reading of another parser. Where ours differs, the case is listed with the reason.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct HeaderTableTests {
  /// Parts of values whose reading differs on purpose, per table; a line end at the start stands for the value's start.
  private static let differences: [String: [(fragment: String, reason: String)]] = [
    "address": [
      ("Pete(A nice", "a comment stands in for a missing name only; it is not appended to one"),
      ("A Group(Some people)", "as above"),
      ("machine(comment)", "as above; and white space around a dot does not belong to the address"),
      ("iso-8859-8?b?7eXs", "as above"),
      ("Name (comment)", "as above"),
      ("test@test.com\ninvalid", "a line end without white space cannot occur in a value; both are read"),
      ("mailto:archive", "mailto: is not part of an address"),
      ("mailto:list-manager", "mailto: is not part of an address"),
      ("mailto:list-info", "mailto: is not part of an address"),
      ("mailto:list-request", "mailto: is not part of an address"),
      ("NO (posting", "a word without @ is a name"),
    ],
    "date": [
      (" 4 8 15 16 23 42", "no colon, so nothing in it is a time of day"),
      ("((invalid)", "the line end cannot occur in a value; the comment is closed"),
    ],
    "unstructured": [
      ("??=here", "nothing is inserted for an empty word"),
      ("[SUSPECTED SPAM]", "no space is inserted where the value has none"),
    ],
    "content_type": [
      ("á/é", "a media type is ASCII (RFC 2045 §5.1); without one the text is shown"),
      ("\ntext/;charset", "a type without a subtype is read as text/plain"),
      ("\n;charset", "parameters are kept where the type is missing"),
      ("\n/ ;charset", "parameters are kept where the type is not readable"),
      ("\n/plain ;charset", "parameters are kept where the type is not readable"),
      ("=?iso-8859-1?B?4Q==?=", "white space between encoded words is not part of the text (RFC 2047 §6.2)"),
      ("  best ", "white space at the ends of a parameter is left out"),
      ("inva/lid; name=\"", "white space at the ends of a parameter is left out"),
      ("title*0*", "the language of a value is not offered as a parameter"),
    ],
  ]

  private func isKnown(_ table: String, _ header: [UInt8]) -> Bool {
    let text = "\n" + String(decoding: header, as: UTF8.self)
    return HeaderTableTests.differences[table, default: []].contains { text.contains($0.fragment) }
  }

  private func check<T: Equatable>(
    _ table: String, read: ([UInt8]) -> T, expect: (Any) -> T
  ) throws {
    var agreeing = 0
    let cases = try SharedData.table(table)
    for (header, expected) in cases {
      let isSame = read(header) == expect(expected)
      if isSame { agreeing += 1 }
      #expect(
        isSame != isKnown(table, header),
        "\(String(decoding: header, as: UTF8.self).debugDescription): \(read(header)) instead of \(expect(expected))")
    }
    #expect(agreeing > cases.count / 2)
  }

  @Test func addressListsAgree() throws {
    try check(
      "address", read: { ExpectedMessage.describe(Address.parseList($0[...])) },
      expect: ExpectedMessage.describeAddresses)
  }

  @Test func datesAgree() throws {
    try check("date", read: { MessageDate(parsing: String(decoding: $0, as: UTF8.self)) }, expect: ExpectedMessage.date)
  }

  @Test func unstructuredTextsAgree() throws {
    try check("unstructured", read: { EncodedWord.decodeUnstructured($0[...]) }, expect: { $0 as? String ?? "" })
  }

  @Test func messageIdentifiersAgree() throws {
    // White space and comments inside brackets are kept by both.
    try check("id", read: { MessageID.parseList($0[...]) }, expect: { $0 as? [String] ?? [] })
  }

  @Test func contentTypesAgree() throws {
    try check(
      "content_type",
      read: { header in
        let type = ContentType(parsing: header[...])
        let names = ParameterizedValue(parsing: header[...]).parameters.map { "\($0.name)=\($0.value)" }
        return type.isValid ? [type.mediaType] + names : names
      },
      expect: { json in
        let fields = json as? [String: Any] ?? [:]
        let attributes = (fields["attributes"] as? [[String]] ?? []).map { $0.joined(separator: "=") }
        guard let type = fields["c_type"] as? String, let subtype = fields["c_subtype"] as? String, !type.isEmpty,
          !subtype.isEmpty
        else { return attributes }
        return ["\(type)/\(subtype)".lowercased()] + attributes
      })
  }
}
