import CPluginABI
import Engine
import Expressions
import Localization

/// Lends header fields to a plugin, all in one piece of memory.
func lend(_ fields: [HeaderField], _ body: (UnsafeBufferPointer<sous_header>) -> Void) {
  var bytes: [UInt8] = []
  for field in fields {
    bytes += field.name.utf8
    bytes += field.value.utf8
  }
  bytes.withUnsafeBufferPointer { buffer in
    var offset = 0
    func next(_ count: Int) -> sous_bytes {
      defer { offset += count }
      return sous_bytes(data: count == 0 ? nil : buffer.baseAddress.map { $0 + offset }, size: count)
    }
    let headers = fields.map { field in
      let name = next(field.name.utf8.count)
      return sous_header(name: name, value: next(field.value.utf8.count))
    }
    headers.withUnsafeBufferPointer(body)
  }
}

/// Lends a failure to a plugin, as a result that it may pass on as its own; NULL for none.
func lend(_ failure: ActionFailure?, _ body: (UnsafePointer<sous_result>?) -> Void) {
  guard let failure else { return body(nil) }
  borrow(failure.payload) { payload in
    var result = sous_result(
      size: MemoryLayout<sous_result>.size, status: UInt32(SOUS_STATUS_ERROR), payload: payload)
    body(&result)
  }
}

extension ActionFailure {
  /// The payload of a result with the status error, by the header.
  var payload: [UInt8] {
    var members: ValueMap = [
      "kind": .string(kind.rawValue), "message": .string(message.english), "message_de": .string(message.german),
    ]
    if let advice {
      members["advice"] = .string(advice.english)
      members["advice_de"] = .string(advice.german)
    }
    if let retryAfter, retryAfter.isFinite { members["retry_after"] = .double(retryAfter) }
    return Value.map(members).json()
  }

  /// The failure of a request that an ended instance makes.
  static var closedInstance: ActionFailure {
    ActionFailure(.cancelled, LocalizedText("The provider has been shut down.", de: "Der Provider ist beendet."))
  }

  /// The failure of a stream that got plain text after the point at which TLS begins (RFC 3207, section 6).
  static var plaintextBehindTLS: ActionFailure {
    ActionFailure(
      .protocol,
      LocalizedText(
        "The server sent plain text behind the point where TLS begins; someone on the way may have put it there.",
        de:
          "Der Server hat hinter dem Beginn von TLS noch Klartext geschickt; jemand auf dem Weg kann ihn eingeschleust haben."
      ))
  }

  /// The failure of a request that breaks the header's rules.
  static func badRequest(_ part: String) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText(
        "The plugin asked for something on the network in a wrong way (\(part)). Report this to its author.",
        de: "Das Plugin hat eine Anfrage ans Netz falsch gestellt (\(part)). Seinem Autor melden."))
  }
}
