import PluginStore
import Testing

struct PluginVersionTests {
  @Test func versionsAreOrderedAsSemanticVersioningOrdersThem() {
    let sorted = [
      "0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
      "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2", "1.10.0", "2",
    ]
    for (index, older) in sorted.enumerated() {
      for newer in sorted.dropFirst(index + 1) {
        #expect(PluginVersion(older) < PluginVersion(newer), "\(older) < \(newer)")
        #expect(!(PluginVersion(newer) < PluginVersion(older)), "\(older) < \(newer)")
      }
    }
  }

  @Test(arguments: [("1.0", "1.0.0"), ("1.0.0+a", "1.0.0+b"), ("01.2", "1.2")])
  func sameVersionsAreEqual(left: String, right: String) {
    #expect(PluginVersion(left) == PluginVersion(right))
    #expect(PluginVersion(left).hashValue == PluginVersion(right).hashValue)
  }

  @Test(arguments: ["", "-", "..", "a.b", "99999999999999999999999.1"])
  func everyTextIsAVersion(text: String) {
    let (version, release) = (PluginVersion(text), PluginVersion("1.0.0"))
    #expect(version.description == text)
    #expect([version < release, release < version, version == release].filter(\.self).count == 1)
  }
}
