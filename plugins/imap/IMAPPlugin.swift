import Mail
import MailWire
public import PluginKit
import SASL

/// Carries out `mail.store` on an IMAP server (RFC 9051, RFC 3501).
public struct IMAPPlugin: Plugin {
  /// The manifest.
  public static var manifest: Manifest {
    Manifest(
      id: "imap", version: "1.0.0", summary: "Mail on an IMAP server", summaryGerman: "Mail auf einem IMAP-Server",
      contracts: ["mail.store/2"],
      configuration: .object(
        .required("host", .string("The server's name", minimumLength: 1)),
        .optional("port", .integer("993, or 143 without implicit TLS", minimum: 1, maximum: 65535)),
        .optional(
          "tls",
          .string(
            "Whether the connection is encrypted from the start, by STARTTLS, or not at all",
            values: ["implicit", "starttls", "none"], default: "implicit")),
        .required("user", .string("The name to sign in with", minimumLength: 1)),
        .optional("password", .string("The password, or one made for programs ('app password')")),
        .optional("token", .string("An access token (OAuth 2.0) in the place of a password")),
        .optional(
          "auth",
          .string(
            "The way to sign in; the best there is where absent",
            values: ["plain", "login", "xoauth2", "oauthbearer", "scram-sha-256", "scram-sha-1"])),
        .optional("from", .string("Owner of the mailbox, and author of messages that name none", minimumLength: 1)),
        .optional(
          "folders",
          .object(
            .optional("sent", .string(minimumLength: 1)), .optional("drafts", .string(minimumLength: 1)),
            .optional("trash", .string(minimumLength: 1)), .optional("spam", .string(minimumLength: 1)),
            .optional("archive", .string(minimumLength: 1)),
            description: "Which folder is for what, where the server does not say so")),
        .optional("connect_timeout", time("How long connecting may take; 15s")),
        .optional("command_timeout", time("How long the server may be silent while it answers; 30s")),
        .optional("idle_renewal", time("How often waiting for new mail (IDLE) is renewed; 9m")),
        .optional("poll_interval", time("How often new mail is asked for if there is no IDLE; 1m")),
        .optional("connections", .integer("The most connections at a time", minimum: 1, maximum: 50, default: 4)),
        .optional("compress", .boolean("Whether bytes are compressed; default: yes, for remote servers"))),
      hosts: ["{host}"], secrets: ["password", "token"], files: [])
  }

  private static func time(_ description: String) -> JSONSchema {
    .oneOf(.number(minimum: 0), .string(), description: description)
  }

  let account: Account

  /// Checks the configuration; the server is reached when it is needed.
  ///
  /// - Throws: `invalid_input` that names the setting.
  public init(configuration: IMAPConfiguration, context: PluginContext) throws {
    account = Account(try IMAPSettings(configuration), configuration, context)
  }

  /// The actions of the contract, and a check of the settings.
  public static var actions: ActionList<IMAPPlugin> {
    reading
    attachments
    changing
    storing
    bulk
    organising
    checking
    watching
  }
}
