/// The pages that the loopback redirect answers with, German and English.
enum RedirectPage {
  /// The answer for what was received.
  ///
  /// - Parameter isReceived: Whether it was the answer that was waited for.
  static func answer(isReceived: Bool) -> [UInt8] {
    isReceived
      ? response(
        200, "OK", "Sous",
        [
          "Sous has received the answer. You may close this window; the result is shown in the terminal.",
          "Sous hat die Antwort erhalten. Sie können dieses Fenster schließen; das Ergebnis steht im Terminal.",
        ])
      : refusal(400)
  }

  /// The answer for a request that is none of ours.
  static func refusal(_ status: Int) -> [UInt8] {
    let reasons = [400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 414: "URI Too Long"]
    return response(
      status, reasons[status] ?? "Request Header Fields Too Large", "Sous",
      [
        "This request does not belong to the sign-in that Sous waits for.",
        "Diese Anfrage gehört nicht zu der Anmeldung, auf die Sous wartet.",
      ])
  }

  /// Holds nothing of the request, runs nothing, and is kept nowhere.
  private static func response(_ status: Int, _ reason: String, _ title: String, _ lines: [String]) -> [UInt8] {
    let paragraphs = lines.map { "<p>\($0)</p>" }.joined()
    let page =
      "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>\(title)</title></head><body>\(paragraphs)</body></html>\n"
    let head = [
      "HTTP/1.1 \(status) \(reason)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
      "Cache-Control: no-store", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
      "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "Connection: close", "", "",
    ]
    return Array(head.joined(separator: "\r\n").utf8) + Array(page.utf8)
  }
}
