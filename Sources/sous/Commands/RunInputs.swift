import Engine
import Expressions
import Foundation
import Localization
import Recipes

/// What runs of a recipe are asked for on a command line: inputs, keywords, and a file with inputs of many runs.
struct RunInputs {
  /// The most runs, and the most rows for them and their steps, that one file queues: they are put into the run log all at
  /// once, which holds others up for seconds.
  private static let (mostRuns, mostRows) = (100_000, 300_000)
  /// Problems of a file that are told.
  private static let toldProblems = 20

  let plan: Plan
  /// `-i`, for all runs.
  let input: [String]
  /// `-k`, for all runs.
  let keyword: [String]

  /// How many runs of the recipe one file queues.
  private var limit: Int { max(1, min(Self.mostRuns, Self.mostRows / (plan.steps.count + 1))) }

  /// The one run without a file.
  func request() throws(CommandError) -> RunRequest {
    let (given, keywords) = (try inputs(), try keywords())
    do throws(EngineError) {
      var random = SystemRandomNumberGenerator()
      return RunRequest(
        id: RunID(at: SystemTime().now, using: &random), inputs: try plan.inputs(from: given), keywords: keywords)
    } catch {
      throw CommandError(ExitStatus.wrongInput, error.message, code: error.code.rawValue)
    }
  }

  /// A run for each line of a file, in the file's order; what a line says outdoes `-i`. Empty lines do not count.
  ///
  /// - Parameter path: JSON lines, each an object of inputs; `-` is standard input.
  /// - Throws: ``CommandError`` that names the lines that cannot be used; then none can.
  func requests(from path: String) throws(CommandError) -> [RunRequest] {
    let (common, keywords) = (try inputs(), try keywords())
    var all: [Value] = []
    var problems: [LocalizedText] = []
    var number = 0
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let cause = LocalizedText.systemError(errno)
      throw CommandError(
        ExitStatus.wrongInput,
        .init("'\(path)' cannot be read: ", de: "'\(path)' lässt sich nicht lesen: ") + cause)
    }
    defer { if path != "-" { close(descriptor) } }
    var lines = InputLines(from: descriptor)
    while let line = lines.next() {
      number += 1
      do throws(EngineError) {
        guard let inputs = try inputs(in: line, common) else { continue }
        guard all.count < limit else {
          throw .unusable(
            "more than \(limit) runs of this recipe at once: split the file",
            de: "mehr als \(limit) Läufe dieses Rezepts auf einmal: die Datei aufteilen")
        }
        all.append(inputs)
      } catch {
        problems.append(
          LocalizedText(verbatim: "\(path):\(number): ") + error.message)
        if problems.count == Self.toldProblems || all.count == limit { break }
      }
    }
    if let first = problems.first {
      throw CommandError(
        ExitStatus.wrongInput,
        problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 },
        code: EngineError.Code.invalidInput.rawValue)
    }
    var random = SystemRandomNumberGenerator()
    let now = SystemTime().now
    // Names of one moment have no order; the queue goes by names.
    let names = all.map { _ in RunID(at: now, using: &random) }.sorted()
    return zip(names, all).map { RunRequest(id: $0, inputs: $1, keywords: keywords) }
  }

  /// The inputs of one line; `nil` for an empty one.
  private func inputs(
    in line: InputLines.Line, _ common: [String: Value]
  ) throws(EngineError) -> Value? {
    guard case .complete(let bytes) = line else {
      throw .unusable(
        "longer than \(InputLines.limit >> 20) MiB", de: "länger als \(InputLines.limit >> 20) MiB")
    }
    guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    guard let value = try? Value(json: bytes), case .map(let map) = value else {
      throw .unusable(
        "a line has to be a JSON object of inputs", de: "eine Zeile muss ein JSON-Objekt mit Eingaben sein")
    }
    var given = common
    for (key, value) in map.entries { if case .string(let name) = key { given[name] = value } }
    return try plan.inputs(from: given)
  }

  private func inputs() throws(CommandError) -> [String: Value] {
    var given: [String: Value] = [:]
    for (name, text) in try assignments(input, option: "-i") {
      guard let declared = plan.inputs.first(where: { $0.name == name }) else {
        given[name] = .string(text)
        continue
      }
      do throws(SchemaViolation) {
        given[name] = try declared.schema.coerce(text)
      } catch {
        throw CommandError(
          ExitStatus.wrongInput, LocalizedText("input '\(name)': ", de: "Eingabe '\(name)': ") + error.message)
      }
    }
    return given
  }

  private func keywords() throws(CommandError) -> [String: Value] {
    var keywords: [String: Value] = [:]
    for (name, text) in try assignments(keyword, option: "-k") {
      guard plan.keywordNames.contains(name) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText("the recipe has no keyword '\(name)'", de: "das Rezept hat kein Schlüsselwort '\(name)'")
            + Suggestion.text(for: name, among: plan.keywordNames))
      }
      keywords[name] = .string(text)
    }
    return keywords
  }

  private func assignments(_ texts: [String], option: String) throws(CommandError) -> [(String, String)] {
    var result: [(String, String)] = []
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("\(option) takes NAME=VALUE, not '\(text)'", de: "\(option) erwartet NAME=WERT, nicht '\(text)'"))
      }
      result.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
    }
    return result
  }
}

extension EngineError {
  /// A line of inputs that cannot be used.
  fileprivate static func unusable(_ english: String, de german: String) -> EngineError {
    EngineError(.invalidInput, LocalizedText(english, de: german))
  }
}
