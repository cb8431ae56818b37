import PluginKit

/// The weather from Open-Meteo (https://open-meteo.com/en/docs), which wants no key.
struct WeatherPlugin: Plugin {
  struct Configuration: Decodable, Sendable { var language: String? }

  static let manifest = Manifest(
    id: "weather", version: "1.0.0", summary: "Weather of today and the days to come, from Open-Meteo",
    summaryGerman: "Das Wetter heute und an den nächsten Tagen, von Open-Meteo",
    configuration: .of(Configuration.self, ["language": "The language of place names, en or de for instance"]),
    hosts: ["api.open-meteo.com", "geocoding-api.open-meteo.com"])

  let service: OpenMeteo

  init(configuration: Configuration, context: PluginContext) {
    service = OpenMeteo(language: configuration.language ?? "en")
  }

  struct Place: Codable, Sendable { var city: String }
  struct Outlook: Codable, Sendable {
    var city: String
    var days: Int?
  }
  struct Now: Codable, Sendable, Equatable {
    var city: String
    var temperature: Double
    var wind: Double
    var sky: String
  }
  struct Forecast: Codable, Sendable {
    struct Day: Codable, Sendable {
      var date: String
      var low: Double
      var high: Double
      var rain: Double
      var sky: String
    }
    var city: String
    var days: [Day]
  }

  static var actions: ActionList<Self> {
    Action(
      "weather.now", effect: .read, summary: "The weather in a city now: °C, km/h", input: Place.self,
      output: Now.self, inputSchema: .of(Place.self, ["city": "Name or postal code"])
    ) { plugin, place, context in
      try await plugin.service.now(in: place.city, context)
    }
    Action(
      "weather.forecast", effect: .read, summary: "The days to come: °C, mm", input: Outlook.self,
      output: Forecast.self,
      inputSchema: .of(
        Outlook.self,
        ["city": "Name or postal code", "days": .schema(.integer("How many", minimum: 1, maximum: 16, default: 3))])
    ) { plugin, outlook, context in
      try await plugin.service.forecast(for: outlook.city, days: outlook.days ?? 3, context)
    }
    Trigger("weather.changed", summary: "The sky over a city looks different", settings: Place.self, event: Now.self) {
      plugin, place, cursor, emitter in
      var sky = cursor
      while true {
        let now = try await plugin.service.now(in: place.city, emitter.context)
        if now.sky != sky {
          let time = Int(emitter.context.clock.now.timeIntervalSince1970)
          try await emitter.emit(now, id: "\(place.city) \(time)", cursor: now.sky)
          sky = now.sky
        }
        try await emitter.context.clock.sleep(for: .seconds(900))
      }
    }
  }
}

/// The one function that the library exports.
@_cdecl("sous_plugin_entry_v1")
public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: WeatherPlugin.self) }
