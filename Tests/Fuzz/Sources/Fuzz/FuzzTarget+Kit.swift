import PluginKit

extension FuzzTarget {
  /// Whether what the plugin kit reads is the same again after it was written.
  static func isStableInKit(_ json: [UInt8]) -> Bool {
    guard let value = try? JSONValue(json: json) else { return true }
    let text = value.json
    guard let again = try? JSONValue(json: Array(text.utf8)) else { return false }
    return again == value && again.json == text
  }
}
