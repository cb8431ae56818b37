/// One change of a commit: a value or its removal, and the version that has to be there still.
package struct StateChange: Sendable {
  package let key: String
  /// `nil` to remove it.
  package let value: [UInt8]?
  /// 0 for absent; `nil` for any version.
  package let version: UInt64?

  package init(key: String, value: [UInt8]?, version: UInt64?) {
    self.key = key
    self.value = value
    self.version = version
  }
}
