import Localization

extension PageContext {
  /// A whole number with separators of thousands: `12,300`, in German `12.300`.
  func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += language == .german ? "." : "," }
      text.append(digit)
    }
    return (number < 0 ? "−" : "") + text
  }

  /// An amount of money without a currency: prices in `sous.yaml` have none. At most four digits behind the point.
  func money(_ amount: Double) -> String {
    guard amount.isFinite, amount.magnitude < 1e12 else { return "–" }
    let units = Int((amount.magnitude * 10_000).rounded())
    if units == 0, amount > 0 { return "< " + point("0.0001") }
    var digits = String(units % 10_000)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.count > 2, digits.hasSuffix("0") { digits.removeLast() }
    return (amount < 0 ? "−" : "") + count(units / 10_000) + point(".") + digits
  }

  /// A share between 0 and 1: `99.5 %`. Only the whole is 100 %.
  func share(_ share: Double) -> String {
    guard share.isFinite, (0...1_000).contains(share) else { return "–" }
    let tenths = Int((share * 1000).rounded(share < 1 ? .down : .toNearestOrAwayFromZero))
    return (tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10)" + point(".") + "\(tenths % 10)") + " %"
  }

  private func point(_ text: String) -> String { language == .german ? text.replacing(".", with: ",") : text }

  /// A day, `2026-11-28`, in short: `28 Nov`, in German `28.11.`
  func day(_ text: String) -> String {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return text }
    if language == .german { return "\(parts[2]).\(parts[1])." }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(parts[2]) \(months[parts[1] - 1])"
  }
}
