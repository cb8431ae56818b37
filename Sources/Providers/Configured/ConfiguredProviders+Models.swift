package import Expressions
import Foundation
public import Localization
import Networking
public import Plans
import PluginHost
package import RecipeModel
import Schemas

extension ConfiguredProviders {
  // MARK: - What is asked

  /// A provider's settings with its plugin's defaults, without secrets; empty where its plugin cannot be looked at.
  private func settings(of name: String) -> Value {
    guard let manifest = try? manifests.manifest(of: try reference(of: name)) else { return .map([:]) }
    let own = configuration.provider(name)?.settings.value { _ in .null } ?? .map([:])
    return manifest.configuration.fillingDefaults(own)
  }

  /// The model that a provider is asked for; empty where nobody says.
  ///
  /// - Parameters:
  ///   - route: The provider, and the model where the route names one.
  ///   - action: The action: `chat.complete`.
  ///   - input: What it is given.
  package func model(of route: ProviderRoute, action: String, input: Value) -> String {
    if let model = route.model { return model }
    if let model = input["model"]?.stringValue, !model.isEmpty { return model }
    let setting =
      switch action.prefix(while: { $0 != "." }) {
      case "embed": "embedding_model"
      case "transcribe": "transcription_model"
      case "speak": "speech_model"
      default: "model"
      }
    return settings(of: route.provider)[setting]?.stringValue ?? ""
  }

  /// Tokens that a prompt and its answer may have together; `nil` where that is not known.
  func context(of provider: String, model: String) -> Int? {
    if let own = configuration.provider(provider)?.models.context { return own }
    if case .int(let number)? = settings(of: provider)["num_ctx"] { return Int(clamping: number) }
    return ModelTable().entry(of: model, vendor: vendor(of: provider))?.context
  }

  /// Whether a model can do something; `nil` where that is not known.
  func can(_ capability: ModelSettings.Capability, provider: String, model: String) -> Bool? {
    if let known = configuration.provider(provider)?.models.capabilities { return known.contains(capability) }
    guard passesOn(capability, provider: provider) else { return false }
    guard let entry = ModelTable().entry(of: model, vendor: vendor(of: provider)) else { return nil }
    return capability == .images ? entry.takesImages : nil
  }

  /// Whether a provider's plugin takes pictures, or offers tools; schemas are told in words where it does not.
  func passesOn(_ capability: ModelSettings.Capability, provider: String) -> Bool {
    guard capability != .schema, let manifest = try? manifests.manifest(of: try reference(of: provider)) else {
      return true
    }
    return manifest.action(named: "chat.complete")?.native.contains(capability.rawValue) != false
  }

  /// Whether a provider gets neutral texts only.
  public func neutralises(_ name: String) -> Bool { configuration.provider(name)?.neutralise != nil }

  // MARK: - What it costs

  /// What a million tokens of a model cost; `nil` where that is not known.
  package func price(of model: String, provider: String) -> EngineSettings.Price? {
    ModelTable(configuration.engine).price(
      of: model, provider: provider, vendor: vendor(of: provider), isLocal: remoteness(of: provider) == nil)
  }

  /// What a million tokens of a model cost, input and output taken together; `nil` where that is not known.
  public func price(of route: ProviderRoute) -> Double? {
    price(of: model(of: route, action: "chat.complete", input: .null), provider: route.provider)
      .map { $0.input + $0.output }
  }

  /// The vendor on whose own servers a provider's models are; `nil` for others'.
  private func vendor(of provider: String) -> String? {
    guard let plugin = pluginID(of: provider), let domain = Self.domains[plugin] else { return nil }
    guard let address = settings(of: provider)["base_url"]?.stringValue, let host = URL(string: address)?.host() else {
      return plugin
    }
    return host == domain || host.hasSuffix("." + domain) ? plugin : nil
  }

  private static let domains = ["openai": "openai.com", "mistral": "mistral.ai"]

  // MARK: - Where it is done

  /// Why a provider's work is not done on this machine or in the private network; `nil` where it is.
  ///
  /// What `local` in `sous.yaml` says counts; otherwise the address among its settings, or the hosts that its plugin is for.
  /// A plugin that reaches no host at all works here.
  public func remoteness(of name: String) -> LocalizedText? {
    let provider = configuration.provider(name)
    switch provider?.models.isLocal {
    case true?: return nil
    case false?: return LocalizedText("'local: false' stands in sous.yaml", de: "in sous.yaml steht 'local: false'")
    case nil: break
    }
    guard let manifest = try? manifests.manifest(of: try reference(of: name)) else { return nil }
    let settings = settings(of: name)
    let fromSettings = manifest.hosts.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .compactMap { settings[String($0.dropFirst().dropLast())]?.stringValue }.filter { !$0.isEmpty }
    let declared = manifest.hosts.filter { !$0.hasPrefix("{") }
    let hosts = (fromSettings.isEmpty ? declared : fromSettings) + (provider?.hosts.map(\.value) ?? [])
    guard let other = hosts.first(where: { !Self.isPrivate($0) }) else { return nil }
    return LocalizedText(
      "its address \(other) is neither this machine nor in a private network; 'local: true' in sous.yaml says otherwise",
      de: "seine Adresse \(other) ist weder diese Maschine noch in einem privaten Netz; 'local: true' in sous.yaml "
        + "sagt etwas anderes")
  }

  /// Whether an address, with or without a scheme and a port, is this machine or one of a private network: RFC 1918, RFC
  /// 4193, RFC 3927, RFC 6761 (localhost), RFC 6762 (.local), RFC 8375 (home.arpa), and `.internal`.
  static func isPrivate(_ address: String) -> Bool {
    let text = address.contains("://") ? address : "//" + address
    guard var host = URL(string: text)?.host()?.lowercased(), !host.isEmpty else { return false }
    if host.hasSuffix(".") { host.removeLast() }
    if host == "localhost" { return true }
    if [".localhost", ".local", ".home.arpa", ".internal"].contains(where: host.hasSuffix) { return true }
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
      let bytes = withUnsafeBytes(of: four.s_addr) { Array($0) }
      return isPrivate(bytes)
    }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var six = in6_addr()
    guard inet_pton(AF_INET6, bare, &six) == 1 else { return false }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes.last == 1 { return true }
    // An IPv4 address in IPv6, RFC 4291, 2.5.5.2.
    if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10...11].allSatisfy({ $0 == 0xFF }) {
      return isPrivate(Array(bytes.suffix(4)))
    }
    return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  private static func isPrivate(_ four: [UInt8]) -> Bool {
    switch (four[0], four[1]) {
    case (10, _), (127, _), (192, 168), (169, 254): true
    case (172, 16...31): true
    default: false
    }
  }
}
