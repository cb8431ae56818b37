import Localization

/// The arguments of a command or a test, tags apart from what they precede.
struct ArgumentReader {
  /// Tags that are followed by a value (RFC 5228, 5230, 5231, 5173, 5232, 5260, 5703).
  private static let valued: Set<String> = [
    "comparator", "value", "count", "zone", "content", "flags", "days", "seconds", "subject", "from", "addresses",
    "handle", "index", "mailboxid", "specialuse", "importance", "options", "message",
  ]

  let problems: Problems
  /// The name of the command or test.
  let owner: String
  let place: Range<Int>
  private var tags: [(name: String, range: Range<Int>, value: SieveArgument?)] = []
  private var positional: [SieveArgument] = []

  init(_ arguments: [SieveArgument], of owner: String, at place: Range<Int>, _ problems: Problems) {
    self.problems = problems
    self.owner = owner
    self.place = place
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      guard case .tag(let name) = argument.kind else {
        positional.append(argument)
        continue
      }
      var value: SieveArgument?
      if Self.valued.contains(name), index < arguments.count {
        value = arguments[index]
        index += 1
      }
      tags.append((name, argument.range, value))
    }
  }

  /// Takes a tag, if it is there.
  mutating func flag(_ name: String) -> Range<Int>? {
    guard let index = tags.firstIndex(where: { $0.name == name }) else { return nil }
    return tags.remove(at: index).range
  }

  /// Takes the texts behind a tag, if it is there.
  mutating func texts(behind name: String) throws(UnsupportedByFilter) -> [SieveString]? {
    guard let index = tags.firstIndex(where: { $0.name == name }) else { return nil }
    let tag = tags.remove(at: index)
    guard case .strings(let texts)? = tag.value?.kind else {
      throw problems.refuse(.init("':\(name)' needs a text", de: "':\(name)' braucht einen Text"), at: tag.range)
    }
    return texts
  }

  /// Takes the number behind a tag, if it is there.
  mutating func number(behind name: String) throws(UnsupportedByFilter) -> Int64? {
    guard let index = tags.firstIndex(where: { $0.name == name }) else { return nil }
    let tag = tags.remove(at: index)
    guard case .number(let number)? = tag.value?.kind else {
      throw problems.refuse(.init("':\(name)' needs a number", de: "':\(name)' braucht eine Zahl"), at: tag.range)
    }
    return number
  }

  /// Takes the next argument without a tag, as texts.
  mutating func texts() throws(UnsupportedByFilter) -> [SieveString] {
    guard !positional.isEmpty, case .strings(let texts) = positional[0].kind else {
      throw problems.refuse(
        .init("'\(owner)' needs a text here", de: "'\(owner)' braucht hier einen Text"),
        at: positional.first?.range ?? place)
    }
    positional.removeFirst()
    return texts
  }

  /// Takes the next argument without a tag, as one text.
  mutating func text() throws(UnsupportedByFilter) -> SieveString {
    let texts = try texts()
    guard let first = texts.first, texts.count == 1 else {
      throw problems.refuse(
        .init("'\(owner)' takes one text here", de: "'\(owner)' nimmt hier einen einzelnen Text"),
        at: texts.first?.range ?? place)
    }
    return first
  }

  /// Takes the next argument without a tag, as a number.
  mutating func number() throws(UnsupportedByFilter) -> Int64 {
    guard !positional.isEmpty, case .number(let number) = positional[0].kind else {
      throw problems.refuse(
        .init("'\(owner)' needs a number here", de: "'\(owner)' braucht hier eine Zahl"),
        at: positional.first?.range ?? place)
    }
    positional.removeFirst()
    return number
  }

  /// How many arguments without a tag are left.
  var count: Int { positional.count }

  /// Reports what is left.
  func finish() throws(UnsupportedByFilter) {
    if let tag = tags.first {
      throw problems.refuse(
        .init(
          "'\(owner)' with ':\(tag.name)' cannot be said in a filter",
          de: "'\(owner)' mit ':\(tag.name)' lässt sich in einem Filter nicht sagen"), at: tag.range)
    }
    if let argument = positional.first {
      throw problems.refuse(
        .init("'\(owner)' takes nothing more here", de: "'\(owner)' nimmt hier nichts weiter"), at: argument.range)
    }
  }
}
