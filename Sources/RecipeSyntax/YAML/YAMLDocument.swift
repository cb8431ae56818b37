/// A YAML file that was read: its text and its values, each with its place.
public struct YAMLDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// The top value; `nil` where the file holds none.
  public let root: Node?
  /// How many nodes aliases stand for, together.
  public let aliasNodes: Int

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - limits: What the file may ask for.
  ///   - allowsEmpty: Whether a file without any value is fine.
  /// - Returns: The document, or `nil` where the text is no YAML, and every problem in source order. Problems beside a
  ///   document are those that reading got over: a duplicate key, an unquoted `{{ }}`.
  public static func parse(
    _ source: SourceText, limits: YAMLLimits = .standard, allowsEmpty: Bool = false
  ) -> (document: YAMLDocument?, diagnostics: [Diagnostic]) {
    if let problem = source.encodingProblem(limits: limits) { return (nil, [problem]) }
    var composer = YAMLComposer(source: source, limits: limits)
    let isComplete = composer.compose()
    var diagnostics = composer.diagnostics
    if isComplete, composer.root == nil, !allowsEmpty, diagnostics.isEmpty {
      diagnostics.append(YAMLComposer.emptyFile(source.path))
    }
    let document = YAMLDocument(source: source, root: composer.root, aliasNodes: composer.aliasNodes)
    return (isComplete ? document : nil, diagnostics.inSourceOrder)
  }

  /// The place of a part of a scalar's text.
  ///
  /// - Parameters:
  ///   - offsets: UTF-8 offsets into ``Node/Scalar/text``.
  ///   - node: The scalar.
  /// - Returns: The place in the file, quotes, escapes, folding and indentation taken into account; the whole node
  ///   where `node` is no scalar.
  public func range(of offsets: Range<Int>, in node: Node) -> SourceRange {
    guard let scalar = node.scalar else { return node.range }
    let positions = ScalarPositions(scalar, at: node.range.start.offset, in: source.bytes)
    guard let places = positions.range(of: offsets) else { return node.range }
    return source.range(places)
  }
}

extension Sequence<Diagnostic> {
  /// The diagnostics by file and place; those of a whole file first.
  public var inSourceOrder: [Diagnostic] {
    var pathOrder: [String: Int] = [:]
    for diagnostic in self where pathOrder[diagnostic.path] == nil { pathOrder[diagnostic.path] = pathOrder.count }
    return enumerated().sorted { left, right in
      let leftKey = (pathOrder[left.element.path] ?? 0, left.element.range?.start.offset ?? -1, left.offset)
      let rightKey = (pathOrder[right.element.path] ?? 0, right.element.range?.start.offset ?? -1, right.offset)
      return leftKey < rightKey
    }.map(\.element)
  }
}
