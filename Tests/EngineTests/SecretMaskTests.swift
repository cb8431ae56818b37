import Expressions
import Foundation
import Testing

@testable import Engine

struct SecretMaskTests {
  let mask = SecretMask(["pä ss/wörd", "abc", "long secret", "secret"])

  @Test(
    arguments: [
      ("pä ss/wörd!", "***!"),
      ("a long secret, a secret", "a ***, a ***"),
      ("abc by itself, (abc), \"abc\", abc", "*** by itself, (***), \"***\", ***"),
      ("abcd, aabc, abc_ and äabc are words of their own", "abcd, aabc, abc_ and äabc are words of their own"),
      ("abc and a long secret", "*** and a ***"),
      ("p%C3%A4%20ss%2Fw%C3%B6rd", "***"),
      ("x=p%c3%a4%20ss%2fw%c3%b6rd&y", "x=***&y"),
      ("p%C3%A4+ss%2Fw%C3%B6rd", "***"),
      ("nothing", "nothing"),
      ("", ""),
    ])
  func secretsAreTakenOut(text: String, expected: String) {
    #expect(mask(text) == expected)
  }

  @Test func bytesThatAreNoTextStayBesideTheSecrets() {
    let bytes: [UInt8] = [0xFF, 0xFE] + Array("secret".utf8) + [0x00, 0xC3]
    #expect(mask(bytes) == [0xFF, 0xFE] + Array("***".utf8) + [0x00, 0xC3])
  }

  @Test func numbersThatAreSecretsAreTakenOut() {
    let mask = SecretMask(["482913", "7"])
    let value: Value = .list([.int(482_913), .int(4829), .int(7), .double(1.5), .map(["482913": .uint(482_913)])])
    #expect(
      mask(value) == .list([.string("***"), .int(4829), .int(7), .double(1.5), .map(["***": .string("***")])]))
  }

  @Test(arguments: ["", "u", "me", "you", "user@example.com:"], ["", ":", "ab", "\u{0}x"])
  func base64IsFoundAtEveryPlace(before: String, after: String) {
    let encoded = Data((before + "pä ss/wörd" + after).utf8).base64EncodedString()
    let masked = mask("Basic \(encoded)")
    #expect(masked.contains("***"))
    // What is left does not hold more than a few bits of the secret.
    #expect(masked.count <= "Basic ".count + encoded.count - 8)
    let urlSafe = encoded.replacing("+", with: "-").replacing("/", with: "_")
    #expect(mask(urlSafe).contains("***"))
  }

  @Test(
    arguments: [
      // JSON, and JSON in JSON
      (#"{"a":"q\"uo\\te\/d\u00e4\n\ud83d\ude00"}"#, #"{"a":"***"}"#),
      (#"{\"a\":\"q\\\"uo\\\\te/d\\u00E4\\n\\uD83D\\uDE00\"}"#, #"{\"a\":\"***\"}"#),
      (#"q\"uo\\te/dä\n😀"#, "***"),
      // percent-encoded by different rules, and twice
      ("q%22uo%5Cte/d%C3%A4%0A%F0%9F%98%80!", "***!"),
      (#"?x=q"uo%5cte%2fd%c3%a4%0a%f0%9f%98%80&y"#, "?x=***&y"),
      ("q%2522uo%255Cte%252Fd%25C3%25A4%250A%25F0%259F%2598%2580", "***"),
      // every character, and some, as \u
      (#"\u0071\u0022\u0075\u006f\u005c\u0074\u0065\u002F\u0064\u00E4\u000a\uD83D\ude00"#, "***"),
      (#"q\u0022uo\u005cte/d\u00e4\n😀!"#, "***!"), (#"q\\u0022uo\\u005cte/d\\u00e4\\n😀"#, "***"),
      // HTML
      ("<b>q&quot;uo&#92;te&#x2F;d&#228;&#10;&#x1F600;</b>", "<b>***</b>"),
      // hexadecimal
      ("<7122756f5c74652f64c3a40af09f9880>", "<***>"), ("<7122756F5C74652F64C3A40AF09F9880>", "<***>"),
      ("71:22:75:6f:5c:74:65:2f:64:c3:a4:0A:F0:9f:98:80!", "***!"),
      ("71-22-75-6f-5c-74-65-2f-64-c3-a4-0a-f0-9f-98-80", "***"),
      ("(71 22 75 6f 5c 74 65 2f 64 C3 A4 0a f0 9f 98 80)", "(***)"),
      ("7122 756f 5c74 652f 64c3 a40a f09f 9880", "***"),
      ("0x71, 0x22, 0x75, 0x6f, 0x5c, 0x74, 0x65, 0x2f, 0x64, 0xc3, 0xa4, 0x0a, 0xf0, 0x9f, 0x98, 0x80", "0x***"),
      // nearly
      ("71:22:75:6f:5c:75:65:2f:64:c3:a4:0a:f0:9f:98:81", "71:22:75:6f:5c:75:65:2f:64:c3:a4:0a:f0:9f:98:81"),
      (#"q\"uo\\te\/d\u00e5\n"#, #"q\"uo\\te\/d\u00e5\n"#), ("q%22uo%5Cte/d%C3", "q%22uo%5Cte/d%C3"),
    ])
  func escapedSecretsAreTakenOut(text: String, expected: String) {
    #expect(SecretMask(["q\"uo\\te/dä\n😀"])(text) == expected)
  }

  @Test(arguments: [#"ab\cdEfGhi9"#, #"\\ends\"#, #"a\\\b"#, #"\u0061x"#])
  func backslashesOfASecretAreFoundInEveryForm(secret: String) {
    let mask = SecretMask([secret])
    func form(_ replaced: (Character) -> String) -> String { secret.map(replaced).joined() }
    func unicode(_ character: Character) -> String {
      character.utf16.map { "\\u" + String(format: "%04x", $0) }.joined()
    }
    #expect(mask("<\(form(unicode))>") == "<***>")
    #expect(mask("<\(form { $0 == "\\" ? #"\u005C"# : String($0) })>") == "<***>")
    #expect(mask("<\(form { $0 == "\\" ? #"\\"# : unicode($0) })>") == "<***>")
    #expect(mask("<\(form { $0 == "\\" ? #"\\"# : String($0) })>") == "<***>")
    let (masked, held) = mask.split("<" + String(form(unicode).dropLast(3)))
    #expect(masked == "<" && !held.isEmpty)
  }

  @Test(arguments: [("a&b<c>d'e", "a&amp;b&lt;c&gt;d&#39;e"), ("100%25 sure", "100%2525%20sure"), ("a+b c", "a%2Bb+c")])
  func signsOfEncodingsMayBePartOfTheSecret(secret: String, encoded: String) {
    let mask = SecretMask([secret])
    #expect(mask("<\(encoded)>") == "<***>")
    #expect(mask("<\(secret)>") == "<***>")
  }

  @Test func base64IsFoundAcrossLinesAndInURLs() {
    let secret = "correct-horse-battery-staple-and-then-some-more-words-to-fill-a-line"
    let mask = SecretMask([secret])
    let lines = Data("\u{0}me\u{0}\(secret)".utf8).base64EncodedString(options: [
      .lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
    ])
    #expect(lines.contains("\r\n"))
    #expect(mask(lines).count < 16)
    #expect(mask(lines.replacing("\r\n", with: "\\r\\n")).count < 16)
    let short = SecretMask(["???>>>~~~"])
    let encoded = Data("???>>>~~~".utf8).base64EncodedString()
    #expect(encoded.contains("/") && encoded.contains("+"))
    #expect(short(encoded.replacing("/", with: "%2F").replacing("+", with: "%2B")) == "***")
    #expect(short(encoded.replacing("/", with: "\\/")) == "***")
  }

  @Test func settingsEncodedAsAWholeGiveNothingAway() {
    let secret = "q\"uo\\te/dä"
    let mask = SecretMask([secret])
    for json in [#"{"a":"q\"uo\\te/dä"}"#, #"{"a":"q\"uo\\te\/dä"}"#, #"{"a":"q\"uo\\te/d\u00e4"}"#] {
      #expect(mask(Data(json.utf8).base64EncodedString()).count < 20)
      #expect(mask(json.utf8.map { String($0, radix: 16) }.joined()) == "7b2261223a22***227d")
      let url = json.utf8.map { byte in "%" + String(byte, radix: 16, uppercase: true) }.joined()
      #expect(mask(url) == "%7B%22%61%22%3A%22***%22%7D")
    }
    #expect(mask(Data("x=q%22uo%5Cte%2Fd%C3%A4".utf8).base64EncodedString()).count < 12)
  }

  @Test func overlappingSecretsLeaveNoRest() {
    #expect(SecretMask(["abcdef", "defghi"])("<abcdefghi>") == "<***>")
    #expect(SecretMask(["abcd", "abcdefgh"])("<abcdefgh>") == "<***>")
    #expect(SecretMask(["abcd"])("<abcdabcd>") == "<***>")
  }

  @Test func linesOfALongSecretAreSecretsToo() {
    let key = "-----BEGIN KEY-----\n" + String(repeating: "Zm9vYmFy", count: 40) + "\nx\n-----END KEY-----"
    let mask = SecretMask([key])
    #expect(mask("<\(key)>") == "<***>")
    #expect(mask("<" + String(repeating: "Zm9vYmFy", count: 40) + ">") == "<***>")
    #expect(mask("x") == "x")
    // One that was cut is found as far as it goes.
    let bytes = (0..<4000).map { (index: Int) -> UInt8 in UInt8(33 + (index * index + index / 7) % 90) }
    let long = String(decoding: bytes, as: UTF8.self)
    #expect(SecretMask([long])("<" + long + ">") == "<***>")
    #expect(SecretMask([long])("<" + long.prefix(2100)).count < 100)
    let umlauts = String(repeating: "äöü€😀", count: 200)
    #expect(SecretMask([umlauts])("<" + umlauts + ">") == "<***>")
  }

  @Test func rotatedSecretIsTakenOutBesideTheOldOne() {
    let mask = SecretMask(["first-value"])
    mask.insert(["second-value", "xy"])
    #expect(mask("first-value second-value xy xyz") == "*** *** *** xyz")
  }

  @Test(.timeLimit(.minutes(5)))
  func evilTextsTakeNoLongTime() {
    let mask = SecretMask([String(repeating: "a", count: 60_000) + "b", "back\\slash%percent&and"])
    for text in ["a", "\\", "%25", "&#97;", "\\u0061", "YWFh"] {
      let evil = String(repeating: text, count: 20_000 / text.utf8.count)
      #expect(mask(evil).count <= evil.count)
    }
  }

  @Test func valuesAreMaskedAtEveryDepth() {
    let value = Value.map([
      "a": .list([.string("a secret"), .int(1)]), "secret": .map(["b": .string("x")]),
    ])
    #expect(mask(value) == .map(["a": .list([.string("a ***"), .int(1)]), "***": .map(["b": .string("x")])]))
  }
}
