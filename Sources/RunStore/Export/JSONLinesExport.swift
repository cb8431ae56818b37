internal import Engine
internal import Expressions

/// One run as a line of JSON, written part by part.
struct JSONLinesExport {
  /// Attempts that are read at a time.
  static let pageOfAttempts = 500
  /// Outputs of items that are read at a time.
  static let pageOfItems = 50

  let store: RunStore
  let run: RunID

  func write(to sink: ([UInt8]) throws -> Void) async throws {
    let record = try await store.outline(of: run)
    try sink(opened(record.fields, "steps"))
    for (index, step) in record.steps.enumerated() {
      if index > 0 { try sink([comma]) }
      try sink(opened(step.fields, "attempts"))
      try await writeAttempts(of: step, to: sink)
      try sink(Array("],\"output\":".utf8) + (step.output ?? .null).json() + Array(",\"items\":".utf8))
      try await writeItems(of: step, to: sink)
      try sink([UInt8(ascii: "}")])
    }
    try sink(Array("]}\n".utf8))
  }

  private var comma: UInt8 { UInt8(ascii: ",") }

  /// A map with a list begun in it.
  private func opened(_ fields: [(String, Value)], _ list: String) -> [UInt8] {
    Array(Value.object(fields).json().dropLast()) + Array(",\"\(list)\":[".utf8)
  }

  private func writeAttempts(of step: StepRecord, to sink: ([UInt8]) throws -> Void) async throws {
    var last: AttemptRecord?
    while true {
      let page = try await store.attempts(
        of: run, step: step.position, after: last, limit: JSONLinesExport.pageOfAttempts)
      for attempt in page {
        try sink((last == nil ? [] : [comma]) + attempt.json.json())
        last = attempt
      }
      if page.count < JSONLinesExport.pageOfAttempts { return }
    }
  }

  private func writeItems(of step: StepRecord, to sink: ([UInt8]) throws -> Void) async throws {
    guard step.itemCount != nil else { return try sink(Array("null".utf8)) }
    try sink([UInt8(ascii: "[")])
    var last = -1
    while true {
      let page = try await store.items(of: run, step: step.position, after: last, limit: JSONLinesExport.pageOfItems)
      for item in page {
        try sink((last < 0 ? [] : [comma]) + item.json.json())
        last = item.index
      }
      if page.count < JSONLinesExport.pageOfItems { break }
    }
    try sink([UInt8(ascii: "]")])
  }
}
