import Localization

extension NetworkError {
  /// A rule that cannot be read.
  init(host text: some StringProtocol) {
    let shown = text.unicodeScalars.prefix(80).map { $0.value < 0x20 ? " " : String($0) }.joined()
    self.init(
      .invalidInput, .hostInvalid,
      LocalizedText(
        "'\(shown)' is not a host, address, network or URL",
        de: "'\(shown)' ist kein Rechner, keine Adresse, kein Netz und keine URL"))
  }
}
