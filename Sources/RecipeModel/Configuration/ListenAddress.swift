import Expressions
import Localization
import RecipeSyntax

/// An address and a port of this machine, as `listen` of `sous.yaml` has it: `127.0.0.1:8768`, `[::1]:8768`.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address, without brackets.
  public var host = "127.0.0.1"
  /// The port.
  public var port = 8768

  /// Creates the address where nothing is said: this machine alone can reach it.
  public init() {}

  /// Reads `ADDRESS:PORT` or `PORT`; `nil` where the text is something else.
  public init?(_ text: String) {
    var address = text[...]
    guard let digits = address.split(separator: ":", omittingEmptySubsequences: false).last,
      (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let port = Int(digits), (1...65_535).contains(port)
    else { return nil }
    self.port = port
    address = address.dropLast(digits.count)
    guard !address.isEmpty else { return }
    address = address.dropLast()
    if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
    let isAddress = address.utf8.allSatisfy { $0.isNameByte || ".:%-".utf8.contains($0) }
    guard !address.isEmpty, address.utf8.count <= 255, isAddress else { return nil }
    host = String(address)
  }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { host == "::1" || host == "localhost" || host.hasPrefix("127.") }

  /// `127.0.0.1:8768`.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension FieldReader {
  /// An address and a port.
  func listenAddress(_ node: Node) -> ListenAddress? {
    let text: String
    switch node.scalar?.value {
    case .int(let port)?: text = "\(port)"
    default:
      guard let written = string(node, "listen") else { return nil }
      text = written
    }
    if let address = ListenAddress(text) { return address }
    report(
      .invalidValue,
      LocalizedText(
        "'listen' is an address and a port, like 127.0.0.1:8768",
        de: "'listen' ist eine Adresse und ein Port, wie 127.0.0.1:8768"), at: node.range)
    return nil
  }
}
