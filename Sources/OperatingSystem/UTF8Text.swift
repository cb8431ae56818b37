extension [UInt8] {
  /// The bytes without a UTF-8 byte order mark at the beginning, as editors on Windows write it.
  package var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

extension String {
  /// The text of a file or a pipe in UTF-8, without a byte order mark; `nil` if it is not UTF-8.
  package init?(utf8Text bytes: [UInt8]) { self.init(validating: bytes.withoutByteOrderMark, as: UTF8.self) }
}
