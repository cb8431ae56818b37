import Mail
import MailWire

/// A message put together from its BODYSTRUCTURE: all parts in their places, most of them empty.
///
/// Text and attachments of a message are decided by `Mail` alone, whether the whole message was read or not.
struct BodyOutline {
  private let root: BodyNode
  /// Decoded sizes by part number.
  private var sizes: [String: Int] = [:]

  init(_ root: BodyNode) {
    self.root = root
    measure(root, "")
  }

  /// The numbers of parts that are text, in order, with their sizes as encoded (RFC 9051 §6.4.5.1).
  var textParts: [(number: String, size: Int)] {
    var parts: [(String, Int)] = []
    walk(root, "") { node, number in
      guard node.mediaType == "text/plain" || node.mediaType == "text/html", node.disposition != "attachment" else {
        return
      }
      parts.append((number, node.size))
    }
    return parts
  }

  /// Whether a part may enclose others that the server does not see: opaque signed S/MIME, winmail.dat.
  var hasOpaqueParts: Bool {
    var isFound = false
    walk(root, "") { node, _ in
      func value(_ name: String, _ parameters: [BodyNode.Parameter]) -> String? {
        parameters.first { $0.name == name }?.value
      }
      isFound =
        isFound
        || OpaqueContent.mayBeOpened(
          mediaType: node.mediaType, smimeType: value("smime-type", node.parameters),
          fileName: value("filename", node.dispositionParameters) ?? value("name", node.parameters))
    }
    return isFound
  }

  /// The part with a number.
  func part(_ number: String) -> BodyNode? {
    var found: BodyNode?
    walk(root, "", includingAll: true) { node, candidate in if candidate == number { found = node } }
    return found
  }

  /// The message.
  ///
  /// - Parameters:
  ///   - header: Its header as it was fetched.
  ///   - contents: Parts by number, as encoded.
  func message(header: ArraySlice<UInt8>, contents: [String: ArraySlice<UInt8>] = [:]) -> Message {
    var bytes = Self.withoutContentFields(header)
    write(root, "", contents, to: &bytes)
    return Message(parsing: bytes)
  }

  /// The files of a message that was put together.
  func attachments(of message: Message) -> [AttachmentFacts] {
    message.attachments.map { attachment in
      var facts = AttachmentFacts(attachment)
      if let size = sizes[facts.part] { facts.size = size }
      return facts
    }
  }

  // MARK: Parts

  private static func child(_ number: String, _ index: Int) -> String {
    number.isEmpty ? "\(index + 1)" : "\(number).\(index + 1)"
  }

  /// Visits the leaves; a message within counts as one.
  private func walk(
    _ node: BodyNode, _ number: String, includingAll: Bool = false, _ visit: (BodyNode, String) -> Void
  ) {
    if node.isMultipart {
      if includingAll, !number.isEmpty { visit(node, number) }
      for (index, part) in node.parts.enumerated() {
        walk(part, Self.child(number, index), includingAll: includingAll, visit)
      }
    } else {
      visit(node, number.isEmpty ? "1" : number)
    }
  }

  private mutating func measure(_ node: BodyNode, _ number: String) {
    var found: [String: Int] = [:]
    walk(node, number) { node, number in found[number] = Self.decodedSize(node) }
    sizes = found
  }

  /// Base64 is in lines of 76 nearly always; its padding is at most two bytes.
  static func decodedSize(_ node: BodyNode) -> Int {
    guard node.encoding == "base64" else { return node.size }
    let lines = (node.size + 77) / 78
    return max(0, (node.size - 2 * lines) / 4 * 3)
  }

  // MARK: Bytes

  private func write(
    _ node: BodyNode, _ number: String, _ contents: [String: ArraySlice<UInt8>], to bytes: inout [UInt8]
  ) {
    let boundary = "=_sous_\(number.isEmpty ? "0" : number)"
    append("Content-Type: \(Self.clean(node.mediaType))", to: &bytes)
    for parameter in node.parameters where parameter.name != "boundary" { append(parameter, to: &bytes) }
    if node.isMultipart { append("; boundary=\"\(boundary)\"", to: &bytes) }
    append("\r\n", to: &bytes)
    if !node.isMultipart, !node.encoding.isEmpty {
      append("Content-Transfer-Encoding: \(Self.clean(node.encoding))\r\n", to: &bytes)
    }
    if let id = node.contentID { append("Content-ID: \(Self.clean(id))\r\n", to: &bytes) }
    if let disposition = node.disposition {
      append("Content-Disposition: \(Self.clean(disposition))", to: &bytes)
      for parameter in node.dispositionParameters { append(parameter, to: &bytes) }
      append("\r\n", to: &bytes)
    }
    append("\r\n", to: &bytes)
    guard node.isMultipart else {
      bytes += contents[number.isEmpty ? "1" : number] ?? []
      return
    }
    for (index, part) in node.parts.enumerated() {
      append("\r\n--\(boundary)\r\n", to: &bytes)
      write(part, Self.child(number, index), contents, to: &bytes)
    }
    append("\r\n--\(boundary)--\r\n", to: &bytes)
  }

  private func append(_ text: String, to bytes: inout [UInt8]) { bytes += Array(text.utf8) }

  private func append(_ parameter: BodyNode.Parameter, to bytes: inout [UInt8]) {
    let value = Self.clean(parameter.value).split(separator: "\\", omittingEmptySubsequences: false)
      .joined(separator: "\\\\").split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    // Extended and continued parameters (RFC 2231) are not quoted.
    let isExtended = parameter.name.hasSuffix("*")
    append("; \(Self.clean(parameter.name))=" + (isExtended ? Self.clean(parameter.value) : "\"\(value)\""), to: &bytes)
  }

  /// Without line ends, by which a server could add fields.
  private static func clean(_ text: String) -> String {
    text.utf8.contains { $0 < 0x20 } ? String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }) : text
  }

  /// A header without the fields that the outline has of its own, and without the empty line at its end.
  private static func withoutContentFields(_ header: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(header.count + 256)
    var isLeftOut = false
    for line in header.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let first = line.first else { continue }
      if first != 0x20, first != 0x09 {
        isLeftOut = String(decoding: line.prefix(8), as: UTF8.self).lowercased() == "content-"
      }
      guard !isLeftOut else { continue }
      result += line
      result += [0x0D, 0x0A]
    }
    return result
  }
}
