/// Surnames that are common in Germany, Austria, Switzerland, the United Kingdom and the United States. Written for this
/// project; common generators of test names showed which ones were missing.
enum Surnames {
  static let all = WordList(
    """
    abatantuono abbagnale abbott abderhalden abegg abel abiola abičić abraham abramović accardo acerbi acharya achenbach achleitner ackermann
    acosta adam adams adamski adebayo adetokunbo adeyemi adinolfi adkins adler adolph adžijević aeberhard aebi aebischer aeby aeschbacher
    aeschlimann affolter agarwal agazzi aggarwal agnesi agostinelli agostini agrawal aguilar aguirre ahmed ahuja aichinger aigner ajello akdeniz
    akgündüz akhtar akinwale akmačić aksoy aksu aktaş akça akçay alber albers albert albertini alboni albrecht alder aldobrandi alemdar
    alexander alfieri alfonsi ali alighieri alimi alković allain allard allemann allen almagià almeida aloisio alonzi alt altera altherr altmann
    alvarado alvarez alves amaldi amann amanović amato ambühl amherd amidžić ammaniti ammann amon amrein amstad amstutz anastasi anderegg
    andermatt anders andersen anderson andrašek andreotti andreozzi andres andrews andrey andrijašević andrijević angeli anger angerer
    angiolello anguillara anguissola anichini aničić anliker antelami antes anthony antić antolković antonacci antonelli antonetti antonini
    antonioni antonić antonucci apel aporti appel apte archer arendt argan argentero argenti argento argurio ariasso ariosto armani armbruster
    armellini armstrong arndt arnet arnold arora arquint arslan arsoy artner arx aschauer ashton asmundo asmus asprucci atkins atkinson atwal
    aubert aubry auer auerbach aulenti aumann austen austin avery avogadro ayala aydin aydın ayers babati babato babbo babey babić bach
    bachmaier bachmann bachofner backes backhaus bacosi badal badami badel bader badertscher badoer badoglio baggio baglioni bahl bahon bahr
    bahri baier bailey bailly bains bajaj bajamonti bajardi bajrami bajwa baker bakos baksa bakshi bala balakrishnan balan balasubramanian
    balatinac balay balbi balbo balcı baldwin balinčić balić baljak ball balla ballard balmat balmer balog balogh balogun balotelli balsiger
    balzer bandello bandi banerjee bange banik baničević banko banks bannister banovac bansal barac baracca baral barać barbarigo barberini
    barbey barbieri barbir barbić barcaccia barese baresi barešić barillaro barillon barić baričević barišić barker barkholz barković barlow
    barnaba barnes barnett baroffio barozzi barracco barrera barrett barron barry barsanti barta bartel bartels barth barthel barthelemy
    bartlett bartley bartoli barton bartoš bartošová bartsch barušić barz barzini basadonna basak bass bassi basu bataglia bates batra batrac
    batrnek battaglia battelli battisti bauch baudry bauer baum baumann baumeister baumgart baumgarten baumgartner baumgärtner baur bautista
    bava bavaud bawa baxter bayer bayram bazin bazjak bazzi bačak bačić başaran bašić bašnec beard bebić beccaria beccheria beck becker beckers
    beckert beckmann bednář bednářová beeler beer beffa begonja beguin begum behl behn behnke behr behrendt behrens beier beil beletić bell
    belletini bellini bellocchio bellucci bellò belošević beltran bembo benard bender benedetti benett beneš benešová benigni benitez benić
    benjamin bennett benoit benson bentley benton benussi benz benčić beqiri bera beraković beran beranová berberat berchtold berendt berengario
    berg bergemann berger bergmann bergoglio berisha berlusconi bernard bernardi bernardini bernardić bernasconi berndt bernegger berner bernet
    bernetti bernhard bernhardt bernier bernini berrè bersani berthelot bertin bertoli bertolucci bertoni bertoša bertram bertschi beránek
    beránková besençon besnard besse besson best bethge betschart bettin bettoni bettosini betz beuchat beuret beurret beutel bevan bevilacqua
    beyer bezić bhagat bhalla bhardwaj bhargava bhasin bhatia bhatnagar bhatt bhattacharyya bhatti bhavsar biagi biagiotti bianchi bianchini
    bibi biedermann bielak bieler bien bierbaum bieri biermann bigler bignami bignardi bijelić bilgin bilir binaghi binder binggeli bingula
    birch bird birkić birtić biró bischof bischoff bishop biswas bittner bixio bićanić bičak bičanić bjeliš black blackburn blackwell blagaić
    blagojević blair blake blanchard blanchet blank blankenship blaser blasi blasius blažek blažević blažičko blažková bleiker blevins bley
    bloch blohm blondel blum blumenthal blumer bláha bláhová boaga boase bobal boban bobanović boccaccio boccherini boccioni bocelli bochud bock
    bode boden bodin bodnár bodoni boechat boezio bogadi bogdanović bogdán bognár bogović bohn bohnert boiardo boichat boillat boitani boito
    bojanić boldù boljkovac bolliger bollinger bolt bolton bolz bolčević bombieri bompiani bonanno bonatti bonaventura bond bondarenko bondumier
    bongartz bongiorno bonilla bonino bonn bonneau bonnin bonolis bonomo bonvin bonvini booker boone boos booth borah borbély borchers borchert
    borde borer borghese borgia bormann born bornemann borojević boros borošak borra borrani borrmann borromeo borromini borroni borsellino
    borsiere borzomì bosch bosilj bosio boss bossert bosshard bossi bosurgi botica botić botta bottaro botteron botticelli bottigliero bouchet
    boulanger boulay bourquard bourquin bousquet boutin bouvet bouvier bova bovet bowden bowen bowers bowman boyd boyer boyko boyle bozkurt
    bošnjak bošnjaković božanić božanović božiković božić božičević božičković bracht bracken bradford bradić bradley bradshaw brady bragadin
    bragaglia brahier brahmbhatt brajković bralić bramante brambilla brancaccio branch branciforte brand brandenberger brandić brandl brandner
    brandt branković brar braun braune brauner bray bračun brcko bregy breitenmoser brem brenna brennan brenner bresciani breton breuer brewer
    brezjan briand briccialdi brichese bridges briggs bright brinker brinkmann britschgi britvec brix brlas brlek brletić broadbent brock
    brockmann broggini brookes brooks broquet broschi brown browning brož brožová bruce bruckner brugger brugnaro bruhn brun bruneau brunel
    brunelleschi brunello brunner bruno bruns brunschwiler bruscantini bryan bryant bryson brändli bräuer brönnimann brückner brüggemann brügger
    brühlmann buchanan bucher buchholz buchmann buck buckley budai budde bugnon buhl bujard bukvić buljan bullock bulut bulzoni bumb bungić
    bunić bunčić buob buonauro burcardo burch bureš burešová burgener burger burgess burgmann burić burke burkhalter burkhard burkhardt burnett
    burnham burns burri burrows burton burčul buršić buscetta busch bush busoni busse butala butcher butković butler butz buzov bučanac bučar
    bušljeta byrd byrne bárta bártová bächler bär bärtschi bättig bègue béguelin bílek bílková böck böckmann böger böhm böhme böhmer böhnke
    bösch böttcher böttger büchel büchi büchler bühler bühlmann bülow bünger bürgi bürgisser bürki büttiker büttner cabibbo caboto cabrera
    cabrini caccianemico caccioppoli cadorna caduff caetani cafarchia caffarelli cafuk cagnin cagnotto cain cainero caironi calarco calbo
    calderon caldwell calgari calhoun callahan callegari callegaro calvo camacho camanni camenzind cameron camicione camilleri camiscione
    cammarata campanella campano campbell campise campos camuccini canali candaux candrian canetta canevascini canil cannizzaro cannon canova
    cantimori cantrell cantu capecchi capone cappelli capuana caputo caracciolo cardano cardenas cardoso carducci carey carfagna carić carli
    carlier carlson carnera carney carocci caron carosone carpenter carpentier carr carraud carraux carre carriera carrington carroll carron
    carstens carter cartwright carullo caruso carvalho carver casadei casagrande casale casaleggio casalodi casarin casellati casey casini
    cassarà castaneda castelberg castelli castellitto castiglione castillo castioni castro casutt catalano catenazzi cathomas cattaneo cattin
    cavalcanti cavalli cavanna caviezel ceci celentano celik cendron ceravolo ceri cerquiglini cerutti cervantes cesaroni cesarotti ceschi
    cestarić chacko chada chadha chadwick chahal chakrabarti chakraborty chambers chan chana chand chanda chander chandler chaney chang chapman
    chappuis chapuis charles charlton charpentier charpié charrier chartier chase chatriand chatriant chatterjee chaudet chaudhari chaudhary
    chaudhry chaudhuri chaudry chauhan chauveau chauvet chauvin chavez chawla chechi cheda cheema chen chenaux cheng cherian cherry cherubini
    cheung chevalley chevallier chevrolet chhabra chiappetta chiaramonte chiesa chigi chindamo chinnici chittolini choi chokshi chopard chopra
    choudhary choudhry choudhury chowdhury christ christen christener christensen christian christiansen chrétien chukwu chung church ciampi
    cianciolo ciani cibin cicilia ciganović cignaroli cilea cilibrasi cimarosa cimini cindrić cipolla civaschi clark clarke claussen claußen
    clay clayton clegg clements clerc cline clément coardi coates cobb cochran cociarelli cohen coigny colas cole coleman coles colić colletti
    collier collina collins collodi colombo colon comar combi comboni combs comencini comeriato comisso comman comolli compton condoleo conley
    conner connolly connor conrad contarini conti contrafatto conway cook cooke cooley cooper copeland coppola corbat corbo corboz corcos cordes
    cordier cordova cornu cornut cornuz corpataux corradi correia correr corrigan cortese cortez cosandey cosendey cossiga cossy costa
    costalonga costantini costanzi coste coulon courtois courvoisier cowan cox craig cramer crane crawford cremonesi crespi cresswell cretton
    crevar crevoisier crisafulli crispi cristoforetti crivelli crneković crnković crosby cross cruz csonka cuche cuda cuevas cugia cukon culi
    cullen cummings cundari cunningham cuomo curatoli curci curiel curry curtis cusano custer cutrufo cutuli cuzzocrea cvenić cvetković cvetnić
    cvitan cvrtila da dabo dabrowski dahinden dahm dahms dalal dale dalla dallapé dallara dalton daly damijanić damjanović damm dandolo daniel
    daniels dannenberg darojković das dasgupta datta daugherty dautanec dautović davenport davey david davidson davies davis davison dawson day
    dağ dean debelić decker defila degen degenhardt deichmann delacruz deladoëy delahaye delannoy delattre delaunay deledda deleon delgado
    dellucci delmas delorme deluca delèze demir demirci demirel denecke dengler denk dennis denzler deol depero derežić derungs desai descamps
    deschamps deshmukh deshpande deshusses desio detti dettmer deutsch deutschmann devan devaux devi deák deže dhaliwal dhar dhawan dhillon
    dhingra diallo dias diaz dibiasi dick dickens dickerson dickinson dickson didović diehl diekmann dierks diesbach dieterich dietl dietrich
    dietz dijoux dillon disdero dittmann dittmar dittrich dixon dizdar dobler dobrić dobson dodd dodson doerr dogan doglioni doherty dohm dohmen
    doležal doležalová dolinar dolić dominguez dominiković dominković donaldson donarelli donati donatoni donini donnelly donovan donà dončević
    dordevic dorn dorner dorsey doshi dossetti dossi dostál dostálová dougherty douglas dovara downs doyle doğan draghi dragičević dragobratović
    dragojević drake drakulić drandić dražić drechsler drees dreher drescher dressler dretvić drews dreyer dreßler droste droz druso duarte
    dubach dube dubey dubois dubovečak dubs dudley dudás duffy dufour dugar duhamel dujmović duke dukić dulbecco dumanlı dumas dumont duncan
    dunlap dunn duodo dupont dupré dupuis dupuy duran durand durdu durham durmaz durmuş duroux duse dutta duval duvanel duvančić dušek dušková
    dvojak dvořák dvořáková dyal dyer dällenbach délèze díaz döbler dörig döring dörr düring dürr dürrenmatt dąbrowski džapo eaton ebeling
    eberhard eberhardt eberle ebert ebner eckardt eckert eckhardt eder edler edwards eggenberger egger eggers eggimann egli egloff ehlers
    ehrhardt ehrler ehrlich eichenberger eicher eichhorn eichler eichner einaudi eisele eisenberg eisenmann ekwueme elezi eller ellermann
    elliott ellis ellison elmer elsener emanuelli emch emmerich ender enders endrizzi engel engeler engelhardt engelmann engels englert english
    enz eraslan erb erceg ercegović erdem erdmann erdoğan ergotić ergün erhardt erickson erni ernst errani errigo ertaş ertl eršek escobar
    esparza espinoza esposito esser estermann estes estrada eterović eugster evans everett evers evrard evéquoz ewald ewing eze fabbri faber
    fabian fabijanić fabre fabrizi faggiani fagiani fagotto faivre falcone falier falk fallaci falloppio fankhauser fantini fantoni fantozzi
    fanucci faragó faranda farinelli farkas farley farmer farnese farooq farrell fattori faugno faulkner faure faust favata favre fazekas fazliu
    federici fedorov fehr fehér feichtinger feierabend fekete felber felder feldmann feller fellmann fellner ferenac ferguson fermi fernandes
    fernandez ferrabosco ferragamo ferragni ferrand ferrante ferrara ferrari ferraris ferraro ferrata ferrazzi ferreira ferretti ferrucci fiala
    fialová fibonacci fichtner ficino fiechter fiedler field fields fieramosca figueroa filangieri filipović filippelli filippini filipčić
    filogamo filzi finch finetti finger fink finke finley finotto finzi fioravanti fiore fiorucci fischer fischetti fisher fittipaldi fitzgerald
    fitzpatrick fišer fišerová flaiano fleck flego fleischer fleischmann fleming flemming fletcher flick flores florio flowers floyd flury flynn
    flück flückiger foconi fodor foerster fogazzaro foletti foley folliero fong fonjallaz fonseca fontaine fontana forbes ford forjan fornaciari
    forrer forster forstner forza foscari foster foucher fouquet fournier fowler fox fracci franceschi francillon francis franco franić
    franičević franjić frank franke franken franklin franscini franušić franz franzen franzese fraser frauchiger frazier frederick freeman frei
    freiburghaus freitag french frenzel frerichs frescobaldi freund frey frick fricke friedl friedli friedmann friedrich friedrichs fries frisch
    fritsch fritz fritzsche friščić frketić froese fromm frost fry frye fröhlich fuchs fuentes fuhrer fuhrmann fuller funk funke furger furrer
    fusani fuseli fuček fábián fässler föhn förster fülöp fürnkranz fürst fırat gaba gabba gabbana gabler gabriel gabrieli gabud gadda gafner
    gaggini gagliano gagliardi gaiatto gaillard gaines gaito galeati galešić galiazzo galilei galindo galić gall gallagher galland gallati
    gallegos galli gallo galloway galović galtarossa galuppi galvan galvani gamble gandhi ganesan ganesh gangemi ganguly ganz garcia garcía
    gardiner gardner garg gargallo garner garobbio garozzo garrett garrison garrone garza garzoni gashi gasperi gasser gates gatto gaudin
    gauthier gautier gay gebauer gebhardt gegić gehrke geiger geisler geissbühler geisser geissler geißler gelemanović gelli gemito genoud
    gentile gentileschi gentili gentilini gentry george geraci gerber gerdes gerhardt gerlach germain germano gerstner geyer gfeller ghose ghosh
    giacconi giacometti giammusso gianetti gianinazzi gianini giannelli giannetti giannini giannone giannotti giannuzzi gianvecchio gibbons
    gibbs gibilisco gibson giese gieseking giger gigli gilardoni gilbert giles gill gillespie gillet gillièron gilliéron gilmore gimenez ginese
    ginesio gioberti giolitti giordano giorgetti giovine giradello girard girardin giraud gisler giulietti giunti giusti glaser glasnović glass
    glauser glavan glavor glenn gligora gloor glover gläser glück gmür gnatz goda godard goddard godfrey godinić goebel goetz gokhale golden
    goldoni goldschmidt goldstein gole golgi golino golla goller golubić gomes gomez goncalves gonzaga gonzales gonzalez gonçalves good goodman
    goodwin gordon gori gosselin goswami gotić gottardi gotti gottschalk gough gould gour govoni govorčinović goyal gozzano gozzi grab graber
    gracin gradenigo graf graham gramlich gramsci granatelli grant grassi grasso graves gravina gray grba grbac greber greco gredičak green
    greene greenhalgh greenwood greer greggio gregori gregory gregov greiner gremaud gremese grenier grewal grgić grgurević grgurić grgurovac
    grifeo griffin griffith griffiths grimani grimes grimm grisoni gritti grob grojean grondin grosjean gross grossenbacher grossi grossmann
    grote grover groß großmann gruber grubišić grunwald gräf grünenfelder grünewald grünwald grütter gržetić gržinčić gualandi gualtieri guarato
    guariento guberović gubler gubéran gucci gude gudelj guerra guerrero guggisberg guglielmi guha guibert guicciardini guichard guidone
    guidotti guilbert guillet guillon guillot guillou guinizzelli gulan gulati gullotta gulotta gulyás gunther guo gupta gurtner gussoni gut
    gutierrez gutmann gutzwiller guyon guzman guérin guštin gygax gysin gáspár gärtner göbel göller görlitz göttlicher götz götze gül gülen
    güneş güntensperger günther güçlü haag haas haase hacker hadrović hadžić haferkorn hafner hagemann hagen hager hahn haider hajdu halambek
    halapir halder hale haley haliti hall haller halász hamacher hamann hamilton hammer hammond hamon hampel hampton hancock handa haney
    hannemann hansen hanson hançer hanžek harapin harder hardi hardin harding hardy hargreaves hari harmon harper harrell harrington harris
    harrison hart hartl hartley hartman hartmann hartshorn hartung hartwig harvey hasani hasanovic hase hasler hatfield haubner haufe haug hauri
    hauser hausmann havlíček havlíčková hawkins hayden hayer hayes haynes hayre hayrioğlu hayward heath heaton hebert hecht heck hecker heckmann
    hegde hegedüs hegedűs heidenreich heider heidrich heil heim heimann hein heine heinemann heinen heiniger heinke heinrich heinrichs heintze
    heinz heinze heinzel heinzer heise heiser helbling held heller hellmann hellwig helm helmer hempel henderson hendricks hendrix hengst henke
    henkel hennig henning henry henschel hensel hensley henson hentschel hepp herbst herceg herger hering herman hermann hermanns hernandez
    herold herout herrera herring herrmann hertel hervé herzog hess hesse hester hethur heuberger heuer heuser heusser hewitt heyer hećimović
    hickman hicks hiebl higgins hildebrand hildebrandt hill hille hiller hilton hines hinić hinrichs hinterleitner hinton hinz hirsch hirschmann
    hirt hitz ho hoang hoarau hoareau hobbs hoch hochhaus hochstrasser hodak hodel hodge hodges hodgson hofbauer hofer hoffman hoffmann hofmann
    hofstetter hofstätter hogan hohl hohmann holden holder holland hollaus hollenstein hollis hollmann holloway holmes holsten holt holub
    holubová holz holzapfel holzer holzinger hood hooper hoover hopf hopkins hopp hoppe hopper horak horn horne hornig horstmann horton horvat
    horvatek horvatinec horvatić horváth horváthová horák horáková horáček horáčková hoti hotz houghton house houston howard howarth howe howell
    howells hoxha hrabar hranić hranj hrastinski hren hrubá hrubý hruška hrušková hrvojić hršak hrženjak huang hubbard huber hubschmid hudson
    huerta huet huff huffman hug hughes hugo huhn huljev hull humbert humer hummel humphrey humphreys humphries hunt hunter hunziker hurley
    hurst huser husnjak hussain hussein hutchinson hutchison huth hutter huwiler huynh hyde hájek hájková häberli häfliger hänggi häni hänni
    häuser häusermann höfer höfig höhne höller hölzenbecher hölzl höppner hörle hösli hübel hübner hülsmann hürlimann hürzeler hütter iacobucci
    iacovelli iadanza iannelli iannotti iannucci iannuzzi ibarra ibrahim ibrahimi ignac ihlenfeld ilijić ilinović ilić illner illés imbert
    imboden imhof impastato inderbitzin infanger infantino ingram innocenti interiano interminei interminelli inzaghi ioppi iqbal irmscher irwin
    isbrecht iseli isella islami isler issac iten ivandić ivanov ivanova ivanović ivančan ivšić iyengar iyer jaccard jackson jacob jacobi jacobs
    jacobsen jacobson jacot-descombes jacot-guillarmod jacquet jacquot jaeger jagarinec jagečić jaggi jahn jahnke jain jakab jakob jakopec
    jakopović jakovac jaković jakovljević jakupić jakuš james janda jander jandl jandová janečková janke janković jankowski jansen janssen
    jantzen janßen jaquet jaroš jarošová jarvis jashari jasprica jayaraman jeanneret jefferson jeffery jegerlehner jeker jelavić jelić jelínek
    jelínková jemrić jenkins jenni jennings jens jensen jerković jesse ježek ježková jhaveri jiang jilani jimenez jockel johal johann johannsen
    john johns johnson johnston joly jomini jones jonjić jopich jordan joseph joshi josipović joss jossi jost joubert jourdan jovanovac
    jovanovic jovanović jovinelli jović joyce joye jozić juarez jud jugovac juhász jukić julliard juncken jung jungfer jungo junitz junk junken
    junker juretić jureško jurić jurišić jurjević jurković jurlina jurčić juvara jäckel jäger jäggi jäkel jónás jörg jürgens kabus kadakia kade
    kaderli kadija kadlec kadlecová kahlina kahn kahr kainz kaiser kalanjoš kalazić kalita kalla kallert kambs kamdar kaminski kamiński kamm
    kanda kane kang kaniški kannan kanzler kapadia kaplan kapoor kara karaca karadeniz karagić karamarko karge karl karlen karlović karmelić
    karnik karpe karsten karuza kashyap kaspar katić katona kaufman kaufmann kaul kaur kauzlarić kay kaya kašpar kašparová keel keer keil keist
    keith keleković kelemen kelečić kelić keller kellermann kelley kelly kemp kempf kendall kennedy kent kerber kerekes kereković kern kerr
    kessler keudel kevo key keßler khan khanna khare khosla khurana kidd kiefer kiel kilian kim kinkela kirby kirchhoff kirchmair kirchner
    kirinčić kirk kirkpatrick kirsch kirschner király klammer klanac klapp klarin klarić klasić klaus klein kleine kleininger klemm klemt kligl
    kline kling klingelhöfer klinger kloos klose klotz klug kluge klüver knapp knappe knecht kneubühler knezović knežević knight knobel
    knoblauch knobloch knoll knopp knowles knox knüsel kobayashi kobelt koch kocijančić kock kocsis koehler koester kogler kohl kohler kohli
    kohlmann kohn kokanović kokorić kolarec kolb kolega kolić koller kolář kolářová komar komljenović konda konečná konečný kopecká kopecký
    kopjar kopp korn kornfeld korpal korutürk kosanović koshy kosić kostanić kostelac kostolzin kota kothari kovacevic kovacs kovalenko kovač
    kovaček kovačević kovačić kovács kovář kovářová kowalczyk kowalska kowalski kozma kozłowski koç koški koščević kraft krajcar kralj kraljević
    kraljić kramarić kramer krasniqi kratochvíl kratochvílová kraus krause krausová krauss krauß kravchenko krawczyk krebs krein kreis krejčová
    kremer kresonja kress kretschmer kreuzer kreß krieger krishnamurthy krishnan križan krohn kroker kroll krpan krueger kruger krummenacher
    kruschwitz kruse kryeziu krznarić král králová krähenbühl krämer kröger kröll krüger krčelić kršanac krželj kubíček kubíčková kuhl kuhlmann
    kuhn kuhnert kujundžić kukučka kumar kumer kummer kunac kunda kunz kunze kuonen kupsjak kuratli kurian kurt kurtoić kuruvilla kurz kusch
    kuster kuveždić kuzmić kuznetsov kučera kučerová kučić kuščević kwok käfer kägi kähler kälin känel kästner köchli köhler köhn köllner kölsch
    könig köse köster kühn kühne kühni küng künzi künzle künzler küster küttel kılıç kısakürek kříž křížová labaš labbé labinjan lachmann
    lacombe lacroix ladavac ladeck lagarde lakatos lakošeljac lalla lam lamb lambert lamborghini lammers lampe lamprecht lamy lancisi landmann
    landolt lane lanfranchi lang lange langer langern langlois lanka laporte lara laroche larsen larson lasić lattuada lau lauber lauer launay
    lauterbach law lawrence lawson lawton leach leblanc lebon lebreton lebrun leclerc leclercq lecomte leconte lecoq ledergerber ledoux leduc
    lee lees lefebvre lefort lefèvre legendre legnante legović legrand legros lehmann lehner leibundgut leigh leimgruber leister leitgeb leitner
    lejeune lelas leleu lelièvre lemaire lemaître lemoine lemon lemonnier lengyel lenić lenoir lenz leon leonard leonardi leoncavallo leone
    leonetti leonhardt leopardi leopold lercari leroux lesage lester letellier letta lettiere lettner leu leuenberger leung leutenegger levy
    lewandowski lewis lešić lešković leščić li liang lichtenberg licul lieb liebelt liebig liechti lienhard ligorio liguori lim limani lin lind
    lindemann linden linder lindner lindsey linke liović lippert lippomano lisica littizzetto little liu liverotti livingston liška lišková
    ljubetić ljubić ljubičić lloyd locher lochmann logan lohmann loiseau lojen lollobrigida lomas lombardi lombardo lombroso long longden
    longhena longo loos loosli lopes lopez lopresti lorch loredan lorencin lorenz losch losekann lovato love lovrić lowe lowery lozano luca
    lucarelli lucas lucchesi lucciano lucero luciani lucić luckner ludovisi ludwig luft luginbühl lukinić lukić lukács lukša lukšić luo lupo
    luria lussu lustenberger luthra lutz luxardo lučić lynch lynn lyons läubli léger lévy lévêque löbel löchel löffler löhr lörtscher löwe lübs
    lüscher lüthi lüönd ma maag maas maaß maccanelli macdonald mach machado machová macháček macháčková macias mack madan maddox mader maderna
    maderno madunić maeder maffei magar maggioli magić maglio magnani magnin magrassi mahajan mahal maharaj mahe mahmood mahnet mai maier
    maillard maillet maissen maiwald majdenić majewski majorana majstorović majumdar makovac malacarne malaparte malatesta maldonado malenchini
    maler maletić malhotra malipiero maliqi mallick malnar malone maloča malpighi malá malý mamić mammen mamula manacorda mancini mandal mander
    mangat mann manne manning mannoia manns manolesso mans manser mansız mantegazza mantegna manunta manzoni manço marahrens marangoni maras
    marasović marazzi maraš marbach marcacci marchal marchand marchetti mardešić marenzio maretić mareš marešová mariani marijanović marinetti
    marini marinković marino marinović marić maričević marjanović markanjević markovac markovic marković marková marks markuš marquardt marques
    marquez marrone marsden marsh marshall marsili martens marti martin martineau martinelli martinez martini martinić martinović martins
    martinčević martić martucci marty marušić marx marzorati maréchal maršić maržić mascagni mascheroni mason maspero masseron massey masson
    mastandrea mastroianni mata matahlija matana matas mateša mathes mathews mathis mathys matijaš matijević matile matić matko matković
    matokanović matoušek matoušková matovina matošević mattarella matteotti matthes matthews matthies matthäi matulin matulić matějka matějková
    maul maurer mauron maury mavra maxwell may mayer mayerhofer maynard mayo mayr mayrhofer mays mazur mazza mazzacurati mazzanti mazzeo mazzi
    mazzini mazzocchi maćešić mašek mašková mcbride mccall mccann mccarthy mccarty mcclain mcclure mcconnell mccormick mccoy mccullough mcdaniel
    mcdonald mcdowell mcfarland mcgee mcgrath mcguire mcintosh mcintyre mckay mckee mckenzie mckinney mcknight mclaughlin mclean mcmahon
    mcmillan mcneil mcpherson meadows medač medici medina medić medved mehler mehmeti mehta meier meili meinert meissner meister meißner meić
    mejia melendez mellor melnyk melton melzer memon menard mende mendes mendez mendoza mendès mengolo mennea menon mensah menthonnex menzel
    mercadante mercado mercalli mercantini mercati mercer mercier merisi merkaš merkel merritt mertens mertz merz mesarić mesić messerli messina
    metcalfe metella mettler metz metzger meucci meuli meunier meyer meyers meza mezei mezzetta micca michael michaelis michalski michaud michel
    michelangeli micheletti michels michlig middleton mielcarek mies migliaccio mihalić mihaljević mihelčić mihić mikić miklečić mikulandra
    mikulec mikulčić milanesi milas milatić miles miletić milevoj milina miličić miller mills millward miloslavić milotić milovac milošević
    mimica mimun minder minhas miniati miočić miranda mirosavljević mirt mishra missoni mistry mital mitchell mitrović mitschke mittal mitter
    mitterer mičetić mišak miše mišković moccia mocenigo modi modiano modigliani modrić modugno mody mofardin mogherini mohamed mohammed mohanty
    mohaupt mohr molesini molina moll molloy molnár mondadori mondaini monduzzi moneta monicelli monnard monnet monney monnier monroe montalcini
    montalti montanari montanariello montandon montanelli montecchi monteiro montes montesano montessori monteverdi montgomery monti montoya
    moody moon mooney moor moore moosbrugger moosmann mora morabito morales moran morand morandi morandini morar morard moravcová moravec moreau
    moreira morellato morelli moreno moresi moret moretti morgagni morgan morina moritz morić morlacchi morley morosini morozov morpurgo
    morricone morris morrison morrocco morrow morse mortati morton morucci morvan moscarda moschino mosemann moser moses mosimann moslavac
    mosley moss mottet mottiez moyer mozart močibob mraović mudri mudronja mueller muhr mukherjee mukhopadhyay mullen mullins munari mundt muni
    munoz muratori murialdo murillo muriset murphy murray murri murthy murty musatti musil musilová musliu mustafa mustapić mustač muster musy
    muti mušćet mužina mužić myers mächler mäder mälzer mészáros möchlichen möller mühlbauer mühle mühlemann mülichen müller müllerová münch
    münster müri naccari nadi nadig nadkarni nagar nagarajan nagel nagi nagy naidu nair nakamura nakić napolitano narain narang narasimhan
    narayan narayanan narula naser nash natarajan natt natta naumann nava navarria navarro navone navrátil navrátilová nayak nayar naylor
    načinović neal necci nedić neff nelson nemes nerger nette neubauer neubert neuhaus neuhauser neuhold neumann neumeister neureuther neveu
    newman newton ng ngo nguyen nibali nicholls nichols nicholson nickel nicoletti nicolini nicollier nicolucci niederberger niederer niehaus
    nielsen niemann niemeyer nievo nigam niggli nikolic nikolić nimac niquille niscoromni nitsch nitschke nitti nitto nixon nišević nižetić
    nnamani noack noble nohlmans nolan nolcini noll nolte nonis norac norbiato nordio norman normand norris north norton nosiglia notarbartolo
    novak novaro novosel novotná novotný novák nováková nowak nowakowski nowicki nugnes nunes nunez nussbaum nussbaumer nusslé nwosu nydegger
    näf nägeli németh nüsslin němcová němec němeček němečková o'brien o'connell o'connor o'donnell o'hara o'leary o'neal o'neill o'reilly
    o'sullivan obasanjo oberhauser oberholzer oberleitner obermayr oberndorfer obi obradović obratov obrien ochoa ochsner oconnell oconnor
    odermatt oderwald odescalchi odobašić odom odonnell oelke oesch oestrovsky offredi ogden ogunleye okafor okeke okonkwo okoro olawale oliboni
    oliveira oliver olivetti oliynyk ollivier olsen olson oláh omlin omma oneal oneill onio onisto oommen opizzi oppliger orbanić orbán orengo
    orešković orlić orlović orosz orozco orr orsini orsós ortega ortese ortiz ortmann ortolani oršolić oršoš oršulić osborn osborne oscuro osei
    oshodi ossani ossola ostinelli ostrowski oswald ott ottino ottmann otto ovadia owen owens owusu oyekan ozimec paccaud paccot pace pacelli
    pacetti pacheco pachoud pacillo pacomio padilla padmanabhan padovano paffrath paganini page pages pagliaro pagnotto pajur palan palić
    palladio palmer palmisano palombi paltrinieri palumbo pamić panatta panchal pandey pandit pandurić pandya panicucci panzera paoletti paolini
    paolucci papadopoulos papafava papak paparić pape papetti papp paradi parekh pareto parikh parini parisi park parker parkin parkinson parks
    parmar parmer parmitano parpinel parri parrish parrott parry parsa parsons paruta parzer pascarella pasche paschoud pasolini pasqua pasquier
    passalacqua pastine pataki patel pathak patil patla patrick patterson patton paul paulitsch pauls paulsen pausini pavanello pavarotti
    pavelić pavin pavić pavičić pavković pavlović pavlík pavlíková pavlíček pavone pawlak pawłowski payet payne peano pearce pearson peck
    pecotić pederiva pedersoli pedišić pedrazzini pedroni peharda peitrequin pellegrini pellet pelletier pelli pellico peltier pena penić
    pennetta pennington perak peranda pereira perez pergande pergolesi perini perić perišić perkins perkov perković perner peron perozzo peroš
    perren perret perrin perrot perry pertile pertini peruzzi peruško perčić petek peter peterlik peters petersen peterson petitjean petralli
    petrassi petrić petričević petrocelli petrov petrova petrovic petrović petrová petrucci petrucelli petruzzi peukert pezzali pečur peša pešić
    pešková pfaff pfeffer pfeifer pfeiffer pfister pfyffer pfyl pham phan phelps phillips piacentini piane piazzi picard piccand piccinni piccio
    pichler pichon pickering pickett pieper pierce pietrangeli pietsch pigafetta pignatti piguet pikec piljek pillai pillay pilz pinamonte
    pincherle pineau pineda pininfarina pintarić pinto pintér piotrowski piovani pirandello pirelli pires pirker pisacane pisani pisano pisaroni
    pistoletto pittet pittman pitts pizzamano pizzetti pizziol pizzo plank plantak plantek planzer plath platini plažanin pleše plüss poerio
    pohl pohle pohlmann poirier pokas pokorná pokorný pokos polani polat polesel polizzi polić poljak polla pollard pollmann polonijo polović
    polák poláková pometta ponce pongrac pons pontecorvo ponti poole pope popescu popov popovic popović popp poppe porcellato poropat porter
    portmann porzio posch poslon pospíšil pospíšilová potier potter pottier potts poulain powell powers pozder pozzecco pozzi požega prabhakar
    prada pradhan praga prager prashad pratesi prati pratt predovan preiss preiß prelec preočanin preston preuss preuß pribanić price priebe
    prince prinz priselac pritchard priuli probst procacci procházka procházková proctor prodi proietti prokop prpić prskalo prtenjača pruitt
    pruschke pruvost prévost pucci puccini pugh pugliese puglisi puharić pulci puljiz puri purohit putinja putz puškarić pásztor pärtzelt pölitz
    püntener qerimi quade quasimodo querini quinn raab raabe rabe racine radelić rademacher radhakrishnan radin radinović radisch radić
    radojković radolović radović radočaj radošević raghavan raguž rahija rahman raimondi rainer rajagopal rajagopalan rajn raju rajčić rakela
    rakuljić raljević rama ramachandran ramadani ramakrishnan ramanathan ramaswamy ramazzotti ramirez ramm ramos ramseier ramsey randall
    randazzo randhawa randolph ranganathan rangel rao rapin rapisardi rapp rappaz rapraz rasch raschle rasmussen raspor rast rastelli rastija
    rastogi ratta rau rauch raurica rausch rauscher ravaglioli raval rawlings ray raynaud rađenović rašeta rašić ražov read reber rebić rebsamen
    rechsteiner reddy redi reed rees reese reeves rege regge regli regnier reich reichel reichelt reichert reichmann reichmuth reid reilly
    reimann reimer reimers rein reinert reinhard reinhardt reinhold reinke reis reischl reisinger reiter reiterer reitz reiß renard renaud
    renault rendulić renggli renier renner rensi renzi resanović resch respighi reusser reuter rexhepi rey reyes reymond reynaud reynolds
    rezzonico rhodes rhyner ribarić ribeiro ribi ribić ribičić riccardi riccati ricci ricciardi rice rich richard richards richardson richmond
    richter rickenbacher ricolfi riddle rieck riedel rieder rieger riehl riehm riemer rienzo riesen rietz rieß rigert riggs righi rijetković
    riley rinaldi rindlisbacher ring rios riou ripka risek rismondo ritacca ritoša ritter ritz rivas rivera rivers rivière rizzo rizzoli ričko
    roach robadey robbins roberson robert roberts robertson robinson robles robson roca rocca roccabonella roce rocha rochat roche rodgers
    rodrigues rodriguez roeder roemer roero roger rogers rogge rogošić rohde rohleder rohner rohr rohrer rojas rojnić rolland rollins romagnoli
    roman romanens romano romero romiti roncalli roos rosales rosario rosas rose rosenberg rosenberger rosenow rosiello roskoth rosmini roso
    ross rosselat rosselet rossellat rosselli rossellini rossetti rossi rossier rossini rost roth rothe rothenbühler rother rottmann rousseau
    roussel rousset roux rowe rowland rowlands rowley roy royer rubbia ruberto rubeša rubinić rubio ruckstuhl rudolf rudolph ruef ruf rufer
    ruffini ruge ruggeri ruggieri ruiz rukavina rumora ruoss rupp ruppersberger ruppert rush rushton russ russell russo rust rusticucci rutz
    ryan ryser rytz rácz räber rädel röder röhr röhricht rölleke rölli römer rörricht rösch röse röthlisberger rüegg rüegger rüttimann růžička
    růžičková sabatini sabbatini sabharwal sabljak sabol sachar sachdev sachdeva sacher sadler saffi sagar sager sagese sagnelli sagredo saha
    sahin sahni sahota saini sakarya sakač sala saladin salandra salas salata salazar salgari salieri salihu salinas salopek salvemini salvini
    salvisberg salzgeber salzmann sama samele sampath sampson samra samuel sanchez sander sanders sanderson sandhu sandi sandoval sandoz sanford
    sanghvi sanguineti sani sankar sankaran sansoni sansonnens santana santi santiago santorio santoro santos sanudo saraceno saracino saragat
    saran sarbach sardelić sarma sastry sathe sato satriani satta sattler saudan sauer sauerland sauli saunders sauro sauter sauvage savage
    savić savorgnan sawhney sawyer saxena sbarbaro scaduto scalera scalfaro scamarcio scandone scaramucci scarfoglio scarlatti scarpa scarpetta
    scarponi schaad schaaf schachinger schacht schade schaefer schafer schaller schaper scharf scharnhorst schatz schaub schauer schaufelberger
    schedler scheel schefer scheffler scheidegger schenk scherer scherf scherrer scherz scheuber scheuermann schiaparelli schiavo schicchi
    schick schiefer schiess schiffer schiller schilling schilter schinagl schindler schinke schirmer schlager schlatter schlauchin schlegel
    schleich schleicher schlosser schluep schlumpf schläpfer schlösser schlüter schmid schmidl schmidlin schmidt schmidtke schmied schmiedecke
    schmiedt schmitt schmitz schmutz schnabel schneeberger schneider schneidereit schnell schnider schnyder schober schoch scholl scholtz scholz
    scholze schomber schori schott schottin schrader schramm schrank schreiber schreiner schroeder schröder schröter schubert schuchardt
    schuchhardt schuh schuler schulte schultz schultze schulz schulze schumacher schumann schuster schwab schwabe schwager schwaiger schwaller
    schwartz schwarz schwarzenbach schwarzinger schwegler schweiger schweighofer schweitzer schweizer schwendimann schwenk schwinn schwyter
    schädler schäfer schäffer schär schärer schön schönberg schöne schönenberger schönfeld schüler schüller schüpbach schürch schürmann schütte
    schütz schütze scialpi scott scotti scotto seddio sedlar sedlák sedláková sedláček sedláčková seeger seemann segebahn segni segrè seguin
    sehgal seidel seidl seifert seiler seip seitz sejdiu sekhon sellers semialjac semitecolo sengupta seničić senn serao serlupi sermonti serra
    serraglio serrano seršić seshadri sethi setty sexton sezer sezgin sforza sgalambro sgarbi shabani shackleton shaffer shah shala shannon
    sharaf sharma sharp sharpe shaw shea sheikh shelton shen shenoy shepard shepherd sheppard shere sherman shetty shevchenko shields short
    shukla sibal sibilia sidhu sieber siebert siegel siegenthaler siegert siegmund siegrist siering sierra siffredi sigg sigrist sikirić sikora
    silva silvestri simeoni simić simmen simmons simon simpson sims singh singhal singleton sinha sinisi sinn sinožić sipos sirotić sismondi
    skinner skupnjak sladonja slater slavík slavíková sloan small smart smirnoff smirnov smith smoković smolić snow snyder soares sobczak sobota
    sobrero soderini sodhi soffici sokač sokić sokol sokolov solanki solari solimena solis sollima solomon solomun soman sommaruga sommer
    sommerfeld sommerhalder somogyi sonderegger song soni sonnino sonnleitner sonntag sood soranzo sordi sorensen sorgatz sorić sorrentino sosa
    soto soukup soukupová sousa souza soylu soós sošić spadafora spahr spallanzani spanevello sparks spears specht spence spencer speri spiegel
    spies spieß spinelli spinola spitzer sprecher sprenger spring springer spycher späth spörri squarcione sraffa sridhar srinivasan srivastava
    sršen stadelmann stadlbauer stadler stafford staglieno stahl stahr stalder stamm stampfli stange stanić staničić stanković stanley stanton
    stančin staněk stapel stark starčević staub staude stauffer staňková steele stefanelli steffen steffens steger stegmann steiger steimer
    stein steinauer steinbach steinberg steinbrecher steindl steinemann steiner steinert steininger steinmann steinmetz stejskal stejskalová
    stenzel stephan stephens stephenson stern stettler stevens stevenson stewart stiebitz stiffel stipanović stiperski stirnimann stock stocker
    stockinger stojanov stojanović stojnić stojčević stokes stoll stolnik stolz stolze stone stoppani storch storladi storm stout stošić
    strangio strasser straub strauch strauss strauß stražičić strebel streiff streit strickland striebel strinavić strnad strnadová strobel
    strobl stroh strong struck stuart stubbs stucchi stucki studer stump stumpf stumpp stupalo sturm sturzenegger styger stähli stäubli stöcker
    stöckli stöger stüber stępień suarez subramaniam subramanian suhr sule sulejmani sullivan summers sun sundaram surać surian sussmann
    sutcliffe suter sutter sutton suzuki svetličić svoboda svobodová swaminathan swamy swann swanson sweeney swift sykes szabo szabó szalai
    szekeres szilágyi szymański székely szücs szőke szűcs sárközi söding sölzer süess süß sýkora sýkorová tacchini taccola tadić tafuri
    tagliafierro takahashi takács talbot taliani taliercio tamborini tamburi tamburini tamm tan tanaka tandon taneja tang tanguy tanner tanzini
    tarantini tarantino tarchetti tarhan tartaglia tartini tasca tasso tassoni tata tate tauber taylor tebaldi techer tedesco tegethoff teixeira
    tekin telesio tella tencalla tepeš terlević terragni terrell terry terzić tesař tessier testa tevetoğlu texier textor tešija thaker thakkar
    thaler thalmann thaman thaqi theiler theis thiel thiele thieme thies thoma thomann thomas thommen thompson thomsen thomson thorens thornton
    thorpe thurner théraulaz thöni tichá tichý tiepolo tietz tietze till timm timmermann tinguely tirabassi tisaj tiwari tkachenko tlustek
    tobler todd togliatti tognazzi toić tolentino tolj tomanová tomaselli tomasetti tomasini tomei tomić tomičić tomlinson tomljanović tommaseo
    tonc toninelli tonisto toor topić toprak torlonia tornatore torres torricelli toscani toscanini toselli tosi toso tosto totino totić
    toussaint townsend tozzi tozzo trachsel traetta tran traore trapanese trapani trapp travaglia travaglio traversa travia trbović trebbi
    treboux treccani treichler tremonti trentin trentini tresoldi tress treves trevino trevisan trevisani trezzini trgovčić trillini trincavelli
    tripathi triplat trivedi trnski trobbiani troisi trombetta trommler tropea trost trotta troxler trub trubin trujillo trummer truong trupiano
    trupp trussardi trutanić tschan tschanz tschentscher tscherne tschopp tschudi tschumi tucker tudić tuksar turan turati turchetta turchi
    turci turina turnbull turner turpin turrini turudić turčinov tutino tuzzolino tuđa tušek tuškan tyler tyson täsche tóth török türk tůma
    tůmová ubaldi uddin udinese udinesi ughi ugrinić uhlmann ukić uldry ullmann ullrich ulmann ulmer ulrich umiker underwood ungaretti unger
    upadhyay uppal urban urbanová urbansky urlić utiger uçar ušić vacek vaci vacková vaidya vaillant vala valdez valencia valenta valentine
    valentini valentić valentová valenzuela valette valguarnera valier valjetić vallet vallée vallélian valmarana vance vanvitelli vaněk varano
    varga vargas varghese varkey varma varty varughese vasari vasquez vass vasseur vater vattimo vaughan vaughn vazquez vaňková vecellio vecoli
    vega veit veić velasquez velazquez velez veliu veltroni vendetti venditti venetz veneziano venier venkataraman venkatesh vento venturi
    vercelloni verdi verdier verdone veres verga vergassola vergerio verma verri versace veselá veselý vespucci vetsch vetter vezzali vianello
    vickers victor vidaković vidas vidoni vidov vidović vieira vieth vigliotti vigorelli viljevac villa villadicani villanueva villarosa
    villarreal villegas villiger vincent vincetić vincze virk visconti visintini vismara viswanathan vitale vitasović vittadello vitturi vivaldi
    viviani vižintin vladislavić vlašić vlček vlčková vo vogel vogelsang vogler vogt vohra voigt voisin vojković volarević volarić volk volkart
    volkmann volkov vollbrecht vollenweider vollmeier vollmer volta volterra volz von vonlanthen vora vorkapić voss vossen vozila voß vrabelj
    vranić vrban vretenar vrhovec vu vugdelija vugec vuille vuilleumier vukman vukobratović vuković vukušić vuljak vučetić vučin vučković vyas
    váradi vávra vávrová vítek vítková vögeli vögtli vörös vöss wable wachter waddington wade wadhwa wagenknecht wagle wagner wainwright walch
    walczak walder waldmann waldvogel walia walker wall walla wallace waller wallis wallner walls walpen walser walsh walter walters walther
    walton walz wang wanner ward ware warmbier warner warnke warren washington wason watanabe waters watkins watson watts weaver webb weber
    webster weeks wegener wegmann wegner wehner wehrli wei weibel weidinger weidmann weigand weigel weihmann weiland weiler weimer weinert
    weinhage weinhold weinmann weiss weisz weitzel weiß weißbach welch weller wells welti welz wende wendel wendt wenger weninger wenk wenz
    wenzel werk wernecke werner werth wesack wessel west westphal wetzel weyer whalley wheeler whitaker white whitehead whitehouse whitney
    whittaker whittle wicht wicki widmann widmer wiebe wieck wieczorek wiedemann wiedmer wiegand wieland wiese wieser wiesinger wiesner wigger
    wiggins wilcox wild wilding wiley wilhelm wilke wilken wilkens wilkerson wilkes wilkins wilkinson will willi williams williamson willis
    willisegger wilms wilmsen wilson wiltfang wimmer windisch winkelmann winkler winter winters winterstein winzeler wiprächtiger wirth wirz
    wise wisler witkowski witschi witt witte wittmann wittwer wiśniewski woehrle wohlfahrt wohlgemut wohlgemuth wohlwend wojciechowski wolf
    wolfe wolfensberger wolff wolfisberg wolter wolters wong wood woodard woods woodward wozniak woźniak wren wright wróbel wu wulf wulfert
    wulff wullschleger wunder wunderlich wurst wyatt wyder wyler wymann wynn wyrsch wyss wähner wälchli wälti wäspi wüest wüthrich xiao xie xu
    yadav yamada yamamoto yaman yang yates yavuz ye yildirim yilmaz yoder yohannan york yorulmaz young yu yuan yusuf yüksel yıldırım yıldız
    yılmaz zabarella zaccagnini zaccardo zacchia zacco zachariah zaguri zahn zając zakinja zalewski zamengo zamora zamorani zampa zanazzo zander
    zanichelli zanoški zanzi zapf zarlino zaugg zauner zavala zbinden zeba zebec zech zeffirelli zehnder zeidler zeiler zeilinger zelić zeller
    zeman zemanová zemp zengin zeqiri zetticci zgorelec zgraggen zhang zhao zheng zhou zhu ziani zichichi ziegler zielinski zieliński zielke
    zierer zihlmann zimmer zimmerli zimmerman zimmermann zingg zirme zito zmaić zobel zobl zobrist zogaj zoller zollikofer zollinger zoppetti
    zoppetto zorbach zorlu zrilić zrinski zuber zuberbühler zubčić zumstein zuniga zurbriggen zurfluh zwahlen zwick zwicker zwyssig zysset
    zänker zöchling zöller züger zürcher çamurcuoğlu çelik çetin çorlu öcalan özdemir öztürk ülker ünal ćorić ćosić ćurić čagalj čargonja čech
    čechová čermák čermáková černá černý čizmić čižmešija čotić čović čubrić čudić čukman čulina čuljak čupić čuček đorđević đurašević đurinić
    říha říhová şafak şahin şama şener şensoy šalić šantić šargač šarić šarlija šegović šelendić šeparović šestak šestan ševčík ševčíková
    šibalić šimara šimek šimić šimičić šimková šimunić šimunović šinković šipek šipić šitum škara škoda škrlin škrnički škrtić škugor škunca
    šmíd šmídová šokčević šošić šoštarić špika špišić špoljarić špralja štefanec štefović štifanić štimac štrbac štrljić šturlan štěpánek
    štěpánková šunjić šupraha šuran šurbek šurina švec švecová šverko šťastná šťastný žabjačan žagar žerjav žeželić žiković živić živković
    žufika žugec žunec županić žuvela žužić žáková
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
