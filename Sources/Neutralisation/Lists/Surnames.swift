/// Surnames that are common in Germany, Austria, Switzerland, the United Kingdom and the United States. Written for this
/// project; no list of others was copied.
enum Surnames {
  static let all = WordList(
    """
    abegg abel ackermann adam adams aebi aebischer aeschbacher aeschlimann ahmed akhtar albers albert albrecht alder alexander ali allen
    altmann ambühl ammann amstutz anders andersen anderson andres andrews anliker appel arendt armstrong arnold arslan ashton atkinson auer
    aydin bach bachmann bächler bader bailey baker balmer balzer bandi bannister barker barnes barnett bär bärtschi barth bartel bartels barton
    bates bauer baumann baumgartner baumgärtner bayer beck becker beckmann begum behrendt behrens bell benett bender bennett benz berg berger
    bergmann berisha berner bernasconi bernhard bertram bertschi betschart beyer bieri bigler binder bischof bischoff bishop black blackburn blake
    blaser bley bloch blum blumer böhm böhme bolliger bollinger bolt borer born bosch boss bösch bosshard boyd bradley brand brandenberger brandt
    braun bräuer breitenmoser brennan brenner brooks brown bruce brügger brühlmann brun brunner bryant bucher büchel büchi bühler bühlmann bürgi
    bürki burger burgener burkhalter burkhard burkhardt burns burri burton busch butcher butler byrne caduff camenzind cameron campbell carlson
    carpenter carr carroll carter castelberg caviezel celik chapman chavez chen choudhury christen clark clarke clerc cohen cole coleman collins cook
    cooper costa cox craig crawford cruz cunningham curtis custer dahinden da silva davidson davies davis dawson day dean degen demir demirci
    denzler deutsch díaz diaz dick dickens dieterich dietrich dietz dixon doerr doğan dogan donnelly döring dörig dreher dubois dubs duncan dürr
    eberhard eberhardt ebert ebner eckert edwards egger eggenberger egli ehrler eichenberger eicher elliott ellis elmer elsener engel engelhardt
    engels enz erb ernst estermann evans fankhauser farrell fässler favre fehr feldmann felder feller ferguson fernandes fernandez ferrari
    fiechter fiedler fink fischer fisher fleischmann fletcher flückiger flury ford forrer forster foster fournier fox francis franke fraser
    frei freeman freitag frey fricke frick fritz fröhlich fuchs fuhrer fuller furrer gallagher gallati gallo ganz garcía garcia gardner garrett
    gasser gebhardt geiger geisser geissler gerber gerhardt giger gibson gilbert giles gill gisler glaser glauser gloor gmür gomes gomez gonzalez
    goodwin götz graber graf graham grant gray greber green greene greenwood gremaud griffin griffiths grimm grob grossmann grossenbacher gruber
    grünenfelder gubler guggisberg gut gutierrez gutzwiller gygax haas haase häberli häfliger hahn hall haller hamilton hammer hansen hanson
    harris harrison hart hartl hartley hartmann harvey hasler hasanovic hauri hauser häusermann hausmann hawkins hayes heim heimann hein heine
    heinrich heinz heinze heller hellmann henderson henning henry hepp herbst hering hermann hernandez herold herrmann herzog hess hesse heusser
    hicks hill hiller hinz hirt hitz hoang hochstrasser hodel hodgson hofer hoffman hoffmann hofmann hofstetter hohl holland holmes holzer hopkins
    hoppe horn horvat howard howell huber hubschmid hübner hug hughes hummel hunt hunter hürlimann huth hussain hussein hutchinson hunziker hürzeler
    iten imhof inderbitzin isler jackson jäger jaeger jäggi jahn jakob james janssen jansen jeker jenkins jenni jensen john johnson johnston
    jones jordan jörg jost joss joyce jovanovic jud jung jungo junker kägi kahn kälin kaiser kamm kaufmann kaya keel keil keist keller kellermann
    kelly kennedy kern kessler khan kiefer kim kirchner kirk klein klaus kling klug knecht knight knobel knoll koch köhler koller könig kohler
    kopp köster kovacs kowalski kraft krämer kramer krasniqi kraus krause krauss krebs kreis kretschmer kröger krüger kruger kuhn kühn kühne kühni
    kumar künzi künzle künzler kunz küng kurz kuster küttel lachmann lambert lamprecht landolt lang lange langer läubli lauber lawrence lawson
    lee lehmann leibundgut leu leuenberger leutenegger lewis lienhard liechti linder lindner lloyd lohmann long lopez lorenz lowe ludwig lustenberger
    lüscher lutz lüthi lynch maag macdonald mäder maier maler manser marbach marchetti markovic marquardt marshall marti martin martinez martini
    marty mason mathis mathys matthews maurer may mayer maynard mccarthy mcdonald mckenzie mclean meier meili meister melnyk mendes menzel merkel
    merz messerli mettler metzger meyer michel miller mills minder mitchell mohamed mohammed möller moll moore moosmann moor morales moreno morgan
    morris morrison moser mosimann mueller mühlemann müller münch murphy murray muster näf nägeli nagel nagy nash naumann neff neubauer neuhaus
    neumann newman newton nguyen nichols nicholson niederberger niederer nielsen niggli nikolic noack nolan noll novak nussbaumer o'brien o'connor
    o'neill o'reilly oberholzer ochsner odermatt oliver olsen olson omlin ortega ortiz osborne oswald ott otto öztürk owen owens özdemir palmer
    papadopoulos parker parkinson parsons patel patterson paul paulsen payne pearce pearson perez perkins perrin perry peter peters petersen
    peterson petrovic pfeiffer pfeifer pfister pfyl phillips pichler pieper pohl popescu popovic porter portmann powell pozzi price probst püntener
    quinn racine rahman ramirez ramos ramseier raschle rau rauch reber reed rees reich reichert reichmuth reid reimann reinhard reinhardt reis
    reiter renggli reusser reuter rey reyes reynolds rhyner rice richards richardson richter rickenbacher riedel rieder riesen rigert riley ritter
    rivera robert roberts robertson robinson rodrigues rodriguez roger rogers rohner rohr rohrer romano rosenberg rose ross rossi rösch roth röthlisberger
    rothenbühler rölli rudolf rüegg rüegger ruf ruiz rupp russell russo rüttimann rutz ryan ryser şahin sahin salzmann sanchez sanders santos sauer
    sauter schaad schade schaefer schäfer schafer schädler schaller schär schärer schaub schaufelberger scheidegger scherer scherrer schenk scheuber
    schiess schilling schindler schlatter schlegel schlüter schlumpf schmid schmidlin schmidt schmied schmitt schmitz schmutz schnell schnider schneider
    schnyder scholz schön schönenberger schreiber schröder schroeder schubert schuler schulte schultz schulz schulze schumacher schumann schürch schuster
    schütz schwab schwager schwaller schwarz schwarzenbach schweizer schwegler schwyter scott seeger seidel seifert seiler seitz senn shah shaw siegenthaler
    sieber siebert siegrist sigrist silva simmen simmons simon simpson singh smith snyder solomon sommer sommerhalder sonderegger sorensen soto spahr späth
    spencer sprenger spring spycher stadelmann stadler stähli stahl stalder stamm stampfli stauffer staub stäubli steffen steger steiger steimer stein
    steinemann steiner steinmann stephens stephan stettler stevens stevenson stewart stocker stöckli stoll stolz stone strasser strauss streit stucki studer
    stump sturm sturzenegger suarez sullivan suter sutter sutton szabo tanner tanaka taylor thalmann theiler thiel thiele thomann thoma thomas thommen thompson
    thomson thoma torres tobler trachsel tran treichler troxler tschan tschanz tschudi turner uhlmann ulrich ulmer ullrich unger urban vargas vetter villiger
    vogel vogt vogler voigt volk volkart vollenweider von arx vonlanthen vögeli voss wagner walder waldmann waldvogel walker wallace waller walpen walser
    walsh walter walther walz wang ward warner warren washington watkins watson watts weaver webb weber webster wegmann wehrli weibel weidmann weigel weiler
    weiss weisz weiß wells welti wenger wenk wenzel werner west widmer widmann wieland wiedmer wiedemann wiesner wild wilhelm wilkins wilkinson willi willis
    williams williamson wilson wimmer winkler winter wirth wirz wittwer woehrle wolf wolff wolfensberger wong wood woods wright wüest wüthrich wyler wyss
    yıldırım yildirim yılmaz yilmaz young yusuf zahn zaugg zbinden zehnder zeller zemp zgraggen ziegler zimmer zimmerli zimmermann zingg zobrist zoller zollinger
    zumstein züger zürcher zwahlen zwicker zysset
    """)

  /// Surnames that are words too, in German or English: taken for names only beside a first name, a title or an initial.
  static let ambiguous = WordList(
    """
    abel adam auer bach bader bailey baker bär barth bates beck bell berg bishop black blum bolt born bosch boss brand braun brooks brown brun burger
    burns busch butcher butler can carpenter carr cook cooper cox craig cruz custer day dean degen deutsch dick dürr engel ernst erb fink fischer
    fisher ford forster foster fox frei freeman freitag fröhlich fuchs fuller ganz gill graf grant gray green grimm grob gut hahn hall haller hammer
    hart heim hein hering herbst herold herzog hess hicks hill hiller hirt hohl holland horn hug hunt hunter jäger jahn james jansen john jordan
    jost joyce jud jung junker kahn kaiser kamm keil keller kern kiefer kim klein kling klug knecht knight knoll koch könig kraft krämer krause
    krebs kreis kuhn kunz kurz kuster lang lange langer lauber lee long lopez lowe lutz maler martin mason may meister michel mills minder moll
    moor moore moos muster nagel neff newman nichols noll oliver ott otto owen page palmer parker paul peter peters pohl porter price quinn ramos
    rau rauch reed reich reis reiter rey rice richter riesen ritter robert roger rohr rose ross roth rudolf ruf russell ryan sanders sauer schade
    schaub scherer schenk schilling schlegel schmied schneider schnell schreiber schuster schütz schwab schwarz schweizer scott senn silva simon
    singh sommer spring stadler stahl stamm staub steiger stein steiner stephan steward stone streit strauss stump sturm tanner taylor turner unger urban
    vogel vogt volk von arx voss wagner walker wang ward warner washington weaver weber webb wehr weiss weiß wells wild winter wirth wolf
    wood woods wright young zahn zimmer zimmermann ziegler zoller scholz thomas werner walter wilhelm heinrich heinz henry jakob albert alexander
    arnold bernhard fritz jörg klaus konrad lorenz ludwig ulrich francis bruce cameron curtis duncan gilbert graham harvey howard joyce leo lewis
    lloyd marshall mitchell morgan norman oliver oswald perry reid spencer stewart warren wallace da silva
    """)
}
