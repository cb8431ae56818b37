import Testing

@testable import Mail

/// A message of the example mailbox and what has to be read from it.
struct ExampleMessage: Sendable, CustomTestStringConvertible {
  /// The file's name up to the comma.
  let name: String
  let folder: String
  let isUnread: Bool
  let category: Classification.Category
  let subject: String
  /// Words that the text has to contain, where the message is there for its text.
  let fragment: String?

  init(
    _ name: String, in folder: String = "", unread isUnread: Bool = false, _ category: Classification.Category,
    _ subject: String, _ fragment: String? = nil
  ) {
    self.name = name
    self.folder = folder
    self.isUnread = isUnread
    self.category = category
    self.subject = subject
    self.fragment = fragment
  }

  var testDescription: String { subject }

  static let all: [ExampleMessage] = [
    ExampleMessage(
      "1794985964.M107919P4255.mail", unread: true, .people, "Wanderwochenende im Jura: wer fährt, wer kocht?",
      "Col des Roches jetzt fest für uns reserviert: von Freitag"),
    ExampleMessage(
      "1795016829.M115838P4220.mail", unread: true, .people, "Migration plan: two risks I would like you to look at",
      "certificate expires on 30 November"),
    ExampleMessage(
      "1795069886.M123757P4282.mail", unread: true, .people, "Klassenfahrt im März: Rückmeldung nötig",
      "Jugendherberge Schönbüchel"),
    ExampleMessage(
      "1794920762.M131676P4247.mail", unread: true, .people, "Projekt „Seestern“ – Angebot und offene Fragen",
      "18.400 € netto"),
    ExampleMessage(
      "1795112415.M139595P4212.mail", unread: true, .people, "Wohnungsübergabe am 28. November",
      "Zählerstände von Strom und Gas"),
    ExampleMessage(
      "1794859421.M147514P4274.mail", unread: true, .people, "Your talk at the spring meetup",
      "1. May we shorten the title to “Nothing lost, nothing twice”?"),
    ExampleMessage(
      "1794735863.M155433P4239.mail", unread: true, .people, "Äpfel, Quitten und die alte Presse – kommst du?",
      "vierzehn Kisten Äpfel"),
    ExampleMessage(
      "1794999486.M163352P4204.mail", unread: true, .people, "Re: Budget for the reading room",
      "11,300 francs for this year"),
    ExampleMessage(
      "1795122953.M171271P4266.mail", unread: true, .people, "Question about the export format before we commit",
      "mark the expanded one as derived"),
    ExampleMessage(
      "1794891616.M179190P4231.mail", unread: true, .newsletter, "Neu im Regal: fünf Romane für lange Abende",
      "Tabea Rohn"),
    ExampleMessage(
      "1794976204.M187109P4293.mail", unread: true, .newsletter, "48 hours only: 30% off every rain jacket", "DRIZZLE30"
    ),
    ExampleMessage(
      "1795086007.M195028P4258.mail", unread: true, .newsletter, "Kinoprogramm 20. bis 26. November",
      "Das Mädchen und der Fuchs"),
    ExampleMessage(
      "1795030894.M202947P4223.mail", unread: true, .mailingList, "Re: [growers] Storing tomato seed over winter",
      "Label the jar, not the lid"),
    ExampleMessage(
      "1794795304.M210866P4285.mail", unread: true, .invoice, "Ihre Rechnung 2026-1184 für Oktober",
      "86,40 EUR für Oktober"),
    ExampleMessage(
      "1794696672.M218785P4250.mail", .security, "Security alert: new sign-in from Lisbon", "Firefox on Linux"),
    ExampleMessage(
      "1794471648.M226704P4215.mail", .notification, "Ihr Paket ist unterwegs – Sendung PB40019287",
      "Papeterie Lindgrün"),
    ExampleMessage("1794566554.M234623P4277.mail", .notification, "Delivered: parcel PB40019287"),
    ExampleMessage("1794330211.M242542P4242.mail", .invoice, "Your receipt for order 88213"),
    ExampleMessage("1793636755.M250461P4207.mail", .invoice, "Rechnung Oktober, Gartenpflege", "zwei Obstbäume"),
    ExampleMessage(
      "1793242814.M258380P4269.mail", .invoice, "Zahlungserinnerung: Kursgebühr Herbst", "Kursgebühr Herbst"),
    ExampleMessage("1793865737.M266299P4234.mail", .calendar, "Einladung: Quartalsplanung (Mo 30. Nov. 2026, 14:00)"),
    ExampleMessage("1794251879.M274218P4296.mail", .calendar, "Invitation: Christmas concert rehearsal"),
    ExampleMessage("1794293104.M282137P4261.mail", .calendar, "Abgesagt: Standortbestimmung"),
    ExampleMessage("1793373610.M290056P4226.mail", .bounce, "Undelivered Mail Returned to Sender", "User unknown"),
    ExampleMessage("1792389606.M297975P4288.mail", .notification, "Abwesend: Re: Protokoll vom Freitag"),
    ExampleMessage("1794831741.M305894P4253.mail", .mailingList, "[growers] Storing tomato seed over winter"),
    ExampleMessage("1794938744.M313813P4218.mail", .mailingList, "Re: [growers] Storing tomato seed over winter"),
    ExampleMessage("1793754673.M321732P4280.mail", .people, "写真と展覧会のこと", "湖の写真が一番きれいに撮れました"),
    ExampleMessage("1793068837.M329651P4245.mail", .people, "茶具样品与交货日期", "𠮷祥图案"),
    ExampleMessage("1792663936.M337570P4210.mail", .people, "Рецепт медовика", "мёд, мука, три яйца"),
    ExampleMessage("1792562954.M345489P4272.mail", .people, "Fwd: Bestätigung der Kündigung"),
    ExampleMessage("1792848805.M353408P4237.mail", .people, "Entwurf für das Plakat"),
    ExampleMessage("1793004904.M361327P4202.mail", .people, "Coûts de la fête", "voici le tableau des coûts"),
    ExampleMessage(
      "1794418219.M369246P4264.mail", .people,
      "Einladung zur außerordentlichen Versammlung der Genossenschaft „Grüner Hügel“ am 12. Dezember im Gemeindesaal",
      "Umbau des Waschhauses"),
    ExampleMessage("1794488508.M377165P4229.mail", .people, "Budget for the reading room"),
    ExampleMessage("1794554764.M385084P4291.mail", .people, "Danke!", "den Abend gerettet"),
    ExampleMessage(
      "1792051814.M393003P4256.mail", .people, "Abrechnung Vereinskasse (2. Versuch)",
      "Kassenbestand beträgt 1.204,50 Euro"),
    ExampleMessage("1791832633.M400922P4221.mail", .people, "Grüße vom Bodensee", "mit den Rädern unterwegs"),
    ExampleMessage("1792469704.M408841P4283.mail", .newsletter, "Die schönsten Hütten im Spätherbst", "Alp Sonnblick"),
    ExampleMessage("1794153635.M416760P4248.mail", .newsletter, "Lena Vogt hat deinen Beitrag kommentiert"),
    ExampleMessage("1791446404.M424679P4213.mail", .newsletter, "Welcome to Cloudberry – five tips to get started"),
    ExampleMessage("1794708008.M432598P4275.mail", .notification, "Cron <backup@nas> /usr/local/bin/backup --nightly"),
    ExampleMessage("1793967197.M440517P4240.mail", .people, "Protokoll freigegeben", "geprüft und freigegeben"),
    ExampleMessage("1793182275.M448436P4205.mail", .people, "Liste aus dem Büro"),
    ExampleMessage("1794079224.M456355P4267.mail", .people, "🎂 Party on Saturday", "🎈"),
    ExampleMessage("1793404927.M464274P4232.mail", .spam, "CONGRATULATIONS you have WON 850,000.00"),
    ExampleMessage("1792134553.M472193P4294.mail", .security, "Passwort zurücksetzen"),
    ExampleMessage("1791988804.M480112P4259.mail", .people, "번역 원고", "다음 주 월요일까지"),
    ExampleMessage("1792026904.M488031P4224.mail", in: ".Archive", .invoice, "Ihre Rechnung 2026-0991 für September"),
    ExampleMessage(
      "1791308884.M495950P4286.mail", in: ".Archive", .people, "Schwimmkurs ab November", "Schwimmkurs für die Kleinen"),
    ExampleMessage(
      "1791174604.M503869P4251.mail", in: ".Archive", .other, "Buchungsbestätigung NZ-55821: Zürich – Hamburg"),
    ExampleMessage("1792314304.M511788P4216.mail", in: ".Archive", .newsletter, "Neu im Regal: Oktober"),
    ExampleMessage("1794558604.M519707P4278.mail", in: ".Sent", .people, "Re: Budget for the reading room"),
    ExampleMessage("1793373604.M527626P4243.mail", in: ".Sent", .people, "Klassentreffen"),
    ExampleMessage("1792144804.M535545P4208.mail", in: ".Sent", .people, "Protokoll vom Freitag"),
    ExampleMessage("1794125524.M543464P4270.mail", in: ".Sent", .people, "Re: 🎂 Party on Saturday"),
  ]
}
