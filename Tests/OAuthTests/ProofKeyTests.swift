import Testing

@testable import OAuth

@Suite("Proof keys")
struct ProofKeyTests {
  /// RFC 7636, appendix B.
  @Test func theChallengeIsThatOfTheSpecification() {
    let bytes: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
      91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let key = ProofKey(bytes)
    #expect(key.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func noTwoVerifiersAreTheSame() {
    let verifiers = Set((0..<100).map { _ in ProofKey(Random.bytes(32)).verifier })
    #expect(verifiers.count == 100)
    #expect(verifiers.allSatisfy { $0.utf8.count == 43 })
  }
}
