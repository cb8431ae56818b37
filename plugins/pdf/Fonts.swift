/// The fonts of a document.
struct Fonts {
  /// What a font is for.
  enum Face: Equatable {
    case text, strong, code
    /// From 1.
    case heading(Int)
  }

  /// The family of text.
  let family: String
  /// The size of text in points.
  let size: Double
  private let headings: [Double]

  init(_ request: RenderRequest) {
    family = request.font ?? "sans-serif"
    let size = request.size ?? 11
    self.size = size
    headings = request.headings.flatMap { $0.isEmpty ? nil : $0 } ?? [size * 1.6, size * 1.3, size * 1.1, size]
  }

  func size(_ face: Face) -> Double {
    switch face {
    case .text, .strong: size
    case .code: size * 0.9
    case .heading(let level): headings[min(max(0, level - 1), headings.count - 1)]
    }
  }

  func isBold(_ face: Face) -> Bool {
    switch face {
    case .strong, .heading: true
    case .text, .code: false
    }
  }

  func family(_ face: Face) -> String { face == .code ? "monospace" : family }
}
