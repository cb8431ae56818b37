extension ResponseCursor {
  /// The most parts that a structure may have.
  private static let maximumParts = 10_000

  /// A BODYSTRUCTURE or BODY.
  mutating func bodyStructure() throws(ProtocolFault) -> BodyNode {
    var count = 0
    return try bodyNode(depth: 0, count: &count)
  }

  private mutating func bodyNode(depth: Int, count: inout Int) throws(ProtocolFault) -> BodyNode {
    guard depth <= 48 else { throw ProtocolFault(.tooDeep, "parts within parts") }
    count += 1
    guard count <= Self.maximumParts else { throw ProtocolFault(.tooMany, "parts of a message") }
    try expect(0x28)
    var node = BodyNode()
    if peek == 0x28 {
      while peek == 0x28 {
        node.parts.append(try bodyNode(depth: depth + 1, count: &count))
        spaces()
      }
      node.mediaType = "multipart/" + (try bodyText() ?? "mixed").lowercased()
      if try isGoingOn() { node.parameters = try bodyParameters() }
    } else {
      try singlePart(&node, depth: depth, count: &count)
    }
    try bodyExtensions(&node)
    try expect(0x29)
    return node
  }

  private mutating func singlePart(
    _ node: inout BodyNode, depth: Int, count: inout Int
  ) throws(ProtocolFault) {
    let type = try bodyText() ?? "application"
    try space()
    let subtype = try bodyText() ?? "octet-stream"
    node.mediaType = "\(type)/\(subtype)".lowercased()
    // Exchange describes some multiparts as a single part, without their own parts.
    guard !node.isMultipart else { throw Self.syntax("the parts of a multipart") }
    try space()
    node.parameters = try bodyParameters()
    try space()
    node.contentID = try bodyText()
    try space()
    _ = try bodyText()
    try space()
    node.encoding = (try bodyText() ?? "7bit").lowercased()
    try space()
    node.size = try bodyNumber()
    if node.mediaType == "message/rfc822" || node.mediaType == "message/global" {
      // Some servers leave the envelope out where the message within is broken.
      guard try isGoingOn() else { return }
      guard peek == 0x28 || isNext("NIL") else { return try skip() }
      try skip()
      if try isGoingOn(), peek == 0x28 { node.parts = [try bodyNode(depth: depth + 1, count: &count)] }
      if try isGoingOn() { _ = try bodyNumber() }
    } else if type.lowercased() == "text" {
      if try isGoingOn() { _ = try bodyNumber() }
    }
    // MD5
    if try isGoingOn() { _ = try bodyText() }
  }

  /// Disposition, and what is not needed behind it.
  private mutating func bodyExtensions(_ node: inout BodyNode) throws(ProtocolFault) {
    guard try isGoingOn() else { return }
    if peek == 0x28 {
      try expect(0x28)
      node.disposition = try bodyText()?.lowercased()
      if try isGoingOn() { node.dispositionParameters = try bodyParameters() }
      spaces()
      try expect(0x29)
    } else {
      try skip()
    }
    while try isGoingOn() { try skip() }
  }

  /// Whether another field comes, and goes to it.
  private mutating func isGoingOn() throws(ProtocolFault) -> Bool {
    spaces()
    guard let next = peek else { throw Self.syntax("')'") }
    return next != 0x29
  }

  /// A string or NIL; an atom, which some servers send, counts as a string.
  private mutating func bodyText() throws(ProtocolFault) -> String? {
    if isNext("NIL") {
      try skip()
      return nil
    }
    return try text()
  }

  private mutating func bodyNumber() throws(ProtocolFault) -> Int {
    if isNext("NIL") {
      try skip()
      return 0
    }
    return Int(clamping: try number())
  }

  private mutating func bodyParameters() throws(ProtocolFault) -> [BodyNode.Parameter] {
    guard peek == 0x28 else {
      try skip()
      return []
    }
    var parameters: [BodyNode.Parameter] = []
    var name: String?
    try list { cursor throws(ProtocolFault) in
      let text = try cursor.bodyText() ?? ""
      if let known = name {
        parameters.append(BodyNode.Parameter(name: known.lowercased(), value: text))
        name = nil
      } else {
        name = text
      }
    }
    return parameters
  }
}
