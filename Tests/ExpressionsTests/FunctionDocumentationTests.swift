import Expressions
import Testing

@Suite struct FunctionDocumentationTests {
  @Test func everyFunctionAndMacroHasASummary() {
    let names = (FunctionSignature.standard + FunctionSignature.variadic).map(\.name).filter {
      $0.first?.isLetter == true && $0 != "in"
    }
    for name in Set(names).union(Macro.standard.map(\.name)).sorted() {
      #expect(FunctionSignature.summary(of: name) != nil, "\(name)")
    }
  }

  @Test func operatorsAndUnknownNamesHaveNone() {
    #expect(FunctionSignature.summary(of: "_+_") == nil)
    #expect(FunctionSignature.summary(of: "nothing") == nil)
  }
}
