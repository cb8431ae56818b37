import Expressions
import Foundation
package import Localization

/// Providers that other programs have in JSON: language models (`config.ai.providers.list`) and mail accounts
/// (`mail.accounts`), as entries of `sous.yaml`. Keys and passwords are kept apart.
package struct ForeignProviders: Sendable {
  /// An entry below `providers:`.
  package struct Entry: Sendable {
    /// Its name.
    package var name: String
    /// Its settings, on one line: `{ plugin: openai, … }`.
    package var settings: String
  }

  /// The entries.
  package private(set) var entries: [Entry] = []
  /// The secrets that they name.
  package private(set) var secrets: [(name: String, value: String)] = []
  /// What a person should know.
  package private(set) var remarks: [LocalizedText] = []
  /// The name of the provider that was chosen for `chat`.
  package private(set) var chosen: String?
  private var taken: Set<String>

  /// Reads an array of providers or accounts, an object that holds some, or the texts of the older single provider.
  ///
  /// - Parameters:
  ///   - bytes: The JSON.
  ///   - taken: The names of providers that are in use.
  package init(_ bytes: [UInt8], taken: [String]) throws(CatalogError) {
    self.taken = Set(taken)
    let json: Value
    do {
      json = try Value(json: bytes)
    } catch {
      throw CatalogError(.broken, LocalizedText("this is no JSON: ", de: "das ist kein JSON: ") + error.message)
    }
    let selected = Self.inner(json["config.ai.providers.selected"])?.stringValue?.uppercased()
    let lists = [json, Self.inner(json["config.ai.providers.list"]), Self.inner(json["mail.accounts"])]
    for list in lists.compactMap({ $0?.listValue }) {
      guard list.count <= 1000 else {
        throw CatalogError(.broken, "at most 1000 entries are read", de: "höchstens 1000 Einträge werden gelesen")
      }
      for (index, element) in list.enumerated() {
        guard let map = element.mapValue else {
          throw CatalogError(.broken, "[\(index)]: an object is expected", de: "[\(index)]: erwartet wird ein Objekt")
        }
        if map["recvHost"] != nil || map["smtpHost"] != nil {
          account(map)
        } else if map["baseUrl"] != nil || map["type"] != nil {
          model(map, isChosen: selected != nil && map["id"]?.stringValue?.uppercased() == selected)
        } else {
          throw CatalogError(
            .broken, "[\(index)]: neither a provider nor a mail account",
            de: "[\(index)]: weder ein Provider noch ein Mailkonto")
        }
      }
    }
    if let address = json["config.ai.server.address"]?.stringValue {
      model(
        [
          "name": "ai", "baseUrl": .string(address), "port": json["config.ai.server.port"] ?? "",
          "apiKey": json["config.ai.server.apikey"] ?? "", "model": json["config.ai.server.model"] ?? "",
        ], isChosen: true)
    }
    guard !entries.isEmpty else {
      throw CatalogError(
        .broken,
        remarks.reduce(
          LocalizedText(
            "the file has no provider and no mail account that can be taken over",
            de: "die Datei hat keinen Provider und kein Mailkonto, das sich übernehmen lässt")
        ) { $0 + LocalizedText(verbatim: "\n  ") + $1 })
    }
  }

  /// Older storage keeps arrays as texts of JSON.
  private static func inner(_ value: Value?) -> Value? {
    guard let text = value?.stringValue else { return value }
    return (try? Value(json: text)) ?? value
  }

  // MARK: Language models

  private mutating func model(_ map: ValueMap, isChosen: Bool) {
    func text(_ name: String) -> String { map[name]?.stringValue?.trimmingCharacters(in: .whitespaces) ?? "" }
    let address = text("baseUrl")
    let title = text("name").isEmpty ? Self.word(map["type"]) : text("name")
    guard let plugin = Self.plugin(Self.word(map["type"]), address) else {
      let type = map["type"]?.stringValue ?? Self.word(map["type"])
      remarks.append(
        LocalizedText(
          "\(title): left out, as its type '\(type)' is none of openai, mistral, ollama and custom",
          de:
            "\(title): ausgelassen, denn der Typ '\(type)' ist keiner von openai, mistral, ollama und custom"
        ))
      return
    }
    let name = unused(title)
    var settings = ["plugin: \(plugin)"]
    if let base = Self.base(address, text("port"), plugin) { settings.append("base_url: \(YAMLText.quoted(base))") }
    if !text("model").isEmpty { settings.append("model: \(YAMLText.quoted(text("model")))") }
    if !text("apiKey").isEmpty { settings.append("api_key: \(secret(name, "KEY", text("apiKey")))") }
    if let temperature = map["temperature"]?.doubleValue { settings.append("temperature: \(temperature)") }
    entries.append(Entry(name: name, settings: "{ " + settings.joined(separator: ", ") + " }"))
    tellRest(of: map, title, besides: ["name", "type", "baseUrl", "port", "model", "apiKey", "temperature"])
    if isChosen { chosen = name }
  }

  /// The plugin for a type, or for an address; `nil` where the type is another one.
  private static func plugin(_ type: String, _ address: String) -> String? {
    switch type {
    case "openai", "mistral", "ollama": type
    case _ where address.contains("openai.com"): "openai"
    case _ where address.contains("mistral.ai"): "mistral"
    case "custom", "": "ollama"
    default: nil
    }
  }

  /// The address with its port; `nil` for that of the vendor.
  private static func base(_ address: String, _ port: String, _ plugin: String) -> String? {
    guard !address.isEmpty, var parts = URLComponents(string: address.contains("://") ? address : "https://" + address)
    else { return nil }
    if parts.port == nil { parts.port = Int(port) ?? (plugin == "ollama" ? 11434 : nil) }
    if parts.port == 443, parts.scheme == "https" { parts.port = nil }
    let isVendor = ["api.openai.com", "api.mistral.ai"].contains(parts.host ?? "") && parts.port == nil
    if isVendor { return nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    if plugin != "ollama", parts.path.isEmpty { parts.path = "/v1" }
    return parts.string
  }

  // MARK: Mail

  private mutating func account(_ map: ValueMap) {
    func text(_ name: String) -> String { map[name]?.stringValue?.trimmingCharacters(in: .whitespaces) ?? "" }
    let title = text("accountName").isEmpty ? text("emailAddress") : text("accountName")
    let receiver = text("recvUsername")
    let timeout = map["connectionTimeoutSec"]?.intValue.flatMap { $0 > 0 ? $0 : nil }
    if Self.word(map["recvProtocol"]) == "pop3" {
      remarks.append(
        LocalizedText(
          "\(title): POP3 is not supported; add the account by IMAP",
          de: "\(title): POP3 gibt es nicht; das Konto über IMAP anlegen"))
    } else if !text("recvHost").isEmpty {
      let name = unused(title)
      var settings = ["plugin: imap", "host: \(YAMLText.quoted(text("recvHost")))"]
      settings += transport(map, "recv", implicit: 993, title)
      if !receiver.isEmpty { settings.append("user: \(YAMLText.quoted(receiver))") }
      if !text("recvPassword").isEmpty {
        settings.append("password: \(secret(name, "PASSWORD", text("recvPassword")))")
      }
      if !receiver.contains("@"), !text("emailAddress").isEmpty {
        settings.append("from: \(YAMLText.quoted(text("emailAddress")))")
      }
      if let folders = Self.folders(map) { settings.append("folders: \(folders)") }
      if let timeout { settings.append("connect_timeout: \(timeout)s") }
      entries.append(Entry(name: name, settings: "{ " + settings.joined(separator: ", ") + " }"))
    }
    if !text("smtpHost").isEmpty {
      let name = unused(title + "-out")
      var settings = ["plugin: smtp", "host: \(YAMLText.quoted(text("smtpHost")))"]
      settings += transport(map, "smtp", implicit: 465, title)
      // Without an own user and password those for receiving count.
      let user = text("smtpUsername").isEmpty ? receiver : text("smtpUsername")
      let password = text("smtpPassword").isEmpty ? text("recvPassword") : text("smtpPassword")
      if !user.isEmpty { settings.append("user: \(YAMLText.quoted(user))") }
      if !password.isEmpty { settings.append("password: \(secret(name, "PASSWORD", password))") }
      let sender =
        text("displayName").isEmpty ? text("emailAddress") : "\(text("displayName")) <\(text("emailAddress"))>"
      if !text("emailAddress").isEmpty { settings.append("from: \(YAMLText.quoted(sender))") }
      if !text("replyTo").isEmpty { settings.append("reply_to: \(YAMLText.quoted(text("replyTo")))") }
      if let timeout { settings.append("timeouts: { connect: \(timeout) }") }
      entries.append(Entry(name: name, settings: "{ " + settings.joined(separator: ", ") + " }"))
    }
    if !text("oauthToken").isEmpty {
      remarks.append(
        LocalizedText(
          "\(title): tokens of other programs are not taken over; sign in with 'sous auth login'",
          de: "\(title): Tokens anderer Programme werden nicht übernommen; mit 'sous auth login' anmelden"))
    }
    let sides = ["Protocol", "Host", "Port", "Encryption", "Username", "Password"].flatMap {
      ["recv" + $0, "smtp" + $0]
    }
    let known = ["accountName", "displayName", "emailAddress", "replyTo", "connectionTimeoutSec", "oauthToken"]
    tellRest(of: map, title, besides: sides + known)
  }

  private static let folderNames = ["sent": "Sent", "drafts": "Drafts", "trash": "Trash", "spam": "Spam"]

  /// Whether a field holds the names of folders, whatever it is called.
  private static func isFolders(_ value: Value) -> Bool {
    value.mapValue.map { $0.count > 0 && $0.keys.allSatisfy { $0.text == "inbox" || folderNames[$0.text] != nil } }
      ?? false
  }

  /// The folders whose names are not the usual ones; those are found by themselves.
  private static func folders(_ map: ValueMap) -> String? {
    let own = (map.entries.first { isFolders($0.value) }?.value.mapValue ?? ValueMap()).entries.compactMap { entry in
      entry.value.stringValue.flatMap { name in
        name.isEmpty || entry.key.text == "inbox" || folderNames[entry.key.text] == name
          ? nil : "\(entry.key.text): \(YAMLText.quoted(name))"
      }
    }
    return own.isEmpty ? nil : "{ " + own.joined(separator: ", ") + " }"
  }

  /// Names the fields that say something and have no place in `sous.yaml`.
  private mutating func tellRest(of map: ValueMap, _ title: String, besides known: [String]) {
    let left = map.entries.filter { entry in
      let isEmpty = entry.value.isNull || entry.value == false || entry.value == ""
      return !isEmpty && entry.key.text != "id" && !known.contains(entry.key.text) && !Self.isFolders(entry.value)
    }.map(\.key.text)
    guard !left.isEmpty else { return }
    let names = left.joined(separator: ", ")
    remarks.append(LocalizedText("\(title): not taken over: \(names)", de: "\(title): nicht übernommen: \(names)"))
  }

  private mutating func transport(_ map: ValueMap, _ side: String, implicit: Int64, _ title: String) -> [String] {
    let port = map[side + "Port"]?.intValue
    let tls: String
    switch Self.word(map[side + "Encryption"]) {
    case "starttls": tls = "starttls"
    case "ssltls", "tls", "ssl": tls = "implicit"
    case "none":
      tls = "none"
      remarks.append(
        LocalizedText(
          "\(title): the connection is not encrypted; passwords can be read on the way",
          de: "\(title): die Verbindung ist nicht verschlüsselt; Passwörter sind unterwegs lesbar"))
    default: tls = port == nil || port == implicit ? "implicit" : "starttls"
    }
    return (port.map { ["port: \($0)"] } ?? []) + ["tls: \(tls)"]
  }

  // MARK: Parts

  /// An enumeration as a text in any case, or in Swift's form `{"imap": {}}`.
  private static func word(_ value: Value?) -> String {
    (value?.stringValue ?? value?.mapValue?.keys.first?.text ?? "").lowercased()
  }

  private mutating func unused(_ title: String) -> String {
    // The names of providers are ASCII: `Büro` becomes `buero`.
    let spelled = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")].reduce(CatalogNames.slug(title)) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
    let letters = spelled.folding(options: .diacriticInsensitive, locale: nil).filter { $0.isASCII }
    let base = letters.contains { $0 != "-" } ? letters : "provider"
    var name = base
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }

  private mutating func secret(_ provider: String, _ kind: String, _ value: String) -> String {
    let letters = provider.uppercased().unicodeScalars.map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
    }
    var base = String(letters) + "_" + kind
    if base.first?.isNumber == true { base = "P_" + base }
    var name = base
    var number = 2
    while secrets.contains(where: { $0.name == name }) {
      name = "\(base)_\(number)"
      number += 1
    }
    secrets.append((name, value))
    return "{ secret: \(name) }"
  }
}
