import PluginKit
import PluginKitTesting
import Testing

@testable import WeatherPlugin

@Suite(.timeLimit(.minutes(1)))
struct WeatherPluginTests {
  @Test func tellsTheWeatherNow() async throws {
    try await withRecording("Recordings/zurich-now.json") { host in
      let weather = try host.open(WeatherPlugin.self, configuration: ["language": "de"])
      let now = try await weather.call("weather.now", ["city": "Zürich"])
      #expect(now == ["city": "Zürich", "temperature": 3.4, "wind": 7.6, "sky": "rain"])
    }
  }

  @Test func tellsTheDaysToCome() async throws {
    try await withRecording("Recordings/zurich-forecast.json") { host in
      let weather = try host.open(WeatherPlugin.self)
      let forecast = try await weather.call("weather.forecast", ["city": "Zurich", "days": 2])
      #expect(forecast["days"]?.array?.count == 2)
      #expect(
        forecast["days"]?.array?.last == ["date": "2026-11-22", "low": -1.2, "high": 2.0, "rain": 4.5, "sky": "snow"])
    }
  }

  @Test func aPlaceThatIsUnknownIsNotFound() async throws {
    let host = InMemoryHost()
    host.respond { _ in .json(["generationtime_ms": 0.3]) }
    let weather = try host.open(WeatherPlugin.self)
    await #expect(throws: ActionError(.notFound, "")) { try await weather.call("weather.now", ["city": "Xyzzy"]) }
  }

  @Test func whatTheServiceRefusesSaysWhy() async throws {
    let host = InMemoryHost()
    host.respond { _ in .json(["error": true, "reason": "Daily API request limit exceeded."], status: 400) }
    let error = await #expect(throws: ActionError.self) {
      try await host.open(WeatherPlugin.self).call("weather.now", ["city": "Zürich"])
    }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains("Daily API request limit exceeded.") == true)
  }

  @Test func emitsWhenTheSkyChanges() async throws {
    let host = InMemoryHost()
    host.respond { request in
      if request.url.contains("geocoding") {
        return .json(["results": [["name": "Zürich", "latitude": 47.37, "longitude": 8.55]]])
      }
      // Half an hour clear, then rain.
      let code: JSONValue = host.requests.count > 4 ? 61 : 0
      return .json(["current": ["temperature_2m": 1, "wind_speed_10m": 2, "weather_code": code]])
    }
    let weather = try host.open(WeatherPlugin.self)
    let events = try await weather.events(of: "weather.changed", ["city": "Zürich"], count: 2)
    #expect(events.map(\.cursor) == ["clear", "rain"])
    #expect(events.last?.event["sky"] == "rain")
    // What was seen before the restart is no news.
    let later = try await weather.events(of: "weather.changed", ["city": "Zürich"], cursor: "clear", count: 1)
    #expect(later.map(\.cursor) == ["rain"])
  }
}
