/// A version of a plugin, ordered as Semantic Versioning 2.0.0 orders versions (section 11).
///
/// A text of another form is a version too: parts between dots are compared as numbers if both are numbers, else as texts.
public struct PluginVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The version as it is written.
  public let description: String
  private let core: [Substring]
  private let prerelease: [Substring]

  /// Reads a version; build metadata after `+` does not count.
  public init(_ text: String) {
    description = text
    let plain = text.prefix { $0 != "+" }
    let number = plain.prefix { $0 != "-" }
    core = number.split(separator: ".", omittingEmptySubsequences: false)
    prerelease =
      number.endIndex == plain.endIndex
      ? [] : plain[number.endIndex...].dropFirst().split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Whether the version is a pre-release, such as `1.2.0-beta.1`.
  public var isPrerelease: Bool { !prerelease.isEmpty }

  /// Whether the left version is older.
  public static func < (left: PluginVersion, right: PluginVersion) -> Bool { order(left, right) < 0 }

  /// Whether no version is older than the other: build metadata and trailing zeros do not count.
  public static func == (left: PluginVersion, right: PluginVersion) -> Bool { order(left, right) == 0 }

  /// Hashes the number of the version alone, as equal versions may be written differently.
  public func hash(into hasher: inout Hasher) { hasher.combine(core.first.flatMap { UInt64($0) }) }

  private static func order(_ left: PluginVersion, _ right: PluginVersion) -> Int {
    for index in 0..<max(left.core.count, right.core.count) {
      let parts = (left.core.count > index ? left.core[index] : "0", right.core.count > index ? right.core[index] : "0")
      let order = order(parts.0, parts.1)
      if order != 0 { return order }
    }
    // A version without a pre-release is newer than the same one with it.
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return (left.prerelease.isEmpty ? 1 : 0) - (right.prerelease.isEmpty ? 1 : 0)
    }
    for (mine, other) in zip(left.prerelease, right.prerelease) {
      let order = order(mine, other)
      if order != 0 { return order }
    }
    return left.prerelease.count - right.prerelease.count
  }

  private static func order(_ left: Substring, _ right: Substring) -> Int {
    switch (UInt64(left), UInt64(right)) {
    case (let left?, let right?): left == right ? 0 : left < right ? -1 : 1
    case (.some, nil): -1
    case (nil, .some): 1
    case (nil, nil): left == right ? 0 : left < right ? -1 : 1
    }
  }
}
