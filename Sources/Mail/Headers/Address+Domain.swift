extension Address {
  /// The address with its domain in ASCII: `anna@xn--bcher-kva.example` for `anna@bücher.example`; `nil` if the domain is not
  /// a domain name.
  public var withASCIIDomain: Address? {
    guard domain.utf8.contains(where: { $0 >= 0x80 }) else { return self }
    guard let at = address.lastIndex(of: "@"), let domain = DomainName.ascii(domain) else { return nil }
    var copy = self
    copy.address = address[...at] + domain
    return copy
  }

  /// The form that is sent: the domain in ASCII, which every server takes, unless the local part needs a server with SMTPUTF8
  /// (RFC 6531) anyway: its only form is Unicode.
  public var sent: String {
    localPart.utf8.allSatisfy { $0 < 0x80 } ? withASCIIDomain?.address ?? address : address
  }

  /// The address with its domain in Unicode, one spelling for each domain: `anna@bücher.example` for
  /// `anna@xn--bcher-kva.example` and for `anna@BÜCHER.example`. A domain of ASCII letters alone stays as written.
  public var withUnicodeDomain: Address {
    let isPlain = address.utf8.allSatisfy { $0 < 0x80 }
    guard !isPlain || DomainName.mayHaveCodes(address), let ascii = withASCIIDomain,
      let at = ascii.address.lastIndex(of: "@")
    else { return self }
    let domain = DomainName.unicode(in: ascii.address[ascii.address.index(after: at)...].lowercased())
    guard domain.utf8.contains(where: { $0 >= 0x80 }) else { return self }
    var copy = self
    copy.address = ascii.address[...at] + domain
    return copy
  }

  /// The form in which two addresses are compared: lower case, the domain in Unicode.
  ///
  /// RFC 5321, section 2.4, lets a server distinguish local parts by their case; none of those in use does.
  public var comparable: String { withUnicodeDomain.address.lowercased() }

  /// The comparable form of an address that a user has written.
  public static func comparable(_ address: String) -> String { Address(address: address).comparable }
}
