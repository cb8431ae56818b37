import Engine
import Expressions
import Foundation
import Localization

/// Parts that several pages have.
extension PageContext {
  // MARK: - Words

  /// The word for the status of a run or a step.
  func word(_ status: String) -> String {
    if let known = RunStatus(rawValue: status) { return known.words.string(in: language) }
    return switch status {
    case "pending": say("pending", de: "noch nicht begonnen")
    case "running": say("running", de: "läuft")
    case "due": say("due", de: "fällig")
    case "coming": say("coming", de: "kommt")
    case "delivered": say("delivered", de: "zugestellt")
    case "done": say("done", de: "erledigt")
    case "off": say("off", de: "aus")
    case "caught_up": say("caught up", de: "nachgeholt")
    case "missed": say("missed", de: "versäumt")
    case "late": say("late", de: "verspätet")
    default: status
    }
  }

  /// The status with its colour.
  func status(_ status: String) -> HTML {
    tag(.span, .class("status " + Self.safeClass(status))) {
      tag(.span, .class("dot"), .aria("hidden", "true"))
      word(status)
    }
  }

  /// A word of the engine as the name of a class.
  static func safeClass(_ word: String) -> String {
    String(word.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") })
  }

  /// A duration in milliseconds, for people.
  func duration(_ value: Value?) -> String {
    guard let milliseconds = value?.doubleNumber else { return "–" }
    if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
    let seconds = milliseconds / 1000
    if seconds < 60 { return decimal((seconds * 10).rounded() / 10) + " s" }
    let minutes = Int(seconds) / 60
    if minutes < 60 { return "\(minutes) min \(Int(seconds) % 60) s" }
    if minutes < 1440 { return "\(minutes / 60) h \(minutes % 60) min" }
    return "\(minutes / 1440) d \(minutes % 1440 / 60) h"
  }

  /// A number of bytes, for people.
  func size(_ bytes: Int64) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    let thousands = Double(bytes) / 1000
    if thousands < 1000 { return "\(Int(thousands.rounded())) kB" }
    return decimal((thousands / 100).rounded() / 10) + " MB"
  }

  private func decimal(_ number: Double) -> String {
    let text = number == number.rounded() ? "\(Int(number))" : "\(number)"
    return language == .german ? text.replacing(".", with: ",") : text
  }

  /// The text of a failure in the language of the page.
  func message(_ failure: Value?) -> String? {
    guard let failure, let english = failure["message"]?.stringValue else { return nil }
    return language == .german ? failure["message_de"]?.stringValue ?? english : english
  }

  /// The advice of a failure in the language of the page.
  func advice(_ failure: Value?) -> String? {
    guard let failure, let english = failure["advice"]?.stringValue else { return nil }
    return language == .german ? failure["advice_de"]?.stringValue ?? english : english
  }

  /// A text that an object has in English, and under `KEY_de` in German.
  func own(_ value: Value, _ key: String) -> String {
    language == .german ? value[key + "_de"]?.stringValue ?? value.text(key) : value.text(key)
  }

  // MARK: - Links

  /// The address of a run.
  static func run(_ id: String) -> String { "/runs/" + PageAddress.escaped(id) }

  /// The address of a recipe.
  static func recipe(_ name: String) -> String { "/recipes/" + PageAddress.escaped(name) }

  // MARK: - Blocks

  /// A section with a heading.
  func section(
    _ title: String, id: String? = nil, aside: HTML = .empty, @HTMLBuilder _ contents: () -> HTML
  ) -> HTML {
    var attributes = [Attribute.class("block")]
    if let id { attributes += [.id(id)] }
    return .element(
      .section, attributes,
      [
        tag(.div, .class("heading")) {
          tag(.h2, text: title)
          aside
        }, contents(),
      ])
  }

  /// A note for a list without entries.
  func empty(_ text: String) -> HTML { tag(.p, .class("empty"), text: text) }

  /// A table whose rows become cards on narrow screens.
  ///
  /// - Parameters:
  ///   - caption: The name of the table for screen readers.
  ///   - columns: The headings; an empty one is for buttons.
  ///   - rows: The cells of each row.
  func table(_ caption: String, _ columns: [String], _ rows: [[HTML]], id: String? = nil) -> HTML {
    tag(.div, .class("scroll")) {
      tag(.table, .class("cards")) {
        tag(.caption, .class("hidden"), text: caption)
        tag(.thead) {
          tag(.tr) {
            for column in columns {
              if column.isEmpty {
                tag(.td)
              } else {
                tag(.th, .with(.scope, "col"), text: column)
              }
            }
          }
        }
        tag(.tbody) {
          for row in rows {
            tag(.tr) {
              for (column, cell) in zip(columns, row) {
                if cell == .empty, column.isEmpty {
                  tag(.td, .class("none"))
                } else {
                  tag(.td, .data("label", column)) { cell }
                }
              }
            }
          }
        }
      }
    }
  }

  /// A part that the page reads again every few seconds while it is visible.
  func live(_ id: String, seconds: Int = 5, @HTMLBuilder _ contents: () -> HTML) -> HTML {
    tag(.div, .id(id), .data("live", "\(seconds)")) { contents() }
  }

  /// A value as text: texts as they are, everything else as JSON.
  func value(_ value: Value?) -> HTML {
    guard let value, value != .null, value != .map([:]), value != .list([]) else {
      return tag(.p, .class("empty"), text: say("Nothing.", de: "Nichts."))
    }
    return tag(.pre, .class("value"), .with(.tabindex, "0"), text: Self.pretty(value))
  }

  /// A value on several lines.
  static func pretty(_ value: Value, limit: Int = 50_000) -> String {
    if case .string(let text) = value { return String(text.prefix(limit)) }
    var output = ""
    write(value, indent: 0, to: &output)
    return output.count > limit ? output.prefix(limit) + "\n…" : output
  }

  private static func write(_ value: Value, indent: Int, to output: inout String) {
    let (inner, outer) = (String(repeating: "  ", count: indent + 1), String(repeating: "  ", count: indent))
    switch value {
    case .list(let items) where !items.isEmpty && indent < 20:
      output += "[\n"
      for (number, item) in items.enumerated() {
        output += inner
        write(item, indent: indent + 1, to: &output)
        output += number + 1 < items.count ? ",\n" : "\n"
      }
      output += outer + "]"
    case .map(let map) where !map.isEmpty && indent < 20:
      output += "{\n"
      let entries = Array(map.entries)
      for (number, entry) in entries.enumerated() {
        output += inner + Value.string(entry.0.text).jsonString + ": "
        write(entry.1, indent: indent + 1, to: &output)
        output += number + 1 < entries.count ? ",\n" : "\n"
      }
      output += outer + "}"
    default: output += value.jsonString
    }
  }

  // MARK: - Changes

  /// A form that the page's script sends to the API.
  ///
  /// - Parameters:
  ///   - operation: Method and path: `POST /runs/x/cancel`.
  ///   - then: `reload`, `go PATH` with members of the answer in braces, `say MEMBER` for a reload with this text of the answer,
  ///     or `show`.
  ///   - into: The member of the body that contains the fields; `nil` if they are the body.
  ///   - match: The ETag of the object that the form changes.
  func form(
    _ operation: String, then: String = "reload", into: String? = nil, match: String? = nil, confirm: String? = nil,
    class name: String = "",
    @HTMLBuilder _ contents: () -> HTML
  ) -> HTML {
    let parts = operation.split(separator: " ", maxSplits: 1).map(String.init)
    var attributes: [Attribute] = [
      .data("api", parts.joined(separator: " /api/v1")), .data("then", then), .class(name),
      .with(.autocomplete, "off"),
    ]
    if let into { attributes.append(.data("into", into)) }
    if let match { attributes.append(.data("match", match)) }
    if let confirm { attributes.append(.data("confirm", confirm)) }
    return .element(
      .form, attributes,
      [contents(), tag(.p, .class("problem"), .role("alert"), .flag(.hidden))])
  }

  /// A button that sends one request.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - match: The ETag of the object that the user sees.
  func button(
    _ title: String, _ operation: String, body: Value? = nil, then: String = "reload", confirm: String? = nil,
    style: String = "", label: String? = nil, match: String? = nil
  ) -> HTML {
    let parts = operation.split(separator: " ", maxSplits: 1).map(String.init)
    var attributes: [Attribute] = [
      .with(.type, "button"), .class(style), .data("api", parts.joined(separator: " /api/v1")), .data("then", then),
    ]
    if let body { attributes.append(.data("body", body.jsonString)) }
    if let match { attributes.append(.data("match", match)) }
    if let confirm { attributes.append(.data("confirm", confirm)) }
    if let label { attributes.append(.aria("label", label)) }
    return .element(.button, attributes, [.text(title)])
  }
}

extension Value {
  /// A number of any kind.
  var doubleNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number.isFinite && abs(number) < 1e15 ? number : nil
    default: nil
    }
  }

  /// A text member, empty if it is missing.
  func text(_ key: String) -> String { self[key]?.stringValue ?? "" }

  /// A whole number member, 0 if it is missing.
  func number(_ key: String) -> Int { self[key]?.intValue.map { Int(clamping: $0) } ?? 0 }

  /// The entries of a page of a list.
  var items: [Value] { self["items"]?.listValue ?? [] }
}
