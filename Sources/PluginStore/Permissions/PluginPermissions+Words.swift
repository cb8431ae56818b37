public import Localization

extension PluginPermissions {
  /// The permissions as sentences, one for each kind of access, with those kinds that the plugin does not ask for.
  ///
  /// - Parameter isIsolated: Whether the plugin runs in a worker process; inside Sous nothing of this is enforced.
  public func sentences(isIsolated: Bool = true) -> [LocalizedText] {
    var result = [capabilityWords, hostWords, fileWords, secretWords, effectWords].compactMap(\.self)
    result.append(
      isIsolated
        ? LocalizedText(
          "It starts no programs and opens no connections of its own: it runs in a process without rights.",
          de: "Es startet keine Programme und öffnet keine eigenen Verbindungen: Es läuft in einem Prozess ohne Rechte."
        )
        : LocalizedText(
          "It runs inside Sous, which does not enforce this there: it can do all that you can do.",
          de: "Es läuft innerhalb von Sous, das dies dort nicht durchsetzt: Es kann alles, was Sie können."))
    return result
  }

  /// The kinds of access in these permissions, one sentence each, without those that it does not ask for.
  public var differenceSentences: [LocalizedText] {
    [
      capabilityWords, hosts.isEmpty ? nil : hostWords, files.isEmpty ? nil : fileWords,
      secrets.isEmpty ? nil : secretWords, effects.isEmpty ? nil : effectWords,
    ].compactMap(\.self)
  }

  private var capabilityWords: LocalizedText? {
    guard !capabilities.isEmpty else { return nil }
    let list = capabilities.joined(separator: ", ")
    return LocalizedText("It offers the contracts \(list).", de: "Es bietet die Verträge \(list).")
  }

  private var hostWords: LocalizedText {
    guard !hosts.isEmpty else {
      return LocalizedText(
        "It reaches no host, unless sous.yaml names one.", de: "Es erreicht keinen Host, außer sous.yaml nennt einen.")
    }
    func list(_ setting: (String) -> String, _ every: String) -> String {
      hosts.map { host in
        host == "*"
          ? every : host.hasPrefix("{") && host.hasSuffix("}") ? setting(String(host.dropFirst().dropLast())) : host
      }.joined(separator: ", ")
    }
    return LocalizedText(
      "It reaches these hosts: \(list({ "the host in the setting '\($0)'" }, "every public host")).",
      de: "Es erreicht diese Hosts: \(list({ "den Host in der Einstellung '\($0)'" }, "jeden öffentlichen Host")).")
  }

  private var fileWords: LocalizedText {
    guard !files.isEmpty else {
      return LocalizedText("It uses no files of yours.", de: "Es verwendet keine Ihrer Dateien.")
    }
    let english = files.map { "'\($0.setting)' (\($0.isWritable ? "reads and writes" : "reads"))" }
    let german = files.map { "'\($0.setting)' (\($0.isWritable ? "liest und schreibt" : "liest"))" }
    return LocalizedText(
      "It uses the files or folders in these settings: \(english.joined(separator: ", ")).",
      de: "Es verwendet die Dateien oder Ordner in diesen Einstellungen: \(german.joined(separator: ", ")).")
  }

  private var secretWords: LocalizedText {
    guard !secrets.isEmpty else {
      return LocalizedText("It reads no secrets.", de: "Es liest keine Geheimnisse.")
    }
    let list = secrets.map { "'\($0)'" }.joined(separator: ", ")
    return LocalizedText(
      "It reads the secrets in these settings: \(list).",
      de: "Es liest die Geheimnisse in diesen Einstellungen: \(list).")
  }

  private var effectWords: LocalizedText? {
    guard !effects.isEmpty else {
      return LocalizedText("Its actions change nothing outside.", de: "Seine Aktionen verändern nichts außerhalb.")
    }
    let list = effects.joined(separator: ", ")
    return LocalizedText(
      "These actions change something outside: \(list).", de: "Diese Aktionen verändern etwas außerhalb: \(list).")
  }
}
