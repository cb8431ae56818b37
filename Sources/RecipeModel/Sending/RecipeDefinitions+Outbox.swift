extension RecipeDefinitions {
  static let outbox = MappingDefinition(
    .outbox, "How messages wait and go out.", de: "Wie Nachrichten warten und hinausgehen.",
    [
      KeyDefinition(
        "undo_for", .duration, "How long a message can be cancelled that does not say so itself; default: not at all.",
        de: "Wie lange sich eine Nachricht zurücknehmen lässt, die es nicht selbst sagt; Vorgabe: gar nicht."),
      KeyDefinition(
        "late", .duration, "How late a message still goes out by itself; a later one asks. Default: 24h.",
        de: "Wie spät eine Nachricht noch von selbst hinausgeht; eine spätere fragt. Vorgabe: 24h."),
      rateOfMessages, quietHours,
      KeyDefinition(
        "accounts", .map(.mapping(.outboxAccount)), "Settings of single transports, by the provider's name.",
        de: "Was für einzelne Transporte gilt, nach dem Namen des Providers."),
    ])

  static let outboxAccount = MappingDefinition(
    .outboxAccount, "How the messages of one transport go out.",
    de: "Wie die Nachrichten eines Transports hinausgehen.",
    [rateOfMessages, quietHours])

  private static let rateOfMessages = KeyDefinition(
    "rate", .text, "How many messages of one transport go out at most: `20/min`, `100/h`.",
    de: "Wie viele Nachrichten eines Transports höchstens hinausgehen: `20/min`, `100/h`.")

  private static let quietHours = KeyDefinition(
    "quiet", .text,
    "Hours in which nothing goes out: `22:00-07:00`, with a time zone behind where it is not the system's. What is due "
      + "then goes out at their end.",
    de: "Stunden, in denen nichts hinausgeht: `22:00-07:00`, dahinter eine Zeitzone, wo es nicht die des Systems ist. "
      + "Was dann fällig ist, geht an ihrem Ende hinaus.")
}
