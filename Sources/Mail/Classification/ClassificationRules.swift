/// The words, names and domains that the classification goes by: data, in one place.
///
/// Everything is in lower case. Domains also cover the domains below them.
public struct ClassificationRules: Sendable {
  /// Addresses that programs send from, by the part before the `@` without its separators, or the beginning of it.
  public var automaticAddressPrefixes = [
    "noreply", "donotreply", "noresponse", "nichtantworten", "bittenichtantworten", "keineantwort", "notification",
    "benachrichtigung", "alert", "mailerdaemon", "automail", "automated", "bounce", "noreplay", "system", "robot",
    "cron", "daemon", "unsubscribe", "statusmail", "versandstatus",
  ]
  /// Addresses that belong to a function, by the part before the `@`.
  public var roleAddresses: Set<String> = [
    "info", "service", "support", "kundenservice", "kundendienst", "hello", "hallo", "hi", "contact", "kontakt", "news",
    "newsletter", "marketing", "sales", "vertrieb", "billing", "rechnung", "rechnungen", "invoice", "invoices",
    "orders",
    "order", "bestellung", "bestellungen", "shop", "store", "team", "office", "admin", "webmaster", "help", "hilfe",
    "security", "sicherheit", "account", "accounts", "konto", "mail", "post", "updates", "digest", "events", "jobs",
    "feedback", "tickets", "reservation", "booking", "buchung", "versand", "shipping", "tracking", "community",
    "postmaster", "abuse", "root", "buchhaltung", "verwaltung", "sekretariat", "anmeldung", "praxis", "redaktion",
  ]
  /// Addresses of mail systems, by the part before the `@`.
  public var mailSystemAddresses: Set<String> = ["mailer-daemon", "postmaster", "maildaemon", "mail-daemon"]
  /// Words in a name that make it an organisation's.
  public var brandWords: Set<String> = [
    "team", "support", "service", "services", "kundenservice", "kundendienst", "kundenbetreuung", "newsletter", "news",
    "shop", "store", "online", "bank", "sparkasse", "versicherung", "gmbh", "ag", "kg", "ug", "se", "ev", "inc", "llc",
    "ltd", "corp", "notifications", "notification", "benachrichtigung", "benachrichtigungen", "alerts", "alert", "info",
    "mailer", "no-reply", "noreply", "digest", "weekly", "daily", "updates", "update", "security", "sicherheit",
    "billing", "buchhaltung", "rechnungen", "account", "accounts", "konto", "redaktion", "verlag", "versand", "express",
    "logistik", "stadtwerke", "energie", "hotel", "airlines", "bahn", "bot", "system", "admin", "marketing", "delivery",
    "mail", "club", "magazin", "magazine", "academy", "cloud", "app", "hosting", "bibliothek", "amt", "verein",
    "schule", "musikschule", "hochschule", "universität", "university", "school",
    "praxis", "stiftung", "foundation", "company", "group", "gesellschaft", "genossenschaft", "verwaltung",
    "hausverwaltung", "reisen", "stadtwerk", "stromwerk", "stadtbibliothek", "kino", "museum", "theater",
  ]
  /// Endings of a name of one word that make it an organisation's.
  public var brandEndings = [
    "amt", "bank", "kasse", "verein", "verband", "schule", "werk", "werke", "verlag", "versicherung", "shop", "praxis",
    "zentrum", "gruppe", "dienst", "service", "zeitung", "apotheke", "klinik", "hotel", "universität", "institut",
    "bibliothek", "museum", "theater", "verwaltung", "markt", "ministerium", "kanzlei", "team", "news",
  ]
  /// Domains of providers of private mailboxes.
  public var personalDomains = DomainRegistry.personalDomains
  /// Domains of services that send campaigns.
  public var marketingDomains: Set<String> = [
    "mailchimp.com", "mailchimpapp.net", "mcsv.net", "mcdlv.net", "rsgsv.net", "list-manage.com", "sendgrid.net",
    "sendgrid.com", "mailgun.org", "mailjet.com", "sendinblue.com", "brevo.com", "constantcontact.com", "ccsend.com",
    "hubspot.com", "hubspotemail.net", "klaviyomail.com", "klaviyo.com", "cleverreach.com", "rapidmail.com",
    "newsletter2go.com", "campaign-archive.com", "createsend.com", "cmail19.com", "cmail20.com", "exacttarget.com",
    "salesforce-marketing.com", "responsys.net", "substack.com", "beehiiv.com", "convertkit.com", "mailerlite.com",
    "activecampaign.com", "inxmail.com", "optivo.net", "episerver.net", "amazonses.com", "sparkpostmail.com",
    "emarsys.net", "getresponse.com",
  ]
  /// Header fields that campaign software writes.
  public var campaignHeaders = [
    "x-mailchimp-id", "x-campaign", "x-campaignid", "x-mc-user", "feedback-id", "x-sg-eid", "x-mailgun-sid",
    "x-mailjet-campaign", "x-cleverreach", "x-newsletter", "x-csa-complaints",
  ]
  /// Words of a subject that speak of a bill, a receipt or a dunning letter.
  public var invoiceWords: Set<String> = [
    "rechnung", "rechnungen", "rechnungskopie", "invoice", "invoices", "receipt", "quittung", "kassenbon",
    "zahlungsbeleg",
    "beleg", "zahlungsbestätigung", "zahlungserinnerung", "mahnung", "gutschrift", "billing", "abrechnung",
    "beitragsrechnung", "kaufbeleg", "zahlungseingang",
  ]
  /// Endings of German compounds that mean a bill.
  public var invoiceEndings = ["rechnung", "rechnungen", "quittung", "beleg"]
  /// Words that end in one of ``invoiceEndings`` and mean something else.
  public var invoiceExceptions: Set<String> = [
    "berechnung", "berechnungen", "anrechnung", "hochrechnung", "umrechnung",
  ]
  /// Phrases of a subject that mean a bill.
  public var invoicePhrases = [
    "payment confirmation", "payment received", "your order receipt", "bill for", "your bill",
  ]
  /// Phrases of a subject that speak of signing in, passwords and codes.
  public var securityPhrases = [
    "security alert", "sicherheitswarnung", "sicherheitshinweis", "sicherheitsmeldung", "new sign-in", "new login",
    "neue anmeldung", "anmeldung von einem neuen", "verdächtige anmeldung", "password reset", "reset your password",
    "passwort zurücksetzen", "password changed", "passwort geändert", "passwort wurde geändert", "verification code",
    "bestätigungscode", "sicherheitscode", "security code", "einmalpasswort", "two-factor", "zwei-faktor",
    "unusual activity", "ungewöhnliche aktivität",
  ]
  /// Phrases of a subject that speak of a parcel.
  public var shippingPhrases = [
    "shipped", "versandbestätigung", "wurde versandt", "wurde verschickt", "sendungsverfolgung", "your parcel",
    "your package", "ihr paket", "dein paket", "ihre sendung", "deine sendung", "out for delivery", "zustellung",
    "delivered", "unterwegs zu",
  ]
  /// Phrases of a subject that report a failed delivery.
  public var bouncePhrases = [
    "undelivered", "undeliverable", "delivery status notification", "delivery failure", "returned mail",
    "failure notice",
    "mail delivery failed", "unzustellbar", "nicht zugestellt", "zustellung fehlgeschlagen",
  ]
  /// Gmail's labels for what is not personal.
  public var gmailCategories = ["category_promotions", "category_social", "promotions", "social", "werbung"]

  /// Senders that are important to the owner: addresses, and domains with or without `@` before them.
  public var vipSenders: Set<String> = []
  /// Senders the owner does not want to see: addresses, and domains with or without `@` before them.
  public var blockedSenders: Set<String> = []
  /// Beginnings of words that make an amount of money in the same text worth a mark.
  public var moneyWords = [
    "rechnung", "zahlung", "bezahl", "zahlbar", "überweis", "überwies", "betrag", "kosten", "preis", "honorar",
    "gebühr",
    "miete", "erstatt", "gutschrift", "mahnung", "konto", "iban", "angebot", "netto", "brutto", "budget", "spende",
    "invoice", "payment", "paid", "pay", "amount", "price", "cost", "fee", "rent", "refund", "receipt", "balance",
    "transfer", "quote", "salary", "total", "donat",
  ]
  /// Phrases after which a day is a deadline, up to eight words on.
  public var deadlinePhrases = [
    "frist", "deadline", "fällig", "spätestens", "anmeldeschluss", "einsendeschluss", "abgabetermin", "abgabe",
    "zahlbar bis",
    "no later than", "due", "expires", "läuft ab", "gültig bis", "rsvp", "bitte bis", "zahlungsziel", "at the latest",
  ]
  /// Words after which a day is a deadline, up to three words on, unless they are between two days.
  public var untilWords: Set<String> = ["bis", "by", "until", "before", "vor"]
  /// Phrases by which people ask for an answer.
  public var requestPhrases = [
    "bitte um rückmeldung", "bitte um antwort", "bitte antwort", "rückmeldung nötig", "gib bescheid", "gebt bescheid",
    "geben sie bescheid", "geben sie mir bescheid", "gib mir bescheid", "sag bescheid", "sagt bescheid",
    "freue mich auf deine antwort",
    "freue mich auf ihre antwort", "um antwort wird gebeten", "u. a. w. g", "u.a.w.g", "melde dich", "meldet euch",
    "melden sie sich", "ihre rückmeldung", "deine rückmeldung", "eure rückmeldung", "schick mir", "schicken sie mir",
    "let me know", "please reply", "please respond", "please confirm", "please answer", "get back to me", "rsvp",
    "looking forward to your answer", "looking forward to your reply", "looking forward to hearing", "waiting for your",
    "your thoughts", "i would like you to", "could you please", "can you please",
  ]
  /// Phrases of a text, sent by a program, that speak of signing in, passwords and codes.
  public var securityTexts = [
    "verification code", "security code", "one-time password", "bestätigungscode", "sicherheitscode", "einmalpasswort",
    "if this wasn't you", "if this was not you", "if you did not request", "falls sie das nicht waren",
    "wenn sie das nicht waren", "falls du das nicht warst", "nicht angefordert haben", "new sign-in",
  ]

  /// The header fields that ``Classifier/origin(of:from:)`` looks at, in lower case. A header without any others gives the same
  /// answer, so a mailbox on a server need not send more.
  public var originFields: Set<String> {
    Set(campaignHeaders).union([
      "from", "sender", "return-path", "list-unsubscribe", "list-id", "list-post", "precedence", "auto-submitted",
      "x-gmail-labels",
    ])
  }
  /// The header fields that ``Classifier/classify(_:isOwnThread:)`` looks at, in lower case.
  public var categoryFields: Set<String> {
    originFields.union([
      "subject", "in-reply-to", "list-unsubscribe-post", "content-type", "x-autoreply", "x-autorespond", "x-spam-flag",
      "x-spam-status",
    ])
  }

  /// Creates the standard rules.
  public init() {}
}
