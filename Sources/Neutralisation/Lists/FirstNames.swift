/// First names that are common in Germany, Austria, Switzerland, the United Kingdom and the United States, among them those
/// of people whose families came from elsewhere. Written for this project;
/// common generators of test names showed which ones were missing.
enum FirstNames {
  static let all = WordList(
    """
    aaron abbas abby abdul abdullah abena abhinav abhishek abigael abigail abiodun abraham abram achim achmed ada adaeze adalbert adam addie adebayo
    adel adela adelbert adele adelgunde adelheid adelina adelinde adeline adem adewale adina adis aditi aditya admir adnan adolf adolfine adonis
    adrian adriana adriane adriano adrienne aenne aferdita afolabi afra afrim agata agatha agathe aggie agim agnes agnese agneta agnieszka agostino
    agron ahmad ahmed ahmet aida aidan aiden aiko aileen aimee aischa aisha ajay ajla ajna akash akin akosua akua alain alan alana alara alastair
    alban albert alberta albertine alberto albrecht aldo aldona alejandra alejandro aleks aleksandar aleksander aleksandra aleksei alena alessandra
    alessandro alessia alessio alex alexa alexandar alexander alexandra alexandre alexandru alexej alexia alexis alf alfie alfons alfred alfredo
    alhassan ali alice alicia alida alin alina aline alisha alison alissa alistair aliyah alla allan allen allie allison alma alois aloisia alok altay
    alva alvaro alvin alwin alwine alyssa amadou amaia amalia amalie amanda amandus amani amar amara amarachi amber ambros ambrosius amelia amelie
    amely amin amina amir amira amit amke amrita amy ana anabella anand ananya anastasia anatol anatoli anders andie andjela andjelina andra andre
    andrea andreas andreea andrei andrej andres andrew andri andrin andrzej andré andy anela aneta anette angel angela angelika angelina angelo angie
    angus anica anika anil anina anirudh anisa anita anja anjali anke ankit ankita ann anna anna-lena anna-maria annabel annabell annabella annabelle
    annalena annaliese annalisa anne annegret annegreth annekathrin annekatrin anneke anneli annelie anneliese annelise annelore annemarie annemie
    annerose annerös annette anni annick annie annika annikki annina anouk anselm ansgar anthony antje antoine anton antonella antonia antonina
    antonio antonius anuj anuradha anuschka anya aoife apollonia apostolos april arabella aranka arash arben arber arbnor arbër archana archie arda
    ardita arian ariana arianna arianne ariel arif aris aristoteles arjun arlette arlo armando armin arnaud arnd arne arno arnold aron arta artan
    arthur artie artur arturo arun arvid arwen asha ashleigh ashley ashok ashraf ashwin asim asja aslan asli asta astrid asuman athena athina attila
    aubrey aude audrey august augusta auguste augustin aurel aurelia aureliano aurelie aurora aurélie auste ava avani axel ayaan aydin ayesha aygül
    aygün ayla aylin ayman aynur ayodele ayoub ayse aysegül ayşe aziz azra babajide babatunde babette bajram balthasar baptist baptiste barbara
    barbora barnaby barney barry bart bartholomew bartolomeo bartosz bashir basil basti bastian bastienne bea beat beata beate beatrice beatrix
    beatriz beatus becca becky beda bekim bekir bela belinda ben benedetta benedetto benedict benedikt benedikta beni benita benjamin benji bennet
    benno benny benoît bente beppo berenike berit berkay bernadette bernard bernarda bernardine bernardo bernd berndt bernhard bernie bert berta
    bertha berthold bertie bertold bertram bertrand besa besim besnik bessie beth bethli betsy bettina betty beverly bex beyza beätli bharat bhavna
    bianca bibiana biff biggi bilal bilge bill billy bine birger birgit birgitta birk birol birte bjarne bjoern björn bjørn blaise blanca blanche
    blanka blazej bledar blerim blerina blerta bo bobbie bobby bodo bogdan bogumila bogusław bohumil bojan bonnie boris borislav bosse boubacar bozena
    bożena brad bradley brandon brandy branislav branka branko brenda brendan brent brett brian brianna bridget brigid brigitta brigitte brita britt
    britta broder bronwen bronwyn brooke bruce bruna brunhild brunhilde bruno bryan bryce burak burchard burckhard burim burkhard burkhardt buse
    bärbel bäschteli bülent bünyamin caecilia caitlin caleb callum calvin cameron camilla camille can candice cansu caoimhe cara carina caritas carl
    carla carlo carlos carly carmela carmelo carmen carmi carol carola carole carolin carolina caroline carolyn carrie carsten carys casey casimir
    caspar casper cassandra cassidy catalina caterina cathal catharina catherine cathleen cathrin cathy catia catrin catriona caz cecil cecile cecilia
    cecilie cedric celeste celestine celia celina celine cem cemal cemile cengiz cesar ceyda chad chaitanya chandra chantal charlene charles charlie
    charlotte charly chas chaz chelsea cheryl chiamaka chiara chibuzo chidi chidinma chiedu chima chinedu chinwe chioma chiyo chloe chloé chrigel
    chrigu chris chrissy christa christel christfried christiaan christian christiana christiane christianne christin christina christine christl
    christof christoffer christoph christophe christopher christy chuck cian ciara ciaran cillian cindy cissy claas claire clara clare clarissa claude
    claudette claudia claudine claudio claus-peter clayton clemence clemens clement clementine cleo cliff clifford clint clive clodagh cody coen
    colette colin colleen colm conall connor conny conor conrad constance constantin constanze cora coralie cordelia cordula corentin corina corinna
    corinne corneel cornelia cornelis cornelius corrado corsin cory cosima cosimo costa courtney craig crispin cristian cristiano cristina crystal
    curdin curtis cynthia cyril cyrill czeslaw cäcilia céline dagmar dagobert daisuke daisy dajana dale dalia damaris damian damien damir damla
    damlasu dan dana dani danica daniel daniela daniele daniella danielle danijel danilo danny danuta daphne dara dardan daria dario darius dariusz
    darko darlene darnell darragh darrell darren daryl dave davey david davide davina davor dawn dean deanna deb debbie deborah debra debs declan
    deedee deepa deepak deepika deirdre dejan delia delphine demetrius demian denis denise deniz dennis denny derek dermot derrick derya desiree
    desmond detlef detlev devika devin devon dewi dhruv diana diane didem didier diego dieter diethelm dietlinde dietmar dietrich dilara dilek dimitar
    dimitri dimitrios dimitris dina dinesh dino dirk divya djamila dobrila dodie dodo dolores dominic dominik dominika dominique don donal donald
    donatella donna donovan dora dorcas doreen dorian dorina doris dorit dorota dorothea dorothee dorothy dorthe dottie dougal douglas doğukan draga
    dragan dragana dragica drago drita driton duarte duncan dunja dusan dustin duygu dušan dušica dwayne dylan däni dänu désirée dölf dörte eamon
    eamonn ebba ebele eberhard eberhart ebony ebru ebubekir eckard eckart eckehard eckhard eckhart ecrin edda eddie edeltraud edeltraut edgar edi edin
    edina edit edith editha edmond edmund edna edona eduard eduardo edvard edward edwin edyta efe effie efosa efua egbert egon egzon ehrenfried
    ehrhard eike eila eileen eilidh eino eira eirik ejike ekaterina ekene ekkehard elaine elara elbert elea eleanor elena eleni elenore eleonora
    eleonore elfi elfriede elham elia eliane elias eliese elif elijah elin elina eline elio eliot elisa elisabeta elisabeth elisabetta elise elisha
    eliza elizabeth elke ella ellen elli ellie elliot elliott elly elma elmar elodie eloise elsa elsbeth else elsie elvira elvis elçin emanuel
    emanuela emeka emel emerson emil emile emilia emiliano emilie emilio emily emina emine emir emma emmanuel emmanuelle emmi emmy emre enda engelbert
    engin enno enrico enrique enver enza enzo eoin ercan erdal erdem erdmute eren erhan erhard eric erica erich erik erika erin erkan ermelinde erna
    ernest ernestine ernesto ernscht erol ersin erwin esen esma esme esmeralda esra essie esteban estelle esther ethan etienne eugen eugene eugenia
    eugenie eva eva-maria evan evangelos evelin evelina eveline evelyn evelyne evi ewa ewald ewan ewelina eytan ezgi ezra fabia fabian fabiana
    fabienne fabio fabrice fabrizio fadi fadime faisal faith falk falko fanny fariba farid farida farouk fatbardha fatih fatima fatma fatmir fatou
    faye federica federico felicia felicitas felix femke fenja fenna ferdi ferdinand ferenc fergus ferhat feride fernanda fernando feyza fidel fides
    fiete figen filip filippa filippo filiz finbar finja finlay finley finn finnian fiona fionn fionnuala firat fisnik fitim fjodor flamur flavia
    flavio fleur flo flora florence florent florentina florentine florian florije florin florina flurin flurina folake folkert fran franca frances
    francesca francesco francine francis francisco franciska franciszek franco francois francoise franjo frank frank-peter franka frankie franz franzi
    franziska franzl françois françoise frauke fred freda freddie freddy frederic frederick frederik frederike fredi freja freya frida fridli fridolin
    frieda friedbert friedel friedemann frieder friederike friedhelm friedl friedrich friedrich-wilhelm frithjof frits fritz fritzl fränzi frédéric
    fulya funmi fynn gabe gabi gabor gabriel gabriela gabriele gabriella gabrielle gabsi gaby gaetan gaetano gail galina gamze gareth garry gary
    gaspard gaurav gavin gaynor gbenga gebhard geert geeta geli gemma genevieve geneviève genoveva geoff geoffrey georg george georges georgette
    georgi georgia georgina georgios gerald geraldine gerard gerd gerda gereon gerhard gerhardt gerhild gerlind gerlinde germaine germo gernot gero
    gerold gerrit gerry gert gerta gertraud gertraude gertrud gertrude gertrudis gertrut gesa gesche gesine ghislaine giacomo giada gian gianluca
    gianna gianni gideon giesela gil gilbert gilda gilles gillian gina ginette ginevra ginny gino giorgia giorgio giovanna giovanni girish gisbert
    gisela gisele gisella giselle gisi gislinde gitta gitti giulia giuliana giuliano giulio giuseppe giuseppina gizem gladys glen glenda glenn gloria
    gopal goran gordan gordana gordon gosia gottfried gotthard gotthilf gottlieb grace graeme graham grainne grazia graziella grażyna greg gregor
    gregory greta gretchen grete gretel greti grzegorz gráinne gudrun gudula guenter guenther guido guillaume guillermo guiseppe gunda gundel gundi
    gundula gunhild gunnar gunter gunther gurpreet gus guschti gustav gustavo gusti guy gwen gwendolyn gwyneth györgy gzim gábor gérard gëzim gökhan
    gönül göran götz gülay gülcan güler gülsen gülten günay günter günther gürkan habib hadi hagen haidar haiko hailey hajdin hakan hakim haldor halil
    halima halime halina hamid hamish hampi hamza hana hanan hanna hannah hanne hannelore hannerl hannes hanni hanno hans hans-adolf hans-christian
    hans-d hans-dieter hans-georg hans-gerd hans-günter hans-heinrich hans-hermann hans-j hans-joachim hans-josef hans-jörg hans-jürgen hans-otto
    hans-peter hans-theo hans-ulrich hans-walter hans-werner hans-wilhelm hansi hansjakob hansjoachim hansjörg hansjürg hansjürgen hansl hanspeter
    hanspi hansruedi hansueli harald haralds hardy harish harm harold harpreet harriet harriette harrison harro harry hartmut hartwig haruka haruki
    harun harvey hasan hashim hassan hatice hattie hatun hauke hausi haydar hayden hayley hayri hazel heather hector hedda hedi hedwig hedy hege heide
    heidemarie heiderose heidi heidrun heike heiko heiner heini heinke heino heinrich heinz heinz-dieter heinz-georg heinz-günter heinz-joachim
    heinz-josef heinz-jürgen heinz-peter heinz-werner heinz-willi heinzpeter heiri heleen helen helena helene helga helge hella helle hellmut helma
    helmut helmuth hema hendrik hendrika henni henning henny henri henriette henrik henrike henry henryk herbert heribert herlinde hermann
    hermann-josef hermina hermine hernan herta hertha herwig hettie hias hieronymus hila hilal hilary hilda hildburg hilde hildegard hildegund
    hildegunde hiltraud hiltrud hinnerk hinrich hiro hiroshi hjalmar holger hollie holly holm hope horace horst horst-dieter horst-peter howard hrvoje
    hubert hubertus hugh hugi hugo humberto huseyin huw hyrije håkan hélène hülya hüseyin iain ian ibo ibrahim ida idris ifeanyi ifeoma ignaz igor
    ihsan ijeoma ikechukwu ikram ilaria ilayda ildiko ilir ilja ilka ilker ilknur ilona ilse ilsebill ilyas imani imelda imke immanuel imogen imran
    imre ina indira indra ines inga ingbert inge ingeborg ingeburg ingela ingelore ingmar ingo ingolf ingrid inka inken insa inés ioana ioannis ion
    ipek ira irem iren irena irene irina iris irma irmela irmengard irmgard irmhild irmi irmingard irmtraud irmtraut irmtrud irwin isa isaac isabel
    isabell isabella isabelle isaiah ishaan ishita isidor isla ismael ismail ismet isolde israel istván isuf iva ivan ivana ivica ivka ivo ivonne iwan
    iwona izabela izzie izzy jaap jacek jacinta jack jackie jacko jacky jaclyn jacob jacqueline jacques jaden jadranka jadwiga jae jagdish jaime jake
    jakob jakov jakub jamal james jamie jamila jan jana jane janek janet janette janez jani janice janick janika janin janina janine janis janna janne
    jannik jannike jannis janos janosch janusz jared jarek jaroslav jaroslaw jarosław jasenka jasmin jasmina jasmine jasna jason jasper jaswinder
    javier jay jaya jayden jayne jaz jean jean-claude jean-pierre jeanette jeanine jeanne jeannette jeannine jed jeff jeffrey jelena jelka jemima jen
    jenn jenna jenni jennie jennifer jenny jens jens-peter jeremiah jeremias jeremy jermaine jerome jerry jerzy jesper jess jesse jessica jessie jesus
    jesús jette jez jide jill jillian jim jimmy jing jiri jo joachim joan joana joann joanna joanne joao joaquin jocelyn jochen jockel jodie joe joel
    joelle joerg joey joggeli johan johann johanna johannes john johnathan johnny jokin jolanda jolanta jolie jon jona jonah jonas jonathan jonathon
    jonny jools joosep joost jordan jordi jorge jorgo joris jork joscha jose josef josefa josefina josefine joseph josephine josh joshua josi josiane
    josie josip jost josua josé jovan jovana jovanka joyce jozef jozsef joão joëlle juan juana juanita jude judit judith judy juha jule jules julia
    julian juliana juliane julianna julie julien juliet julieta juliette julio julita julius junaid jupp jurgen jurij justin justina justine justus
    justyna jusuf jutta jyoti jytte jános jérôme józsef jöggi jörg jörgen jörn jørgen jürg jürgen jürgen-peter jürgi kaan kabir kacper kader kadir kai
    kai-uwe kaia kaitlin kaitlyn kaja kajsa kalle kalpana kalyani kamal kamil kamila kamilla kamuran kara karel karen kari karim karima karin karina
    karl karl-august karl-ernst karl-friedrich karl-heinrich karl-heinz karl-josef karl-otto karl-peter karl-wilhelm karla karlheinz karlo karola
    karolin karolina karoline karsten karthik kartik kasia kaspar kasper kat katalin katarina katarzyna kate katelyn katerina katharina katherine
    kathi kathl kathleen kathrin kathryn kathy kati katie katinka katja katrijn katrin katrina katy katya kavita kay kaya kayla kayleigh kayode kazim
    kazimierz keanu kees kehinde keira keith kelechi kelly kelsey kemal kemi ken kendra kenji kenneth kenny kerem kerim kerry kerstin keshav ketan kev
    kevin kezia khadija khaled khalid kian kiara kieran kiki kilian kim kimberley kimberly kinga kira kiran kirsten kirsti kirstin kirsty kit kito
    kjell klaas klara klaudia klaus klaus-d klaus-dieter klaus-jürgen klaus-michael klaus-peter klaus-ulrich klausi klemens kleopatra kläri knud knut
    koen kofi konni konny konrad konradin konstantin konstantina konstantinos konstanze koray korbinian kordula korina kosovare kosta kostas kreshnik
    kreszentia kris krista kristen kristi kristian kristiane kristijan kristin kristina kristine kristof kristoffer kristy kruno krystyna krzysztof
    kunigunde kunle kuno kurt kurtis kushtrim kwabena kwaku kwame kweku kyle kyra kyrill käte käthe käthi köbi köbu labinot lachlan ladina ladislaus
    laetitia lahcen laila lajos lakshmi lalita lambert lana lance landolf lara larissa larry lars larysa lasse laszlo lata latifa latoya laura laureen
    laurel lauren laurence laurent laurenz lauri laurie laurin lauro lavinia lawrence layla laz lea leah leander leandra leandro leann leanne lee
    leela leif leigh leila lejla lelia len lena lenchen lene leni lennard lennart lennox lenny lenore lenz leo leon leona leonard leonardo leone
    leonhard leonid leonidas leonie leonora leonore leontine leopold leroy lesley leslie leszek leticia letizia lev levent levi levin levke lewis
    lexie leyla lia liam lian liana liane libby libor lidia lidija liesbeth lieschen liesel lieselore lieselotte lilah lili lilian liliana liliane
    lilith lilli lillian lilly lilo lily lin lina linda lindsay lindsey linnea linus lionel lior liridon lirim lis lisa lisa-marie lisbeth lisbethli
    lise liselotte lisette liss liv livia livio livvy liz liza lizzie lizzy ljiljana ljubica ljubo ljubomir lloyd logan lois loisl lola lolita lore
    lorena lorenz lorenzo loretta lori lorna lorraine lothar lotta lotte lotti lottie lou louie louis louisa louisa-marie louise loïc luan luana luc
    luca lucas luce lucia lucian luciana luciano lucie lucien lucienne lucille lucinda lucja lucy lucyna ludger ludmila ludmilla ludovic ludovico
    ludwig luigi luis luisa luise luitgard luka lukas lukasz luke luki luljeta lulu lulzim luna lutz luzi luzia luzius luís lydia lydie lyds lyn lynda
    lynette lynn lynne lyudmila lászló léa léo maarten mabel maciej mackenzie mada maddalena maddie maddy madeleine madeline madhav madhu madina
    madison mads mae maeve magali magda magdalena magdalene maged maggie maggy magnus magrit mags mahesh mahmoud mahmut mahnaz maik maike maiko mailin
    maira maire maisie maja makayla makoto malcolm malea maleen malena malene malgorzata malia malik malika malin malina malou malte malwina malwine
    mandy manel manfred manish manja manjit manny manoj manolis manon mansour manuel manuela mara maram marc marcel marcela marcelina marceline
    marcella marcelle marcello marcelo marcia marcin marco marcos marcu marcus marek maren margaret margareta margarete margaretha margarethe
    margarita margaux marge margherita margie margit margitta margot margret margrethe margrit marguerite mari maria maria-luise maria-theresia mariah
    mariam marian mariana mariann marianna marianne mariano maribel marica maricela marie marie-claire marie-louise marie-luise marie-theres mariele
    mariella marielle marietta marija marijana marijke marika marike marikka marilyn marina mario marion maris marisa marisol marissa marit marita
    maritta marius mariusz marjan marjorie mark-oliver marko markus marla marleen marlen marlena marlene marlies marliese marlis marlise marlon marnie
    marta marten martha marthe martijn martin martina martine martinus martyn martín marvin mary mary-ann maryam marzanna marzena masha masoud massimo
    mateo mateusz mathew mathias mathieu mathilda mathilde mathis matilda mats matt matteo matthew matthias matthieu matthäus matti mattia mattis
    matty matze maud maura maureen maurice mauricio maurizio mauro maurus mavis mawuli max maxim maxime maximilian maximiliane maxine maxl maxwell
    maya maz małgorzata mckenzie mechthild mechtild meena meera meg megan meggie meghan mehdi mehmed mehmet mehtap mei meike meinhard meinolf meinrad
    mel melanie melek melih melina melinda melisa melissa melitta melody meltem melvin mena mengia mentor mercedes mercy meredith meret merete merih
    merita merle merlin mert merve meryem mesut meta metin mia micah micha michael michaela michal michalina michał micheal michel michela michele
    michelle micheál michi michèle mick mieczysław mieke miguel mihaela mihai mihail mika mikael mike mikey mikhail mikkel mikko miklos mila milad
    milan milana mile milena milenko miles milica milka millie milly milo milorad milos milovan miloš mimi mimoza mina mindy minh minna minnie mira
    miranda mirco mireille mirela mirella miri miria miriam mirja mirjam mirjana mirka mirko mirna miro miroslav miroslava mirosław mirosława misty
    mitchell mitja mitra mitzerl mitzi mladen moana moe mohamed mohammad mohammed mohan mohit mohsen moira mollie molly momčilo mona moni monia monica
    monika monique monja morag moreno morgan morgane moritz morten morty morwenna moses moshe mostafa moussa muhammad muhammed muhammet muharrem
    mukesh mukul munir murat murathan muriel murielle musa mustafa mustapha myles myriam myrna myrta myrtha máire mäge mäni märten mättu mélanie
    mélissa mölä müjde nabil nada nadege nadeschda nadia nadin nadine nadira nadiya nadja nadya nael nahid naim naima naledi nalini nana nancy nanda
    nandini nanette nannerl nanni naomi naren narges nariman naser nasrin nasser nassim nastasia nat natalia natalie natalija natalja natasa natascha
    natasha nataša nate nathalie nathan nathanael nathaniel naveen navid nazan nazli nazmi nazmije neda nedim neela neele neha nehir neil nele nell
    nelli nellie nelly nelson nena nenad nepomuk nermin nesim nesrin nesrine nessa nestor nev neven neville nevin nevio nexhmije neşe ngozi nhung nia
    niall niamh nic nicholas nick nicki nicky nico nicola nicolai nicolas nicole nicoletta nicolo nicolò niels nienke nige nigel nihad nihal nik nika
    nikhil niki nikita niklas niklaus niko nikola nikolai nikolaj nikolaos nikolas nikolaus nikolina nikos nils nima nina nino nirmala nisha nitesh
    nitin njomza nkechi nkosi nnamdi nneka noah noam noel noelia noelle noemi nola nolan noldi noortje nora norbert nore noreen norma norman nour
    novak noé noémie noël noëmi nuran nuray nurcan nurgül nuri nuria nursel nush nöldi obiageli obinna octavia octavian odette odile odin ognjen oisin
    oisín okan oktay olaf olamide olav ole oleg oleksandr olena olga olgierd oliver olivera olivia olivier olli ollie olof olufemi olumide oluwaseun
    oluwaseyi oluwatobi omar omer omi omid onur onyeka ophelia orhan oriana orla orlando ornella orsola orsolya ortrud ortrun ortwin oscar oskar osman
    ossian oswald oswin ota otakar otfried othmar otilia otmar ottfried otti ottilie ottmar otto ottokar ottomar ousmane owain owen oya ozan ozzie
    oğuz pablo paddy padma padraig paige pamela panagiotis pankraz paola paolina paolo parker pascal pascale pasquale patric patrice patricia patricio
    patricius patrick patrik patrizia patrycja patryk patsy patti paul paul-heinz paula paulina pauline paulinus paulo pavel pavla pavle pavol pawel
    paweł payton pearse pedro peer peggy pelin penelope pepe peppi per per-olof percy perihan pernille perpetua perry pesche petar pete peter petr
    petra petronella petros petru phil philip philipp philippa philippe phillip philomena phoebe phyllis pia pier piero pierre pierrette piet pieter
    pietro pilar pinar piotr pippa pirmin pitt pius pjotr poldi polina polly pooja poppy prabhu pradeep prakash prakriti pranav prasad pratik predrag
    preethi prem preston priscilla priska prithvi priti priya priyanka prudence przemek przemysław purnima pádraig pál päscu päuli pöili pınar qazim
    qendrim quentin quinn quirin rachael rachel rachelle rada radha radica radka radmila radomir radoslav radosław radovan radu rafael rafaela rafal
    rafał raffaela raffaele rafi raghav raghu ragna ragnar rahel rahul raimund rainer rainhard raisa raj raja rajan rajat rajesh rajiv rakesh ralf
    ralph ramadan raman ramazan ramesh ramin ramiro ramon ramona ramya ramzi ramón randall randolf randy rania ranjit ranko raphael raphaela raquel
    rashid rashida rashmi rasmus ratka ratko raul raven ravi ravindra raya raymond raymund razvan raúl rea rebecca rebekah rebekka recep reece regina
    reginald regine regis regula reiko reimar reimer reimund reinald reiner reinhard reinhardt reinhart reinhild reinhilde reinhold reinholde reinout
    rekha remo remus remy rena renan renata renate renato rene renee reni renke renuka renzo rené renée reserl resi reto reuben rexhep reynaldo reza
    rhea rhett rhiannon rhoda rhona rhonda rhys ria ricarda ricardo riccarda riccardo richard richarda rick ricky rico rika rikard rike riley rima
    rinaldo ringo rita rito ritu roald robbie robby robert roberta roberto robin robyn rocco rochelle rochus roderich roderick rodney rodolfo rodrigo
    roel roger rogier rohan rohit roisin roksana roland rolande rolando rolf rolf-dieter rolfli rolli roma romain roman romana romano romeo romina
    romuald romy ron rona ronald ronaldo ronja ronnie ronny ronya rory rosa rosalba rosalia rosalie rosalind rosalinde rosamund rosamunde rosanna
    rosanne rosario rose-marie rosel roselinde roseline roselyne rosemarie rosemary rosetta rosi rosie rosina rosita rositta rosmarie ross roswita
    roswitha rotraud rotraut rouven rowan rowena roxana roxane roxanne roy roz rozalia rozzy ruaridh ruben rubén rudi rudiger rudolf rudolph ruedeli
    ruedi rufus rukiye rune rupert ruprecht russel russell rusty ruta ruth ruthie ruža ryan ryszard régine rémy róisín röbi rösli rüdiger saana sabah
    sabina sabine sabri sabrina sacha sachin sade sadia sadie sadije saeed safia saga sahra said saida sakura salah saleh sali saliha salim sallie
    sally salma salome salomon salomé salvador salvatore sam samantha samara sameer samet sami samia samir samira sammy samson samuel samuela samuele
    sanae sander sandhya sandra sandrine sandro sandy sanela sangeeta sanja sanjana sanjay sanjeev sanna sanne sanni santiago santina santo saoirse
    sara sarah sarika sarina sarita sascha sasha saskia satish satoshi saul savannah saverio savina savo saša scarlett schorsch schorschi scilla sead
    seamus sean sebastian sebastiano sebastien seda sedat seema sefa sefer sejla selda selena selene selim selin selina selma selvije selçuk sema
    semih semra sena senad senada senta seonaid sepp sepperl seppi seppli serafina serafino seraina serap seraphin seraphina serdar serena serge
    sergei sergej sergey sergio serhat serhiy serkan serpil seth seun sevda severin severine sevgi sevim seyma sezen seán shabnam shahin shaima
    shalini shan shane shania shankar shannon shanti shari sharon shaun shawn shawna shayla shaz sheena shefqet sheila shelby shelia shelley shelly
    sherri sherry sheryl shilpa shirin shirley shiva shivani shkelzen shobha shona shpresa shreya shreyas shruti shukrije shweta sian sibel sibylla
    sibylle sid siddharth sidney sidonia siegbert siegfried sieghard sieglind sieglinde siegmar siegmund siegrid siegrun siegward siena sienna sierk
    sierra sigfried siggi sigismund siglinde sigmund signe sigrid sigrun sigurd sihem siiri silas sile silja silke sille silvain silvan silvana
    silvester silvestro silvi silvia silvie silvio sima simeon simisola simon simona simone simonetta simu sina sinah sinan sinead sinem sinéad
    siobhan sirkka sissi siv sivan siyabonga siân skender slaven slavica slavka slavko slawomir slađana slobodan slobodanka smilla smita sneha snezana
    snežana sofia sofie sofía sohail solange soledad solveig songül sonia sonja sonny sonya soph sophia sophie sophus soraya soren sotirios soufiane
    spencer spomenka spyros srdjan sreten srinivas srđan stacey stacie stacy stan stanislaus stanislav stanislaw stanisław stanka stanko stanley
    stavros stefan stefania stefanie stefanija stefano stefanos steffen steffi steffie stefka stella stellan sten steph stephan stephane stephania
    stephanie stephanus stephany stephen stevan steve steven stevie stewart stig stijn stina stine stipe stjepan stoffel stojan storm stuart stéphane
    stéphanie stöff stöffi suada suat subhash sudhir sue sujata sukhdeep suki suleyman sultan suman sumaya suna sunil sunita sunniva suresh suri susan
    susana susann susanna susanne suse sushila susi susie susle susumu suzan suzana suzanne suzette suzie svante svantje svea svein sven sven-erik
    svenja svetlana swantje swati swetlana sybil sybille sydney syed sylke sylvain sylvaine sylvester sylvia sylvie sylvio sylwia szabolcs szczepan
    szilvia szymon sämi sändi séamus sébastien séverine sören søren süleyman sławomir tabby tabea tabitha tadeusz tahir taina taiwo takeshi talia
    taliah talitha tallulah tamar tamara tamas tami tamika tamina tammie tammy tamás taner tania tanisha tanita tanja tanner tanvi tanya tara tarek
    tariq tarja taro taryn tarık tash tasha tatiana tatjana tatum tayfun taylan taylor ted teddy temi temitope teo teodor teodora teodoro terence
    teresa terese teresia tereza terje terrence terri terry tess tessa tetiana thabo thaddeus thaddäus thalia thandi thandiwe thanh thea theda thekla
    thelma themba theo theodor theodora theodore theodoros theodosia theofilos theophil theres theresa therese theresia thibault thibaut thiemo
    thierry thies thijs thilda thilo thirza thomas thomasina thora thorben thorbjörn thore thorleif thorsten thorwald thula thuy théo thérèse thömu
    tiago tiana tiara tiberiu tibor tienke tiffany tihomir tijana tilda tilde till tilla tillmann tilly tilman tilo tim timea timo timon timotheus
    timothy timur tina tine tinka tino tinu tiphaine tirza titus tiziana tiziano tjark tjorven tobi tobiah tobias tobin toby todd todor toeni tolga
    tolly tolu tom toma tomas tomasso tomasz tomaž tomislav tommaso tommie tommy tomoko toni tonia tonino tonja tonje tony tonya tor torben torbjörn
    tore torge tori torleif torsten tosca toshiko tove tracey traci tracie tracy traude traudel traudl traugott traute travis treasa tresa trev trevor
    trine trish tristan tristana trixi trixie troels trond troy trude trudi trudy trygve tugba tuncay tunde turan turgay turgut tushar tuğba tyler
    tyrell tyrone töbi tünde türkan uche uchenna uday udo ueli ugo ugochukwu ugur ujjwal ulf uli ulises ulla ulli ullrich ulrich ulrik ulrika ulrike
    ulrikke uma umar umberto umut una undine urban urda uriel urs urschla ursel urseli ursi ursin ursina ursula ursulina ursus urszula uschi usha uta
    ute utz uwe uğur vadim valbona valentin valentina valentine valentino valentyna valeri valeria valerie valeriya valeska valmir valmira valon
    valtteri valère valérie vana vanda vandana vanessa varun vasco vasil vasile vasiliki vasilios vasily vedat vedran veera veit veli velimir veljko
    velma venera venetia venus vera verena verenia veronica veronika veronique veselin vesna veton vicente vicki vickie vicky victoire victor victoria
    vida vidya vigdis vijay vikas vikram viktor viktoria viktorija vilhelm vilma vinay vince vincent vincenza vincenzo vineet vinicius vinko vinod
    vinzenz viola violaine violeta violetta virgil virginia virginie virág visar vishal vishnu vitali vitalij vitaliy vito vittoria vittorio vitus viv
    vivek vivi vivian viviana viviane vivien vivienne vjosa vlad vladan vladica vladimir vladimira vladislav vlasta vlatka vlora vojislav vojtech
    volha volkan volker volkhard volkmar volodymyr vreneli vreni vroni vulnet véronique wacław wade wahid walburga waldemar waldtraud walid wally
    walpurga walter walther walti waltraud waltraut wanda wanja warren wassily wastl wayne wei wencke wendelin wendeline wendy wenke wenzel werna
    werner werni wes wesley whitney wibeke wibke wiebke wieland wiesław wigand wiktor wiktoria wilbert wilfred wilfredo wilfrid wilfried wilhelm
    wilhelmina wilhelmine wilko willa willem willemijn willfried willi william willibald willibrord willie willy wilma wilson wiltrud wim winfred
    winfried winifred winnie winona winrich winston wiola wioletta wisel wisi wito witold wladimir wladyslaw wlodek wojciech wojtek wole wolf
    wolf-dieter wolf-dietrich wolf-rüdiger wolfdieter wolfgang wolfhard wolfi wolfram wout wren wulf wädi władysław xan xandi xandra xaver xaverius
    xaverl xavier xena xenia xhemile xhevdet ximena xin xiomara yaara yael yagmur yahya yakup yan yana yanick yanis yann yannick yannik yannis yara
    yarden yaren yaron yasar yasemin yaser yash yasin yasmin yasmina yasmine yassin yassine yasuko yavuz yaël yağmur yaşar yelena yeliz yemi yen
    yesenia yesim yeter yevgeny yeşim yigit yildiz ying yiğit ylber ylva yoko yolanda yolande yonas yorick yosef youssef youssra ysabel yuan yuki yuko
    yulia yuliya yunus yuri yurii yusra yusuf yuval yves yvette yvonne yücel zac zach zacharia zacharias zachary zack zafer zahra zaid zaida zainab
    zak zanele zara zarah zarina zbigniew zdenka zdenko zdeněk zdravko zdzisław zed zef zehra zeinab zeke zeki zekiye zelda zeljka zeljko zelma zeno
    zenon zenta zenz zenzi zerrin zeynep zia zilli zina zineb zita ziva zivko zlata zlatan zlatko zoe zoey zofia zohra zoi zola zoltan zora zoran
    zorica zoya zoé zoë zsofia zsuzsa zsuzsanna zuleika zuleikha zuzana zuzanna zvonimir zvonko zygmunt züleyha ätti çağlar çiğdem ödön ömer ömür örs
    özcan özge özgür özlem öznur ümit ünal ünsal đorđe đuro łukasz şahin şebnem şenay şule željko živko
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
