import PluginKit
import Testing

struct ManifestTests {
  let manifest: JSONValue

  init() throws {
    manifest = try JSONValue(json: Array(Manifest.json(of: Courier.self).utf8))
  }

  @Test func namesAndTextsAreThere() {
    #expect(manifest["id"] == "courier")
    #expect(manifest["version"] == "1.2.3")
    #expect(manifest["summary"] == "Carries \"parcels\"")
    #expect(manifest["summary_de"] == "Befördert Pakete")
    #expect(manifest["contracts"] == ["parcel/1"])
    #expect(manifest["hosts"] == ["courier.example"])
    #expect(manifest["secrets"] == ["token"])
  }

  @Test func configurationIsASchema() {
    #expect(
      manifest["config"] == [
        "type": "object",
        "properties": [
          "sender_name": ["type": "string", "description": "Who sends", "minLength": 1],
          "maximum_weight": ["type": "integer", "description": "Grams", "minimum": 1, "default": 5000],
        ],
        "required": ["sender_name"],
        "additionalProperties": false,
      ])
  }

  @Test func schemasOfAContractAreLeftOut() {
    #expect(
      manifest["actions"]?.array?.first == [
        "name": "parcel.send", "summary": "Sends a parcel", "effect": "once", "costly": true, "verifies": true,
      ])
    #expect(manifest["actions"]?.array?.dropFirst().first?["input"] == ["type": "object", "properties": [:]])
  }

  @Test func actionsAndTriggersSayWhatTheyDoInGermanToo() throws {
    let manifest = try JSONValue(json: Array(Manifest.json(of: Greeter.self).utf8))
    #expect(manifest["actions"]?.array?.first?["summary_de"] == "Grüßt")
    #expect(manifest["triggers"]?.array?.first?["summary_de"] == "Jemand ist da")
    #expect(manifest["triggers"]?.array?.first?["announces_watching"] == true)
  }
}

private struct Greeter: Plugin {
  struct Nothing: Codable, Sendable {}

  static let manifest = Manifest(id: "greeter", version: "1.0.0", summary: "Greets")
  init(configuration: NoConfiguration, context: PluginContext) {}

  static var actions: ActionList<Greeter> {
    Action("greeter.greet", effect: .pure, summary: "Greets", summaryGerman: "Grüßt", input: Nothing.self) {
      _, _, _ in Nothing()
    }
    Trigger(
      "greeter.seen", summary: "Somebody is there", summaryGerman: "Jemand ist da", settings: Nothing.self,
      event: Nothing.self, announcesWatching: true
    ) { _, _, _, emitter in try await emitter.announceWatching() }
  }
}
