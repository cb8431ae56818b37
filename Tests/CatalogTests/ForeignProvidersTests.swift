import Catalog
import Localization
import Testing

@Suite struct ForeignProvidersTests {
  @Test func languageModelsBecomeEntriesWithoutTheirKeys() throws {
    let json = #"""
      {"config.ai.providers.list": "[{\"id\":\"00000000-0000-0000-0000-00000000000A\",\"name\":\"Mein GPT\",\"type\":\"openai\",\"baseUrl\":\"https://api.openai.com\",\"port\":\"\",\"apiKey\":\"sk-1\",\"model\":\"gpt-4o-mini\",\"temperature\":0.7},{\"id\":\"00000000-0000-0000-0000-00000000000B\",\"name\":\"Haus\",\"type\":\"Custom\",\"baseUrl\":\"http://llm.lan\",\"port\":\"\",\"apiKey\":\"\",\"model\":\"llama3:8b\"}]",
       "config.ai.providers.selected": "00000000-0000-0000-0000-00000000000b"}
      """#
    let found = try ForeignProviders(Array(json.utf8), taken: ["haus"])
    #expect(
      found.entries.map { "\($0.name): \($0.settings)" } == [
        #"mein-gpt: { plugin: openai, model: "gpt-4o-mini", api_key: { secret: MEIN_GPT_KEY }, temperature: 0.7 }"#,
        #"haus-2: { plugin: ollama, base_url: "http://llm.lan:11434", model: "llama3:8b" }"#,
      ])
    #expect(found.secrets.map(\.name) == ["MEIN_GPT_KEY"])
    #expect(found.secrets.map(\.value) == ["sk-1"])
    #expect(found.chosen == "haus-2")
  }

  @Test func aProviderOfAnotherTypeIsLeftOutAndNamed() throws {
    let json = #"""
      [{"name": "C", "type": "Anthropic", "baseUrl": "https://api.anthropic.com", "model": "m", "isActive": true},
       {"name": "O", "type": "ollama", "isActive": true}]
      """#
    let found = try ForeignProviders(Array(json.utf8), taken: [])
    #expect(found.entries.map(\.name) == ["o"])
    #expect(found.remarks.map(\.english).map { $0.prefix(17) } == ["C: left out, as i", "O: not taken over"])
    let alone = Array(#"[{"name": "C", "type": "Anthropic", "apiKey": "k"}]"#.utf8)
    let error = #expect(throws: CatalogError.self) { try ForeignProviders(alone, taken: []) }
    #expect(error?.message.english.contains("Anthropic") == true)
  }

  @Test func theOlderSingleProviderIsRead() throws {
    let json =
      #"{"config.ai.server.address": "https://api.mistral.ai", "config.ai.server.port": "443", "config.ai.server.apikey": "k", "config.ai.server.model": "m"}"#
    let found = try ForeignProviders(Array(json.utf8), taken: [])
    #expect(found.entries.map(\.settings) == [#"{ plugin: mistral, model: "m", api_key: { secret: AI_KEY } }"#])
    #expect(found.chosen == "ai")
  }

  @Test func mailAccountsBecomeTwoEntries() throws {
    let json = #"""
      [{"id": "x", "accountName": "Büro", "displayName": "Jana", "emailAddress": "jana@example.com",
        "recvProtocol": {"imap": {}}, "recvHost": "imap.example.com", "recvPort": 143, "recvEncryption": "startTLS",
        "recvUsername": "jana", "recvPassword": "geheim", "smtpHost": "smtp.example.com", "smtpPort": 465,
        "smtpEncryption": "ssltls", "smtpUsername": "", "smtpPassword": null, "oauthToken": "t",
        "replyTo": "antwort@example.com", "connectionTimeoutSec": 20, "syncLimitInitial": 200, "signingEnabled": false,
        "mailFolders": {"inbox": "INBOX", "sent": "Gesendet", "drafts": "Drafts"}},
       {"id": "y", "accountName": "Alt", "recvProtocol": "POP3", "recvHost": "pop.example.com", "smtpHost": ""}]
      """#
    #expect(throws: CatalogError.self) { try ForeignProviders(Array(#"[{"a": 1}]"#.utf8), taken: []) }
    let found = try ForeignProviders(Array(json.utf8), taken: [])
    #expect(
      found.entries.map { "\($0.name): \($0.settings)" } == [
        #"buero: { plugin: imap, host: "imap.example.com", port: 143, tls: starttls, user: "jana", password: { secret: BUERO_PASSWORD }, from: "jana@example.com", folders: { sent: "Gesendet" }, connect_timeout: 20s }"#,
        #"buero-out: { plugin: smtp, host: "smtp.example.com", port: 465, tls: implicit, user: "jana", password: { secret: BUERO_OUT_PASSWORD }, from: "Jana <jana@example.com>", reply_to: "antwort@example.com", timeouts: { connect: 20 } }"#,
      ])
    #expect(found.secrets.map(\.value) == ["geheim", "geheim"])
    let remarks = found.remarks.map(\.english).joined()
    #expect(remarks.contains("POP3"))
    #expect(remarks.contains("auth login"))
    #expect(remarks.contains("Büro: not taken over: syncLimitInitial"))
    #expect(!remarks.contains("geheim"))
  }
}
