import Testing

@testable import Mail

/// Messages from elsewhere, field by field against another parser's reading.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct SampleMessageTests {
  private struct Difference {
    let aspects: Set<String>
    let reason: String

    init(_ reason: String, _ aspects: Set<String>) {
      self.aspects = aspects
      self.reason = reason
    }
  }

  private static let eightBit =
    "bytes beyond ASCII without a charset: read as windows-1252 rather than replaced by U+FFFD"
  private static let boundary = "a multipart that cannot be taken apart is shown as text rather than as a nameless file"
  private static let inline =
    "a part that is inline text stays text though its multipart was never closed; there it becomes a nameless file"

  /// Samples that are read differently on purpose, with the aspects that differ and the reason.
  private static let differences: [String: Difference] = [
    "legacy/010": Difference(eightBit, ["subject", "to"]),
    "legacy/016": Difference(eightBit, ["names"]),
    "legacy/020": Difference(eightBit, ["subject", "to"]),
    "legacy/022": Difference(eightBit, ["subject", "to"]),
    "legacy/026": Difference(eightBit, ["names"]),
    "legacy/052": Difference(eightBit, ["subject", "to", "text", "html"]),
    "malformed/000": Difference(
      "parts whose header is not ended by an empty line are still parts", ["parts", "text", "html"]),
    "malformed/002": Difference(boundary, ["text", "html", "attachments", "names"]),
    "malformed/004": Difference(
      "the boundary `a` does not occur; `--ab` is not it, nor is `--ac`",
      ["parts", "text", "html", "attachments", "names"]),
    "malformed/006": Difference(inline, ["text", "html", "attachments", "names"]),
    "malformed/008": Difference(inline, ["text", "html", "attachments", "names"]),
    "malformed/012": Difference(
      "an outer boundary ends an inner multipart (RFC 2046 §5.1.2); its part is not lost",
      ["parts", "attachments", "names"]),
    "malformed/016": Difference(
      "an outer boundary ends an inner multipart (RFC 2046 §5.1.2), whose own boundary is text from there on",
      ["parts", "text", "html", "attachments", "names"]),
    "malformed/020": Difference(
      "of two Content-Type fields the first counts, so that HTML and picture are found", ["parts", "text", "html"]),
    "rfc/000": Difference(
      "text/enriched (RFC 1896) is read as text rather than kept as a file", ["text", "html", "attachments", "names"]),
    "thirdparty/002": Difference(
      "what follows base64 padding on its line is not decoded; what is no base64 at all stays text",
      ["text", "html", "attachments", "names"]),
  ]

  @Test(arguments: SharedData.samples)
  func readingAgreesWithAnotherParser(sample: String) throws {
    let message = Message(parsing: try SharedData.bytes(sample))
    let found = try ExpectedMessage(SharedData.json(sample)).differences(from: message)
    let known = SampleMessageTests.differences[sample]
    #expect(Set(found.keys) == known?.aspects ?? [], "\(found)")
  }

  @Test func mostSamplesAgreeInEverything() {
    #expect(SharedData.samples.count - SampleMessageTests.differences.count >= 38)
    #expect(SampleMessageTests.differences.values.allSatisfy { !$0.reason.isEmpty })
  }
}
