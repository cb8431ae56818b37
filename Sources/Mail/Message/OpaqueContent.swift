import COpenSSL

/// The entity that a part encloses in a format of its own: opaque signed S/MIME, or the `winmail.dat` of Outlook.
public enum OpaqueContent {
  /// Larger parts are left closed (64 MiB).
  static let sizeLimit = 64 << 20

  /// Whether a part of such a type may enclose other parts.
  ///
  /// - Parameters:
  ///   - smimeType: The parameter `smime-type`.
  ///   - fileName: The name of the file.
  public static func mayBeOpened(mediaType: String, smimeType: String?, fileName: String?) -> Bool {
    isSigned(mediaType, smimeType, fileName) || isTNEF(mediaType, fileName)
  }

  private static func isSigned(_ mediaType: String, _ smimeType: String?, _ fileName: String?) -> Bool {
    switch mediaType {
    case "application/pkcs7-mime", "application/x-pkcs7-mime":
      smimeType.map { $0.lowercased() == "signed-data" } ?? true
    case "application/octet-stream": fileName?.lowercased() == "smime.p7m"
    default: false
    }
  }

  static func isTNEF(_ mediaType: String, _ fileName: String?) -> Bool {
    switch mediaType {
    case "application/ms-tnef", "application/vnd.ms-tnef": true
    case "application/octet-stream": fileName?.lowercased() == "winmail.dat"
    default: false
    }
  }

  /// The enclosed entity, header and body; `nil` if the part encloses none.
  static func entity(in part: Part) -> [UInt8]? {
    let (type, name) = (part.contentType.mediaType, part.fileName)
    guard part.rawBody.count <= sizeLimit else { return nil }
    if isSigned(type, part.contentType.parameter("smime-type"), name) { return signedContent(part.decodedBytes) }
    return isTNEF(type, name) ? TNEF(part.decodedBytes[...])?.entity : nil
  }

  /// The content of signed data (RFC 5652 §5, RFC 8551 §3.5.2). The signature is not checked, as that of `multipart/signed` is not.
  private static func signedContent(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { buffer -> [UInt8]? in
      var start = buffer.baseAddress
      guard start != nil, let message = d2i_CMS_ContentInfo(nil, &start, buffer.count) else {
        ERR_clear_error()
        return nil
      }
      defer { CMS_ContentInfo_free(message) }
      guard OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed, let content = CMS_get0_content(message)?.pointee
      else { return nil }
      let count = Int(ASN1_STRING_length(content))
      guard count > 0, let data = ASN1_STRING_get0_data(content) else { return nil }
      return Array(UnsafeBufferPointer(start: data, count: count))
    }
  }
}
