import Localization
import Testing

@Suite struct CodedErrorTests {
  private struct Refusal: CodedError {
    enum Code: String { case missing, damaged }

    var code: Code
    var message = LocalizedText("no file", de: "keine Datei")
    var advice: String?
    var text: LocalizedText { advice.map { message + LocalizedText(verbatim: "; \($0)") } ?? message }
  }

  @Test func errorsAreEqualIfTheirCodesAre() {
    #expect(Refusal(code: .missing, advice: "make one") == Refusal(code: .missing))
    #expect(Refusal(code: .missing) != Refusal(code: .damaged))
  }

  @Test func theDescriptionIsTheEnglishText() {
    let error: any CodedError = Refusal(code: .missing, advice: "make one")
    #expect("\(error)" == "no file; make one")
    #expect(error.text.german == "keine Datei; make one")
  }
}
