import Plans
import RecipePlanning
import RecipeSyntax
import Testing

@Suite struct PingTargetsTests {
  private func ping(_ written: String) -> (targets: PingTargets?, hasErrors: Bool) {
    let planning = Planner.standard().plan(
      SourceText(path: "r.yaml", text: "ping: \(written)\nsteps: [ { uses: template, with: { text: x } } ]\n"))
    return (planning.plan?.ping, planning.hasErrors)
  }

  @Test func oneURLIsForAllSignals() throws {
    let targets = try #require(ping(#""https://hc.example/{{ secrets.CHECK }}?rid=1""#).targets)
    #expect(
      targets.urls.count == 3 && targets.suffix(of: .start) == "/start" && targets.suffix(of: .failure) == "/fail")
    #expect(targets.urls[.success]?.secretNames == ["CHECK"])
    #expect(targets.urls[.success]?.filled { _ in "abc" } == "https://hc.example/abc?rid=1")
  }

  @Test func eachSignalMayHaveItsURL() throws {
    let targets = try #require(ping("{ failure: https://hc.example/bad, success: { secret: GOOD } }").targets)
    #expect(targets.urls.count == 2 && targets.urls[.start] == nil && targets.suffix(of: .failure).isEmpty)
    #expect(targets.urls[.success]?.secretNames == ["GOOD"])
  }

  @Test(arguments: [
    "hc.example/x", "\"https://hc.example/{{ inputs.x }}\"", "{ begin: https://hc.example }", "ftp://hc.example/x",
    "{ success: { secret: \"{{ x }}\" } }",
  ])
  func otherTextsAreErrors(written: String) {
    #expect(ping(written).hasErrors)
  }
}
