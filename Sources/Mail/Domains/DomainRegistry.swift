/// Facts about mail domains: aliases, support of address tags, providers of private mailboxes.
public struct DomainRegistry: Sendable {
  /// Domains of providers of private mailboxes, in lower case.
  public var personalDomains: Set<String>
  /// Aliases of other domains: `googlemail.com` for `gmail.com`; in lower case.
  public var domainAliases: [String: String]
  /// Domains at which `name+tag` is `name`; in lower case, aliases resolved.
  public var plusTagDomains: Set<String>
  /// The domains below which the public can register domains.
  public var publicSuffixes: PublicSuffixes

  /// The default for classification and replies.
  public static let standard = DomainRegistry()

  /// Domains of providers of private mailboxes, in lower case.
  public static let personalDomains: Set<String> = [
    "gmail.com", "googlemail.com", "icloud.com", "me.com", "mac.com", "outlook.com", "outlook.de", "hotmail.com",
    "hotmail.de", "live.com", "live.de", "msn.com", "yahoo.com", "yahoo.de", "ymail.com", "gmx.de", "gmx.net", "gmx.at",
    "gmx.ch", "gmx.com", "web.de", "t-online.de", "freenet.de", "arcor.de", "posteo.de", "posteo.net", "mailbox.org",
    "aol.com", "aol.de", "proton.me", "protonmail.com", "pm.me", "tutanota.com", "tuta.io", "fastmail.com",
    "bluewin.ch",
    "hispeed.ch", "zoho.com", "mail.de", "online.de", "vodafone.de", "qq.com", "163.com", "126.com",
  ]

  /// Creates a registry; each argument that is left out is the standard one.
  public init(
    personalDomains: Set<String> = Self.personalDomains,
    domainAliases: [String: String] = [
      "googlemail.com": "gmail.com", "vzw.com": "verizon.com", "me.com": "icloud.com", "mac.com": "icloud.com",
      "ymail.com": "yahoo.com", "rocketmail.com": "yahoo.com", "pm.me": "proton.me", "protonmail.com": "proton.me",
    ],
    plusTagDomains: Set<String> = ["gmail.com"], publicSuffixes: PublicSuffixes = .system
  ) {
    self.personalDomains = personalDomains
    self.domainAliases = domainAliases
    self.plusTagDomains = plusTagDomains
    self.publicSuffixes = publicSuffixes
  }

  /// The form of an address by which two are the same mailbox: lower case, the domain in Unicode, alias domains
  /// resolved, Gmail's tags removed.
  public func key(_ address: String) -> String {
    let mailbox = Address(address: Address.comparable(address.trimmingASCIIWhitespace))
    guard !mailbox.domain.isEmpty else { return mailbox.address }
    let domain = domainAliases[mailbox.domain] ?? mailbox.domain
    var local = mailbox.localPart
    if plusTagDomains.contains(domain), let plus = local.firstIndex(of: "+"), plus > local.startIndex {
      local = String(local[..<plus])
    }
    return "\(local)@\(domain)"
  }

  /// The registered domain, aliases resolved; addresses of one organisation share it.
  public func rootDomain(_ domain: String) -> String {
    let root = publicSuffixes.registrableDomain(domain) ?? domain.lowercased()
    return domainAliases[root] ?? root
  }

  /// Whether a list of addresses (`anna@example.org`) and domains (`@example.org` or `example.org`, with those below them)
  /// holds an address.
  public func list(_ list: Set<String>, holds address: Address) -> Bool {
    guard !list.isEmpty, !address.address.isEmpty else { return false }
    let key = key(address.address)
    let own = address.withUnicodeDomain.domain
    for entry in list {
      let name = entry.trimmingASCIIWhitespace.lowercased()
      let domain = DomainName.unicode(in: name.hasPrefix("@") ? String(name.dropFirst()) : name)
      if domain.contains("@") {
        if self.key(name) == key { return true }
      } else if !domain.isEmpty, own == domain || own.hasSuffix(".\(domain)") {
        return true
      }
    }
    return false
  }
}
