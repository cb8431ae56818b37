import Expressions
import Foundation
import Testing

@testable import PluginHost

struct SecretMaskTests {
  let mask = SecretMask(["pä ss/wörd", "abc", "long secret", "secret"])

  @Test(
    arguments: [
      ("pä ss/wörd!", "***!"),
      ("a long secret, a secret", "a ***, a ***"),
      ("abc is too short to be one", "abc is too short to be one"),
      ("p%C3%A4%20ss%2Fw%C3%B6rd", "***"),
      ("x=p%c3%a4%20ss%2fw%c3%b6rd&y", "x=***&y"),
      ("p%C3%A4+ss%2Fw%C3%B6rd", "***"),
      ("nothing", "nothing"),
      ("", ""),
    ])
  func secretsAreTakenOut(text: String, expected: String) {
    #expect(mask(text) == expected)
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

  @Test func valuesAreMaskedAtEveryDepth() {
    let value = Value.map([
      "a": .list([.string("a secret"), .int(1)]), "secret": .map(["b": .string("x")]),
    ])
    #expect(mask(value) == .map(["a": .list([.string("a ***"), .int(1)]), "***": .map(["b": .string("x")])]))
  }

  @Test(
    arguments: [
      ("plain – text", 100, "plain – text"),
      ("two\r\nlines\tand\u{2028}more", 100, "two  lines and more"),
      ("\u{1b}[31mred\u{7f}\u{9b}0m\u{0}", 100, "\\u{1B}[31mred\\u{7F}\\u{9B}0m\\u{0}"),
      ("\u{202e}txt", 100, "\\u{202E}txt"),
      ("grün", 3, "gr"),
      ("\u{1b}x", 3, ""),
    ])
  func linesAreSingleAndShort(text: String, limit: Int, expected: String) {
    #expect(text.singleLine(limit: limit) == expected)
  }
}
