import COpenSSL

/// Checks signatures by libcrypto.
enum KeySignature {
  /// Whether a signature in the form of RFC 7518, section 3, is one of these bytes by this key.
  static func isValid(_ signature: [UInt8], of signed: [UInt8], by key: JSONWebKey) -> Bool {
    let wanted: [UInt8]?
    switch key.algorithm {
    case .rs256: wanted = signature
    case .es256: wanted = DER.signature(ofNumbers: signature)
    }
    guard let wanted else { return false }
    // Failures of libcrypto stay in a queue of the thread, where other calls would find them.
    defer { ERR_clear_error() }
    let loaded = key.information.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      return d2i_PUBKEY(nil, &next, bytes.count)
    }
    guard let loaded else { return false }
    defer { EVP_PKEY_free(loaded) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, loaded) == 1 else { return false }
    return EVP_DigestVerify(context, wanted, wanted.count, signed, signed.count) == 1
  }
}
