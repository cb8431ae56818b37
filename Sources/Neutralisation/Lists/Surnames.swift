/// Surnames that are common in Germany, Austria, Switzerland, the United Kingdom and the United States. Written for this
/// project; common generators of test names showed which ones were missing.
enum Surnames {
  static let all = WordList(
    """
    abbott abderhalden abegg abel abraham achenbach achleitner ackermann acosta adam adams adamski adebayo adeyemi adkins adler adolph aeberhard aebi
    aebischer aeby aeschbacher aeschlimann affolter agarwal aguilar aguirre ahmed aichinger aigner akhtar aksoy aktaş albers albert albrecht alder
    alexander ali alimi allemann allen almeida alt altherr altmann alvarado alvarez alves amann ambühl amherd ammann amon amrein amstad amstutz
    anderegg andermatt anders andersen anderson andres andrews andrey anger angerer anliker antes anthony apel appel archer arendt armbruster
    armstrong arndt arnet arnold arquint arslan artner arx aschauer ashton asmus atkins atkinson auer auerbach aumann austen austin avery ayala aydin
    aydın ayers babić bach bachmaier bachmann bachofner backes backhaus bader badertscher bahr baier bailey bajrami baker balcı baldwin ball ballard
    balmat balmer balsiger balzer bandi bange banks bannister barbieri barker barkholz barlow barnes barnett barrera barrett barron barry bartel
    bartels barth barthel bartlett bartley barton bartsch barz bass bates bauch bauer baum baumann baumeister baumgart baumgarten baumgartner
    baumgärtner baur bautista baxter bayer bayram başaran beard beck becker beckers beckert beckmann beeler beer begum behn behnke behr behrendt
    behrens beier beil bell beltran bender benett benitez benjamin bennett benson bentley benton benz beqiri berchtold berendt berg bergemann berger
    bergmann berisha bernard bernasconi berndt bernegger berner bernet bernhard bernhardt bertram bertschi best bethge betschart bettosini betz beutel
    bevan beyer bhatt bianchi bibi biedermann bielak bieler bien bierbaum bieri biermann bigler binder binggeli birch bird bischof bischoff bishop
    bittner black blackburn blackwell blagojević blair blake blanchard blank blankenship blaser blasius bleiker blevins bley bloch blohm blum
    blumenthal blumer bock bode boden bogdanović bohn bohnert bolliger bollinger bolt bolton bolz bond bondarenko bongartz bonilla bonn bonvin booker
    boone boos booth borchers borchert borer bormann born bornemann borrmann bosch boss bossert bosshard bovet bowden bowen bowers bowman boyd boyer
    boyko boyle bozkurt bošnjak bracht bracken bradford bradley bradshaw brady branch brand brandenberger brandl brandner brandt braun braune brauner
    bray bregy breitenmoser brem brennan brenner breuer brewer bridges briggs bright brinker brinkmann britschgi brix broadbent brock brockmann
    brookes brooks brown browning bruce bruckner brugger bruhn brun brunner bruno bruns brunschwiler bryan bryant bryson brändli bräuer brönnimann
    brückner brüggemann brügger brühlmann buchanan bucher buchholz buchmann buck buckley budde buhl bullock bulut buob burch burgener burger burgess
    burgmann burke burkhalter burkhard burkhardt burnett burnham burns burri burrows burton busch bush busse butcher butler butz byrd byrne bächler
    bär bärtschi bättig böck böckmann böger böhm böhme böhmer böhnke bösch böttcher böttger büchel büchi büchler bühler bühlmann bülow bünger bürgi
    bürgisser bürki büttiker büttner cabrera caduff cain calderon caldwell calhoun callahan camacho camenzind cameron campbell campos candrian cannon
    cantrell cantu caputo cardenas cardoso carey carlson carney carpenter carr carrington carroll carstens carter cartwright caruso carvalho carver
    casey castaneda castelberg castillo castro casutt cathomas cavalli caviezel celik cervantes chadwick chambers chan chandler chaney chang chapman
    chappuis charles charlton chase chaudhary chaudhry chavez chen cheng cherry cheung choi chopra choudhury christ christen christener christensen
    christian christiansen chukwu chung church clark clarke claussen claußen clay clayton clegg clements clerc cline coates cobb cochran cohen cole
    coleman coles collier collins colombo colon combs compton conley conner connolly connor conrad conti conway cook cooke cooley cooper copeland
    cordes cordova cornu correia corrigan cortez costa costantini cowan cox craig cramer crane crawford cresswell crosby cross cruz cuche cuevas
    cullen cummings cunningham curry curtis custer da dabrowski dahinden dahm dahms dale dalton daly damm daniel daniels dannenberg das daugherty
    davenport davey david davidson davies davis davison dawson day dağ dean decker defila degen degenhardt deichmann delacruz deleon delgado deluca
    demir demirci demirel denecke dengler denk dennis denzler derungs desai dettmer deutsch deutschmann dhillon diaz dick dickens dickerson dickinson
    dickson diehl diekmann dierks dieterich dietl dietrich dietz dillon dittmann dittmar dittrich dixon dobler dobson dodd dodson doerr dogan doherty
    dohm dohmen dominguez donaldson donnelly donovan dordevic dorn dorner dorsey dougherty douglas downs doyle doğan drake drechsler drees dreher
    drescher dressler drews dreyer dreßler droste duarte dubach dubois dubs dudley duffy duke duncan dunlap dunn duran durham durmaz dutta dyer
    dällenbach díaz döbler dörig döring dörr düring dürr dürrenmatt dąbrowski eaton ebeling eberhard eberhardt eberle ebert ebner eckardt eckert
    eckhardt eder edler edwards eggenberger egger eggers eggimann egli egloff ehlers ehrhardt ehrler ehrlich eichenberger eicher eichhorn eichler
    eichner eisele eisenberg eisenmann elezi eller ellermann elliott ellis ellison elmer elsener emch emmerich ender enders engel engeler engelhardt
    engelmann engels englert english enz erb erdem erdmann erdoğan ergün erhardt erickson erni ernst ertl escobar esparza espinoza esposito esser
    estermann estes estrada eugster evans everett evers ewald ewing eze faber fabian falk fankhauser farley farmer farooq farrell faulkner faust favre
    fazliu fedorov fehr feichtinger feierabend felber felder feldmann feller fellmann fellner ferguson fernandes fernandez ferrara ferrari ferraro
    ferreira fichtner fiechter fiedler field fields figueroa filipović finch finger fink finke finley fiore fischer fisher fitzgerald fitzpatrick
    fleck fleischer fleischmann fleming flemming fletcher flick flores flowers floyd flury flynn flück flückiger foerster foley fong fonseca fontana
    forbes ford forrer forster forstner foster fournier fowler fox francis franco frank franke franken franklin franz franzen fraser frauchiger
    frazier frederick freeman frei freiburghaus freitag french frenzel frerichs freund frey frick fricke friedl friedli friedmann friedrich friedrichs
    fries frisch fritsch fritz fritzsche froese fromm frost fry frye fröhlich fuchs fuentes fuhrer fuhrmann fuller funk funke furger furrer fässler
    föhn förster fürnkranz fürst gabler gabriel gafner gaillard gaines galindo gall gallagher gallati gallegos galli gallo galloway galvan gamble ganz
    garcia garcía gardiner gardner garner garrett garrison garza gashi gasser gates gay gebauer gebhardt gehrke geiger geisler geissbühler geisser
    geissler geißler genoud gentile gentry george gerber gerdes gerhardt gerlach gerstner geyer gfeller ghosh gianini gibbons gibbs gibson giese
    gieseking giger gilbert giles gill gillespie gilmore giordano girardin gisler glaser glass glauser glenn gloor glover gläser glück gmür gnatz
    goddard godfrey goebel goetz golden goldschmidt goller gomes gomez gonzales gonzalez gonçalves good goodman goodwin gordon gottschalk gough gould
    grab graber graf graham gramlich grant grasso graves gray greber greco green greene greenhalgh greenwood greer gregory greiner gremaud grgić
    griffin griffith griffiths grimes grimm grob gross grossenbacher grossmann grote groß großmann gruber grunwald gräf grünenfelder grünewald
    grünwald grütter gubler gude guerra guerrero guggisberg gunther guo gupta gurtner gut gutierrez gutmann gutzwiller guzman gygax gysin gärtner
    göbel göller görlitz göttlicher götz götze gül güneş güntensperger günther haag haas haase hacker haferkorn hafner hagemann hagen hager hahn
    haider hale haley haliti hall haller hamacher hamann hamilton hammer hammond hampel hampton hancock haney hannemann hansen hanson harder hardin
    harding hardy hargreaves harmon harper harrell harrington harris harrison hart hartl hartley hartman hartmann hartshorn hartung hartwig harvey
    hasani hasanovic hase hasler hatfield haubner haufe haug hauri hauser hausmann hawkins hayden hayes haynes hayward heath heaton hebert hecht heck
    hecker heckmann heidenreich heider heidrich heil heim heimann hein heine heinemann heinen heiniger heinke heinrich heinrichs heintze heinz heinze
    heinzel heinzer heise heiser helbling held heller hellmann hellwig helm helmer hempel henderson hendricks hendrix hengst henke henkel hennig
    henning henry henschel hensel hensley henson hentschel hepp herbst herger hering herman hermann hermanns hernandez herold herrera herring herrmann
    hertel herzog hess hesse hester hethur heuberger heuer heuser heusser hewitt heyer hickman hicks hiebl higgins hildebrand hildebrandt hill hille
    hiller hilton hines hinrichs hinterleitner hinton hinz hirsch hirschmann hirt hitz ho hoang hobbs hoch hochhaus hochstrasser hodel hodge hodges
    hodgson hofbauer hofer hoffman hoffmann hofmann hofstetter hofstätter hogan hohl hohmann holden holder holland hollaus hollenstein hollis hollmann
    holloway holmes holsten holt holz holzapfel holzer holzinger hood hooper hoover hopf hopkins hopp hoppe hopper horn horne hornig horstmann horton
    horvat hoti hotz houghton house houston howard howarth howe howell howells hoxha huang hubbard huber hubschmid hudson huerta huff huffman hug
    hughes hugo huhn hull humer hummel humphrey humphreys humphries hunt hunter hunziker hurley hurst huser hussain hussein hutchinson hutchison huth
    hutter huwiler huynh hyde häberli häfliger hänggi häni hänni häuser häusermann höfer höfig höhne höller hölzenbecher hölzl höppner hörle hösli
    hübel hübner hülsmann hürlimann hürzeler hütter ibarra ibrahim ibrahimi ihlenfeld ilić illner imboden imhof inderbitzin infanger ingram iqbal
    irmscher irwin isbrecht iseli islami isler iten ivanov ivanova ivanović iyer jaccard jackson jacob jacobi jacobs jacobsen jacobson jaeger jaggi
    jahn jahnke jain jakob james jander jandl janke janković jankowski jansen janssen jantzen janßen jaquet jarvis jashari jeanneret jefferson jeffery
    jegerlehner jeker jenkins jenni jennings jens jensen jesse jiang jimenez jockel johann johannsen john johns johnson johnston jones jopich jordan
    joseph joshi joss jossi jost jovanovic jovanović joyce juarez jud juncken jung jungfer jungo junitz junk junken junker jurić jäckel jäger jäggi
    jäkel jörg jürgens kabus kade kaderli kahn kahr kainz kaiser kallert kambs kaminski kamiński kamm kane kang kanzler kaplan kapoor kara karaca
    karge karl karlen karsten kaspar kaufman kaufmann kaul kaur kay kaya keel keil keist keith keller kellermann kelley kelly kemp kempf kendall
    kennedy kent kerber kern kerr kessler keudel key keßler khan kidd kiefer kiel kilian kim kirby kirchhoff kirchmair kirchner kirk kirkpatrick
    kirsch kirschner klammer klapp klaus klein kleine kleininger klemm klemt kline kling klingelhöfer klinger kloos klose klotz klug kluge klüver
    knapp knappe knecht kneubühler knežević knight knobel knoblauch knobloch knoll knopp knowles knox knüsel kobayashi kobelt koch kock koehler
    koester kogler kohl kohler kohlmann kohn kolb koller kopp korn kornfeld kostolzin kovacevic kovacs kovalenko kovač kovačević kowalczyk kowalska
    kowalski kozłowski koç kraft kramer krasniqi kraus krause krauss krauß kravchenko krawczyk krebs krein kreis kremer kress kretschmer kreuzer kreß
    krieger krohn kroker kroll krueger kruger krummenacher kruschwitz kruse kryeziu krähenbühl krämer kröger kröll krüger kuhl kuhlmann kuhn kuhnert
    kumar kummer kunz kunze kuonen kuratli kurt kurz kusch kuster kuznetsov kwok käfer kägi kähler kälin känel kästner köchli köhler köhn köllner
    kölsch könig köse köster kühn kühne kühni küng künzi künzle künzler küster küttel kılıç lachmann ladeck lam lamb lambert lammers lampe lamprecht
    landmann landolt lane lang lange langer langern lara larsen larson lau lauber lauer lauterbach law lawrence lawson lawton leach leblanc
    ledergerber lee lees lehmann lehner leibundgut leigh leimgruber leister leitgeb leitner lemon lenz leon leonard leone leonhardt leopold lester
    lettner leu leuenberger leung leutenegger levy lewandowski lewis li liang lichtenberg lieb liebelt liebig liechti lienhard lim limani lin lind
    lindemann linden linder lindner lindsey linke lippert little liu livingston lloyd locher lochmann logan lohmann lomas lombardi lombardo long
    longden longo loos loosli lopes lopez lorch lorenz losch losekann love lowe lowery lozano luca lucas lucero luckner ludwig luft luginbühl lukić
    luo lustenberger lutz lynch lynn lyons läubli löbel löchel löffler löhr lörtscher löwe lübs lüscher lüthi lüönd ma maag maas maaß macdonald
    machado macias mack maddox mader maeder magnin mahmood mai maier maissen maiwald majewski maldonado maler malhotra maliqi malone mancini mann
    manning manns mans manser marahrens marbach marchetti mariani marino marić markovic marković marks marquardt marquez marsden marsh marshall
    martens marti martin martinelli martinez martini martins marty marx mason massey mata mathes mathews mathis mathys matić matthes matthews matthies
    matthäi maul maurer mauron maxwell may mayer mayerhofer maynard mayo mayr mayrhofer mays mazur mazza mcbride mccall mccann mccarthy mccarty
    mcclain mcclure mcconnell mccormick mccoy mccullough mcdaniel mcdonald mcdowell mcfarland mcgee mcgrath mcguire mcintosh mcintyre mckay mckee
    mckenzie mckinney mcknight mclaughlin mclean mcmahon mcmillan mcneil mcpherson meadows medina mehler mehmeti mehta meier meili meinert meissner
    meister meißner mejia melendez mellor melnyk melton melzer mende mendes mendez mendoza menon mensah menzel mercado mercer mercier merkel merritt
    mertens mertz merz messerli messina metcalfe mettler metz metzger meuli meyer meyers meza michael michaelis michalski michel michels michlig
    middleton mielcarek mies miles miller mills millward milošević minder miranda mishra mistry mitchell mitrović mitschke mitterer mohamed mohammed
    mohaupt mohr molina moll molloy monney monnier monroe monteiro montes montgomery montoya moody moon mooney moor moore moosbrugger moosmann mora
    morales moran morand moreira morelli moreno moret moretti morgan morina moritz morley morozov morris morrison morrow morse morton mosemann moser
    moses mosimann mosley moss moyer mueller muhr mukherjee mullen mullins mundt munoz murillo murphy murray musliu mustafa muster myers mächler mäder
    mälzer möchlichen möller mühlbauer mühle mühlemann mülichen müller münch münster müri nagel nagy naidu nair nakamura naser nash naumann nava
    navarro naylor neal neff nelson nerger nette neubauer neubert neuhaus neuhauser neuhold neumann neumeister neureuther newman newton ng ngo nguyen
    nicholls nichols nicholson nickel nicollier niederberger niederer niehaus nielsen niemann niemeyer niggli nikolic nikolić nitsch nitschke nixon
    noack noble nohlmans nolan noll nolte norman norris north norton novak nowak nowakowski nowicki nunes nunez nussbaum nussbaumer nwosu nydegger näf
    nägeli o'brien o'connell o'connor o'donnell o'hara o'leary o'neal o'neill o'reilly o'sullivan oberhauser oberholzer oberleitner obermayr
    oberndorfer obi obrien ochoa ochsner oconnell oconnor odermatt oderwald odom odonnell oelke oesch oestrovsky ogden okafor okeke okonkwo okoro
    oliveira oliver oliynyk olsen olson omlin oneal oneill oppliger orozco orr ortega ortiz ortmann osborn osborne osei ostrowski oswald ott ottmann
    otto owen owens owusu paccaud pace pacheco padilla paffrath page palmer pandey papadopoulos pape park parker parkin parkinson parks parrish
    parrott parry parsons parzer pasche patel patrick patterson patton paul paulitsch pauls paulsen pavlović pawlak pawłowski payne pearce pearson
    peck pedrazzini pellegrini pellet pena pennington pereira perez pergande perić perkins perner perren perret perrin perry peter peters petersen
    peterson petrov petrova petrovic petrović peukert pfaff pfeffer pfeifer pfeiffer pfister pfyffer pfyl pham phan phelps phillips pichler pickering
    pickett pieper pierce pietsch piguet pillai pilz pineda pinto piotrowski pirker pittet pittman pitts plank planzer plath plüss pohl pohle pohlmann
    polat pollard pollmann ponce poole pope popescu popov popovic popović popp poppe porter portmann posch potter potts powell powers pozzi prager
    pratt preiss preiß preston preuss preuß price priebe prince prinz pritchard probst proctor pruitt pruschke pugh putz pärtzelt pölitz püntener
    qerimi quade quinn raab raabe rabe racine rademacher radisch radić rahman rainer rama ramadani ramirez ramm ramos ramseier ramsey randall randolph
    rangel rao rapin rapp rasch raschle rasmussen rast rau rauch rausch rauscher rawlings ray read reber rebsamen rechsteiner reddy reed rees reese
    reeves regli reich reichel reichelt reichert reichmann reichmuth reid reilly reimann reimer reimers rein reinert reinhard reinhardt reinhold
    reinke reis reischl reisinger reiter reiterer reitz reiß renggli renner resch reusser reuter rexhepi rey reyes reymond reynolds rezzonico rhodes
    rhyner ribeiro ribi ricci rice rich richard richards richardson richmond richter rickenbacher riddle rieck riedel rieder rieger riehl riehm riemer
    riesen rietz rieß rigert riggs riley rinaldi rindlisbacher ring rios ripka ritter ritz rivas rivera rivers rizzo roach robbins roberson robert
    roberts robertson robinson robles robson rocha rochat rodgers rodrigues rodriguez roeder roemer roger rogers rogge rohde rohleder rohner rohr
    rohrer rojas rollins roman romano romero roos rosales rosario rosas rose rosenberg rosenberger rosenow roskoth ross rossi rossier rost roth rothe
    rothenbühler rother rottmann rowe rowland rowlands rowley roy rubio ruckstuhl rudolf rudolph ruef ruf rufer ruge ruiz ruoss rupp ruppersberger
    ruppert rush rushton russ russell russo rust rutz ryan ryser rytz räber rädel röder röhr röhricht rölleke rölli römer rörricht rösch röse
    röthlisberger rüegg rüegger rüttimann sacher sadler sager sahin sala saladin salas salazar salihu salinas salvisberg salzgeber salzmann sampson
    samuel sanchez sander sanders sanderson sandoval sanford santana santiago santoro santos sarbach sato sattler sauer sauerland saunders sauter
    savage savić sawyer saxena schaad schaaf schachinger schacht schade schaefer schafer schaller schaper scharf scharnhorst schatz schaub schauer
    schaufelberger schedler scheel schefer scheffler scheidegger schenk scherer scherf scherrer scherz scheuber scheuermann schick schiefer schiess
    schiffer schiller schilling schilter schinagl schindler schinke schirmer schlager schlatter schlauchin schlegel schleich schleicher schlosser
    schluep schlumpf schläpfer schlösser schlüter schmid schmidl schmidlin schmidt schmidtke schmied schmiedecke schmiedt schmitt schmitz schmutz
    schnabel schneeberger schneider schneidereit schnell schnider schnyder schober schoch scholl scholtz scholz scholze schomber schori schott
    schottin schrader schramm schrank schreiber schreiner schroeder schröder schröter schubert schuchardt schuchhardt schuh schuler schulte schultz
    schultze schulz schulze schumacher schumann schuster schwab schwabe schwager schwaiger schwaller schwartz schwarz schwarzenbach schwarzinger
    schwegler schweiger schweighofer schweitzer schweizer schwendimann schwenk schwinn schwyter schädler schäfer schäffer schär schärer schön
    schönberg schöne schönenberger schönfeld schüler schüller schüpbach schürch schürmann schütte schütz schütze scott seeger seemann segebahn seidel
    seidl seifert seiler seip seitz sejdiu sellers senn serra serrano sexton shabani shackleton shaffer shah shala shannon sharma sharp sharpe shaw
    shea sheikh shelton shen shepard shepherd sheppard sherman shetty shevchenko shields short sieber siebert siegel siegenthaler siegert siegmund
    siegrist siering sierra sigg sigrist sikora silva silvestri simić simmen simmons simon simpson sims singh singleton sinha sinn skinner slater
    sloan small smart smirnov smith snow snyder soares sobczak sokolov solis solomon sommer sommerfeld sommerhalder sonderegger song sonnleitner
    sonntag sorensen sorgatz sorrentino sosa soto sousa souza spahr sparks spears specht spence spencer spiegel spies spieß spitzer sprecher sprenger
    spring springer spycher späth spörri srinivasan stadelmann stadlbauer stadler stafford stahl stahr stalder stamm stampfli stange stanković stanley
    stanton stapel stark staub staude stauffer steele steffen steffens steger stegmann steiger steimer stein steinauer steinbach steinberg
    steinbrecher steindl steinemann steiner steinert steininger steinmann steinmetz stenzel stephan stephens stephenson stern stettler stevens
    stevenson stewart stiebitz stiffel stirnimann stock stocker stockinger stojanović stokes stoll stolz stolze stone storch storm stout strasser
    straub strauch strauss strauß strebel streiff streit strickland striebel strobel strobl stroh strong struck stuart stubbs stucki studer stump
    stumpf stumpp sturm sturzenegger styger stähli stäubli stöcker stöckli stöger stüber stępień suarez suhr sulejmani sullivan summers sun sussmann
    sutcliffe suter sutter sutton suzuki swann swanson sweeney swift sykes szabo szymański söding sölzer süess süß tadić takahashi talbot tamm tan
    tanaka tang tanner tate tauber taylor tegethoff teixeira tekin terrell terry testa textor thaler thalmann thaqi theiler theis thiel thiele thieme
    thies thoma thomann thomas thommen thompson thomsen thomson thornton thorpe thurner thöni tietz tietze till timm timmermann tkachenko tlustek
    tobler todd tomić tomlinson toprak torres townsend trachsel tran trapp treichler tress trevino trivedi trommler trost troxler trub trubin trujillo
    trummer truong trupp tschan tschanz tschentscher tscherne tschopp tschudi tschumi tucker turan turnbull turner tyler tyson täsche uddin uhlmann
    ullmann ullrich ulmann ulmer ulrich umiker underwood unger urban urbansky utiger uçar valdez valencia valentine valentini valenzuela vance vargas
    varma vasquez vater vaughan vaughn vazquez vega veit velasquez velazquez velez veliu venetz verma vetsch vetter vickers victor vieira vieth villa
    villanueva villarreal villegas villiger vincent vitale vo vogel vogelsang vogler vogt voigt volk volkart volkmann volkov vollbrecht vollenweider
    vollmeier vollmer volz von vonlanthen voss vossen voß vu vuilleumier vuković vögeli vögtli vöss wachter waddington wade wagenknecht wagner
    wainwright walch walczak walder waldmann waldvogel walker wall wallace waller wallis wallner walls walpen walser walsh walter walters walther
    walton walz wang wanner ward ware warmbier warner warnke warren washington watanabe waters watkins watson watts weaver webb weber webster weeks
    wegener wegmann wegner wehner wehrli wei weibel weidinger weidmann weigand weigel weihmann weiland weiler weimer weinert weinhage weinhold
    weinmann weiss weisz weitzel weiß weißbach welch weller wells welti welz wende wendel wendt wenger weninger wenk wenz wenzel werk wernecke werner
    werth wesack wessel west westphal wetzel weyer whalley wheeler whitaker white whitehead whitehouse whitney whittaker whittle wicht wicki widmann
    widmer wiebe wieck wieczorek wiedemann wiedmer wiegand wieland wiese wieser wiesinger wiesner wigger wiggins wilcox wild wilding wiley wilhelm
    wilke wilken wilkens wilkerson wilkes wilkins wilkinson will willi williams williamson willis willisegger wilms wilmsen wilson wiltfang wimmer
    windisch winkelmann winkler winter winters winterstein winzeler wiprächtiger wirth wirz wise wisler witkowski witschi witt witte wittmann wittwer
    wiśniewski woehrle wohlfahrt wohlgemut wohlgemuth wohlwend wojciechowski wolf wolfe wolfensberger wolff wolfisberg wolter wolters wong wood
    woodard woods woodward wozniak woźniak wren wright wróbel wu wulf wulfert wulff wullschleger wunder wunderlich wurst wyatt wyder wyler wymann wynn
    wyrsch wyss wähner wälchli wälti wäspi wüest wüthrich xiao xie xu yadav yamada yamamoto yang yates yavuz ye yildirim yilmaz yoder york young yu
    yuan yusuf yıldırım yıldız yılmaz zahn zając zalewski zamora zander zapf zaugg zauner zavala zbinden zech zehnder zeidler zeiler zeilinger zeller
    zemp zeqiri zgraggen zhang zhao zheng zhou zhu ziegler zielinski zieliński zielke zierer zihlmann zimmer zimmerli zimmerman zimmermann zingg zirme
    zobel zobl zobrist zogaj zoller zollikofer zollinger zorbach zuber zuberbühler zumstein zuniga zurbriggen zurfluh zwahlen zwick zwicker zwyssig
    zysset zänker zöchling zöller züger zürcher çelik çetin özdemir öztürk ünal đorđević şahin živković
    """)

  /// Surnames that are words too, in German or English: taken for names only beside a first name, a title or an initial.
  static let ambiguous = WordList(
    """
    abel adam adler albert alexander alt anders anger appel archer arnold arx auer auerbach austen austin bach bader bahr bailey baker ball banks
    barker barth bass bates baum baumeister baumgarten bayer beard beck beer beil bell benz berg bernhard best biedermann bien binder bird
    bishop black blank blum blumenthal bock bode boden bolt bolton bolz bond boos booth born bosch boss bowman branch brand braun
    braune bray brewer bridges bright brock brooks brown bruce brun buck buckley budde bullock burch burger burnham burns busch bush butcher
    butler butz bär cain cameron can cannon carpenter carr carver castro chambers chan chandler chang charles chase cherry choi christ christian
    church clay cline cobb cole coles collier colon combs conway cook cooke cooper costa cox craig crane cross cruz curry curtis
    custer da dahm dale dalton daly damm daniel das day dean decker degen denk dennis deutsch deutschmann dick dodd dorn downs drake drees dreher
    drescher dubois duke duncan dunn durham dyer dürr eaton eder edler ehrlich eisenberg eller ender enders engel english enz erb erhardt ernst estes
    everett faber fabian falk farmer faust feierabend ferrari field fields finch finger fink finke fischer fisher fleck fleischer flick flowers floyd
    foley forbes ford forster foster fox francis franco frank franke franken franz freeman frei freiburghaus freitag french freund frisch fritz fromm
    frost fry fröhlich fuchs fuller funk funke fürst gabriel gaines gall galli gamble ganz gates gay geiger george gerber gibbons gilbert giles gill
    glaser glass glück golden good gould grab graf graham grant graves gray green greene grimm grob gross groß gut görlitz gül haag haas hagen hahn
    hale hall haller hamilton hammer hampton harder hardy harper hart harvey hase haug hauser hausmann heath hecht heck heil heim hein heine heinrich
    heinz held heller helm hengst henry herbst hering herman herold herring herzog hess hesse heuer hicks hill hiller hirsch hirt ho hobbs hoch hodge
    hohl holden holder holland hollis holz hood hooper hopf hopp hopper horn horne house houston howard howe huber huff hug hugo huhn hull
    hummel humphrey hunt hunter hurst hyde häuser jacob jahn jakob james jansen jens jensen john jordan joseph jost joyce jud juncken
    jung junk junker jäger jörg kahn kaiser kamm kang kanzler kaplan kara karge karl kaufmann kaul kay keil keith keller kemp kent kern key kidd
    kiefer kiel kim kirchhoff kirk kirsch klapp klaus klein kline kling klotz klug knappe knecht knight knoblauch knoll knopp knox koch kohl kohn
    konrad korn kornfeld kraft krause krebs kreis kress kreuzer krieger krämer kuhl kuhn kummer kunz kurt kurz kusch kuster käfer könig kühn küster
    lachmann lamb lampe landmann lane lang lange langer lara lauber lauer law leach lee lees lemon leo leon leonard leone lester lewis li lichtenberg
    lieb lim lin linden linder linke little lloyd logan long loos lopez lorenz losch love lowe luca lucas ludwig luft lutz lynn löffler löwe ma maas
    mack mai maler mann manning manns mans marino marks marsh marshall martin mason mata maul maurer may mayo mays meadows medina mehler meister mende
    mercer mercier merkel merz metz metzger michel mies miles mills minder miranda mistry mitchell mohr moll moody moon moor moore moos mora moran
    morgan morse moses moss murray muster mühle münch münster nagel nash nava neal neff nette neuhaus newman newton ngo nichols nickel noble noll
    nolte norman north norton novak nunes oberhauser obi oliver oswald ott otto owen pace page palmer pape park parker parks paul pauls peck pena
    perry peter peters pfaff pfeffer pfeifer pham pilz pitts pohl pollard ponce poole pope popp porter posch potter potts powers prager pratt
    preiss preston preuss preuß price prince prinz probst proctor pugh putz quade quinn raab rabe rama ramm ramos rapin rapp rasch rast rau rauch
    rausch rauscher ray read reed reich reid rein reis reiter rey rice rich richard richmond richter riddle riesen ring ritter ritz rivers roach
    robert rocha roger rogge rohde rohr roman romero roos rosario rose roskoth ross rost roth rother rowland roy rudolf ruf rufer ruge ruiz
    ruppert rush russ russell rust ryan römer sala salas sampson samuel sander sanders santiago sattler sauer sauter savage sawyer schade schaller
    scharf schatz schaub schauer schenk scherer scherz schick schiefer schiffer schilling schinke schlegel schlosser schmied schnabel schneider
    schnell scholz schrank schreiber schreiner schuh schuster schwab schwarz schweiger schweizer schön schöne schüler schütz scott
    seemann seiler seitz sellers senn serra sexton sharp shaw shea shepherd shields short siegel silva simon singh sinn skinner sloan small smart snow
    sommer song sonntag sparks spears specht spence spencer spiegel spies spitzer spring springer stadler stahl stamm stange stapel stark staub steele
    steffen steiger stein steiner steinmetz stephan stern steward stewart stock stokes stoll stolz stolze stone storch
    storm stout straub strauch strauss streit stroh strong struck stuart stubbs stump stumpf sturm sun sutton swift süess süß tamm tan tang
    tanner tate tauber taylor terry testa thaler theis thomas till todd tran trapp trost trupp tucker turan turner tyler ulmer ulrich underwood unger
    urban valencia valentine vance vater vega veit vetter victor villa vincent vo vogel vogelsang vogt volk von voss vu wachter wade wagner walker
    wall wallace walls walter wang ward ware warmbier warner warren washington waters weaver webb weber weeks wehr wei weiland weiss weiß wells wende
    werk werner werth west wetzel wheeler white wiese wild wilhelm will wimmer winter winters wirth wise witt witte wohlfahrt wolf wood woods wren
    wright wu wunder wunderlich wurst yang ye york young yu yuan zahn zander zapf zech ziegler zimmer zimmermann zobel zoller zurfluh zwick
    """)
}
