/// Values by day as bars, those of one day on top of each other.
///
/// Horizontal lengths are in percent, so the texts keep their size on narrow screens. A table beside it has the numbers.
struct DayChart {
  /// Values of one kind.
  struct Series {
    /// The name.
    let name: String
    /// The class, which gives the colour.
    let style: String
    /// The values by day, in the order of the days.
    let values: [Double]
  }

  /// The name of the chart, with its main facts, for readers who do not see it.
  let label: String
  /// The days: `2026-11-28`.
  let days: [String]
  /// The kinds of values, the lowest bars first.
  let series: [Series]
  /// A value as text.
  let text: (Double) -> String
  let context: PageContext

  /// Pixels of the highest bar.
  private static let height = 150.0

  /// A round number that no sum exceeds.
  private var top: Double { Self.round(above: days.indices.map(sum).max() ?? 0) }

  private func sum(_ day: Int) -> Double { series.reduce(0) { $0 + value($1, day) } }

  private func value(_ series: Series, _ day: Int) -> Double {
    guard series.values.indices.contains(day), series.values[day].isFinite else { return 0 }
    return max(0, series.values[day])
  }

  /// 1, 2 or 5 times a power of ten.
  static func round(above value: Double) -> Double {
    guard value.isFinite, value > 0 else { return 1 }
    var unit = 1.0
    while unit < value, unit < 1e15 { unit *= 10 }
    while unit / 10 >= value, unit > 1e-9 { unit /= 10 }
    return [unit / 5, unit / 2].first { $0 >= value } ?? unit
  }

  /// The drawing with its axis and legend.
  var html: HTML {
    let top = top
    return tag(.div, .class("chart")) {
      if series.count > 1 {
        tag(.ul, .class("legend"), .aria("hidden", "true")) {
          for one in series {
            tag(.li) {
              tag(.span, .class("swatch " + one.style))
              one.name
            }
          }
        }
      }
      tag(.div, .class("plot")) {
        tag(.div, .class("axis"), .aria("hidden", "true")) {
          for share in [1.0, 0.5, 0] { tag(.span, text: text(top * share)) }
        }
        tag(
          .svg, .with(.width, "100%"), .with(.height, "\(Int(Self.height) + 26)"), .role("img"),
          .aria("label", label)
        ) {
          for share in [0, 0.5, 1] {
            tag(
              .rect, .class("grid"), .with(.x, "0"), .with(.y, Self.number(Self.height * share)),
              .with(.width, "100%"), .with(.height, "1"))
          }
          for day in days.indices { bar(day, top) }
          for day in days.indices where isNamed(day) {
            // The last one ends with the axis.
            tag(
              .svgText, .class(day == days.count - 1 ? "end" : ""),
              .with(.x, day == days.count - 1 ? "100%" : Self.number((Double(day) + 0.5) * step) + "%"),
              .with(.y, "\(Int(Self.height) + 20)"), text: context.day(days[day]))
          }
        }
      }
    }
  }

  /// Percent of the width for one day.
  private var step: Double { 100 / Double(max(1, days.count)) }

  /// Whether the axis names a day: about four of them, the last always.
  private func isNamed(_ day: Int) -> Bool { (days.count - 1 - day) % max(1, (days.count + 3) / 4) == 0 }

  private func bar(_ day: Int, _ top: Double) -> HTML {
    let lines = series.map { $0.name + ": " + text(value($0, day)) }
    var floor = Self.height
    var parts: [HTML] = []
    for one in series where value(one, day) > 0 {
      // A small value must still be seen.
      let height = max(2, value(one, day) / top * Self.height)
      floor -= height
      parts.append(
        tag(
          .rect, .class(one.style), .with(.x, Self.number((Double(day) + 0.14) * step) + "%"),
          .with(.y, Self.number(max(0, floor))), .with(.width, Self.number(step * 0.72) + "%"),
          .with(.height, Self.number(height))))
    }
    return tag(.g) {
      tag(.title, text: context.day(days[day]) + "\n" + lines.joined(separator: "\n"))
      // The whole column shows the numbers to a pointer.
      tag(
        .rect, .class("column"), .with(.x, Self.number(Double(day) * step) + "%"), .with(.y, "0"),
        .with(.width, Self.number(step) + "%"), .with(.height, Self.number(Self.height)))
      HTML.group(parts)
    }
  }

  /// A number with at most two digits behind the point.
  static func number(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e9 else { return "0" }
    let hundredths = Int((number * 100).rounded())
    let digits = hundredths.magnitude % 100
    let whole = (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100)"
    return digits == 0 ? whole : whole + "." + (digits < 10 ? "0\(digits)" : "\(digits)")
  }
}
