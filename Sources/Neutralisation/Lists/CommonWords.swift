/// Words that letters write with a capital and that are not names.
enum CommonWords {
  /// Words of German and English that often begin a sentence, and nouns and titles that letters are full of.
  static let all = WordList(
    """
    der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mein meine meinen meinem meiner dein deine sein seine ihre
    ihren ihrem ihrer ihres unser unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem jeder jede jedes alle allen aller
    alles beide beiden manche viele vielen vieles wenige einige etwas nichts man wer was wie wo wann warum weshalb wieso welche welcher welches
    und oder aber denn doch sondern auch nur noch schon erst dann da dort hier heute morgen gestern jetzt nun so sehr mehr weniger ganz nicht kein
    keine keinen wenn weil dass ob obwohl damit sobald solange bevor nachdem während bis seit ab an am auf aus bei beim durch für gegen in im ins
    mit nach ohne über um unter von vom vor zu zum zur zwischen wegen trotz gemäss gemäß laut bezüglich betreffend anbei hiermit gerne gern bitte danke
    vielleicht leider natürlich selbstverständlich ebenfalls ebenso jedoch allerdings ausserdem außerdem deshalb daher darum somit also falls sofern
    ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können könnte könnten muss müssen soll sollen sollte darf dürfen möchte
    möchten will wollen würde würden gibt geht steht liegt kommt macht ja nein ok okay
    januar februar märz april mai juni juli august september oktober november dezember jänner montag dienstag mittwoch donnerstag freitag samstag
    sonntag january february march may june july october december monday tuesday wednesday thursday friday saturday sunday
    frühling sommer herbst winter uhr tag tage tagen woche wochen monat monate monaten jahr jahre jahren zeit zeitpunkt datum termin termine stunde
    stunden minute minuten vormittag nachmittag abend nacht
    herr herrn herren frau frauen dame damen fräulein doktor professor professorin familie eheleute ehepaar firma team kollege kollegin kollegen
    kolleginnen kunde kundin kunden kundinnen mitglied mitglieder freund freundin freunde freundinnen liebe lieber liebes hallo guten sehr geehrte
    geehrter geehrten werte werter grüezi moin servus hoi salü freundliche freundlichen freundlicher grüsse grüssen grüße grüßen gruss gruß beste
    besten herzliche herzlichen viele vielen hochachtungsvoll
    präsident präsidentin direktor direktorin leiter leiterin geschäftsführer geschäftsführerin minister ministerin bürgermeister bürgermeisterin
    vorsitzende vorsitzender richter richterin anwalt anwältin rechtsanwalt rechtsanwältin notar notarin arzt ärztin lehrer lehrerin pfarrer
    pfarrerin mieter mieterin vermieter vermieterin patient patientin patienten versicherte versicherter versicherten antragsteller antragstellerin
    kläger klägerin beklagte beklagter zeuge zeugin schuldner gläubiger käufer verkäufer verwaltung verwalter sachbearbeiter sachbearbeiterin
    ansprechpartner ansprechpartnerin kontakt kontaktperson absender empfänger abteilung sekretariat sekretärin buchhaltung personal personalabteilung
    kundendienst kundenservice support service vertrieb einkauf verkauf marketing leitung geschäftsleitung vorstand verwaltungsrat aufsichtsrat
    rechnung rechnungen rechnungsnummer betrag beträge zahlung zahlungen mahnung konto kontonummer bank vertrag verträge vertragsnummer angebot offerte
    auftrag bestellung lieferung lieferschein artikel produkt preis kosten gebühr gebühren steuer steuern mwst summe total saldo franken euro rappen
    cent dollar prozent stück anzahl nummer nr telefon telefonnummer handy mobile fax mail email adresse anschrift strasse straße ort plz postfach
    land stadt gemeinde kanton schweiz deutschland österreich europa büro haus wohnung zimmer stock etage eingang garten keller
    anfrage anliegen antrag antwort brief briefe schreiben nachricht nachrichten mitteilung bescheid bescheide entscheid beschluss verfügung bestätigung
    bestätigungen kündigung anmeldung abmeldung einladung bewerbung bericht berichte protokoll unterlagen dokument dokumente formular beilage beilagen
    anhang anlage anlagen kopie original seite seiten punkt punkte thema frage fragen problem probleme lösung fehler hinweis hinweise information
    informationen daten angaben details beispiel grund gründe fall fälle sache stelle teil art weise betreff referenz zeichen unterschrift ort
    versicherung versicherungen police schaden unfall krankheit behandlung untersuchung diagnose therapie klinik spital krankenhaus praxis apotheke
    rezept medikament krankenkasse krankenversicherung rente pension arbeit arbeitgeber arbeitnehmer mitarbeiter mitarbeiterin mitarbeitende stelle
    lohn gehalt ferien urlaub projekt projekte sitzung besprechung meeting treffen gespräch telefonat schule kurs universität prüfung zeugnis
    gericht amt behörde polizei gesetz artikel absatz recht frist fristen miete mietvertrag heizung wasser strom gas internet gerät computer
    software system server website webseite passwort zugang benutzer benutzername login hilfe dank vielen freude glück geburtstag weihnachten ostern
    mutter vater eltern sohn tochter kind kinder bruder schwester mann ehemann ehefrau gatte gattin partner partnerin oma opa onkel tante nachbar
    nachbarin hund katze auto wagen fahrzeug zug bus flug hotel reise
    name namen vorname vornamen nachname nachnamen familienname geburtsname geburtsdatum geburtsort alter geschlecht zivilstand nationalität heimatort
    ledig verheiratet geschieden beruf bemerkung bemerkungen status typ beschreibung
    the a an this that these those my your his her its our their he she it we they you i and or but if when while because although since until
    before after as at by for from in into of off on onto over to under up with without about above below between through during please thank thanks
    many dear hello hi hey good morning afternoon evening day night yours sincerely faithfully regards kind best warm cheers wishes greetings love
    is are was were be been being has have had do does did can could may might must shall should will would not no yes also just only very more most
    less few some any all both each every other another such same so than then there here where why how what who which whom whose now today tomorrow
    yesterday soon later again further furthermore however therefore moreover unfortunately
    i'm i've i'd i'll it's that's there's we're we've we'll you're you've you'll they're he's she's don't doesn't didn't can't won't isn't let's info
    mr mrs ms miss sir madam dr prof doctor professor president director manager chief officer head secretary assistant team customer customers client
    clients member members friend friends colleague colleagues patient tenant landlord employee employer contact sender recipient department office
    sales billing accounts accounting finance human resources support service services help desk legal management board committee
    invoice invoices number amount payment payments account bank contract agreement offer order delivery item product price cost fee tax total balance
    pound pounds euros percent phone telephone mobile address street road city town country postcode zip box
    request enquiry inquiry application letter message notice confirmation cancellation registration invitation report minutes document documents form
    attachment attachments enclosed copy page point subject reference signature question problem solution error note information data details example
    reason case matter part kind insurance policy claim accident treatment examination diagnosis therapy hospital clinic surgery pharmacy prescription
    pension work job salary holiday project meeting call conversation school course university exam court police law deadline rent lease heating water
    electricity gas internet device computer software system server website password access user username login mother father parents son daughter
    child children brother sister husband wife partner neighbour neighbor dog cat car train bus flight hotel trip birthday christmas easter
    name first last middle surname given family date birth place age gender status type description remark remarks
    german english french italian swiss austrian british american european deutsch englisch französisch italienisch schweizer österreichische
    deutsche deutscher deutschen schweizerische germany switzerland austria france italy england britain london zürich berlin wien bern basel genf
    microsoft google apple amazon windows linux excel word outlook pdf html csv iban bic ahv uid id url ip cc bcc re aw wg fwd fw von an betreff
    gmbh ag kg ohg ug ltd inc llc plc co sa se ev
    neue neuer neues neuen alte gute guter gutes letzte letzten nächste nächsten erste ersten zweite dritte eigene verschiedene folgende folgenden
    new old next last first second third following several various
    gäste mitbewohner genossenschafter vereinsmitglieder nachbarn anwesende interessierte mitarbeitenden leute zusammen allerseits bewohner anwohner
    everyone everybody folks guys both neighbours neighbors parents residents tenants subscriber guest guests valued
    nebst zudem ferner hinsichtlich innert innerhalb ausserhalb anlässlich aufgrund mittels zugunsten zulasten samt sowie inkl exkl zzgl ca circa
    payroll lettings happiness operations logistics procurement reception warehouse compliance flat apartment unit suite floor
    deposit boiler kitchen bathroom window door garage parking council income bonus budget model table draft review update plan
    begründung beweis beschwerde einsprache rekurs klage urteil vollmacht gesuch gesuchsteller gesuchstellerin
    rev cllr carers newsletter notices captain reverend sergeant inspector welcome congratulations team staff
    hypothek kredit darlehen zins zinsen amortisation quartal quartalsende semester trimester jahrgang material farbe montage
    blutdruck medikation allergien befund verlauf anamnese labor röntgen ekg mri operation kontrolle kardiologie neurologie chirurgie radiologie
    nginx apache docker kubernetes github gitlab actions proxy reverse load balancer balancing webserver json yaml xml http https ssl tls api sdk cli sql
    postgresql mysql redis java javascript typescript php react angular django kernel debian ubuntu android chrome firefox machine learning
    intelligence artificial data science cloud azure container cluster pipeline framework library module plugin plugins driver treiber router switch
    firewall browser cache query schema schemas header headers token branch commit merge pull issue issues release debug build integration code studio
    visual default enterprise business open source spark hadoop kafka terraform grafana prometheus kernel datenbank
    tel durchwahl fam vers mobil natel direkt ext
    tagebuch tagebucheintrag schwiizerdütsch schweizerdeutsch hochdeutsch formell formeller informell corrigez corrige résumez résume traduisez
    traduis répondez réponds rédigez rédige réécrivez réécris écrivez écris raccourcissez raccourcis expliquez explique analysez formulez reformulez
    lieferadresse rechnungsadresse zahlungsweise versand versandkosten zwischensumme gutschein rabatt retoure
    """)

  /// Verbs for people, rarely for companies.
  static let doings = WordList(
    """
    hat hatte schreibt schrieb sagt sagte bittet bat meint meinte arbeitet arbeitete wohnt wohnte kommt kam ruft rief fragt fragte telefoniert war möchte
    braucht kann fährt bestreitet meldet meldete schlägt beantragt wird will ging geht erzählte erwähnte unterschrieb has had wrote writes said says asked asks told works worked lives lived called calls tried wants
    wanted sent mentioned came went thinks thought signed never can't cannot couldn't didn't doesn't won't wasn't needs suggests suggested denies denied rang proposed seconded reported
    """)

  /// Words before a person: two words behind them that are in no list are taken for a name.
  static let leads = WordList("mit von an für bei zwischen gegen wegen with to from by for via between against")

  /// Words that come before a name.
  static let titles = WordList(
    """
    herr herrn hr frau fr fräulein frl mr mrs ms miss mx sir madam mme mlle monsieur madame signor signora dr prof professor doktor doctor dipl ing mag
    lic med phil iur jur rer nat dipl.-ing familie fam eheleute ehepaar pfarrer pfarrerin schwester bruder rechtsanwalt rechtsanwältin ra captain reverend rev cllr sergeant inspector lord lady hauptmann
    """)

  /// Titles after which a name follows whatever it is.
  static let salutations = WordList(
    """
    herr herrn hr frau fr fräulein frl mr mrs ms miss mx mme mlle monsieur madame signor signora dr prof professor familie fam eheleute ehepaar
    pfarrer pfarrerin rechtsanwalt rechtsanwältin doktor captain reverend rev sergeant cllr councillor ing mag
    """)

  /// Those of the title's words that are between it and the name.
  static let degrees = WordList(
    "dr prof med phil iur jur rer nat pol oec hsg eth fh uzh dipl ing mag lic msc bsc mba phd dent vet hc habil theol mult oec pd rn esq"
  )

  /// Words in lower case within a name.
  static let particles = WordList(
    "von van de der den zu zum zur vom di da la le del della dos du ten ter bin al el af av")

  /// Words before a person's name: relatives, colleagues, roles.
  static let roles = WordList(
    """
    mann ehemann ehefrau sohn tochter mutter vater bruder schwester nachbar nachbarin nachbarn kollege kollegin kollegen freund freundin partner
    partnerin mitarbeiter mitarbeiterin mitarbeiters patient patientin patienten mieter mieterin mieters kunde kundin kunden antragsteller antragstellerin zeuge zeugin
    versicherte versicherten enkel enkelin onkel tante oma opa cousin cousine neffe nichte chef chefin
    kläger klägerin beklagte beklagter hauswart abwart fahrer fahrerin driver caretaker plaintiff defendant
    sachbearbeiter sachbearbeiterin hausarzt hausärztin anwalt anwältin schüler schülerin husband wife son daughter mother father brother sister neighbour
    neighbor colleague friend partner patient tenant landlord client customer employee uncle aunt cousin nephew niece boss solicitor lawyer manager grandson
    granddaughter fiancé fiancée
    berater beraterin stellvertreter stellvertreterin praktikant praktikantin gutachter gutachterin geselle gesellen lehrling lernende lernender
    vorgesetzter vorgesetzte vorgesetzten referent referentin trainer trainerin lehrer lehrerin klassenlehrer klassenlehrerin hausmeister zeugen zeuginnen
    kinder kindes eltern schwager schwägerin schwiegermutter schwiegervater schwiegersohn schwiegertochter grossmutter großmutter grossvater großvater
    mitbewohner mitbewohnerin verlobte verlobter lebensgefährte lebensgefährtin lebenspartner lebenspartnerin ehegatte ehegattin gatte gattin erblasser erblasserin
    erbe erbin vormieter vormieterin nachmieter nachmieterin untermieter untermieterin besitzer besitzerin inhaber inhaberin halter halterin
    geschäftsführer geschäftsführerin leiter leiterin direktor direktorin präsident präsidentin assistent assistentin sekretär sekretärin
    physiotherapeut physiotherapeutin therapeut therapeutin psychologe psychologin psychiater psychiaterin hebamme pfleger pflegerin makler maklerin
    mami mama papa papi omi opi gotti götti patentante patenonkel schwiegereltern
    representative adviser advisor manager supervisor consultant engineer technician plumber electrician agent nurse doctor therapist teacher tutor
    assistant secretary director architect accountant partner trainee apprentice intern recruiter coordinator nanny carer grandmother grandfather
    granny grandma grandpa stepson stepdaughter niece sister-in-law brother-in-law mother-in-law father-in-law flatmate roommate housemate witness
    witnesses kids children twins twin girlfriend boyfriend ex-husband ex-wife executor beneficiary guarantor claimant applicant candidate student pupil
    """)

  /// English roles, which a name follows if they are written in lower case.
  static let englishRoles = WordList(
    """
    husband wife son daughter mother father brother sister neighbour neighbor colleague friend partner patient tenant landlord client customer employee
    uncle aunt cousin nephew niece boss solicitor lawyer manager driver caretaker plaintiff defendant representative adviser advisor supervisor consultant
    engineer technician agent nurse doctor therapist teacher tutor assistant secretary director architect accountant trainee apprentice intern recruiter
    coordinator student pupil candidate applicant claimant witness executor
    """)
}
