import Testing

@testable import RecipeModel
@testable import RecipeSyntax

@Suite struct ConfiguredHTTPTests {
  private func parse(_ text: String, path: String = "sous.yaml") -> (Configuration, [Diagnostic]) {
    let (configuration, diagnostics) = Configuration.parse(SourceText(path: path, text: text))
    return (configuration, diagnostics)
  }

  @Test func hostsAndCredentialsAreRead() {
    let (configuration, diagnostics) = parse(
      """
      http:
        hosts: [api.example.com, "*.example.org"]
        credentials:
          - { host: api.example.com, bearer: { secret: TOKEN } }
          - { host: a.example.org, user: me, password: { secret: { env: PASSWORD } } }
          - { host: b.example.org, header: X-Api-Key, value: { secret: KEY } }
        trust: { authorities: ca.pem }
      """)
    #expect(diagnostics.isEmpty)
    #expect(configuration.http.hosts.map(\.value) == ["api.example.com", "*.example.org"])
    #expect(configuration.http.credentials.map(\.host.value) == ["api.example.com", "a.example.org", "b.example.org"])
    #expect(configuration.http.credentials.map(\.form) == [.bearer, .basic(user: "me"), .header("X-Api-Key")])
    #expect(configuration.http.trust.authorities == "ca.pem")
  }

  @Test func foldersBeginAtTheFileAndAreTheirOwnWhereNothingIsSaid() {
    let (configuration, diagnostics) = parse("files: { folders: [., docs, /srv/scans] }", path: "/a/sous.yaml")
    #expect(diagnostics.isEmpty)
    #expect(configuration.fileFolders == ["/a/.", "/a/docs", "/srv/scans"])
    #expect(parse("providers: {}").0.fileFolders == nil)
    #expect(parse("providers: {}").0.http.hosts.isEmpty)
  }

  @Test(arguments: [
    "http: { credentials: [] }", "http: { hosts: [a], credentials: [{ bearer: { secret: T } }] }",
    "http: { hosts: [a], credentials: [{ host: a }] }",
    "http: { hosts: [a], credentials: [{ host: a, bearer: { secret: T }, value: { secret: T } }] }",
    "http: { hosts: [a], credentials: [{ host: a, password: { secret: T } }] }",
    "http: { hosts: [a], credentials: [{ host: a, value: { secret: T } }] }",
    "http: { hosts: [a], credentials: [{ host: a, bearer: plain }] }", "http: { host: [a] }", "files: { folder: . }",
    "files: {}",
  ])
  func whatIsMissingOrTooMuchIsReported(text: String) {
    #expect(parse(text).1.contains { $0.severity == .error })
  }
}
