public import Mail

/// Finds the messages of one conversation among many, by their identifiers.
///
/// Two messages belong together where one names the other in `References` or `In-Reply-To`, or both name a third.
public struct ThreadSearch<Place: Sendable>: Sendable {
  private struct Entry {
    var place: Place
    var identifiers: [String]
  }

  private var entries: [Entry] = []
  /// The entries that name an identifier, as positions in `entries`.
  private var index: [String: [Int]] = [:]

  /// Creates a search among no messages.
  public init() {}

  /// Adds a message.
  ///
  /// - Parameters:
  ///   - place: The place of the message, which the search returns.
  ///   - message: The message, or its header.
  public mutating func add(_ place: Place, _ message: Message) {
    let identifiers = Self.identifiers(message)
    for identifier in identifiers { index[identifier, default: []].append(entries.count) }
    entries.append(Entry(place: place, identifiers: identifiers))
  }

  /// The places of all messages in the conversation of a message, in the order in which they were added.
  public func places(of message: Message) -> [Place] {
    var found: Set<Int> = []
    var known = Set(Self.identifiers(message))
    var open = Array(known)
    while let identifier = open.popLast() {
      for position in index[identifier] ?? [] where found.insert(position).inserted {
        for other in entries[position].identifiers where known.insert(other).inserted { open.append(other) }
      }
    }
    return found.sorted().map { entries[$0].place }
  }

  private static func identifiers(_ message: Message) -> [String] {
    // A few hundred are a long conversation; a header of thousands is a person's joke.
    Array(((message.messageID.map { [$0] } ?? []) + message.threadReferences).prefix(500))
  }
}
