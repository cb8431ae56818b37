/// A bar whose length is a share, beside a text that says the same.
struct ShareBar {
  /// The share; more than 1 fills the bar.
  let share: Double
  /// A further class: `full` for a budget that is used up.
  var style = ""

  /// The drawing.
  var html: HTML {
    let width = share.isFinite ? min(1, max(0, share)) * 100 : 0
    return tag(
      .svg, .class(style.isEmpty ? "share" : "share " + style), .with(.width, "100%"), .with(.height, "8"),
      .aria("hidden", "true")
    ) {
      tag(.rect, .class("track"), .with(.width, "100%"), .with(.height, "8"), .with(.rx, "4"))
      if width > 0 {
        tag(
          .rect, .class("part"), .with(.width, DayChart.number(max(1, width)) + "%"), .with(.height, "8"),
          .with(.rx, "4"))
      }
    }
  }
}
