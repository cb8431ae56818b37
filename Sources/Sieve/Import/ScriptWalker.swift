import Localization

/// Goes through a script and notes what it does under which condition, in its order.
///
/// Variables are followed with their values. Where branches leave different ones, what comes after them is gone through
/// once for each.
struct ScriptWalker {
  /// The most items; a filter has at most 500 rules.
  private static let most = 400

  /// A way through the script that goes on.
  private struct Way {
    var condition: Formula
    var state: ScriptState
  }

  let problems: Problems
  let options: SieveImport.Options
  let expansion: Expansion
  private(set) var items: [ScriptItem] = []
  private var hasTooMany = false
  /// Whether a condition was left out: later actions may be for messages that the script would not have let through.
  private var isUncertain = false

  /// Commands that take no message out of its folder: without them the rest is still right.
  private static let harmless: Set<String> = [
    "addflag", "addheader", "debug_log", "deleteheader", "denotify", "error", "global", "notify", "removeflag",
    "require",
    "set", "setflag", "vacation",
  ]

  init(_ problems: Problems, _ options: SieveImport.Options, hasVariables: Bool) {
    self.problems = problems
    self.options = options
    expansion = Expansion(problems: problems, isWanted: hasVariables)
  }

  /// Goes through a script.
  mutating func walk(_ commands: [SieveCommand]) {
    _ = walk(commands[...], [Way(condition: .constant(true), state: ScriptState())], title: nil)
  }

  /// Goes through the commands of a block on several ways; returns those that reach its end.
  private mutating func walk(_ commands: ArraySlice<SieveCommand>, _ ways: [Way], title: String?) -> [Way] {
    var ways = ways
    var rest = commands
    while let command = rest.first, !ways.isEmpty {
      guard items.count < Self.most, ways.count <= 64 else {
        if !hasTooMany {
          hasTooMany = true
          _ = problems.refuse(
            .init(
              "from here on the script would become too many rules",
              de: "von hier an würden aus dem Skript zu viele Regeln"), at: command.place)
        }
        return []
      }
      switch command.name {
      case "if":
        let end = rest.dropFirst().firstIndex { $0.name != "elsif" && $0.name != "else" } ?? rest.endIndex
        let branches = Array(rest[rest.startIndex..<end])
        ways = Self.merged(ways.flatMap { branch(branches, $0, title) }, from: ways)
        rest = rest[end...]
      case "elsif", "else":
        _ = problems.refuse(
          .init("'\(command.name)' without 'if'", de: "'\(command.name)' ohne 'if'"), at: command.place)
        rest = rest.dropFirst()
      default:
        let end = rest.firstIndex { $0.name == "if" || $0.name == "elsif" || $0.name == "else" } ?? rest.endIndex
        let actions = rest[rest.startIndex..<end]
        ways = ways.compactMap { act(actions, $0, title) }
        rest = rest[end...]
      }
    }
    return ways
  }

  /// Ways that know the same are one way; all of them together have the condition that they began with.
  private static func merged(_ ways: [Way], from origin: [Way]) -> [Way] {
    var groups: [(state: ScriptState, conditions: [Formula])] = []
    for way in ways {
      if let index = groups.firstIndex(where: { $0.state.variables == way.state.variables }) {
        groups[index].state.flags.formUnion(way.state.flags)
        groups[index].conditions.append(way.condition)
      } else {
        groups.append((way.state, [way.condition]))
      }
    }
    if groups.count == 1, origin.count == 1 { return [Way(condition: origin[0].condition, state: groups[0].state)] }
    return groups.map { Way(condition: .any(of: $0.conditions), state: $0.state) }
  }

  /// An `if` with its `elsif` and `else`.
  private mutating func branch(_ branches: [SieveCommand], _ way: Way, _ title: String?) -> [Way] {
    var condition = way.condition
    var ends: [Way] = []
    for branch in branches {
      let test: Formula
      do { test = try self.test(of: branch, way.state) } catch {
        // Later commands depend on it: with --partial the rest of the chain is left out.
        isUncertain = true
        return ends + [Way(condition: condition, state: way.state)]
      }
      let inside = Formula.all(of: [condition, test])
      if inside != .constant(false), let block = branch.block {
        ends += walk(block[...], [Way(condition: inside, state: way.state)], title: branch.title ?? title)
      }
      condition = .all(of: [condition, test.negated])
    }
    if condition != .constant(false) { ends.append(Way(condition: condition, state: way.state)) }
    return ends
  }

  private func test(of branch: SieveCommand, _ state: ScriptState) throws(UnsupportedByFilter) -> Formula {
    guard branch.block != nil else {
      throw problems.refuse(
        .init("'\(branch.name)' needs a block in braces", de: "'\(branch.name)' braucht einen Block in Klammern"),
        at: branch.place)
    }
    if branch.name == "else" { return .constant(true) }
    guard let test = branch.tests.first, branch.tests.count == 1 else {
      throw problems.refuse(
        .init("'\(branch.name)' needs a test", de: "'\(branch.name)' braucht einen Test"), at: branch.place)
    }
    return try TestTranslator(problems: problems, options: options, expansion: expansion, state: state).formula(test)
  }

  /// Actions that follow each other; `nil` if they end the script.
  private mutating func act(_ commands: ArraySlice<SieveCommand>, _ way: Way, _ title: String?) -> Way? {
    var way = way
    var reader = ActionReader(
      problems: problems, options: options, expansion: expansion, state: way.state, isUncertain: isUncertain)
    let first = items.count
    var isLeftAlone = false
    var item = ScriptItem(condition: way.condition, place: commands.first?.place ?? 0..<0, title: title)
    for command in commands {
      var effects = item.effects
      do {
        try reader.read(command, &effects)
      } catch {
        if command.name == "include" { isUncertain = true }
        isLeftAlone = isLeftAlone || command.name != "include" && !Self.harmless.contains(command.name)
        continue
      }
      if command.name == "stop" {
        item.stops = true
        break
      }
      // Flags count for what is stored after them.
      let setsFlags = effects.addedFlags != item.effects.addedFlags || effects.removedFlags != item.effects.removedFlags
      let hasStored = !item.effects.stores.isEmpty || item.effects.keeps
      if setsFlags, hasStored {
        items.append(item)
        item = ScriptItem(condition: way.condition, place: command.place, title: title)
        effects = ScriptEffects()
        reader.restart(&effects)
      }
      if item.effects.isEmpty { item.place = command.place }
      item.effects = effects
    }
    if isLeftAlone {
      // With --partial: where such a message belongs cannot be said, so no rule touches it.
      items.removeSubrange(first...)
      items.append(ScriptItem(condition: way.condition, stops: true, place: item.place, title: title))
      return nil
    }
    way.state = reader.state
    if !item.effects.isEmpty || item.stops { items.append(item) }
    return item.stops ? nil : way
  }
}
