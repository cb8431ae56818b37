import Foundation
import Testing

@testable import ModelWire

struct Base64Tests {
  @Test(arguments: 0..<9)
  func writesAsFoundationDoes(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 83 + 7) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }
}
