import Mail
import PluginKit
import SASL

/// The input of a fuzzer for the parsers of server replies: the bytes are cut into pieces, read as replies, and taken through
/// sign-ins and messages.
@_spi(Fuzzing) public enum ReplyInput {
  private static let recipients = ["you@example.org", "jürgen@example.org", "nobody@example.org"]

  /// Whether the same replies come of the bytes however they are cut, and what follows from them holds together.
  ///
  /// - Parameter bytes: The first says how, the others are what the server sends.
  public static func isTakenInGoodOrder(_ bytes: [UInt8]) -> Bool {
    guard let choice = bytes.first else { return true }
    let words = Array(bytes.dropFirst())
    let whole = replies(words, inPiecesOf: max(1, words.count))
    guard whole == replies(words, inPiecesOf: 1 + Int(choice & 15)) else { return false }
    for line in String(decoding: words, as: UTF8.self).split(separator: "\n").prefix(50) {
      let reply = MailboxReply(String(line))
      guard reply.words.unicodeScalars.count <= 300 else {
        return false
      }
      _ = (reply.code, reply.numbers, reply.folder?.name)
    }
    let hasBounds = whole.replies.allSatisfy {
      $0.words.count <= 401 && ($0.queueID?.utf8.count ?? 1) <= 200 && (200..<600).contains($0.code)
    }
    return hasBounds && isGoodSession(whole.replies[...], choice)
  }

  private struct Found: Equatable {
    var replies: [Reply] = []
    var hasFailed = false
  }

  private static func replies(_ bytes: [UInt8], inPiecesOf size: Int) -> Found {
    var (reader, found) = (ReplyReader(), Found())
    do {
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.feed(Array(bytes[start..<min(bytes.count, start + size)]))
        while let reply = try reader.next() { found.replies.append(reply) }
      }
    } catch {
      found.hasFailed = true
    }
    return found
  }

  private static func isGoodSession(_ replies: ArraySlice<Reply>, _ choice: UInt8) -> Bool {
    var settings = SessionSettings(name: "[127.0.0.1]", tls: choice & 16 == 0 ? .none : .starttls)
    settings.isLMTP = choice & 32 != 0
    settings.credentials = choice & 64 == 0 ? nil : SASLCredentials(user: "tim", secret: .password("secret"))
    settings.nonce = "fyko+d2lbbFgONRv9qkxdawL"
    var (opening, rest) = (SessionOpening(settings), replies)
    var features = ServerFeatures.none
    opened: do {
      while let reply = rest.popFirst() {
        switch try opening.receive(reply) {
        case .send(let line): if line.contains("\r") || line.contains("\n") { return false }
        case .startTLS: _ = opening.secured()
        case .ready(let found):
          features = found
          break opened
        }
      }
    } catch {
      return !error.message.isEmpty
    }
    while !rest.isEmpty {
      guard isGoodMessage(&rest, features, isLMTP: settings.isLMTP, isChunked: choice & 128 != 0) else { return false }
    }
    return true
  }

  private static func isGoodMessage(
    _ replies: inout ArraySlice<Reply>, _ features: ServerFeatures, isLMTP: Bool, isChunked: Bool
  ) -> Bool {
    do {
      let envelope = try Envelope(
        sender: "me@example.org", recipients: features.takesUTF8 ? recipients : [recipients[0]])
      var transaction = try MailTransaction(
        envelope, features: features, isEncrypted: true, isLMTP: isLMTP, chunked: isChunked)
      _ = transaction.begin()
      while let reply = replies.popFirst() {
        switch try transaction.receive(reply) {
        case .wait: break
        case .more: _ = transaction.more()
        case .content:
          if transaction.isChunked { _ = transaction.chunk(10, isLast: true) } else { transaction.contentEnds() }
        case .finished(let delivery):
          let all = delivery.accepted + delivery.refused.map(\.address)
          // No recipient occurs twice, and each delivery has a reply.
          return Set(all).count == all.count && Set(all).isSubset(of: envelope.recipients)
            && (delivery.failure != nil || delivery.accepted.isEmpty || delivery.reply?.isPositive == true)
        }
      }
    } catch {
      return !error.message.isEmpty
    }
    return true
  }
}
