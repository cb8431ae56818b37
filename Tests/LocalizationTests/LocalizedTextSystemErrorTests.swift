import Glibc
import Localization
import Testing

@Suite struct LocalizedTextSystemErrorTests {
  @Test(arguments: [EPERM, ENOENT, EIO, EACCES, EEXIST, ENOTDIR, EISDIR, ENOSPC, EROFS, ENOTEMPTY])
  func whatPeopleMeetIsSaidInTheirLanguage(code: Int32) {
    let text = LocalizedText.systemError(code)
    #expect(text.english == String(cString: strerror(code)))
    #expect(text.german != text.english)
  }

  @Test(arguments: [Int32.max, -1, EDEADLK]) func whatHasNoGermanTextReadsAsTheSystemSaysIt(code: Int32) {
    let text = LocalizedText.systemError(code)
    #expect(!text.english.isEmpty)
    #expect(text.german == text.english)
  }

  @Test func germanFiguresHaveACommaForTheDecimalSign() {
    #expect(LocalizedText.figures("0.5 s, 10 s") == LocalizedText("0.5 s, 10 s", de: "0,5 s, 10 s"))
  }
}
