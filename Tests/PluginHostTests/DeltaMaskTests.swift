import Engine
import Expressions
import Foundation
import Testing

@testable import PluginBoundary
@testable import PluginHost

struct DeltaMaskTests {
  /// What a reader has seen of `text` when all pieces are through.
  private func seen(_ pieces: [String], secrets: [String] = ["hunter22", "p\"ä ss"]) -> [String] {
    let mask = SecretMask(secrets)
    var deltas = DeltaMask()
    var seen = pieces.map { deltas(["text": .string($0)], mask)["text"]?.stringValue ?? "" }
    if let rest = deltas.finish() { seen.append(rest["text"]?.stringValue ?? "") }
    return seen
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 11, 100])
  func secretSplitAnywhereIsTakenOut(size: Int) {
    let base64 = Data("me:hunter22".utf8).base64EncodedString()
    let text = "before hunter22 between p%22%C3%A4+ss and \(base64) hunter2 at the end hunte"
    for start in 0..<size {
      var pieces: [String] = []
      var rest = Substring(text)
      pieces.append(String(rest.prefix(start)))
      rest = rest.dropFirst(start)
      while !rest.isEmpty {
        pieces.append(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let result = seen(pieces).joined()
      #expect(result.hasPrefix("before *** between *** and "))
      #expect(result.hasSuffix(" hunter2 at the end hunte"))
      #expect(!result.contains(base64.suffix(9)))
    }
  }

  @Test func nothingIsHeldBackThatBeginsNoSecret() {
    #expect(seen(["plain ", "text, ", "ends in h"]) == ["plain ", "text, ", "ends in ", "h"])
    #expect(seen(["hunter2", "1"]) == ["", "hunter21"])
    #expect(seen(["hunter22", "2"]) == ["***", "2"])
  }

  @Test func keysAreStreamsOfTheirOwn() {
    let mask = SecretMask(["hunter22"])
    var deltas = DeltaMask()
    let first = deltas(["text": "hunt", "reasoning": "hun", "n": 1], mask)
    #expect(first == ["text": "", "reasoning": "", "n": 1])
    let second = deltas(["text": "er22", "list": ["a hunter22"]], mask)
    #expect(second == ["text": "***", "list": ["a ***"]])
    #expect(deltas.finish() == ["reasoning": "hun"])
    #expect(deltas.finish() == nil)
  }

  @Test func namesAreMaskedWhateverTheyName() {
    let mask = SecretMask(["hunter22"])
    var deltas = DeltaMask()
    #expect(deltas(["hunter22": 1, "a hunter22": ["x": "y"]], mask) == ["***": 1, "a ***": ["x": "y"]])
  }

  @Test(arguments: [1, 2, 3, 5, 100]) func shortSecretIsTakenOutAsAWord(size: Int) {
    let text = "ä (42) 142 42, 4 2 über 42"
    var pieces: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      pieces.append(String(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    #expect(seen(pieces, secrets: ["42"]).joined() == "ä (***) 142 ***, 4 2 über ***")
  }

  @Test func secretsThatOverlapAreHeldBackTogether() {
    #expect(seen(["abcdef", "ghi!"], secrets: ["abcdef", "defghi"]).joined() == "***!")
    #expect(seen(["abcdef", "gh!"], secrets: ["abcdef", "defghi"]).joined() == "***gh!")
  }
}
