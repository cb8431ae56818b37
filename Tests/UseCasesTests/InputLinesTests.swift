import Foundation
import Testing

@testable import UseCases

@Suite struct InputLinesTests {
  @Test(arguments: ["\u{FEFF}a\nb", "a\nb", "\u{FEFF}a\r\nb\n"])
  func aByteOrderMarkIsNoPartOfTheFirstLine(_ text: String) {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(text.utf8))
    try? pipe.fileHandleForWriting.close()
    var lines = InputLines(from: pipe.fileHandleForReading.fileDescriptor)
    var found: [String] = []
    while case .complete(let line)? = lines.next() { found.append(String(decoding: line, as: UTF8.self)) }
    #expect(found == ["a", "b"])
  }
}
