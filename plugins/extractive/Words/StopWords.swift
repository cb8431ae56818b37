/// Function words: they carry grammar, not content, so they neither make sentences similar nor belong in a phrase.
enum StopWords {
  /// German function words, forms of the auxiliary verbs and everyday adverbs.
  static let german: Set<String> = words(
    """
    aber ab alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anders auch auf aus
    außer außerdem bald beide beiden beim bei bereits besonders bevor bin bis bisher bist bitte bloß da dabei dadurch
    dafür dagegen daher dahin damals damit danach daneben dann daran darauf daraus darf darfst darin darum darunter
    darüber das dass daß davon davor dazu dein deine deinem deinen deiner deines dem demnächst den denen denn dennoch
    der deren derer derselbe derzeit des deshalb dessen desto deswegen dich die dies diese dieselbe diesem diesen dieser
    dieses dir doch dort drei du durch durfte dürfen eben ebenfalls ebenso eher ehrlich ein eine einem einen einer eines
    einfach einige einigem einigen einiger einiges einmal eins entweder er erst erste ersten es etwa etwas euch euer
    eure eurem euren eurer fast für ganz ganze gar geben gegen gehabt gehen geht gemacht genau genug gerade gern gerne
    gewesen gibt ging gleich habe haben habt hallo hast hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr
    ihre ihrem ihren ihrer ihres im immer in indem inzwischen ins ist ja je jede jedem jeden jeder jedes jedoch jemand
    jene jenem jenen jener jenes jetzt kam kann kannst kaum kein keine keinem keinen keiner keines kommen kommt können
    könnt könnte könnten könntest lassen lieber machen macht mag mal man manche manchem manchen mancher manches mehr
    mein meine meinem meinen meiner meines meist mich mir mit mittlerweile muss musst musste mussten muß müssen müsst
    möchte möchten nach nachdem nämlich natürlich neben nein nicht nichts nie niemand noch nun nur ob oben oder ohne
    oft schon schön sehr sei seid sein seine seinem seinen seiner seines seit seitdem selbst sich sicher sie siehe sind
    so sobald solche solchem solchen solcher solches soll sollen sollst sollt sollte sollten sollten somit sondern sonst
    soweit sowie statt tun um und uns unser unsere unserem unseren unserer unter viel viele vielen vieler vielleicht vom
    von vor vorher war waren warst warum was wegen weil weiter weitere weiteren weiterer weiteres welche welchem welchen
    welcher welches wenig wenige wenn wer werde werden werdet weshalb wie wieder wieso will willst wir wird wirklich
    wirst wo wobei wohl wollen wollt wollte wollten worden wurde wurden während währenddessen wäre wären würde würden
    würdest zu zudem zum zur zurück zwar zwei zwischen über überhaupt übrigens
    """)

  /// English function words with their contracted forms.
  static let english: Set<String> = words(
    """
    a about above actually after again against all almost alone along already also although always am among an and
    another any anybody anyone anything anyway are aren't around as at away back be because been before being below
    between both but by came can can't cannot come could couldn't did didn't do does doesn't doing don't done down
    during each either else enough even ever every everyone everything few first for from further gave get gets getting
    give given go goes going gone got had hadn't has hasn't have haven't having he he'd he'll he's hello her here hers
    herself hi him himself his how however i i'd i'll i'm i've if in indeed instead into is isn't it it'd it'll it's its
    itself just keep kind know last later least less let let's like likely made make makes making many may maybe me
    might mine more most much must my myself need needs neither never next no nobody none nor not nothing now of off
    often oh ok okay on once one only onto or other others otherwise our ours ourselves out over own perhaps please
    put quite rather really said same saw say says see seem seems seen several shall she she'd she'll she's should
    shouldn't since so some somebody someone something soon still such take taken than thank thanks that that's the
    their theirs them themselves then there there's therefore these they they'd they'll they're they've thing things
    this those though through thus till to together too took toward towards two under until unless up upon us use used
    using very via want wants was wasn't way we we'd we'll we're we've well went were weren't what what's when where
    whether which while who whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're
    you've your yours yourself yourselves
    """)

  /// Both lists, for texts whose language is unclear.
  static let either: Set<String> = german.union(english)

  /// The list for a language; both if it is unknown.
  static func of(_ language: TextLanguage?) -> Set<String> {
    switch language {
    case .german: german
    case .english: english
    case .japanese, .chinese: []
    case nil: either
    }
  }

  /// A word list written as lines of text.
  static func words(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
