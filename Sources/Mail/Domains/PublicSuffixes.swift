import Glibc

/// The domains below which the public can register domains (the Public Suffix List, https://publicsuffix.org/list/).
public struct PublicSuffixes: Sendable {
  /// Whether only the short built-in list is known, as the system's file is absent.
  public let isBuiltIn: Bool
  private var rules: Set<String> = []
  private var wildcards: Set<String> = []
  private var exceptions: Set<String> = []

  /// Where Debian's package `publicsuffix` puts the list.
  public static let systemPath = "/usr/share/publicsuffix/public_suffix_list.dat"

  /// The list of the system, read at the first use, or else the built-in one: see ``isBuiltIn``.
  public static let system: PublicSuffixes = {
    guard let bytes = read(systemPath) else { return PublicSuffixes(list: builtInList, isBuiltIn: true) }
    return PublicSuffixes(list: String(decoding: bytes, as: UTF8.self))
  }()

  /// Reads a list in the format of the Public Suffix List: a rule a line, `//` before remarks.
  public init(list: String) { self.init(list: list, isBuiltIn: false) }

  private init(list: String, isBuiltIn: Bool) {
    self.isBuiltIn = isBuiltIn
    for line in list.utf8.split(whereSeparator: { $0 == UInt8.lineFeed || $0 == UInt8.carriageReturn }) {
      let bytes = line.prefix { !$0.isMailWhitespace }
      guard let first = bytes.first, first != UInt8(ascii: "/"), let rule = String(bytes) else { continue }
      if first == UInt8(ascii: "!") {
        exceptions.insert(String(rule.dropFirst()))
      } else if rule.hasPrefix("*.") {
        wildcards.insert(String(rule.dropFirst(2)))
      } else {
        rules.insert(rule)
      }
    }
  }

  /// The registered domain, in lower case and Unicode: `example.co.uk` for `mail.example.co.uk`.
  ///
  /// - Returns: `nil` if the domain is a public suffix itself, empty, or an address in numbers.
  public func registrableDomain(_ domain: String) -> String? {
    let name = DomainName.unicode(in: domain.lowercased().trimmingASCIIWhitespace)
    let labels = name.split(separator: ".", omittingEmptySubsequences: true).suffix(20)
    guard let last = labels.last, labels.count > 1, !last.allSatisfy(\.isNumber), !name.hasPrefix("[") else {
      return nil
    }
    // From the longest name down: the first rule that holds is the longest.
    for start in labels.indices {
      let rest = labels[start...].joined(separator: ".")
      if exceptions.contains(rest) { return labels[start...].joined(separator: ".") }
      let parent = labels[(start + 1)...].joined(separator: ".")
      if rules.contains(rest) || wildcards.contains(parent) {
        return start > labels.startIndex ? labels[(start - 1)...].joined(separator: ".") : nil
      }
    }
    // The list's own default rule is `*`.
    return labels.suffix(2).joined(separator: ".")
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { chunk.deallocate() }
    while bytes.count < 4 << 20 {
      let count = fread(chunk.baseAddress, 1, chunk.count, file)
      if count <= 0 { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// The suffixes of two labels that are met most often; a single label needs no rule.
  private static let builtInList = """
    co.uk\norg.uk\nac.uk\ngov.uk\nme.uk\nltd.uk\nplc.uk\nnet.uk\nsch.uk\nnhs.uk\nco.at\nor.at\nac.at\ngv.at\nco.jp\nne.jp
    or.jp\nac.jp\ngo.jp\ncom.au\nnet.au\norg.au\nedu.au\ngov.au\nco.nz\nnet.nz\norg.nz\nac.nz\ncom.br\nnet.br\norg.br
    gov.br\nco.in\nnet.in\norg.in\nco.kr\nor.kr\ncom.cn\nnet.cn\norg.cn\ncom.tr\ncom.mx\nco.za\norg.za\nco.il\nac.il
    com.tw\ncom.hk\ncom.sg\ncom.ar\ncom.pl\nnet.pl\norg.pl\ncom.ua\ncom.ru\ncom.es\ncom.pt\ngithub.io\nblogspot.com
    appspot.com\nherokuapp.com\ncloudfront.net\nazurewebsites.net
    """
}
