import Expressions
import Localization
import Plans
import PluginHost
import Schemas

extension ConformanceSuite {
  /// Whether the manifest tells what users and the host need.
  func manifestCheck() -> CheckResult {
    var findings: [Finding] = []
    if manifest.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?/) == nil {
      findings.append(
        .error(
          LocalizedText(
            "\"version\" is '\(manifest.version)', not a version like 1.2.0 (semver.org)",
            de: "'version' ist '\(manifest.version)', keine Version wie 1.2.0 (semver.org)")))
    }
    if manifest.summary.english.isEmpty {
      findings.append(.error(LocalizedText("\"summary\" is missing", de: "'summary' fehlt")))
    }
    if manifest.actions.isEmpty && manifest.triggers.isEmpty && manifest.contracts.isEmpty {
      findings.append(
        .advice(LocalizedText("it offers no action: nothing can use it", de: "keine Aktion: Nichts kann es benutzen")))
    }
    if reserved.contains(manifest.id) {
      findings.append(
        .error(
          LocalizedText(
            "its id '\(manifest.id)' is what actions of Sous or of a contract begin with; take another",
            de: "mit seiner ID '\(manifest.id)' beginnen Aktionen von Sous oder eines Vertrags; eine andere nehmen")))
    }
    for action in manifest.actions where action.summary.english.isEmpty {
      findings.append(
        .error(LocalizedText("'\(action.name)' has no summary", de: "'\(action.name)' hat keine 'summary'")))
    }
    let settings = manifest.configuration.document["properties"]
    for name in manifest.secrets where settings != nil {
      let path = name.split(separator: ".").map(String.init)
      if let first = path.first, settings?[first] == nil {
        findings.append(
          .error(
            LocalizedText(
              "the secret '\(name)' is no setting of \"config\"",
              de: "das Geheimnis '\(name)' ist keine Einstellung in 'config'")))
      }
    }
    for host in manifest.hosts {
      guard host.hasPrefix("{"), host.hasSuffix("}") else {
        if host.contains("/") || host.contains(" ") || host == "*" {
          findings.append(
            .error(
              LocalizedText(
                "'\(host)' in \"hosts\" is no host name like api.example.com or *.example.com",
                de: "'\(host)' in 'hosts' ist kein Rechnername wie api.example.com oder *.example.com")))
        }
        continue
      }
      let setting = String(host.dropFirst().dropLast())
      if settings?[setting] == nil {
        findings.append(
          .error(
            LocalizedText(
              "'\(host)' in \"hosts\" names no setting of \"config\"",
              de: "'\(host)' in 'hosts' nennt keine Einstellung aus 'config'")))
      }
    }
    return CheckResult(
      .manifest, LocalizedText("\(manifest.id) \(manifest.version)", de: "\(manifest.id) \(manifest.version)"), findings
    )
  }

  /// Whether the schemas can be used, and are there where no contract defines them.
  func schemaCheck() -> CheckResult {
    var findings: [Finding] = []
    var count = 0
    func look(_ schema: Schema?, _ place: String) {
      guard let schema else { return }
      count += 1
      for problem in schema.problems() {
        let path = problem.path.isEmpty ? "" : " (\(problem.pathText))"
        findings.append(.error(LocalizedText(verbatim: "\(place)\(path): ") + problem.message))
      }
    }
    look(manifest.configuration, "config")
    for action in manifest.actions {
      look(action.input, "\(action.name) input")
      look(action.output, "\(action.name) output")
      guard contractSignature(of: action.name) == nil else { continue }
      for (word, schema) in [("input", action.input), ("output", action.output)] where schema == nil {
        findings.append(
          .error(
            LocalizedText(
              "'\(action.name)' belongs to no contract it claims and has no \"\(word)\" schema",
              de: "'\(action.name)' gehört zu keinem seiner Verträge und hat kein Schema '\(word)'")))
      }
    }
    for trigger in manifest.triggers {
      look(trigger.settings, "\(trigger.name) settings")
      look(trigger.event, "\(trigger.name) event")
    }
    let noun = count == 1 ? "1 schema" : "\(count) schemas"
    return CheckResult(.schemas, LocalizedText(noun, de: count == 1 ? "1 Schema" : "\(count) Schemata"), findings)
  }

  /// Whether each claimed contract is carried out whole, but for what it leaves to the plugin.
  func contractCheck() -> CheckResult {
    var findings: [Finding] = []
    for claim in manifest.contracts {
      guard let contract = contract(claim) else {
        findings.append(
          .error(
            LocalizedText(
              "'\(claim)' is no contract that this Sous knows; known are \(Self.contractList)",
              de: "'\(claim)' ist kein Vertrag, den dieses Sous kennt; bekannt sind \(Self.contractList)")))
        continue
      }
      for signature in contract.signatures {
        guard let action = manifest.action(named: signature.name) else {
          if signature.isOptional { continue }
          findings.append(
            .error(
              LocalizedText(
                "it claims '\(claim)' and has no action '\(signature.name)'",
                de: "es gibt '\(claim)' an und hat keine Aktion '\(signature.name)'")))
          continue
        }
        findings += differences(action, signature)
      }
      for signature in contract.triggers where manifest.trigger(named: signature.name) == nil {
        findings.append(
          .error(
            LocalizedText(
              "it claims '\(claim)' and has no trigger '\(signature.name)'",
              de: "es gibt '\(claim)' an und hat keinen Auslöser '\(signature.name)'")))
      }
    }
    for name in manifest.actions.map(\.name) + manifest.triggers.map(\.name) {
      guard !isOwn(name), contractSignature(of: name) == nil, contractTrigger(name) == nil else { continue }
      findings.append(
        .error(
          LocalizedText(
            "'\(name)' is neither its own, '\(manifest.id).…', nor of a contract that it claims: no recipe finds it",
            de: "'\(name)' ist weder seine eigene, '\(manifest.id).…', noch aus einem Vertrag, den es angibt: kein "
              + "Rezept findet sie")))
    }
    let list = manifest.contracts.isEmpty ? "–" : manifest.contracts.joined(separator: ", ")
    return CheckResult(.contracts, LocalizedText(list, de: list), findings, isSkipped: manifest.contracts.isEmpty)
  }

  /// Where an action does not keep to its contract.
  private func differences(_ action: PluginManifest.Action, _ signature: ActionSignature) -> [Finding] {
    var findings: [Finding] = []
    if action.effect != signature.effect {
      findings.append(
        .error(
          LocalizedText(
            "'\(action.name)' has the effect '\(action.effect.rawValue)'; the contract says '\(signature.effect.rawValue)'",
            de:
              "'\(action.name)' hat die Wirkung '\(action.effect.rawValue)'; der Vertrag sagt '\(signature.effect.rawValue)'"
          )))
    }
    if let input = action.input, let sample = SampleInput(schema: signature.input).valid,
      !input.validate(signature.input.fillingDefaults(sample)).isEmpty
    {
      findings.append(
        .error(
          LocalizedText(
            "the input schema of '\(action.name)' refuses what the contract allows: \(sample.jsonString)",
            de: "das Eingabeschema von '\(action.name)' lehnt ab, was der Vertrag erlaubt: \(sample.jsonString)")))
    }
    return findings
  }

  /// Whether a name is one of the plugin's own: its id, and one word.
  private func isOwn(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return name[..<dot] == manifest.id
  }

  private static var contractList: String {
    BundledContract.all.map(\.claim).joined(separator: ", ")
  }

  /// The contract of a claim such as `chat/1`.
  func contract(_ claim: String) -> BundledContract? { BundledContract.claimed(claim) }

  /// The claimed contracts.
  private var contracts: [BundledContract] { manifest.contracts.compactMap(contract) }

  /// What a claimed contract says about an action.
  func contractSignature(of action: String) -> ActionSignature? {
    contracts.lazy.flatMap(\.signatures).first { $0.name == action }
  }

  /// What a claimed contract says about a trigger.
  func contractTrigger(_ trigger: String) -> TriggerSignature? {
    contracts.lazy.flatMap(\.triggers).first { $0.name == trigger }
  }

  /// The input of an action: the plugin's word, or the contract's.
  func inputSchema(of action: PluginManifest.Action) -> Schema {
    action.input ?? contractSignature(of: action.name)?.input ?? .anything
  }
}
