import Expressions
import Localization
import RecipeSyntax

/// Where `sous serve` listens: `127.0.0.1:8768`, `[::1]:8768`, or a Unix socket, `unix:/run/sous/http.sock`.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address, without brackets.
  public var host = "127.0.0.1"
  /// The port.
  public var port = 8768
  /// The path of a Unix socket, which replaces address and port; it begins with a slash.
  public var socket: String?

  /// Creates the address where nothing is said: this machine alone can reach it.
  public init() {}

  /// The longest path of a Unix socket, in bytes (`sun_path`).
  private static let longestSocket = 107

  /// Reads `ADDRESS:PORT`, `PORT` or `unix:/PATH`; `nil` for other texts.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= Self.longestSocket, !path.utf8.contains(0)
      else { return nil }
      socket = path
      return
    }
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
  public var isLoopback: Bool { socket != nil || host == "::1" || host == "localhost" || host.hasPrefix("127.") }

  /// `127.0.0.1:8768`, or `unix:/run/sous/http.sock`.
  public var description: String {
    if let socket { return "unix:" + socket }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
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
        "'listen' is an address and a port, like 127.0.0.1:8768, or a socket, like unix:/run/sous/http.sock",
        de: "'listen' ist eine Adresse und ein Port, wie 127.0.0.1:8768, oder ein Socket, wie unix:/run/sous/http.sock"),
      at: node.range)
    return nil
  }
}
