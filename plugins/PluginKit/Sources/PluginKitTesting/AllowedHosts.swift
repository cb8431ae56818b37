import PluginKit

/// Which hosts a plugin may reach: those of its manifest, and those its configuration names.
struct AllowedHosts: Sendable {
  private let patterns: [String]

  init(_ declared: [String], configuration: JSONValue) {
    patterns = declared.compactMap { entry in
      guard entry.hasPrefix("{"), entry.hasSuffix("}") else { return entry.lowercased() }
      var value: JSONValue? = configuration
      for name in entry.dropFirst().dropLast().split(separator: ".") { value = value?[String(name)] }
      guard let text = value?.string else { return nil }
      return AllowedHosts.host(of: text) ?? text.lowercased()
    }
  }

  func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    return patterns.contains { pattern in
      pattern == host || (pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst()))
    }
  }

  /// Why a URL is refused; `nil` if it is allowed.
  func refusal(of url: String) -> ActionError? {
    guard let host = AllowedHosts.host(of: url) else {
      return ActionError(
        .invalidInput, "'\(url)' is no http or https URL.", german: "'\(url)' ist keine http- oder https-URL.")
    }
    return refusal(ofHost: host)
  }

  func refusal(ofHost host: String) -> ActionError? {
    guard !contains(host) else { return nil }
    return ActionError(
      .auth, "The plugin may not reach \(host).", german: "Das Plugin darf \(host) nicht erreichen.",
      advice: "Name the host in `hosts` of the manifest.",
      adviceGerman: "Den Host in `hosts` des Manifests nennen.")
  }

  /// The host of a URL, in lowercase and without brackets.
  static func host(of url: String) -> String? {
    let lowered = url.lowercased()
    guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix) else { return nil }
    let authority = lowered.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    // A user in front of the host is refused by the real one.
    guard !authority.contains("@") else { return nil }
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      return String(authority[authority.index(after: authority.startIndex)..<end])
    }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : String(host)
  }
}
