public import PluginKit
import SASL

extension SMTPPlugin {
  /// The manifest.
  public static var manifest: Manifest {
    Manifest(
      id: "smtp", version: "1.0.0", summary: "Sends mail by a mail server (SMTP, LMTP)",
      summaryGerman: "Verschickt Mail über einen Mailserver (SMTP, LMTP)", contracts: ["mail.transport/2"],
      configuration: .object(connecting + writing + tuning), hosts: ["{host}", "{sent.host}"],
      secrets: ["password", "token", "sent.password", "sent.token"])
  }

  private static var connecting: [JSONSchema.Property] {
    [
      .required("host", .string("The mail server: a name or an address", minimumLength: 1)),
      .optional(
        "port", .integer("Default: 465 with 'tls: implicit', 587 with 'tls: starttls'", minimum: 1, maximum: 65535)),
      .optional(
        "tls",
        .string(
          "Encryption from the start, by STARTTLS, or none. Default: 'implicit', with another port than 465 'starttls'",
          values: ["implicit", "starttls", "none"])),
      .optional(
        "protocol", .string("LMTP for delivery into a mailbox server", values: ["smtp", "lmtp"], default: "smtp")),
      .optional("user", .string("The user of the sign-in; default: no sign-in", minimumLength: 1)),
      .optional("password", .string("The password, or an app password")),
      .optional("token", .string("An OAuth access token instead of a password")),
      .optional(
        "auth",
        .string(
          "The only way to sign in by; default: the strongest that the server offers",
          values: SASLMechanism.allCases.map { $0.rawValue.lowercased() })),
      .optional("helo", .string("The name this machine greets with", minimumLength: 1, default: "[127.0.0.1]")),
    ]
  }

  private static var writing: [JSONSchema.Property] {
    [
      .optional("active", .boolean("Whether the provider sends at all", default: true)),
      .optional(
        "from", .string("Sender of messages that name none; default: 'user' if that is an address", minimumLength: 1)
      ),
      .optional("display_name", .string("The name beside the sender's address")),
      .optional("reply_to", .string("Where answers go where a message does not say", minimumLength: 1)),
      .optional(
        "signature",
        .object(
          .optional("text", .string("As text")),
          .optional("html", .string("As HTML; default: made of the text")),
          description: "Is added to every message")),
      .optional(
        "sent",
        .object(
          .required("host", .string("The IMAP server", minimumLength: 1)),
          .optional("port", .integer("Default: 993, without implicit TLS 143", minimum: 1, maximum: 65535)),
          .optional("tls", .string("Encryption", values: ["implicit", "starttls", "none"], default: "implicit")),
          .optional("user", .string("Who signs in; default: the provider's user", minimumLength: 1)),
          .optional("password", .string("Default: the provider's password")),
          .optional("token", .string("An OAuth access token; default: the provider's")),
          .optional("folder", .string("Default: the folder that the server calls Sent", minimumLength: 1)),
          description: "Where a copy of what was sent goes, for a service that keeps none")),
    ]
  }

  private static var tuning: [JSONSchema.Property] {
    let seconds = { (what: String, value: Double) in
      JSONSchema.number(what, minimum: 0.1, maximum: 3600, default: value)
    }
    return [
      .optional("connections", .integer("The most connections at a time", minimum: 1, maximum: 50, default: 4)),
      .optional(
        "require_tls", .boolean("Refuse what would not stay encrypted on all of its way (REQUIRETLS)", default: false)),
      .optional(
        "notify",
        .object(
          .required(
            "on", .array(of: .string(values: ["success", "failure", "delay", "never"]), "When", minimumCount: 1)),
          .optional("return", .string("The content of a report", values: ["headers", "full"], default: "headers")),
          description: "Reports on the delivery (DSN), where the server knows them")),
      .optional(
        "timeouts",
        .object(
          .optional("connect", seconds("Seconds until the connection is established", 15)),
          .optional("command", seconds("Seconds until a command is answered", 60)),
          .optional("data", seconds("Seconds until a piece of a message has gone out", 180)),
          .optional("end", seconds("Seconds until the server says whether it takes a message", 600)),
          .optional("idle", seconds("Seconds a connection waits for the next message", 20)),
          description: "Time limits")),
    ]
  }
}
