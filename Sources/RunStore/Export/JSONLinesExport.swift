internal import Expressions

/// One run as a line of JSON, written part by part.
struct JSONLinesExport {
  let parts: RunParts

  func write(to sink: ([UInt8]) throws -> Void) throws {
    let record = try parts.outline()
    try sink(opened(record.fields, "steps"))
    for (index, step) in record.steps.enumerated() {
      if index > 0 { try sink([comma]) }
      try sink(opened(step.fields, "attempts"))
      try writeAttempts(of: step, to: sink)
      try sink(Array("],\"output\":".utf8) + (step.output ?? .null).json() + Array(",\"items\":".utf8))
      try writeItems(of: step, to: sink)
      try sink([UInt8(ascii: "}")])
    }
    try sink(Array("]}\n".utf8))
  }

  private var comma: UInt8 { UInt8(ascii: ",") }

  /// A map with a list begun in it.
  private func opened(_ fields: [(String, Value)], _ list: String) -> [UInt8] {
    Array(Value.object(fields).json().dropLast()) + Array(",\"\(list)\":[".utf8)
  }

  private func writeAttempts(of step: StepRecord, to sink: ([UInt8]) throws -> Void) throws {
    var isFirst = true
    try parts.forEachAttempt(of: step.position) { attempt in
      try sink((isFirst ? [] : [comma]) + attempt.json.json())
      isFirst = false
    }
  }

  private func writeItems(of step: StepRecord, to sink: ([UInt8]) throws -> Void) throws {
    guard step.itemCount != nil else { return try sink(Array("null".utf8)) }
    try sink([UInt8(ascii: "[")])
    var isFirst = true
    try parts.forEachItem(of: step.position) { item in
      try sink((isFirst ? [] : [comma]) + item.json.json())
      isFirst = false
    }
    try sink([UInt8(ascii: "]")])
  }
}
