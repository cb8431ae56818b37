import PluginKit

/// The ids of calls of tools in a conversation, as one service accepts them.
///
/// A conversation may have begun with another provider, and ids that Sous has made (`call_1`) repeat in each round.
public enum ToolCallIDs {
  /// The letters of a short id.
  private static let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  /// The length of the ids that Mistral accepts.
  private static let shortLength = 9

  /// The turns with ids that differ from each other, each written as `form` says.
  static func mapped(_ turns: [ChatTurn], _ form: (String) -> String) -> [ChatTurn] {
    var turns = turns
    var used: Set<String> = []
    // The new ids of the calls that are not answered yet, by the id that the provider gave.
    var open: [String: [String]] = [:]
    for place in turns.indices {
      if !turns[place].toolCalls.isEmpty { open = [:] }
      for call in turns[place].toolCalls.indices {
        let given = turns[place].toolCalls[call].id
        var id = form(given)
        var number = 2
        while id.isEmpty || !used.insert(id).inserted {
          id = form("\(given)_\(number)")
          number += 1
        }
        turns[place].toolCalls[call].id = id
        open[given, default: []].append(id)
      }
      guard turns[place].role == .tool, let given = turns[place].toolCallID else { continue }
      if var ids = open[given], let id = ids.first {
        turns[place].toolCallID = id
        if ids.count > 1 { ids.removeFirst() }
        open[given] = ids
      } else {
        turns[place].toolCallID = form(given)
      }
    }
    return turns
  }

  /// An id of nine letters and digits; the id itself if it is one.
  public static func short(_ id: String) -> String {
    if id.count == shortLength, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) { return id }
    return hashed(id, shortLength)
  }

  /// An id of at most 40 letters, as OpenAI accepts them.
  public static func bounded(_ id: String) -> String { id.utf8.count <= 40 ? id : "call_" + hashed(id, 10) }

  /// FNV-1a with 64 bits in base 62: the same id in every process.
  private static func hashed(_ id: String, _ count: Int) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var result = ""
    for _ in 0..<count {
      result.append(letters[Int(hash % 62)])
      hash /= 62
    }
    return result
  }
}
