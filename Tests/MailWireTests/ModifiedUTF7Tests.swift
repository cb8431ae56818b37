import MailWire
import Testing

struct ModifiedUTF7Tests {
  // RFC 3501 §5.1.3 gives the first two.
  @Test(arguments: [
    ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"), ("Hi Mom -☺-!", "Hi Mom -&Jjo--!"),
    ("Entwürfe", "Entw&APw-rfe"), ("A&B", "A&-B"), ("😀", "&2D3eAA-"), ("", ""),
  ])
  func encodesAndDecodes(_ text: String, _ encoded: String) {
    #expect(ModifiedUTF7.encode(text) == encoded)
    #expect(ModifiedUTF7.decode(encoded) == text)
  }

  @Test(arguments: ["&", "&AP", "&AP!-", "&2D0-", "ü", "&A-", "&APw"])
  func refusesWhatIsBroken(_ text: String) {
    #expect(ModifiedUTF7.decode(text) == nil)
  }
}
