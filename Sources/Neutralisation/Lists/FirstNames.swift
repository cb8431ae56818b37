/// First names that are common in Germany, Austria, Switzerland, the United Kingdom and the United States, among them those
/// of people whose families came from elsewhere. Written for this project;
/// common generators of test names showed which ones were missing.
enum FirstNames {
  static let all = WordList(
    """
    aachal aadhya aadi aahana aaliyah aarav aarini aarna aarnav aaron aarush aarón aashi aayush abbas abby abdi abdirahman abdiş abdul
    abdulbekir abdulgazi abdulkadir abdullah abdullahi abdulmenaf abdulsemet abdurrahman abdülahat abdülcemal abdülhadi abdülkerim abdülsamed
    abdürreşit abeer abel abena abha abhimanyu abhinav abhiram abhishek abid abigael abigail abigaíl abilio abiodun abiye abraham abram abril
    abuzar acar acarkan achille achim achmed aclan ada adaeze adak adal adalbert adalberto adam adamo adasal addie adebayo adel adela adelaida
    adelardo adelasia adelbert adele adelgunde adelheid adelia adelin adelina adelinde adeline adelmo adem adewale adila adina adis aditi aditya
    adlan admir adnan adolf adolfine adolfo adonis adora adoración adrian adriana adriane adrianna adriano adrien adrienn adrienne adrián
    advaith advay advik advika adviye adweta adya adán adèle adéla adélaïde adıgün aenne afer aferdita afife afolabi afonso afra afrim agapito
    agastya agata agatha agathe aggie agim aglaia agne agnes agnese agneta agnieszka agnolo agnos agnès agostino agripina agron agustina agustín
    agáta ahat ahmad ahmed ahmet ahsen ahter aida aidan aiden aiko aileen aimee aimé aimée aina ainara ainoa aischa aisha aishani aitana aitor
    ajay ajla ajna akalan akar akash akatay akay akbaş akboğa akcivan akdora akdurmuş akgöl akgüneş akif akin akise akmaner akmaral akosua aksay
    akshay aksoy aksöğüt aktemür akua akver akyıldız akçabay akçasu aköz akınal alaaddin alabezek alaeddin alain alan alana alanalp alara
    alastair alattin alaz alban albano alberico albert alberta albertina albertine alberto albin albina albrecht alcan alcides alderano aldo
    aldona alejandra alejandro alejo aleks aleksandar aleksander aleksandra aleksei alena aleodor alessandra alessandro alessia alessio alex
    alexa alexandar alexander alexandr alexandra alexandre alexandrie alexandrina alexandru alexe alexej alexia alexis aleš alf alfie alfio
    alfons alfred alfredo algot algış alhassan ali aliabbas alice alicia alida aliihsan alin alina aline alis aliseydi alisha alison alissa
    alistair alistar alix aliyah alize alka alkor alla allan allegra allen allie allison alma almast almudena almus alois aloisia alok alondra
    alonso alparslan alpcan alphons alphonse alpin alpsü alsoy altay altoğan altuğ altınbike altınkaya altınçiçek altınışın alva alvaro alve
    alvin alwin alwine alyssa alícia alışık alžběta amada amadeo amadeus amado amador amadou amaia amaira amalia amalie amancio amanda amando
    amandus amani amar amara amarachi amarilis amaro amaya amaç amber ambros ambrosio ambrosius amedeo amedeu amelia amelie amely amico amin
    amina amir amira amit amke amleto amol amparo amre amrita amruta amy amza amélia amélie américa américo amílcar ana anabel anabela anabella
    anacleto anaida anamaria anamika anand ananya anargül anas anastasia anastasie anastasio anastazja anastázie anatol anatoli anatolie anaïs
    anca ancuța anders andie andiç andjela andjelina andor andra andrada andre andrea andreas andreea andrei andreia andrej andres andrew andri
    andrian andrija andrin andrzej andrás andré andréas andrée andrés andy anděla anela anemona aneta anett anette anežka angel angela angelika
    angelina angelino angelita angelo anghel anghelina angie angus angélica anica aniela anika anikó anil anina anirudh anisa anita anișoara
    anja anjali anka anke ankica ankit ankita anmol ann anna anna-karin anna-lena anna-lisa anna-maria annabel annabell annabella annabelle
    annak annalena annaliese annalisa annamaria annamária anne anne-marie annegret annegreth annekathrin annekatrin anneke anneli annelie
    anneliese annelise annelore annemarie annemie annemijn annerose annerös annetta annette anni annibale annica annick annie annika annikki
    annina annunziata anouk ansaldo anselm anselma anselmo ansgar ansh antero anthony antim antje anto antoaneta antoine antoinette anton
    antonela antonella antonello antoni antonia antonie antonietta antonija antonina antonino antonio antoniu antonius antonín antun antónio
    anuj anunciación anuradha anuschka anusha anuța anvi anya aníbal anđa anđela aoife apaydın apolena apolinar apollonia apolonia apostolos
    april arabella araceli aradhana aral aran aranka arash arben arber arbnor arbër arcan arcelia archana archie arda ardita argu ariadna arian
    ariana arianna arianne ariel arif arifcan arin arina aris aristide aristides aristița aristoteles arjun arkadiusz arkut arlette arlo armahan
    armando armida armin arnaldo arnaud arnaude arnd arne arno arnold arnošt arnulfo aroa aron arpağ arsenie arsenio arta artan artemio artemisa
    arthur artie artur arturo arun arunima arvid arwen arya aryan arziye aránzazu arıel arıkol arıpınar arısoy asalet ascensión asdrubal asha
    ashleigh ashley ashok ashraf ashwin asim asiman asja aslan aslanhan asli asliye assar asta aston astrid asuman asım atagün atalay atanur
    atasagun atatöre atena atenulf atgun atharv athena athina atilhan atilio atiyye atnan attila atılgan aubrey aude audrey august augusta
    auguste augustin augustina augusto aurel aurelia aureliana aureliano aurelie aurelio aurica aurică aurora aurélie auste ava avani avni avram
    avunç avşin axel axenia axinte ayaan ayasun ayaydın aybet aybora aycagül aydar ayden aydin aydinç ayduru aydınbey ayesha aygutalp aygönenç
    aygül aygün ayhan aykut aykutalp ayla aylil aylin ayman aynilhayat aynur aynımah ayodele ayoub aypar ayse aysegül aysema aysevim aysoy
    aysuna aytek ayten aytuna aytöz ayush ayushman ayvas ayyaruk ayçan ayülker ayşan ayşe ayşeana ayşenur azaan azad azade azahar azahara
    azeglio azeneth azettin aziz azize azra azucena açıkel açılay ağakişi ağbegim ağmur aşhan aşir babajide babatunde babette baccio bachittar
    badegül baghyawati bahaddin bahadurjit bahittin bahtinur bajram bakhshi baki balatekin balca baldassare baldomero balduino balendra balhaar
    baljiwan ballı baltasar baltaş balthasar balvan balveer balázs banjeet banü baptist baptiste barak barbara barbora barbro barbu barica bariş
    barkha barna barnaby barnabás barney barry barsen bart bartek bartholomew bartolomeo bartolomeu bartolomé bartosz barışcan basarab bashir
    basil basilio basriye basti bastiaan bastian bastienne basım baturay batırhan baudelio bautista baydu baykan bayruhan baytal bayzettin
    bağdat bağdaş başay başhan başok bea beat beata beate beatrice beatrix beatriz beatus bebe becca becky beda bedi bediriye bedri bedřich
    begim begoña behiza behrem bekbay bekim bekir bektaşi bela belen belgizar belinda belkize bella bellisan belén ben bence bendegúz benedek
    benedetta benedetto benedict benedikt benedikta benedita benek bengibay bengt beni beniamin benice benigna benigno benita benito benjamim
    benjamin benjamín benji benjámin bennet benno benny benol benone benoît bente benthe benvenuto beppe beppo beren berenice berenike berit
    beriye berkal berkay berki berksay bernabé bernadett bernadette bernard bernarda bernardine bernardino bernardita bernardo bernd berndt
    bernhard bernie bernt berran berrin bert berta bertalan bertha berthold bertie bertil berto bertold bertram bertrand besa besey besim besnik
    bessie beth bethli betina betsy bettina betty beverly bex beyda beyhatun beyler beyza beyzade bezek beáta beätli bhanumati bharat bhavani
    bhavika bhavini bhavna bhavya biagio bianca bianka bibiana bican bidayet bienvenida biff biggi bilal bilay bilender bilge bilgen bilginur
    bilgütay biljana bilkay bill billy biltaş bimala bina binay binbaşar bine binışık birben birger birgit birgitta birgül birk birol birsan
    birsen birte biserka bishakha bitül bişar bjarne bjoern bjorn björn bjørn blahoslav blaise blanca blanche blanduzia blanka blazej blažena
    bledar blerim blerina blerta bo boaz bobbie bobby bodil bodo boel bogdan bogdana boglárka bogumila bogusław bohumil bohumila bohumír
    bohuslav bojan boleslav bonifacio bonnie borahan borataş borbála boris borislav borja borys bosse botond boubacar boynak bozbağ bozena
    bozerk boztaş boğatimur bořivoj bożena božena božica božo brad bradley bram brandon brandy branislav branka branko brenda brendan brent
    brett brian brianna bridget brigid brigitta brigitte brijesh brinda brita britt britt-mari britt-marie britta broder bronwen bronwyn brooke
    bror bruce bruna brunhild brunhilde brunilda bruno bryan bryce brândușa brígida brăduț bucur buenaventura buhari bulunç burak burakhan
    burchard burckhard burcuhan burim burkhard burkhardt burç buse buyrukhan buşra bálint bárbara bärbel bäschteli béla börje börteçin büget
    bülent bünyamin bünyamün büreyre büşranur bănel błażej břetislav cabir caecilia caetana caitlin caius cajsa calcedonio caleb calista calisto
    calixta calixto callum calogero calvin cameron camil camila camilla camille camillo camilo can canan canberk candelaria candelario candelas
    candeniz candice canfeza cangür cannur canseven cansin cansu cantemir cantez canur caoimhe cara caridad carin carina caritas carl carl-johan
    carla carlijn carlito carlo carlos carlota carly carmela carmelita carmelo carmen carmi carmina carminho carol carola carole carolin
    carolina caroline carolyn carrie carsten carys casandra casemiro casey casian casiana casimir caspar casper cassandra cassidy catalina
    catarina caterina cathal catharina catherine cathleen cathrin cathrine cathy catia catinca cato catrin catrina catrinel catriona cavit
    cayetana cayetano caz cazimir cebesoy cebrián cecil cecile cecilia cecilie cecilio cedide cedric ceferino celeste celestine celestino celia
    celilay celina celine celso cem cemal cemalettin cemile cemiyle cenan cengiz cerasela cercis cesar cesare cevale cevheri ceyda ceyhun ceylin
    cezar cezara cezary cezayir chaaya chad chaitaly chaitanya chakradev chakradhar chakrika chaman chameli champak chanakya chanchal chandani
    chandra chandran chandresh chantal charan charita charlene charles charlie charlott charlotta charlotte charly charo charvi chas chasmum
    chatresh chatura chavvi chaz chelo chelsea chema cheryl chiamaka chiara chibuzo chidi chidinma chiedu chima chinedu chinwe chioma chita
    chiyo chloe chloé chloë chrigel chrigu chris chrissy christa christel christelle christer christfried christiaan christian christiana
    christiane christianne christin christina christine christl christof christofer christoffer christoph christophe christopher christy chucho
    chuck chus chuy cian ciara ciaran cihan cihandide cillian cindoruk cindy cintia ciprian cipriana cipriano ciriaco cirillo cirino ciro
    ciríaco cissy claas claes claire clara clare clarisa clarissa clas claude claudette claudia claudine claudio claudiu claus-peter clayton
    clelia clemence clemens clement clemente clementina clementine cleo cleopatra cleto cliff clifford clint clive clodagh cloe clotilde cláudio
    clémence clímaco codin codrin codrina codruț codruța cody coen colette colin colleen colm coluccio conall concepción concetta connor conny
    conor conrad conrado constance constantin constantina constanza constanze constança constanța consuela consuelo cora coralia coralie
    cordelia cordula corentin corina corinna corinne coriolano corneel cornelia cornelio cornelis corneliu cornelius corrado corsin corvin cory
    cosima cosimo cosme cosmin cosmina costa costache costantino costanzo costel costin courtney coşkun craig crenguța crescencia crina crispin
    cristea cristian cristiano cristina cristobal cristofor cristóbal cruz crystal csaba csilla csongor ctibor ctirad cuheyna cuman curdin curro
    curtis custodia custodio cynthia cyprian cyril cyrill czeslaw cándida cándido cäcilia cécile célina céline césar cüneyit călin cătălin
    cătălina daan dacian daciana dafina dafne dagmar dagmara dagny dagobert daiana daisuke daisy dajana daksh daksha dakshesh dalaja dalan
    dalbir dale dalia dalibor dalila dalkılıç damaris damian damiano damien damini damir damián damla damlanur damlasu damyanti dan dana dani
    danica daniel daniela daniele daniella danielle danijel danijela danilo danique daniël danny dante danuta danuše danış daphne dara dardan
    daria dariana darika dario darius dariusz darko darlene darnell darpan darragh darrell darren darsh daryl darío dave davey david davide
    davina davor dawid dawn dayamai dayar dayita dağistan dean deanna deb debbie deborah debra debs decebal declan deedee deepa deepak deepika
    deha deirdre dejan delfina delfino delia delil delphine demetra demetrio demetrius demian demirbüken demiriz demirok demiryürek denis denisa
    denise deniz denizalp denkel dennis denny derek derkay dermot derrick derya deryanur desiderio desiree desirée desmond despina detlef detlev
    devansh devika devin deviner devon dewi dezső değer değmeer dhriti dhruv diana diane dida didem didier didina diego dieter diethelm
    dietlinde dietmar dietrich diken dilara dilcan dilder dilek dilfeza dilhuş dilsitan dilşat dimas dimitar dimitri dimitrina dimitrios
    dimitris dina dincer dinesh dinis dino dinu dinçkol dinçsü diogo dion dionigi dionisia dionisio dipta dirican dirk dirlik divya diya diána
    djamila dobrila dobroslav dochia dodie dodo dolores dolun domagoj domenico dominga domingo dominic dominik dominika dominique domitila
    domnica don donal donald donatella donatello donato donna donovan dora dorcas doreen dorel dorian doriana dorin dorina dorinel doris dorit
    dorita dorli dorota dorotea dorothea dorothee dorothy dorothée dorottya dorthe doru dorukhan dottie dougal douglas doğanalp doğannur
    doğanşah doğuhan doğukan draga dragan dragana dragica drago dragoș dragutin drahomíra drahoslav drahoslava dražen drita driton duarte ducu
    duha duilio duje dulce dumitra dumitrana dumitru duncan dunja duracan durante durdali durgadin durmuşali dursadiye duruk duruöz dusan dustin
    duuk duygu duyguhan dušan dušica dwayne dylan dylano dániel dávid däni dänu débora dénes désirée dóra dölensoy dölf dörte dündaralp
    dürrüşehvar eamon eamonn ebba ebele eberhard eberhart ebony ebru ebuakil ebubekir ecaterina ecegül ecemiş eckard eckart eckehard eckhard
    eckhart ecrin edaviye edda eddie edelmira edelmiro edeltraud edeltraut edgar edgardo edgübay edhitha edi edin edina edit edita edith editha
    edmond edmund edmundo edna edoardo edona eduard eduarda eduardo edvard edvin edward edwin edyta eesha efe effie efil eflâtun efosa efraín
    efser eftimia eftimie efua egbert egenur egon egzon ehrenfried ehrhard eike eila eileen eilidh einar eino eira eiravati eirik eivor ejike
    ekaja ekalinga ekani ekansh ekanta ekantika ekapad ekaraj ekaterina ekavir ekbal ekber ekene ekiya ekkehard ekmel ekta eladio elaine elamiye
    elara elbert elea eleanor eleanora elemér elena eleni elenore eleonor eleonora eleonore eleuterio elfi elfriede elgin elham elhan elia
    eliana eliane elias eliese elif elifnur eligia eligio elijah elin elina eline elinor elio eliot elis elisa elisabet elisabeta elisabeth
    elisabetta elisaveta elise eliseo elisha eliza elizabeta elizabeth elize eliška elke ella elladio ellen elli ellie ellinor elliot elliott
    elly elma elmar elmer elmo elna elnur elodia elodie elof eloise eloy eloísa elpidio elsa elsbeth else elsie elsy elton elvin elvira elvis
    elvy elçin elías elöve elżbieta emal emanoil emanuel emanuela emanuil emeka emel emelie emelina emerson emese emigdio emil emile emilia
    emilian emiliana emiliano emilie emilio emily emin emina emine emir emirşan emiş emma emmanuel emmanuelle emmi emmy emperatriz emre emrullah
    emília enar encarna encarnacion encarnación encarnita enda endre enes enfes engelbert engin enginiz engla enikő ennio enno enrico enrique
    ensari enver enza enzio enzo eoin epifanio eraldo erasmo eraycan erbay erbil ercan ercihan erdal erdem erdemer erdibay erdmute erdogan
    erdursun erem eremia eren erenalp erensoy ergener erginel ergönül ergül ergün erhan erhard eric erica erich erik erika erin erinçer eriş
    erkan erkinel erksoy erkılıç erland erling ermanno ermelinde ermenegildo ermes ermutlu erna ernest ernestine ernesto ernscht ernő erol
    eroğul ersel erseç ersin ertan erten ertuncay ertün ervaniye ervin erwin eryk eryıldız erzsébet eröz erşat esen esenbay esengün esentürk
    eshana esila eskil eskinalp esma esmanperi esme esmee esmeralda esmée esperanza espiridión esra essie esteban estefanía estela estelle
    estera esther estrella eszter etelka etelvina ethan etienne etta ettore eufemia eufrosina eugen eugene eugenia eugenie eugenio eugène
    eusebia eusebio eusebiu eustaquio eustațiu eutimio eutropio eva eva-maria evald evan evangelina evangelista evangelos evanghelina evaristo
    evcimen evde evelia evelien evelin evelina eveline evelyn evelyne evelína evi evie evita evrim evrimer ewa ewald ewan ewelina eytan eyyüp
    ezequiel ezgi ezgin ezgütekin ezio ezra eşim eşref faas fabia fabian fabiana fabienne fabio fabiola fabián fabiënne fabrice fabricio
    fabrizia fabrizio fadi fadile fadime fadıla fahrullah faisal faith faize falak falan falguni falk falko fami fanni fanny faqid faraj faras
    farhan fariba farid farida fariq faris farouk fatbardha fatigül fatih fatima fatinur fatma fatmanur fatmir fatou faustino fausto faye fayize
    fazul febe fedde fedele feden federica federico federigo fehim fehmiye felicia feliciana feliciano felicidad felicitas felipa felipe felisa
    felix femke fenja fenna fenni ferahdiba ferat feraye ferdi ferdinand ferdinando feremez ferenc fergus ferhan ferhat feride ferihan ferinaz
    fermuta fermín fernanda fernando fersan feryas ferzi fetullah feyha feyruz feyza feyzin feza fiamma fidaye fidel fidela fides fien fiene
    fiete figen fildan filip filipa filipe filippa filippo filit filiz filofteia filomena finbar finja finlay finley finn finnian fiodor fiona
    fionn fionnuala fiorenzo fiorino firat firdevis fisnik fitan fitim fitnat fito fiyaz fjodor flamur flavia flavio flaviu fleur flo floare
    floarea floortje flora florea florence florencia florencio florent florentin florentina florentine florentino florența florian floriana
    florica florije florin florina florinda floris flurin flurina folake folke folkert fortunata fortunato frado fran franca frances francesca
    francesco francine francis francisco franciska franciszek franck franco francois francoise franjo frank frank-peter franka frankie frans
    františek františka franz franzi franziska franzl françois françoise frauke fred freda freddie freddy frederic frederick frederico frederik
    frederike frederique fredi fredo fredric fredrik fredrika freja freya frida fridli fridolin frieda friedbert friedel friedemann frieder
    friederike friedhelm friedl friedrich friedrich-wilhelm frithjof frits fritz fritzl frusina fryderyk fränzi frédéric frédérique fulgencio
    fulvio fulya fuma funmi fuzuli fynn fábio fátima féline félix fügen gabe gabi gabino gabor gabriel gabriela gabriele gabriella gabrielle
    gabsi gaby gaetan gaetano gagan gail gaja galasso galina galip galo gamze ganiye gareth garima garry gary gaspar gaspard gaspare gastone
    gastón gaurang gaurangi gaurav gauri gaurika gautam gautami gavin gayathri gaynor gbenga geanina gebhard geert geeta geetika gelengül geli
    gelsomina gelu gema gemma gencaslan genevieve geneviève genoveva gençay gențiana geoff geoffrey georg george georgel georges georgeta
    georgette georgi georgia georgian georgiana georgina georgios gerald geraldine geraldo gerard gerardo geray gerd gerda gereon gergely gergő
    gerhard gerhardt gerhild gerlind gerlinde germaine germana germo germán gernot gero gerold geronimo gerrit gerry gert gerta gertraud
    gertraude gertrud gertrude gertrudis gertrut gervasio gerónimo gesa gesche gesine ghenadie gheorghe gheorghiță gherghina ghislaine ghiță
    giacinto giacobbe giacomo giada giampaolo giampiero gian giancarlo gianfrancesco gianfranco gianina gianluca gianluigi gianmarco gianna
    gianni gianpaolo gianpietro gicu gică gideon giel giesela gijs gil gilbert gilberto gilda gilles gillian gillis gilman gina ginette ginevra
    ginny gino ginyas gioacchino gioachino gioele gioffre gionata giorgia giorgian giorgiana giorgio giosuè giovanna giovanni girik girindra
    girish girolamo gisbert gisela gisele gisella giselle gisi gislinde gitta gitti giulia giuliana giuliano giulietta giulio giuseppe
    giuseppina giustino gizella gizem gladys glauco glen glenda glenn gloria godofredo goffredo goncafer gonzalo gonçalo gopal goran gordan
    gordana gordon gosia gottfrid gottfried gotthard gotthilf gottlieb goyo grace gracia graciana graciano graciela graeme graham grainne grazia
    graziano graziella grażyna grațian grațiana grațiela greca greco greg greger gregor gregorian gregorio gregory greta gretchen grete gretel
    greti grigore griselda grzegorz gráinne grégoire gréta guadalupe guarino gudrun gudula guenter guenther guglielmo guido guilherme guillaume
    guillermo guiomar guiseppe gunbir gunborg gunda gundel gundi gundula guneet gunhild gunilla gunnar gunter gunther gunvor gurpreet gus
    guschti gustaf gustav gustavo gustaw gusti gusztáv guus guusje guy gwen gwendolyn gwyneth gyula gyöngyi györgy györgyi győző gzim gábor
    gérard géza gëzim gökay gökbudun göken gökhan göknur gökperi göksev gökten gökçe gökçebalan gökçil göli gönen gönül göran görgünay görklü
    görsev gösta göte götz gözel gözem gücal gülay gülağa gülbani gülbeyan gülbiye gülcan gülcegün güldam gülder güldünya gülel gülenay güler
    gülev güleğen gülfari gülfeza gülgen gülgüzel gülhisar gülinaz gülkadın güllühan gülmisal gülnaziye gülper gülsalın gülselin gülsen gülseren
    gülsevil gülsiye gülsü gülten gülter gülzadiye gülçe gülözge gülüs gülşa gülşahin gülşeref gümüştekin günar günay günaydin günden gündüzalp
    günebakan güneri güngördü güngören günkurt günsel günser günter günther günver günşen gürarda gürcüye gürelcem gürkan gürsal gürten güverçin
    güzey güçal güçlüer güçyeter habib habibe haciali hacile hadi hadrey hafıza hagen haidar haiko hailey hajdin hajnalka hakan hakikat hakim
    haldor halenur halidun halil halima halime halina haliye haluk hamid hamish hamiyet hampi hampus hamsini hamza hana hanan hanbiken hanedan
    hanim hanna hannah hanne hannele hannelore hannerl hannes hanni hanno hans hans-adolf hans-christian hans-d hans-dieter hans-georg hans-gerd
    hans-günter hans-heinrich hans-hermann hans-j hans-joachim hans-josef hans-jörg hans-jürgen hans-otto hans-peter hans-theo hans-ulrich
    hans-walter hans-werner hans-wilhelm hansi hansjakob hansjoachim hansjörg hansjürg hansjürgen hansl hanspeter hanspi hansruedi hansueli
    hansultan haralamb haralambie harald haralds harbinaz hardik hardy harinakshi harini harish harita hariz harm harold haroldo harpreet
    harriet harriette harrison harro harry harshil hartmut hartwig haruka haruki harun harvey hasan hasbek hasgül hashim hasret hassan hatem
    hatice hatin hattie hatun hauke hausi havali havse hayali haydar hayden haydée hayel hayley hayret hayri hayrünnisa hazel hazine hazrat
    heather hector hedda hedi hedvig hedvika hedwig hedy hege heide heidemarie heiderose heidi heidrun heike heiko heiner heini heinke heino
    heinrich heinz heinz-dieter heinz-georg heinz-günter heinz-joachim heinz-josef heinz-jürgen heinz-peter heinz-werner heinz-willi heinzpeter
    heiri hekime hekmet heleen helen helena helene helga helge heliodoro hella helle hellmut helma helmer helmut helmuth helén heléne hema
    hemang hemangini hemani hendrik hendrika henife henni henning henny henri henric henrieta henrietta henriette henrik henrike henrique henry
    henryk heracleea heraclio herbert herberto heribert heriberto herlinde herman hermann hermann-josef hermenegildo hermina hermine herminia
    herminio hernan hernando hernán herta hertha herwig hettie heva heyvetullah hezniye hias hidde hidir hieronymus hila hilal hilario hilary
    hilayda hilda hildburg hilde hildegard hildegund hildegunde hillevi hilma hiltraud hiltrud hindal hinet hinnerk hinrich hipólito hiral hiro
    hiroshi hitesh hiçsönmez hjalmar hjördis holger hollie holly holm honoré hope horace horacio horațiu horea horia horst horst-dieter
    horst-peter hortense hortensia horymír howard hoşkadem hredhaan hritik hrvoje huban hubert hubertus hudavent hugh hugi hugo hugues humberto
    hunalp hunor hurican hurşide huseyin hussein huw huzuri hynek hyrije håkan héctor hélène hüda hükümdar hülya hümeyra hürdoğan hürmet
    hüryaşar hürüyet hüseyin hüsmen hüsnühâl hıfzullah iacob iain ian iancu ianis iara iasmina ibo ibolya ibrahim ibán ida idika idris idun idık
    ieremia ifeanyi ifeoma ignacia ignacio ignacy ignaz ignazio ignác igor ihsan ijaya ijeoma ikbal ikechukwu ikram ikshita ilaria ilarie
    ilarion ilayda ildefonso ildiko ildikó ildız ileana ilgı ilie ilija ilinca ilir ilja ilka ilker ilknur ilona ilse ilsebill ilyas imani
    imaran imelda imke immanuel imogen imran imre ina inaya indali indira indra indrajit ines inez inga inga-britt inga-lill ingalill ingbert
    inge ingeborg ingeburg ingegerd ingegärd ingela ingelore ingemar inger ingmar ingo ingolf ingrid ingvar inka inken inmaculada inocencio
    inocențiu insa inès inés inês ioan ioana ioanina ioannis iolanda ion ionel ionela ionelia ionică ionuț iosefina iosif ipek ippazio ira irem
    iren irena irene iridenta irina irinel iris irma irmela irmengard irmgard irmhild irmi irmingard irmtraud irmtraut irmtrud irwin irya irén
    iréne irıs isa isaac isabel isabela isabell isabella isabelle isac isaiah isak isaura isaías isha ishaan ishani ishanvi ishita ishwar isidor
    isidora isidoro isidro isla ismael ismail ismet ismık isolde israel istván isuf itziar iulia iulian iuliana iuliu iurie iustin iustina
    iustinian iva ivan ivana ivanka ivar iveta ivica ivka ivo ivona ivonne iván iwan iwona izabela izzie izzy işin işıkay işıman işın jaap jacek
    jacinta jacinto jack jackie jacko jackson jacky jaclyn jacob jacobo jacopo jacqueline jacques jaden jadranka jadwiga jae jafet jagdish
    jagrati jagvi jaime jairaj jake jakob jakov jakub jalsa jamal james jamie jamila jan jana janaki janani jane janek janet janeta janette
    janez jani janice janick janika janin janina janine janis janja jankat janko janna janne jannik jannike jannis janos janosch januja janusz
    janya jared jarek jari jarmila jaromír jaroslav jaroslava jaroslaw jarosław jaruthip jasenka jasmijn jasmin jasmina jasmine jasminka jasmit
    jasna jason jasper jaswinder jatin javi javier javiera jay jaya jayda jayden jaylinn jayne jayson jaz jean jean-claude jean-pierre jeana
    jeanette jeanine jeanne jeannette jeannine jed jeet jeevika jeff jeffrey jele jelena jelka jelle jelte jemima jen jenaro jenel jenn jenna
    jenni jennie jennifer jenny jens jens-peter jente jenő jeremi jeremiah jeremias jeremy jeremías jermaine jerome jerry jerzy jerónimo jesper
    jess jesse jessica jessie jesus jesusa jesús jette jez jhalak jide jill jillian jim jimena jimmie jimmy jindřich jindřiška jing jinthe jiri
    jitka jiřina jiří jo joachim joacim joakim joan joana joann joanna joanne joao joaquim joaquin joaquina joaquín jocelyn jochen jockel jodie
    joe joel joelle joep joerg joey joggeli johan johana johann johanna johannes john johnathan johnny jokin jolana jolanda jolanta jolie jolijn
    joline jolán jon jona jonah jonas jonatan jonathan jonathon jonna jonny jonáš jools joosep joost jordan jordana jordi jordy jordán jorge
    jorgo joris jork jorn jort joscha jose josef josefa josefin josefina josefine josep joseph josephine josette josh joshua josi josiane josie
    josip josipa joso jost josua josué josé joséphine jovan jovana jovanka jovita joyce jozef jozo jozsef joão joël joëlle joško juan juana
    juanita juanito jude judit judita judith judy juha juhani jule jules julia julian juliana juliane julianna julie julien juliet julieta
    juliette julijana julio julita julius juliusz julián junaid jupp juraj jurgen jurij jurre justin justina justine justus justyna jusuf jutta
    juul jyoti jytte jános jázmin jérôme jéssica józef józsef jöggi jörg jörgen jörn jørgen júlia jürg jürgen jürgen-peter jürgi jędrzej kaan
    kaarina kabir kacper kader kadir kadınana kahir kai kai-uwe kaia kaitlin kaitlyn kaja kajetan kajsa kalevi kalgay kalina kalle kalpana
    kalpit kalyani kamal kamar kamil kamila kamilla kamuran kamya kanak kandef kanpulat kapagan kara karabaş karaca karaer karakucak karan
    karanbay karataş karcan kardelen karel karen kari karim karima karin karina karl karl-august karl-erik karl-ernst karl-friedrich
    karl-heinrich karl-heinz karl-josef karl-otto karl-peter karl-wilhelm karla karlheinz karlijn karlo karlukhan karol karola karolin karolina
    karoline karolína karsten karthik kartik kashish kashvi kasia kasim kaspar kasper kat katalin katarina katarzyna kate katelyn katerina
    kateřina katharina katherine kathi kathl kathleen kathrin kathryn kathy kati katica katie katinka katja katrijn katrin katrina katy katya
    kaver kavita kavurt kavya kay kaya kayagün kaygusuz kayla kaylee kayleigh kayode kayrabay kayıt kazim kazimierz kaşif keano keanu kees
    kefser kehinde keira keith kelechi kelly kelsey kelâmi kemal kemi ken kendra kenji kennet kenneth kenny kenter kenth kerem kerim kerime
    kerman kerry kerstin keshav ketan kev kevin keya kezban kezia khadija khaled khalid kiaan kian kiara kibar kieran kifaye kiki kilian kim
    kimberley kimberly kinga kira kiramettin kiran kirsten kirsti kirstin kirsty kit kitan kito kitti kiyasi kjell klaas klara klas klaudia
    klaudie klaus klaus-d klaus-dieter klaus-jürgen klaus-michael klaus-peter klaus-ulrich klausi klemens klement kleopatra klára kläri knud
    knut kocabaş koen kofi koldan koncagül konguralp konni konny konrad konradin konstantin konstantina konstantinos konstanty konstanze kopan
    koray korbinian kordula korina korkmazalp kornel kornelia kornél korugan kosovare kosta kostas kotuz koçak koçkan koşukhan kreshnik
    kreszentia kris krish krisha krista kristen krister kristi kristian kristiane kristijan kristin kristina kristine kristof kristofer
    kristoffer kristy kristóf kristýna krisztina krisztián krisztofer kritika kruno krystian krystyna kryštof krzysztof ksawery kuddusi kumar
    kumral kunigunde kunle kuno kurt kurtis kushtrim kutay kutgün kutun květa květoslava kwabena kwaku kwame kweku kyan kyano kyara kyle kyra
    kyrill kálmán károly kâmil kâzime käte käthe käthi kévim köbi köbu köker köktaş kösemen kübran kürşad kılıçbay kınel kırat kırgız kısmet
    kıvılcım kızıl kızıltunç labinot lachlan lada ladina ladislau ladislaus ladislav ladislava ladli laetitia lahcen laika laila lajita lajos
    laksh lakshit lakshmi lalita lambert lamberto lana lance lando landolf lara larisa larissa larry lars lars-erik lars-göran lars-olof
    lars-åke larysa lascăr lasse laszlo lata latifa latoya laura laure laureano laureen laurel lauren laurence laurens laurent laurenz laurenția
    laurențiu lauretta lauri laurian laurie laurin lauro lavanya lavinia lawrence layla laz lazzaro lazăr lea leah leana leander leandra leandro
    leann leanne ledün lee leela leena leia leif leigh leila leire lejla lelia len lena lenchen lene leni lenka lenn lennard lennart lennox
    lenny lenore lenz leo leocadia leocadio leon leona leonard leonardo leoncio leone leonel leonhard leonid leonidas leonie leonor leonora
    leonore leontin leontina leontine leopold leopoldina leopoldo leordean leoš leroy lerze lesley leslie leszek leticia letizia letiția letícia
    lev levent levente levi levin levke lewis lexie leyla leyli leyre lezize león lia liam lian liana liane libby liberto libni libor libuše
    licia lică lidia lidija lieke liesbeth lieschen liesel lieselore lieselotte ligia liisa lilah lili lilia lilian liliana liliane lilith lilla
    lillemor lilli lillian lilly lilo lily limon lin lina linda lindsay lindsey linnea linnéa linus lioara lionel lior lipika liridon lirim lis
    lisa lisa-marie lisandro lisanne lisbet lisbeth lisbethli lise lise-lott lise-lotte liselott liselotte lisette liss liv livia livio liviu
    livvy liwia liz liza lize lizz lizzie lizzy ljiljana ljubica ljubo ljubomir lloyd lodovico loek loes logan lohit loida lois loisl lola
    lolita lopa lore loredana lorelei lorena lorenz lorenza lorenzo loreto loretta lori lorin lorna lorraine lothar lotta lotte lotti lottie lou
    loui louie louis louisa louisa-marie louise lourdes lourenço lova lovis lovisa lovre lovro lowe loïc loïs luan luana lubomír luboš luc luca
    lucas luce lucențiu luchino lucho lucia lucian luciana luciano lucie lucien lucienne lucija lucila lucille lucinda lucio lucja lucrezia
    lucreția lucrețiu lucy lucyna lucía ludger ludmila ludmilla ludovic ludovica ludovico ludvig ludvík ludwig luděk luigi luigina luis luisa
    luise luisina luitgard luiza luka lukas lukasz luke luki lukáš luljeta lulu lulzim luminița lumír luna lupita lutfi lutz luuk luzi luzia
    luzius luís luísa lydia lydie lyds lykke lyn lynda lynette lynn lynne lyudmila lászló lázaro lâle léa léo léon lúcia lüfen lütfi lýdie
    lăcrămioara maaike maanas maanav maarit maarten maartje mabel macaria macario macide maciej mackenzie mada madalena maddalena maddie maddy
    madeleine madelene madelief madeline madhav madhavi madhu madina madison mads mae maeve mafalda magali magda magdalena magdalene magdaléna
    magdolna maged maggie maggy magnus magrit mags mahesh mahigül mahika mahir mahmoud mahmut mahnaz mahsun mahter mahulena maia maik maike
    maiko mailin maira maire maisie maite maja majken majvor makayla makoto maks maksur maksymilian maksüde malcolm malea maleen malena malene
    malgorzata malia malik malika malin malina malou malte malva malvina malwina malwine mamen manan manbir manda mandy manel manfred manish
    manja manjit manny manoj manola manole manolis manolo manon mansour mansurali manthan manu manuel manuela manuelita manya mara maram marc
    marcantonio marcel marcela marcelina marceline marcelino marcell marcella marcelle marcello marcelo marcheta marcia marcial marciano marcin
    marcio marco marcos marcu marcus marek maren marga margaret margareta margarete margaretha margarethe margarida margarita margaud margaux
    marge margherita margie margit margitta margot margret margrethe margrit marguerite mari maria maria-luise maria-theresia mariah mariam
    marian mariana marianela mariann marianna marianne mariano maribel marica maricela maricica maricruz marie marie-claire marie-louise
    marie-luise marie-theres mariele mariella marielle marietta marija marijan marijana marijke marijn marika marike marikka marilena marilyn
    marin marina marinela marino marinus mario marioara marion maris marisa marisela marisol marissa maristela marit marita maritta marius
    mariusz marja marjan marjatta marjorie mark-oliver marko markus markéta marla marleen marlen marlena marlene marlies marliese marlis marlise
    marlon marnie marta marten martha marthe martijn martim martin martina martine martino martinus martirio martyn martín marvin mary mary-ann
    maryam maryse marzanna marzena maría masar masha masoud massimiliano massimo masume matea matei matej mateja mateo mateus mateusz matheo
    mathew mathias mathieu mathijs mathilda mathilde mathis matias matija matilda matilde mato matouš mats matt matteo matthew matthias matthieu
    matthijs matthäus matti mattia mattias mattis matts matty matyáš matze matías matěj maud maura maureen maurice mauricio maurilio maurits
    mauritz maurizio mauro maurus maurycy mavis mawuli max maxi maxim maxime maximiano maximilian maximiliane maximiliano maximino maxine maxl
    maxwell maya maynur mayte maz mazlum małgorzata maşide mckenzie mechthild mechtild mecide mecit meena meera mees mefarettin mefharet meg
    megan meggie megha meghan meghana mehdi mehdiye mehmed mehmet mehmetzahir mehrigül mehtap mei meike meinhard meinolf meinrad meja mekhala
    mel melaha melania melanie melchor melek meleknur melih melihcan melikkan melina melinda melisa melissa melitta melody meltem melvin melwin
    melûl memili mena menfeat mengi mengia mengüç menişan mentor merba mercedes merche mercy merdi meredith meret merete merih merijn merim
    merita merle merlin mert mertel merva merve meryem meryeme merzuk mestur mesude mesut meta metin metinkaya meveddet mevlüdiye mevlüt
    meyhanim mezide meşhur mia micael micaela micah micha michael michaela michal michalina michał micheal michel michela michelangelo michele
    micheletto michelle michelotto micheál michi michèle mick mieczysław mieke mieszko miguel miguela mihael mihaela mihai mihail mihin mihnea
    mihriye mihály mijo mika mikael mikaela mike mikey mikhail mikkel mikko miklos miklós mikołaj mikuláš mila milad milada milagros milan
    milana milay mile milena milenko miles milica milka millie milly milo milorad milos miloslav miloslava milou milovan miloš milton miluše
    milán mimi mimmi mimoza mina mindy minh minibe minna minnie minodora mioara mira mirabela miranda miray mirbadin mircea mirco mireia
    mireille mirela mirella miri miria miriam mirja mirjam mirjana mirka mirko mirna miro miron mirona miroslav miroslava mirosław mirosława
    mirta mirte mirthe miruna mishat mislav misra misty mitali mitchell mitesh mitică mitja mitra mitruț mitzerl mitzi miyesser miłosz mladen
    moana modesta modesto moe mohamad mohamed mohammad mohammed mohan mohini mohit mohsen moira moisés mojmír mollie molly momčilo mona monalisa
    moni monia monica monika monique monis monja morag morena moreno morgan morgane moritz morten morty morwenna moses moshe mostafa moussa
    muarra mucahit mufide mugdha mugur mugurel muhammad muhammed muhammet muharrem muhip muhiye muhyettin mujde mukbile mukesh muktedir mukul
    munir murat muratcan murathan muriel murielle musa musafet musaffa mustafa mustapha mutasım mutluhan muvaffak muvahhide myles myriam myrna
    myrta myrtha myrthe máire márcio mária mário márk márta márton mátyás máté máxima máximo mäge mäni märta märten märtha mättu måns mårten
    mélanie mélissa mónica mónika möhsim mölä mübetcel mücellib mücevher müferrih müfit müjde mükramin mükrüme mülâyim mümtaze münezzer münif
    müret mürit müsemma müslum müveddet müzekker müğber müşüre mădălin mădălina mălina mărioara măriuca nabil nachiket nacio nada nadege nades
    nadeschda nadia nadin nadine nadira nadiya nadja nadya naděžda nael nafii nafile nahid naiara naide naim naima nair nakip naksh nakul naledi
    nalini nalân nana nancy nanda nandini nando nanette nanna nannerl nanni naomi napoleone narcis narcisa narciso naren narges narhanim nariman
    naser nasiba nasrin nasser nassim nastasia nasuf nat natalia natalie natalija natalio natalja natan natanael nataniel natasa natascha
    natasha natasza nataša natașa nate nath nathalie nathan nathanael nathaniel natividad natálie naud naveen navid nayara nayil nazan nazaret
    nazario nazende nazimet nazli nazlihan nazlim nazmi nazmije nazıdil nebih nebiha necdat nechifor necilal necmettin necva neda nedda nedim
    neel neela neele neelima nefaret nefiye neha nehip nehir neil nejdet nela nele nell nelli nellie nelly nelson nelu nena nenad nepomuk neptün
    nerea nereida neriban nerim nermin nesfe nesim nesip neslinur nesrin nesrine nessa nestor netra nev neval neven nevenka nevgin neville nevin
    nevio nevise nevsal nevsale nexhmije neyran nezengül nezihi nezize neşe neşrin ngozi nhung nia niall niamh nic nicanor niccolò nichifor
    nicholas nick nicki nicklas nicky niclas nico nicoară nicodemo nicodim nicola nicolae nicolai nicolaie nicolas nicolasa nicole nicoleta
    nicoletta nicolo nicolás nicolò nicu niculina niculiță nicușor nicuță nidhi nidia nidra niek niels nienke nieves nige nigel nihad nihai
    nihal nihan niharika nik nika nikhil niki nikita nikki niklas niklaus niko nikodem nikol nikola nikolai nikolaj nikolaos nikolas nikolaus
    nikolett nikoletta nikolina nikos nikša nilcan nilda nili nilima nilo nils nima nimrat nina ninetta nino ninthe nirgül nirja nirmala nisa
    nisha nitara nitesh nitin niyazi niğmet njomza nkechi nkosi nnamdi nneka noah noam noel noelia noelle noemi noemí nola nolan noldi noman
    noor noortje nora norah norbert norberto nore noreen norica norma norman noud nour nout novak noé noémi noémie noël noëlle noëmi nuno nura
    nural nuran nuray nurbanu nurcan nurda nurdeniz nuretdin nurey nurgil nurgül nurhayet nuri nuria nuriyet nurkan nurmelek nurseda nursel
    nursim nurtaç nurullah nurveren nurşan nush nuyan nydia nynke nádia nándor nélida néstor nóra nöldi núria nüdret nürice oana obdulia
    obiageli obinna octav octavia octavian octaviana octavio octaviu océane odalis odalys odette odika odile odin odkanlı oeshi ofelia oganer
    ognjen oguş oisin oisín ojas ojasvi okan okanay okbay okgüçlü okseven oktay oktüremiş okyalaz olaf olalla olamide olav olavi olca oldağ
    oldřich ole oleg olegario oleksandr olena olga olgierd olimpia olimpian olimpiu oliver olivera olivia olivie olivier oliviu olivér oliwer
    oliwier olle olli ollie olof olov olufemi olumide oluwaseun oluwaseyi oluwatobi oluş omaca omaja omar omer omi omid omisha omkaar omya onat
    ondřej ongay onkar onofre onuker onur onurcan onursu onveer onyeka ophelia oranlı orazio oreste orgün orhan oriana orinder orla orlando
    ornella orsola orsolya ortak ortansa ortrud ortrun ortwin oruç orçin oscar osha oskar osman ossian osvaldo oswald oswin ota otakar otay
    otfried othmar otilia otmar ottavio ottfried otti ottilia ottilie ottmar otto ottokar ottomar ottó otýlie ousmane ovidio ovidiu oviya owain
    owen oya oymak ozan ozana ozansü ozzie oğulbaş oğurata oğuz oğuzman pablo pacífica paddy padma padraig pahal paige paker paksu pallavi
    palmira paloma pamela pamfil panagachie panagiotis panait pancho panfilo panini pankraz paola paoletta paolina paolo paraschiva paride
    parker parth pascal pascale pascuala pasqual pasquale pastora patric patrice patricia patricie patricio patricius patrick patrik patrizia
    patrizio patrycja patryk patrícia patsy patti paul paul-heinz paula paulette paulica paulina pauline paulino paulinus paulo pavani pavao
    pavel pavla pavle pavlína pavol pawel paweł paye payton pearse peder pedro peer peggy pehlil pekka pekkan pelayo pelin pellegrino pembesin
    penelope pepe pepijn pepito peppi per per-olof percy peren perihan perinur perla perlita permun pernilla pernille pero perpetua perry pesche
    pesent petar pete peter petr petra petrică petrișor petrona petronela petronella petros petru petruț petruța phil phileine philip philipp
    philippa philippe philippine phillip philomena phoebe phyllis pia piedad pier pierangelo piergiorgio piergiuseppe pierina pierluigi
    piermaria piero pierpaolo pierre pierrette piersanti piet pieter pietro pilar pinar piotr pippa pirahmet piran pirmin piroska pitt pius
    pjotr pleun pleșu plinio plácido poldi polina polly pompeo pompilia pompiliu pomponio poncio pooja poppy porfirio prabhu pradeep prakash
    prakriti pranav praneel pranit prasad pratik pratyush predrag preethi prem preston primitiva priscila priscilla prisha priska prithvi priti
    priya priyanka profira prudence prudencia prudencio przemek przemysław puccio purificación purnima pushti pádraig pál pánfilo päscu päuli
    pénélope péter pöili pürçek pătru pınar přemysl qabil qadim qarin qasim qazim qendrim quentin quincy quinn quinten quinty quique quirin
    quirino qushi raagini rabbiye rabih rachael rachana rachel rachelle rachit rachita rada radek radha radhika radica radim radka radmila
    radomir radomír radoslav radosław radovan radu rafa rafael rafaela rafal rafał raffaela raffaele raffaella raffaellino raffaello rafi rafia
    rafih rafila raghav raghu ragna ragnar ragnhild rahel rahiye rahmet rahul raimondo raimund raimundo rainer rainhard raisa raj raja rajan
    rajat rajata rajesh rajeshri rajiv rakesh rakide raksha ralf ralph raluca ramadan raman ramazan ramesh ramin ramiro ramon ramona ramya ramzi
    ramón ranbir randall randolf randy rania ranieri ranjit ranko ranveer raphael raphaela raquel rareș rashid rashida rashmi rasmus rasul ratka
    ratko raul raven ravi ravindra raya rayaan rayan rayla raymond raymund razvan razı raúl rea rebeca rebecca rebecka rebeka rebekah rebekka
    rebihat recep recepali reece refet refik regina reginald regine regis regula rehaan rehime reiko reimar reimer reimund reinald reinaldo
    reiner reinhard reinhardt reinhart reinhild reinhilde reinhold reinholde reinout rekha relu remazan remedios remigio remo remus remy rena
    renan renata renate renato rene renee rengül reni renke rens renske renuka renzo renáta rené renée reserl resi resulcan reto reuben reva
    revza rexhep reyansh reyes reyna reynaldo reza rezin rezzak rhea rhett rhiannon rhoda rhona rhonda rhys ria rica ricarda ricardo riccarda
    riccardo ricciotti richard richarda richárd rick rickard ricky rico ridhi rigmor rika rikard rike riley rima rinaldo ringo risalet rita rito
    ritu riya roald robbie robby robert roberta robertina roberto robin robyn rocco rochelle rochus rocío roderich roderick rodica rodney
    rodolfo rodrigo roel rogelio roger rogier rohan rohat rohit roisin rojnu roko roksana roland rolande rolando roldán rolf rolf-dieter rolfli
    rolli roma romain roman romana romanița romano romeo romina romolo romuald romy román ron rona ronald ronaldo ronith ronja ronnie ronny
    ronya roos rory rosa rosalba rosalia rosalie rosalina rosalind rosalinda rosalinde rosalva rosalía rosamund rosamunde rosanna rosanne
    rosaria rosario rosaura rose-marie rosel roselinde roseline roselyne rosemarie rosemary rosenda rosendo rosetta rosi rosie rosina rosita
    rositta rosmarie ross rossana rostislav roswita roswitha rotraud rotraut rouven rowan rowena roxana roxane roxanne roxelana roy roz roza
    rozalia rozalija rozzy rozália ruaridh ruben rubén rudi rudiger rudolf rudolph rudra ruedeli ruedi rufina rufino rufus ruggero ruggiero
    ruhide ruhsat ruhugül rukiye rumeysa rune rupert ruperta ruperto ruprecht rushil russel russell rusty ruta ruth ruthie ruxanda ruxandra ruža
    ružica ryan ryszard régine régulo réka rémy róbert róisín rómulo róza rózsa róża röbi rösli rúben rüdiger rüknettin rümeysa rüşen răducu
    răzvan rıfkıye růžena saana saanvi saba sabah sabas sabatino sabih sabihe sabin sabina sabine sabri sabrina sabır sacha sachi sachin sadat
    sade sadeti sadia sadie sadije sadittin sadiye saeed safet safia safinaz safta safura saga sahil sahir sahra said saida saire sakip saksham
    sakura salah saleh sali saliha salim salimet salkın sallie sally salma salome salomea salomon salomé salomón salud salurbay salvador
    salvatore salvi sam samahat samaksh samanta samantha samar samara samarth sameer samesh samet sami samia samir samira sammy samson samu
    samuel samuela samuele samurtay sanae sanavber sanaya sancak sanda sandalio sander sandhya sandra sandrine sandro sandu sandy sanela
    sangeeta sanja sanjana sanjay sanjeev sanna sanne sanni sante santiago santina santino santo santos sanur sanya sançar saoirse sara sarah
    sargın sarika sarina sarita sarpkın sarthak sarya sarıcabay sascha sasha saskia sathvik satish satoshi satrettin saturnina saturnino satıa
    saul saumya sava savak savannah saverio saveta savina savni savo saydam saygın sayin sayrak sayın saçı sağcan sağıt saša scarlett schorsch
    schorschi scilla sead seamus sean sebastiaan sebastian sebastiano sebastien sebastián sebastião sebattin sebigül seblâ seda sedat sedife
    seema sefa sefer segismundo seha sehel sejda sejla selaheddin selatin selcen selda selena selene seler selim selime selin selina selma
    selmin selvi selvije selâtin selçuk sema semat semender semenica semih semine semra semrin sena senad senada sencar seniha senta seonaid
    sepp sepperl seppi seppli seracettin serafina serafino seraina serap seraphin seraphina serda serdar serena serezli serfinaz serge sergei
    sergej sergey sergio sergiu sergius serhat serhatmehmet serhiy serkan serma sernur serol serpil servinaz seth seun sevcan sevda sevdi
    sevdinar seve severiano severin severina severine severino severo sevgen sevgi sevginur sevican sevim sevindik sevla sevsevil seydo
    seyfullah seyhan seyithan seyma seyyide sezal sezen sezginbaş seán seçgül seçme shabnam shahin shaima shalini shan shane shania shankar
    shannon shanti shari sharon shaun shaurya shawn shawna shayla shaz sheena shefqet sheila shelby shelia shelley shelly sherri sherry sheryl
    shilpa shirin shirley shiva shivani shivansh shkelzen shobha shona shpresa shravya shreya shreyas shruti shukrije shweta sian sibel sibylla
    sibylle sid sidar siddharth sidki sidney sidonia siegbert siegfried sieghard sieglind sieglinde siegmar siegmund siegrid siegrun siegward
    siem siena sienna sierk sierra sigfrid sigfrido sigfried sigge siggi sigismund siglinde sigmund signe sigrid sigrun sigurd sigvard sihem
    siiri silanur silas sile silja silke sille silvain silvan silvana silvester silvestre silvestro silvi silvia silvian silviana silvie silvio
    silviu sima simber simeon simi simina simion simisola simon simona simone simonetta simten simu simão simón sina sinah sinan sinead sinem
    sinică siniša sinéad siobhan sirap siri sirkka sissi siti sittik siv sivan sivert sixten siya siyabonga siân sjoerd skender slaven slavica
    slavka slavko slavomír slavěna slawomir slađana slobodan slobodanka smaranda smilla smita sneha snezana snežana snježana socorro sofi sofia
    sofie sofía sohail solange soledad solma solveig sonad songurkan songül sonia sonja sonnur sonny sonya soph sophia sophie sophus soraia
    sorana soraya soren sorin sorina sosimo sotirios soufiane soydaner soykan soykut soyselçuk soňa spencer speranța spomenka spyros srdjan
    sreten srinivas srđan stacey stacie stacy staffan stan stana stanca stancu stanislaus stanislav stanislava stanislaw stanisław stanka stanko
    stanley stavros stef stefan stefani stefania stefanie stefanija stefano stefanos steffen steffi steffie stefka stelian steliana stella
    stellan steluța sten steph stephan stephane stephania stephanie stephanus stephany stephen sterre stevan steve steven stevie stewart stig
    stijn stina stine stipe stjepan stoffel stojan storm stuart sture stéphane stéphanie stöff stöffi suada suat subhash subutiye sudhir sudi
    sudiksha sue suhani sujata sukhdeep suki suleyman sulhi sultan suman sumaya suna sunay sunel sunil sunita sunniva suphi suresh suri susam
    susan susana susanita susann susanna susanne suse sushila susi susie susle susumu suus suzan suzana suzanne suze suzette suzie svante
    svantje svatopluk svatoslav svea svein sven sven-erik sven-olof svenja svetlana světlana swantje swati swetlana sybil sybille sydney syed
    sylke sylvain sylvaine sylvester sylvia sylvie sylvio sylwia szabolcs szczepan szilveszter szilvia szilárd szymon sándor sára sânziana sämi
    sändi séamus sébastien sérgio séverine sökmen sören söyler sözer søren sücaettin süha süheyda süleyla süleyman sümerya sümeyye süner süsen
    süvari süzer sıla sırriye sıylıhan sławomir tabby tabea tabitha taciddin tadeo tadeusz tadeáš tagangül tahir taina taiwo takeshi talayer
    talia taliah talibe talitha tallulah tamanna tamar tamara tamas tamaydın tami tamika tamina tammie tammy tamás tanay tanbay tandoğdu taner
    tangül tanhan tania tanish tanisha tanita tanja tanmayi tanner tanpınar tanses tansev tansığ tanveer tanvi tanya tanyolaç tanyu tanır tapani
    tapio tara tarak tarancı tarek tariq tarja taro tartış taryn tarık tash tasha tasvir tatiana tatjana tatum tayaydın tayfun taygan taylak
    taylan taylor tayyibe tayyip taçnur taşar taşkan teber tecimer tecla ted teddy teea teerth tejas tekbay tekecan tekiner teknaz teksoy
    telemaco telim telmo temi temime temirhan temistocle temitope temizkal temuçin tenvir teo teobaldo teodor teodora teodoro teodosia teodosio
    teofil teohari teona tercan tere terence teresa terese teresia teresita tereza terezija terje terlan terrence terri terry teréz terézia tess
    tessa tetiana teun tevs teybet tezcan tezol teófila teófilo thabo thaddeus thaddäus thalia thandi thandiwe thanh thea theda thekla thelma
    themba theo theodor theodora theodore theodoros theodosia theofilos theophil theres theresa therese theresia therése thibault thibaut thiemo
    thierry thies thijmen thijn thijs thilda thilo thirza thom thomas thomasina thora thorben thorbjörn thore thorleif thorsten thorwald thula
    thure thuy théo théodore théophile thérèse thömu tiago tiana tiara tiberia tiberiu tibor tiburcio ticen tienke ties tiffany tihomir tijana
    tijmen tijn tijs tilda tilde till tilla tillmann tilly tilman tilo tim timea timo timon timotei timoteo timotheus timothy timothée timur
    timurtaş tina tinca tincuța tindra tine tinka tino tinu tiphaine tirza tito titus tivadar tiziana tiziano tiğin tjark tjorven tobi tobiah
    tobias tobiasz tobin toby todd todor toeni toker toktuğ toköz tolga tolly tolonbay tolu tom toma tomas tomasa tomasso tomasz tomaž tomislav
    tommaso tommie tommy tomo tomoko tomurcuk tomás tomáš tomé tonguç toni tonia tonino tonja tonje tony tonya topuz tor torben torbjörn tord
    tore torge torgny torhan tori toribio torleif torquato torsten tosca toshiko tova tove toño toğan tracey traci tracie tracy traian traude
    traudel traudl traugott traute travis treasa tresa trev trevor trine trini trinidad tripti trish tristan tristana tristán triveni trixi
    trixie triya troels trond troy trude trudi trudy trygve tudora tudorița tudosia tugba tullio tulun tunahan tuncay tunde tunguç tunçboğa
    tunçkılıç turabi turan turcein ture turgay turgut turvi tushar tutkucan tutkun tuulikki tuva tuyuğ tuğba tuğcan tuğrulhan tuğtaş tuğçe twan
    tycho tygo tyler tymon tymoteusz tyra tyrell tyrone tímea töbi törel tükelalp tülin tümer tümkurt tünde türabi türcan türkalp türkan türkmen
    türknur tüzeer tüzenur tınal ubaldo uberto ubika ucchal uche uchenna udant udarsh uday udo udyati ueli ufukay ugo ugochukwu ugolino ugur
    ujjwal ulakbey ulf uli ulises ulla ulla-britt ulli ullrich ulrica ulrich ulrik ulrika ulrike ulrikke uludağ uluman ulutay uluğbey uma umang
    umar umberto ummahani umman umut umutcan umuşan una undine unnati unni upadhriti upasna upkaar upma uraltay urban urbano urda urhan uriel
    urishilla urmi urs urschla ursel urseli ursi ursin ursina ursula ursulina ursus urszula urvashi urvi uschi usha ushan uta ute utkarsh
    utkucan utz uwe uyanser uygun uzbay uzsoy uçan uçbeyi uğan uğur uğurkan uğurtan vacibe vadim vafir vahittin vaishnavi vajèn valbona valborg
    valdemar valentijn valentim valentin valentina valentine valentino valentyna valentín valeri valeria valerie valerio valeriu valeriya valero
    valeska valmir valmira valon valter valtteri valère valéria valérie vamakshi vana vanda vandana vanesa vanessa vanja vansha vanya varenya
    vargın varlık varun varvara vasana vasatika vasco vasil vasile vasilica vasilică vasiliki vasilios vasily vasudha vasyl vaysal vecide vedant
    vedat vedhika vedran veera veerle vefia vega veis veit veli velimir velitdin veljko velma venancio venceslás vendela vendula venera venetia
    veniamin venus vera verde verena verenia verim verner veronica veronika veronique verónica veselin vesna veton vezat vezrife vicenta vicente
    vicenția vicențiu vicki vickie vicky victoire victor victoria victoriano victorino victória vida vidal vidar vide vidhi vidya vigdis viggo
    vigo vihaan vijay vikas vikram viktor viktoria viktorie viktorija viktória vildane vilgot vilhelm vilhelmina vilma vilmer vilmos vilém vinay
    vinaya vince vincent vincentio vincenza vincenzo vincențiu vineet vinicio vinicius vinko vinod vinzenz viola violaine violeta violetta
    viorel viorela viorica viraj virgil virgilio virginia virginie viridiana virág visar visarion vishal vishnu visitación vitali vitalij
    vitaliy vito vittoria vittorio vitus vitória viv vivaan vivek viveka vivi vivian viviana viviane vivianne vivien vivienne vjekoslav vjosa
    vlad vladan vladica vladimir vladimira vladimír vladimíra vladislav vlado vlaicu vlasta vlastimil vlatka vlora vlădelina voichița voicu
    vojislav vojtech vojtěch volha volkan volker volkhard volkmar volodymyr vratislav vreneli vreni vrinda vrishti vritti vroni vulnet vyanjana
    václav vâlâ véronique víctor vítor vítězslav věra wacław wade wahab wahid waida wakeeta walburga waldemar waldtraud walid wally walpurga
    walter walther walti waltraud waltraut wanda wanja warda warhi warinder warjas warren wassily wastl watika wayne wazir wei wencke wendelin
    wendeline wendy wenke wenzel werna werner werni wes wesley wessel whitney wibeke wibke widisha wiebke wieland wiesław wigand wiktor wiktoria
    wilbert wilfred wilfredo wilfrid wilfried wilhelm wilhelmina wilhelmine wilko willa willem willemijn willfried willi william willibald
    willibrord willie willy wilma wilmer wilson wiltrud wim winfred winfried winifred winnie winona winrich winston wiola wioletta wisel wishi
    wisi wito witold wladimir wladyslaw wlodek wojciech wojtek wole wolf wolf-dieter wolf-dietrich wolf-rüdiger wolfdieter wolfgang wolfhard
    wolfi wolfram wout wouter wren wriddhish wridesh wulf wyatt wálter wädi władysław xalak xan xandi xandra xaver xaverius xaverl xavi xavier
    xena xenia xhemile xhevdet ximena xin xiomara xiti yaara yachana yadavi yadigar yael yagmur yagnesh yago yahvi yahya yahşi yahşikan yaiza
    yakup yalazabay yalgın yaltırak yalın yamin yamini yan yana yanick yanis yankı yann yannick yannik yannis yara yarden yaren yargı yaron
    yasan yasar yasemen yasemin yaser yash yashasvi yashawini yashica yashoda yashodhara yashvi yasin yasmin yasmina yasmine yassin yassine
    yasti yasuko yatan yatin yauvani yavuz yayak yazganalp yazgül yaël yağmur yağın yağızkurt yaşar yaşattin yekbun yekda yelena yelesen yeliz
    yemi yen yeneral yepelek yertan yesenia yesim yeter yetişal yevgeny yeşil yeşim yfke yigit yildiz yilmaz ying yinthe yiğit ylber ylva yngve
    yochana yoko yolal yolanda yolande yonas yorick yoruç yosef yoshita yosma yousef youssef youssra ysabel yuan yuki yuko yulia yuliya yunt
    yunus yurdanur yurdaser yuri yurii yurtgüven yurtseven yurttaş yusra yusuf yutika yuval yuvraj yves yvette yvonne yésica yéssica yönetmen
    yücel yücelen yümun yıldır yıldız yılma zac zacarías zach zacharia zacharias zacharie zachary zack zafer zaharia zahfer zahid zahra zaid
    zaida zainab zaira zaitra zak zakaria zaliha zalán zamfir zamfira zamir zanele zansi zara zarah zaraza zarina zarna zashil zayan zayyan
    zbigniew zbyněk zdenka zdenko zdeněk zdeňka zdislava zdravko zdzisław zebirce zed zef zehaan zehra zehranur zeinab zekayi zeke zeki zekiye
    zelda zelha zeljka zeljko zelma zemzem zennun zeno zenobia zenon zenovia zenta zenz zenzi zerafet zeride zerrin zevlüde zeynelabidin zeynep
    zeyno zia zihni zikmund zilfa zilli zilmil zina zinal zineb zinnure zita ziva zivko ziyaettin zlata zlatan zlatko zoe zoey zofia zohra zoi
    zola zoltan zoltán zora zoraida zoral zoran zorica zorka zoya zoé zoë zsanett zsigmond zsofia zsolt zsombor zsuzsa zsuzsanna zsófia zubeyde
    zuleika zuleikha zuzana zuzanna zvonimir zvonko zygmunt zöhrehan züfer züheyla zülbiye züleyha zülfüye zülgarni zümre ábel ádám áfrica ágata
    ágnes águeda ákos álvaro ámbar ángel ángela ángeles áron árpád áurea âdem âlemşah ângela ângelo ätti çakar çakırca çaltı çalım çamok çapkan
    çavuldur çağa çağdan çağlar çağlasın çağveren çelem çelikkan çelikyürek çerçi çetinsu çeviköz çevregül çilga çinerk çisem çiğdem çokan
    çolpan çopur çoğay çıdal çıvgın édgar édith édouard élisabeth élise élodie éléonore émile émilie éric érica étienne íngrid íris íñigo óscar
    ödön ökkaş öktürk ömer ömriye ömür öncel önel öngen önsal örfiye örik örjan örs öryürek östen över övün özakan özalpsan özaslan özay özbay
    özbilek özbilge özcan özdal özdeş özdil özdoğdu özel özerdinç özertem özge özger özgün özgür özinal özkent özkutlu özlem özlü öznur özokçu
    özpetek özpınar özsözlü öztek öztürk özyurt özçam özüdoğru öğet úrsula übeydullah ülfet ülke ülküdeş ülküm ümit ümmahan ümmet ümmühan ümray
    ünal ünek ünlen ünsal ünsever ünübol ürfettin ürper üsame üstün üzer üçgül đorđe đuro đurđica ğanim łukasz şabettin şadıman şafii şahat
    şahdiye şahin şahinbey şahinder şahmettin şahnuray şahıgül şali şamiha şanlı şavki şayan şazime şebnem şefi şefiye şehamet şehreban şehza
    şekim şelâle şemsettin şemsinisa şenay şendoğan şenkal şennur şerafeddin şeref şerman şevket şevketfeza şeyda şide şilan şinasi şirivan
    şuayp şule şöhret şükri şüküfe šime šimon štefan štefanija štefica štěpán štěpánka šárka žaneta željka željko živko žofie șerban ștefan
    ștefana ștefania
    """)

  /// Of ``ambiguous`` those that are not words in German.
  static let clearInGerman = WordList(
    """
    jack jerry jim josh ken kim leo linda lou lynn mandy mario mick nick nik norman perry randy rick robin roy sam sandy scott seth sue teddy terry
    tess tim tom toni tony troy victor viktor wayne
    """)

  /// First names that are words too, in German or English: taken for names only beside a surname.
  static let ambiguous = WordList(
    """
    abbas abraham ada adam adel adem agim alban ali alida alla alma am amber an angel ann april arber arda arena aris art arta asta aude august aurora
    auste austin bart beat beda ben benji besa bill birk bo bob bodo bonnie brandy brent brook brooke buck bud can carla carol carolina carrie casey
    cassidy cem chad chance chandra chase chelsea christa christian chuck cliff constance cora cory crispin crystal da daisy dale dallas damian dan
    dana dawn dean deb delia devon dick do dodo don dora dot draga drago drew earl easter ebony edi edin edit efe ela elly else engin erika ernst es
    esen esra faith falk faye fee fides fitim fleur flo flora florence florin folkert fran frank gail gene georgia german gert gil glen gloria god
    grace grant grazia gun gus guy hana hank hanne hardy hari harm harry hat hazel heide helle hema herb hias hila hilary holly holm hope hunter ilona
    im in inka ion ira iris israel ist iva ivy ja jack jade jan jay jaya jean jerry jesus jett jim jo jordan josh joy june kai kara kay ken kerry kiki
    kim kira kit kito lana lance lasse laurel laurin lee len leo lev libby lin linda linde lis lola lore lotte lou lulu luna lynn madison mads malte
    mandy mara marin marina mario mark mats matty mavis max maxim may meike mel mena mentor mercedes mercy merit merle meta mick milan mile miles
    mimoza mina misty mona nana nat nate nein nell nic nick nik nika noel norm norma norman nova okan ole olive omi orlando oscar oya page panagiotis
    paris parker pat patience patsy pearl peer penny per percy perpetua perry petru phil pier pitt pius poppy prakash prem preston prudence rada
    radica rain raj randy raven ray rea reed regula rich rick rima ringo rob robin rod roma roman ron rosa rosario rose rosel rosi roy ruby rune rusty
    sabah saga said sal sam sandy santiago santo savannah scott seth shan shelby shelly shiva sid sienna sierra sigma skip sky so song sonny stanko
    star stella stern stevie storm sue suki sultan summer sun sunny sydney tallulah tamer tanner tara taro tash taylor ted teddy teo terry tess tilde
    till tim tom tone toni tony tor tore tori tosca trip troy ultra una urban val vega venus veton victor vida viktor viola violet virgil virginia
    virginie viv volkan wade war ward warren wayne wei wes will willow win wo wolf wren xin yan yen zed zia zola
    """)
}
