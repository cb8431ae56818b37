/// First names that are common in Germany, Austria, Switzerland, the United Kingdom and the United States, among them those
/// of people whose families came from elsewhere. Written for this project; no list of others was copied.
enum FirstNames {
  static let all = WordList(
    """
    aaron abby abdul abdullah abena abhinav abhishek abigael abigail abiodun achim achmed ada adaeze adalbert adam addie
    adebayo adel adela adele adelheid adelina adewale adina aditi aditya adnan adonis adrian adriana adriane adriano aenne
    afolabi afra agata agatha aggie agnes agnese agneta agnieszka agostino agron ahmad ahmed ahmet aida aidan aiden aiko
    aileen aimee aischa aisha ajay ajla akash akin akosua akua alain alan alana alastair albert alberta alberto albrecht aldo
    alejandra alejandro aleks aleksandar aleksander aleksandra aleksei alena alessandra alessandro alessia alessio alex alexa
    alexander alexandra alexandre alexandru alexej alexia alexis alf alfie alfons alfred alfredo alhassan ali alice alicia
    alin alina aline alisha alison alissa alistair aliyah allan allen allie allison alma alois aloisia alok altay alva alvaro
    alvin alwin alwine amadou amaia amalia amanda amani amar amara amarachi amber ambros ambrosius amelia amelie amely amin
    amina amir amira amit amke amrita amy ana anand ananya anastasia anatol anders andie andra andre andrea andreas andreea
    andrei andrej andres andrew andri andrin andrzej andré andy anela aneta anette angel angela angelika angelina angelo angie
    angus anika anil anina anirudh anisa anita anja anjali anke ankit ankita ann anna annabel annabelle annalena annalisa anne
    annegret annegreth annekathrin anneke anneli annelie anneliese annelise annelore annemarie annemie annerös annette anni
    annick annie annika annikki annina anouk anselm ansgar anthony antje antoine anton antonella antonia antonina antonio anuj
    anuradha anuschka anya aoife apostolos arabella aranka arash arben arbnor arbër archana archie arda ardita arian ariana
    arianna arianne ariel arif aris aristoteles arjun arlette arlo armin arnaud arnd arne arno arnold aron arta artan arthur
    artie arturo arun arvid arwen asha ashley ashok ashwin asim asja aslan asli asta astrid asuman athena athina attila aubrey
    aude audrey august augusta auguste augustin aurel aurelia aureliano aurelie aurora auste ava avani ayaan aydin ayesha
    aygül aygün ayla aylin ayman aynur ayodele ayoub ayse aysegül ayşe aziz azra babajide babatunde babette bajram balthasar
    baptiste barbara barbora barnaby barney barry bart bartholomew bartolomeo bartosz bashir basil basti bastian bastienne bea
    beat beata beate beatrice beatrix beatriz beatus becca becky beda bekim bekir bela belinda ben benedetta benedict benedikt
    benedikta beni benita benjamin benji bennet benno benny benoît bente beppo berenike berit berkay bernadette bernard
    bernarda bernardo bernd bernhard bernie bert berta bertha berthold bertie bertram bertrand besa besim besnik bessie beth
    bethli betsy bettina betty beverly bex beyza beätli bharat bhavna bianca bibiana biff biggi bilal bilge bill billy bine
    birger birgit birgitta birk birol birte bjarne bjoern björn bjørn blaise blanca blanche blanka blazej bledar blerim
    blerina blerta bo bobbie bodo bogdan bogusław bohumil bonnie boris borislav bosse boubacar bozena bożena brad bradley
    branislav branka branko brenda brendan brian brianna bridget brigid brigitta brigitte brita britt britta broder bronwen
    bronwyn brooke bruce bruna brunhild brunhilde bruno bryan burak burim burkhard burkhardt buse bärbel bäschteli bülent
    bünyamin caitlin caleb callum calvin cameron camilla camille can candice cansu caoimhe cara carina caritas carl carla
    carlo carlos carly carmela carmelo carmen carmi carol carola carole carolin carolina caroline carolyn carsten carys
    casimir caspar casper cassandra catalina caterina cathal catharina catherine cathleen cathrin catia catrin catriona caz
    cecil cecile cecilia cecilie cedric celeste celestine celia celina celine cem cemal cemile cengiz cesar ceyda chaitanya
    chandra chantal charles charlie charlotte charly chas chaz chelsea cheryl chiamaka chiara chibuzo chidi chidinma chiedu
    chima chinedu chinwe chioma chiyo chloe chloé chrigel chrigu chris chrissy christa christel christiaan christian
    christiana christiane christianne christin christina christine christof christoffer christoph christophe christopher chuck
    cian ciara ciaran cillian cindy cissy claas claire clara clare clarissa claude claudette claudia claudine claudio clayton
    clemence clemens clement clementine cleo cliff clifford clint clive clodagh coen colette colin colleen colm conall connor
    conny conor conrad constance constantin constanze cora coralie cordelia cordula corentin corina corinna corinne corneel
    cornelia cornelis cornelius corrado corsin cosima cosimo costa courtney craig crispin cristian cristiano cristina curdin
    curtis cynthia cyril cyrill céline dagmar dagobert daisuke daisy dalia damaris damian damien damir damla damlasu dan dana
    dani danica daniel daniela daniele daniella danielle danijel danilo danny danuta daphne dara dardan daria dario darius
    dariusz darko darlene darnell darragh darren daryl dave davey david davide davina davor dawn dean deb debbie deborah debra
    debs declan deedee deepa deepak deepika deirdre dejan delia delphine demetrius demian denis denise deniz dennis denny
    derek dermot derya desiree desmond detlef detlev devika devon dewi dhruv diana diane didem didier diego dieter diethelm
    dietlinde dietmar dietrich dilara dilek dimitar dimitri dimitrios dimitris dina dinesh dino dirk divya djamila dobrila
    dodie dodo dolores dominic dominik dominika dominique donal donald donatella donna donovan dora dorcas doreen dorian
    dorina doris dorit dorota dorothea dorothee dorothy dorthe dottie dougal douglas doğukan dragan dragana dragica drita
    driton duarte duncan dunja dusan dustin duygu dušan dušica dwayne dylan däni dänu désirée dölf dörte eamon eamonn ebba
    ebele eberhard ebony ebru ebubekir eckart eckhard eckhart ecrin edda eddie edeltraud edeltraut edgar edi edin edina edit
    edith edmond edmund edna edona eduard eduardo edvard edward edwin edyta efe effie efosa efua egon egzon eike eila eileen
    eilidh eino eira eirik ejike ekaterina ekene ekkehard elaine elara elbert elea eleanor elena eleni elenore eleonora
    eleonore elfi elfriede elham elia elias elif elijah elin elina eline elio eliot elisa elisabeta elisabeth elisabetta elise
    elisha eliza elizabeth elke ella ellen elli ellie elliot elliott elma elmar elodie eloise elsa elsbeth else elsie elvira
    elvis elçin emanuel emanuela emeka emel emerson emil emile emilia emiliano emilie emilio emily emina emine emir emma
    emmanuel emmanuelle emmy emre enda engelbert engin enno enrico enrique enver enza enzo eoin ercan erdal erdem eren erhan
    erhard eric erica erich erik erika erin erkan ermelinde erna ernestine ernesto ernscht erol ersin erwin esen esma esme
    esmeralda esra essie esteban estelle esther ethan etienne eugen eugene eugenia eugenie eva evan evangelos evelina eveline
    evelyn evelyne evi ewa ewald ewan ewelina eytan ezgi ezra fabia fabian fabiana fabienne fabio fabrice fabrizio fadi fadime
    faisal faith falk falko fanny fariba farid farida farouk fatbardha fatih fatima fatma fatmir fatou faye federica federico
    felicia felicitas felix femke fenja fenna ferdi ferdinand ferenc fergus ferhat feride fernanda fernando feyza fidel fides
    fiete figen filip filippa filippo filiz finbar finja finlay finley finn finnian fiona fionn fionnuala firat fisnik fjodor
    flamur flavia flavio fleur flo flora florence florent florentina florentine florian florije florin florina flurin flurina
    folake fran franca frances francesca francesco francine francis francisco franciska franciszek franco francois francoise
    franjo frank franka frankie franz franzi franziska franzl françois françoise frauke fred freda freddie freddy frederic
    frederick frederik frederike fredi freja freya frida fridli fridolin frieda friedbert friedel friedemann frieder
    friederike friedhelm friedl friedrich frithjof frits fritz fritzl fränzi frédéric fulya funmi fynn gabe gabi gabor gabriel
    gabriela gabriele gabriella gabsi gaby gaetan gaetano galina gamze gareth garry gary gaspard gaurav gavin gaynor gbenga
    gebhard geert geeta geli gemma genevieve geneviève genoveva geoff geoffrey georg george georges georgette georgi georgia
    georgina georgios gerald geraldine gerard gerd gerda gereon gerhard gerhild gerlind gerlinde germaine gernot gero gerold
    gerrit gerry gerta gertraud gertrud gertrude gertrudis gesa gesche gesine ghislaine giacomo giada gian gianluca gianna
    gianni gideon gil gilbert gilda gilles gillian gina ginette ginevra ginny gino giorgia giorgio giovanna giovanni girish
    gisbert gisela gisele gisella giselle gisi gitta gitti giulia giuliana giuliano giulio giuseppe giuseppina gizem gladys
    glen glenda glenn gloria gopal goran gordan gordana gordon gosia gottfried gotthard gotthilf gottlieb grace graham grainne
    grazia graziella grażyna greg gregor gregory greta gretchen grete gretel greti grzegorz gráinne gudrun gudula guido
    guillaume guillermo gunda gundi gundula gunhild gunnar gunter gunther gurpreet gus guschti gustav gustavo gusti gwen
    gwendolyn gwyneth györgy gzim gábor gérard gëzim gökhan gönül göran götz gülay gülcan güler gülsen gülten günay günter
    günther gürkan habib hadi hagen haidar haiko hajdin hakan hakim haldor halil halima halime halina hamid hamish hampi hamza
    hana hanan hanna hannah hannelore hannerl hannes hanni hanno hans hansi hansjakob hansjörg hansjürg hansl hanspeter hanspi
    hansruedi hansueli harald haralds hardy harish harm harold harpreet harriet harriette harrison harro harry hartmut hartwig
    haruka haruki harun harvey hasan hashim hassan hatice hattie hatun hauke hausi haydar hayden hayley hayri hazel heather
    hector hedda hedi hedwig hedy hege heide heidemarie heidi heidrun heike heiko heiner heini heinke heino heinrich heinz
    heinzpeter heiri heleen helen helena helene helga helge hella helle hellmut helma helmut helmuth hema hendrik hendrika
    henning henny henri henriette henrik henrike henry henryk herbert heribert herlinde hermann hermann-josef hermina hermine
    hernan herta hertha hettie hias hieronymus hila hilal hilary hilda hilde hildegard hildegund hildegunde hiltrud hinnerk
    hinrich hiro hiroshi hjalmar holger hollie holly hope horace horst howard hrvoje hubert hubertus hugh hugi hugo humberto
    huseyin huw hyrije håkan hélène hülya hüseyin iain ian ibo ibrahim ida idris ifeanyi ifeoma ignaz igor ihsan ijeoma
    ikechukwu ikram ilaria ilayda ildiko ilir ilja ilka ilker ilknur ilona ilse ilsebill ilyas imani imelda imke immanuel
    imogen imran imre ina indira indra ines inga ingbert inge ingeborg ingela ingmar ingo ingolf ingrid inka inken insa inés
    ioana ioannis ion ipek ira irem iren irena irene irina iris irma irmela irmgard irmhild irmi irmtraud irmtraut irwin isa
    isaac isabel isabell isabella isabelle isaiah ishaan ishita isidor isla ismael ismail ismet isolde israel istván isuf iva
    ivan ivana ivica ivka ivo ivonne iwan iwona izabela izzie izzy jaap jacek jacinta jack jackie jacko jacky jacob jacqueline
    jacques jaden jadranka jadwiga jae jagdish jaime jake jakob jakov jakub jamal james jamie jamila jan jana jane janek janet
    janette janez jani janice janick janika janin janina janine janis janna janne jannik jannike jannis janos janosch janusz
    jared jarek jaroslav jaroslaw jarosław jasenka jasmin jasmina jasmine jasna jason jasper jaswinder javier jay jaya jayden
    jayne jaz jean jeanette jeanine jeanne jeannette jeannine jed jeff jeffrey jelena jelka jemima jen jenn jenna jenni jennie
    jennifer jenny jens jens-peter jeremias jeremy jerome jerry jerzy jesper jess jesse jessica jessie jesús jette jez jide
    jill jim jimmy jing jiri jo joachim joan joana joann joanna joanne joao joaquin jocelyn jochen jockel jodie joe joel
    joelle joerg joey joggeli johan johann johanna johannes john johnny jokin jolanda jolanta jolie jon jona jonah jonas
    jonathan jonny jools joosep joost jordan jordi jorge jorgo joris jork joscha josef josefa josefina josefine joseph
    josephine josh joshua josi josiane josie josip jost josua josé jovan jovana jovanka joyce jozef jozsef joão joëlle juan
    juana juanita jude judit judith judy juha jule jules julia julian juliana juliane julianna julie julien juliet julieta
    juliette julio julita julius junaid jupp jurgen jurij justin justina justine justus justyna jusuf jutta jyoti jytte jános
    jérôme józsef jöggi jörg jörgen jörn jørgen jürg jürgen jürgen-peter jürgi kaan kabir kacper kader kadir kai kaia kaja
    kajsa kalle kalpana kalyani kamal kamil kamila kamilla kamuran karel karen kari karim karima karin karina karl karla
    karlheinz karlo karola karolin karolina karoline karsten karthik kartik kasia kaspar kasper kat katalin katarina katarzyna
    kate katerina katharina katherine kathi kathl kathleen kathrin kathryn kathy kati katie katinka katja katrijn katrin katy
    katya kavita kay kaya kayla kayode kazim kazimierz keanu kees kehinde keira keith kelechi kelly kelsey kemal kemi ken
    kendra kenji kenneth kenny kerem kerim kerstin keshav ketan kev kevin kezia khadija khaled khalid kian kiara kieran kiki
    kilian kim kimberly kinga kira kiran kirsten kirsti kirstin kirsty kit kito kjell klaas klara klaudia klaus klausi
    kleopatra kläri knud knut koen kofi konni konny konrad konradin konstantin konstantina konstantinos konstanze koray
    korbinian kordula korina kosovare kosta kostas kreshnik kreszentia kris kristen kristian kristiane kristijan kristin
    kristina kristine kristof kristoffer kruno krystyna krzysztof kunigunde kunle kurt kurtis kushtrim kwabena kwaku kwame
    kweku kyle kyra kyrill käthe käthi köbi köbu labinot lachlan ladina lahcen laila lajos lakshmi lalita lambert lana lance
    landolf lara larissa larry lars larysa lasse laszlo lata latifa latoya laura laureen laurel lauren laurence laurent
    laurenz lauri laurie laurin lauro lavinia lawrence layla laz lea leah leander leandra leandro leann leanne lee leela leif
    leigh leila lejla lelia len lena lenchen lene leni lennard lennart lennox lenny lenore lenz leo leon leona leonard
    leonardo leone leonhard leonid leonidas leonie leonora leonore leontine leopold leroy lesley leslie leszek leticia letizia
    lev levent levi levin levke lewis lexie leyla lia liam lian liana liane libby libor lidia lidija lieschen liesel lieselore
    lieselotte lilah lili lilian liliana liliane lilith lilli lillian lilly lilo lily lin lina linda lindsay lindsey linnea
    linus lionel lior liridon lirim lis lisa lisa-marie lisbeth lisbethli lise liselotte lisette liss liv livia livio livvy
    liz liza lizzie lizzy ljiljana ljubica ljubo ljubomir lloyd logan lois loisl lola lolita lore lorena lorenz lorenzo
    loretta lori lorna lorraine lothar lotta lotte lotti lottie lou louie louis louisa louisa-marie louise loïc luan luana luc
    luca lucas luce lucia lucian luciana luciano lucie lucien lucienne lucille lucinda lucja lucy lucyna ludger ludmila
    ludmilla ludovic ludovico ludwig luigi luis luisa luise luitgard luka lukas lukasz luke luki luljeta lulu lulzim luna lutz
    luzi luzia luzius luís lydia lydie lyds lyn lynda lynette lynn lynne lyudmila lászló léa maarten mabel maciej mada
    maddalena maddie maddy madeleine madeline madhav madhu madina madison mads mae maeve magali magda magdalena maged maggie
    maggy magnus magrit mags mahesh mahmoud mahmut mahnaz maik maike maiko mailin maira maire maisie maja makoto malcolm malea
    maleen malena malene malgorzata malia malik malika malin malina malou malte malwina malwine mandy manel manfred manish
    manja manjit manny manoj manolis manon mansour manuel manuela mara maram marc marcel marcela marcelina marceline marcella
    marcello marcelo marcia marcin marco marcos marcu marcus marek maren margaret margareta margarete margaretha margarethe
    margarita margaux marge margherita margie margit margitta margot margret margrethe margrit marguerite mari maria mariam
    marian mariana mariann marianna marianne mariano maribel marica maricela marie marie-claire marie-louise marie-luise
    marie-theres mariele mariella marielle marietta marija marijana marijke marika marike marikka marina mario marion maris
    marisa marisol marit marita maritta marius mariusz marjan marjorie mark-oliver marko markus marla marleen marlen marlena
    marlene marlies marlis marlise marlon marnie marta marten martha marthe martijn martin martina martine martinus martín
    marvin mary mary-ann maryam marzanna marzena masha masoud massimo mateo mateusz mathew mathias mathieu mathilda mathilde
    mathis matilda mats matt matteo matthew matthias matthieu matthäus matti mattia mattis matty matze maud maura maureen
    maurice mauricio maurizio mauro maurus mavis mawuli max maxim maxime maximilian maximiliane maxine maxl maya maz
    małgorzata mechthild mechtild meena meera meg megan meggie mehdi mehmed mehmet mehtap mei meike meinhard meinolf meinrad
    mel melanie melek melih melina melinda melisa melissa melody meltem melvin mena mengia mentor mercedes mercy meredith
    meret merete merih merita merle merlin mert merve meryem mesut meta metin mia micah micha michael michaela michal
    michalina michał micheal michel michela michele michelle micheál michi michèle mick mieczysław mieke miguel mihaela mihai
    mihail mika mikael mike mikey mikhail mikkel mikko miklos mila milad milan milana mile milena milenko miles milica milka
    millie milly milo milorad milos milovan miloš mimi mimoza mina minh minna minnie mira miranda mirco mireille mirela
    mirella miri miria miriam mirja mirjam mirjana mirka mirko mirna miro miroslav miroslava mirosław mirosława mitja mitra
    mitzerl mitzi mladen moana moe mohamed mohammad mohammed mohan mohit mohsen moira mollie molly momčilo mona moni monia
    monica monika monique monja morag moreno morgan morgane moritz morten morty morwenna moses moshe mostafa moussa muhammad
    muhammed muhammet muharrem mukesh mukul munir murat murathan muriel murielle musa mustafa mustapha myles myriam myrna
    myrta myrtha máire mäge mäni märten mättu mélanie mélissa mölä müjde nabil nada nadege nadia nadin nadine nadira nadiya
    nadja nadya nael nahid naim naima naledi nalini nana nancy nanda nandini nanette nannerl nanni naomi naren narges nariman
    nasrin nasser nassim nastasia nat natalia natalie natalija natasa natascha natasha nataša nate nathalie nathan nathanael
    nathaniel naveen navid nazan nazli nazmije neda nedim neela neele neha nehir neil nele nell nellie nelly nelson nena nenad
    nepomuk nermin nesim nesrin nesrine nessa nestor nev neven neville nevin nevio nexhmije neşe ngozi nhung nia niall niamh
    nic nicholas nick nicki nicky nico nicola nicolai nicolas nicole nicoletta nicolo nicolò niels nienke nige nigel nihad
    nihal nik nika nikhil niki nikita niklas niklaus niko nikola nikolai nikolaj nikolaos nikolas nikolaus nikolina nikos nils
    nima nina nino nirmala nisha nitesh nitin njomza nkechi nkosi nnamdi nneka noah noam noel noelia noelle noemi nola nolan
    noldi noortje nora norbert nore noreen norma norman nour novak noé noémie noël noëmi nuran nuray nurcan nurgül nuri nuria
    nursel nush nöldi obiageli obinna octavia octavian odette odile odin ognjen oisin oisín okan oktay olaf olamide olav ole
    oleg oleksandr olena olga olgierd oliver olivera olivia olivier olli ollie olof olufemi olumide oluwaseun oluwaseyi
    oluwatobi omar omer omi omid onur onyeka ophelia orhan oriana orla orlando ornella orsola orsolya ortrud ortrun ortwin
    oscar oskar osman ossian oswald oswin ota otakar othmar otilia otmar otti ottilie ottmar otto ousmane owain owen oya ozan
    ozzie oğuz pablo paddy padma padraig paige pamela panagiotis pankraz paola paolina paolo pascal pascale pasquale patric
    patrice patricia patricio patricius patrick patrik patrizia patrycja patryk patsy patti paul paula paulina pauline
    paulinus paulo pavel pavla pavle pavol pawel paweł payton pearse pedro peer peggy pelin penelope pepe peppi per per-olof
    percy perihan pernille perpetua perry pesche petar pete peter petr petra petronella petros petru phil philip philipp
    philippa philippe phillip phoebe phyllis pia pier piero pierre pierrette piet pieter pietro pilar pinar piotr pippa pirmin
    pitt pius pjotr poldi polina polly pooja poppy prabhu pradeep prakash prakriti pranav prasad pratik predrag preethi prem
    priscilla priska prithvi priti priya priyanka prudence przemek przemysław purnima pádraig pál päscu päuli pöili pınar
    qazim qendrim quentin quinn quirin rachel rachelle rada radha radica radka radmila radomir radoslav radosław radovan radu
    rafael rafaela rafal rafał raffaela raffaele rafi raghav raghu ragna ragnar rahel rahul raimund rainer rainhard raisa raj
    raja rajan rajat rajesh rajiv rakesh ralf ralph ramadan raman ramazan ramesh ramin ramiro ramon ramona ramya ramzi ramón
    randall randolf randy rania ranjit ranko raphael raphaela raquel rashid rashida rashmi rasmus ratka ratko raul ravi
    ravindra raya raymond raymund razvan raúl rea rebecca rebekah rebekka recep regina reginald regine regis regula reiko
    reimar reimer reimund reiner reinhard reinhardt reinhart reinhild reinhilde reinhold reinout rekha remo remus remy rena
    renan renata renate renato rene renee reni renke renuka renzo rené renée reserl resi reto reuben rexhep reynaldo reza rhea
    rhett rhiannon rhoda rhona rhonda rhys ria ricarda ricardo riccarda riccardo richard richarda rick ricky rico rika rikard
    rike riley rima rinaldo ringo rita rito ritu roald robbie robby robert roberta roberto robin robyn rocco rochelle rochus
    roderich roderick rodney rodolfo rodrigo roel roger rogier rohan rohit roisin roksana roland rolande rolando rolf rolfli
    rolli roma romain roman romana romano romeo romina romuald romy ron rona ronald ronaldo ronja ronnie ronny ronya rory rosa
    rosalba rosalia rosalie rosalind rosalinde rosamund rosanna rosanne rosario roseline roselyne rosemarie rosemary rosetta
    rosi rosie rosina rosita rositta rosmarie ross roswita roswitha rouven rowan rowena roxana roxane roxanne roy roz rozalia
    rozzy ruaridh ruben rubén rudi rudiger rudolf rudolph ruedeli ruedi rufus rukiye rune rupert ruprecht russel russell rusty
    ruta ruth ruthie ruža ryan ryszard régine rémy róisín röbi rösli rüdiger saana sabah sabina sabine sabri sabrina sacha
    sachin sade sadia sadie sadije saeed safia saga sahra said saida sakura salah saleh sali saliha salim sallie sally salma
    salome salomon salomé salvador salvatore sam samantha samara sameer samet sami samia samir samira sammy samson samuel
    samuela samuele sanae sander sandhya sandra sandrine sandro sandy sanela sangeeta sanja sanjana sanjay sanjeev sanna sanne
    sanni santiago santina santo saoirse sara sarah sarika sarina sarita sascha sasha saskia satish satoshi saul savannah
    saverio savina savo saša scarlett schorsch schorschi scilla sead seamus sean sebastian sebastiano sebastien seda sedat
    seema sefa sefer sejla selda selena selene selim selin selina selma selvije selçuk sema semih semra sena senad senada
    senta seonaid sepp sepperl seppi seppli serafina serafino seraina serap seraphin seraphina serdar serena serge sergei
    sergej sergey sergio serhat serhiy serkan serpil seth seun sevda severin severine sevgi sevim seyma sezen seán shabnam
    shahin shaima shalini shan shane shania shankar shannon shanti sharon shaun shawn shayla shaz sheena shefqet sheila
    shelley shelly sheryl shilpa shirin shirley shiva shivani shkelzen shobha shona shpresa shreya shreyas shruti shukrije
    shweta sibel sibylla sibylle sid siddharth sidney sidonia siegbert siegfried sieghard sieglind sieglinde siegmar siegmund
    siegrun siegward siena sienna sierk siggi sigmund signe sigrid sigrun sigurd sihem siiri silas sile silja silke sille
    silvain silvan silvana silvester silvestro silvi silvia silvie silvio sima simeon simisola simon simona simone simonetta
    simu sina sinah sinan sinead sinem sinéad siobhan sirkka sissi siv sivan siyabonga siân skender slaven slavica slavka
    slavko slawomir slađana slobodan slobodanka smilla smita sneha snezana snežana sofia sofie sofía sohail solange soledad
    solveig songül sonia sonja sonny sonya soph sophia sophie sophus soraya soren sotirios soufiane spencer spomenka spyros
    srdjan sreten srinivas srđan stacey stacy stan stanislaus stanislav stanislaw stanisław stanka stanko stanley stavros
    stefan stefania stefanie stefanija stefano stefanos steffen steffi steffie stefka stella stellan sten steph stephan
    stephane stephania stephanie stephanus stephany stephen stevan steve steven stevie stewart stig stijn stina stine stipe
    stjepan stoffel stojan storm stuart stöff stöffi suada suat subhash sudhir sue sujata sukhdeep suki suleyman sultan suman
    sumaya suna sunil sunita sunniva suresh suri susan susana susann susanna susanne suse sushila susi susie susle susumu
    suzan suzana suzanne suzette suzie svante svantje svea svein sven sven-erik svenja svetlana swantje swati swetlana sybil
    sybille sydney syed sylke sylvain sylvaine sylvester sylvia sylvie sylwia szabolcs szczepan szilvia szymon sämi sändi
    séamus sébastien séverine sören søren süleyman sławomir tabby tabea tabitha tadeusz tahir taina taiwo takeshi talia taliah
    talitha tallulah tamar tamara tamas tami tamika tamina tammy tamás taner tania tanisha tanita tanja tanner tanvi tanya
    tara tarek tariq tarja taro taryn tarık tash tasha tatiana tatjana tatum tayfun taylan ted teddy temi temitope teo teodor
    teodora teodoro terence teresa terese teresia tereza terje terrence terri terry tess tessa tetiana thabo thaddeus thaddäus
    thalia thandi thandiwe thanh thea theda thekla thelma themba theo theodor theodora theodore theodoros theodosia theofilos
    theophil theres theresa therese theresia thibault thibaut thiemo thierry thies thijs thilda thilo thirza thomas thomasina
    thora thorben thorbjörn thore thorleif thorsten thorwald thula thuy thömu tiago tiana tiara tiberiu tibor tienke tiffany
    tihomir tijana tilda tilde till tilla tillmann tilly tilman tilo tim timea timo timon timotheus timothy timur tina tine
    tinka tino tinu tiphaine tirza titus tiziana tiziano tjark tjorven tobi tobiah tobias tobin toby todd todor toeni tolga
    tolly tolu tom toma tomas tomasso tomasz tomaž tomislav tommaso tommie tommy tomoko toni tonia tonino tonja tonje tony tor
    torben torbjörn tore torge tori torleif torsten tosca toshiko tove tracey traci tracy traudl traugott traute travis treasa
    tresa trev trevor trine trish tristan tristana trixi trixie troels trond trude trudi trudy trygve tugba tuncay tunde turan
    turgay turgut tushar tuğba tyler tyrell tyrone töbi tünde türkan uche uchenna uday udo ueli ugo ugochukwu ugur ujjwal ulf
    uli ulises ulla ulli ulrich ulrik ulrika ulrike ulrikke uma umar umberto umut una undine urban urda uriel urs urschla
    ursel urseli ursi ursin ursina ursula ursulina ursus urszula uschi usha uta ute utz uwe uğur vadim valbona valentin
    valentina valentino valentyna valeria valerie valeriya valeska valmir valmira valon valtteri valère valérie vana vanda
    vandana vanessa varun vasco vasil vasile vasiliki vasilios vasily vedat vedran veera veit veli velimir veljko velma venera
    venetia venus vera verena verenia veronica veronika veronique veselin vesna veton vicente vicki vicky victoire victor
    victoria vida vidya vigdis vijay vikas vikram viktor viktoria viktorija vilhelm vilma vinay vince vincent vincenza
    vincenzo vineet vinicius vinko vinod viola violaine violeta violetta virgil virginia virginie virág visar vishal vishnu
    vitali vitalij vitaliy vito vittoria vittorio vitus viv vivek vivi vivian viviana viviane vivien vivienne vjosa vlad
    vladan vladica vladimir vladimira vladislav vlasta vlatka vlora vojislav vojtech volha volkan volker volkmar volodymyr
    vreneli vreni vroni vulnet véronique wacław wade wahid walburga waldemar waldtraud walid wally walpurga walter walther
    walti waltraud waltraut wanda wanja wassily wastl wayne wei wencke wendelin wendeline wendy wenke wenzel werna werner
    werni wes whitney wibeke wibke wiebke wieland wiesław wiktor wiktoria wilbert wilfred wilfredo wilfrid wilfried wilhelm
    wilhelmina wilhelmine wilko willa willem willemijn willi william willibald willibrord willy wilma wilson wiltrud wim
    winfred winfried winifred winnie winona winrich winston wiola wioletta wisel wisi wito witold wladimir wladyslaw wlodek
    wojciech wojtek wole wolf wolfdieter wolfgang wolfhard wolfi wolfram wout wren wulf wädi władysław xan xandi xandra xaver
    xaverius xaverl xavier xena xenia xhemile xhevdet ximena xin xiomara yaara yael yagmur yahya yakup yan yana yanick yanis
    yann yannick yannik yannis yara yarden yaren yaron yasar yasemin yaser yash yasin yasmin yasmina yasmine yassin yassine
    yasuko yavuz yaël yağmur yaşar yelena yeliz yemi yen yesim yeter yevgeny yeşim yigit yildiz ying yiğit ylber ylva yoko
    yolanda yolande yonas yorick yosef youssef youssra ysabel yuan yuki yuko yulia yuliya yunus yuri yurii yusra yusuf yuval
    yves yvette yvonne yücel zac zach zacharia zacharias zachary zack zafer zahra zaid zaida zainab zak zanele zara zarah
    zarina zbigniew zdenka zdenko zdeněk zdravko zdzisław zed zef zehra zeinab zeke zeki zekiye zelda zeljka zeljko zelma zeno
    zenon zenta zenz zenzi zerrin zeynep zia zilli zina zineb zita ziva zivko zlata zlatan zlatko zoe zoey zofia zohra zoi
    zola zoltan zora zoran zorica zoya zoé zoë zsofia zsuzsa zsuzsanna zuleika zuleikha zuzana zuzanna zvonimir zvonko zygmunt
    züleyha ätti çağlar çiğdem ödön ömer ömür örs özcan özge özgür özlem öznur ümit ünal ünsal đorđe đuro łukasz şahin şebnem
    şenay şule željko živko
    """)

  /// First names that are words too, in German or English: taken for names only beside a surname.
  static let ambiguous = WordList(
    """
    ada adam adel ali alma am amber an angel ann april arda arena aris art arta asta aude august aurora auste austin bart beat
    beda ben benji besa bill birk bo bob bodo bonnie brook brooke buck bud can carla carol carolina cem chance chandra chase
    chelsea christa christian chuck cliff constance cora crispin da daisy dale dallas damian dan dana dawn dean deb delia
    devon dick do dodo don dora dot drew earl easter ebony edi edin edit efe ela else engin erika ernst es esen esra faith
    falk faye fee fides fleur flo flora florence florin fran frank gene georgia german gil glen gloria god grace grant grazia
    gun gus guy hana hank hardy hari harm harry hat hazel heide helle hema herb hias hila hilary holly hope hunter ilona im in
    inka ion ira iris israel ist iva ivy ja jack jade jan jay jaya jean jerry jett jim jo jordan josh joy june kai kay ken
    kiki kim kira kit kito lana lance lasse laurel laurin lee len leo lev libby lin linda linde lis lola lore lotte lou lulu
    luna lynn madison mads malte mandy mara marin marina mario mark mats matty mavis max maxim may meike mel mena mentor
    mercedes mercy merit merle meta mick milan mile miles mimoza mina misty mona nana nat nate nein nell nic nick nik nika
    noel norm norma norman nova okan ole olive omi orlando oscar oya page panagiotis paris pat patience patsy pearl peer penny
    per percy perpetua perry petru phil pier pitt pius poppy prakash prem prudence rada radica rain raj randy ray rea reed
    regula rich rick rima ringo rob robin rod roma roman ron rosa rosario rose rosi roy ruby rune rusty sabah saga said sal
    sam sandy santiago santo savannah scott seth shan shelly shiva sid sienna sigma skip sky so song sonny stanko star stella
    stern stevie storm sue suki sultan summer sun sunny sydney tallulah tamer tanner tara taro tash ted teddy teo terry tess
    tilde till tim tom tone toni tony tor tore tori tosca trip troy ultra una urban val vega venus veton victor vida viktor
    viola violet virgil virginia virginie viv volkan wade war ward wayne wei wes will willow win wo wolf wren xin yan yen zed
    zia zola
    """)
}
