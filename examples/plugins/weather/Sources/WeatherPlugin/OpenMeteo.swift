import PluginKit

/// The two services of Open-Meteo: places by name, weather by place.
struct OpenMeteo: Sendable {
  let language: String

  private struct Places: Decodable {
    struct Place: Decodable {
      var name: String
      var latitude: Double
      var longitude: Double
    }
    /// Absent where nothing is found.
    var results: [Place]?
  }

  private struct Weather: Decodable {
    struct Current: Decodable {
      enum CodingKeys: String, CodingKey {
        case temperature = "temperature_2m"
        case wind = "wind_speed_10m"
        case code = "weather_code"
      }
      var temperature: Double
      var wind: Double
      var code: Int
    }
    struct Daily: Decodable {
      enum CodingKeys: String, CodingKey {
        case time
        case low = "temperature_2m_min"
        case high = "temperature_2m_max"
        case rain = "precipitation_sum"
        case code = "weather_code"
      }
      var time: [String]
      var low: [Double]
      var high: [Double]
      var rain: [Double]
      var code: [Int]
    }
    var current: Current?
    var daily: Daily?
  }

  /// An answer with status 400 says why.
  private struct Refusal: Decodable { var reason: String }

  func now(in city: String, _ context: ActionContext) async throws -> WeatherPlugin.Now {
    let place = try await find(city, context)
    let weather = try await weather(
      at: place, ["current": "temperature_2m,wind_speed_10m,weather_code"], context)
    guard let current = weather.current else { throw ActionError(.parse, "The answer holds no current weather.") }
    return WeatherPlugin.Now(
      city: place.name, temperature: current.temperature, wind: current.wind, sky: OpenMeteo.sky(current.code))
  }

  func forecast(for city: String, days: Int, _ context: ActionContext) async throws -> WeatherPlugin.Forecast {
    guard (1...16).contains(days) else {
      throw ActionError(.invalidInput, "'days' is from 1 to 16.", german: "„days“ liegt zwischen 1 und 16.")
    }
    let place = try await find(city, context)
    let weather = try await weather(
      at: place,
      ["daily": "temperature_2m_min,temperature_2m_max,precipitation_sum,weather_code", "forecast_days": "\(days)"],
      context)
    guard let daily = weather.daily else { throw ActionError(.parse, "The answer holds no forecast.") }
    let counts = [daily.time.count, daily.low.count, daily.high.count, daily.rain.count, daily.code.count]
    let made = (0..<(counts.min() ?? 0)).map { day in
      WeatherPlugin.Forecast.Day(
        date: daily.time[day], low: daily.low[day], high: daily.high[day], rain: daily.rain[day],
        sky: OpenMeteo.sky(daily.code[day]))
    }
    return WeatherPlugin.Forecast(city: place.name, days: made)
  }

  private func find(_ city: String, _ context: ActionContext) async throws -> Places.Place {
    let places = try await get(
      Places.self,
      HTTPRequest(
        url: "https://geocoding-api.open-meteo.com/v1/search",
        query: ["name": city, "count": "1", "language": language, "format": "json"]), context)
    guard let place = places.results?.first else {
      throw ActionError(
        .notFound, "Open-Meteo knows no place called '\(city)'.", german: "Open-Meteo kennt keinen Ort „\(city)“.",
        advice: "Check the spelling, or use the postal code.",
        adviceGerman: "Die Schreibweise prüfen, oder die Postleitzahl verwenden.")
    }
    return place
  }

  private func weather(
    at place: Places.Place, _ wanted: KeyValuePairs<String, String>, _ context: ActionContext
  ) async throws -> Weather {
    let url = HTTPRequest(
      url: "https://api.open-meteo.com/v1/forecast",
      query: ["latitude": "\(place.latitude)", "longitude": "\(place.longitude)", "timezone": "auto"]
    ).url
    return try await get(Weather.self, HTTPRequest(url: url, query: wanted), context)
  }

  private func get<Answer: Decodable>(
    _ type: Answer.Type, _ request: HTTPRequest, _ context: ActionContext
  ) async throws -> Answer {
    let response = try await context.http.send(request)
    if response.status == 400 {
      throw ActionError(status: 400, detail: try await response.json(as: Refusal.self).reason)
    }
    return try await response.checked(now: context.clock).json(as: type)
  }

  /// The weather codes of the WMO, as far as Open-Meteo uses them.
  static func sky(_ code: Int) -> String {
    switch code {
    case 0: "clear"
    case 1, 2: "partly cloudy"
    case 3: "overcast"
    case 45, 48: "fog"
    case 51...57: "drizzle"
    case 61...67, 80...82: "rain"
    case 71...77, 85, 86: "snow"
    case 95...99: "thunderstorm"
    default: "unknown"
    }
  }
}
