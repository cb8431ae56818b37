/// First names that are common in Germany, Austria, Switzerland, the United Kingdom and the United States, among them those
/// of people whose families came from elsewhere. Written for this project; no list of others was copied.
enum FirstNames {
  static let all = WordList(
    """
    aaron abdul abdullah abigail achim ada adam adela adele adelheid adelina adnan adrian adriana adriano agata agatha agnes
    agnieszka ahmad ahmed aida aiko aileen aisha alain alan alana albert alberta alberto albrecht aldo alejandra alejandro
    alena alessandra alessandro alessia alessio alex alexa alexander alexandra alexandre alexandru alexia alexis alfons
    alfred alfredo ali alice alicia alina alison alissa aliyah allan allen allison alma alois aloisia altay alva alvin alwin
    amalia amanda amar amara amber amelia amelie amin amina amir amira amy ana anastasia anatol andre andrea andreas andreea
    andrei andrej andres andrew andrin andrzej andy anette angel angela angelika angelina angelo angus anika anina anita anja
    anke ann anna annabel annabelle annalena anne annegret anneke anneliese annelore annemarie annette annie annika annina
    ansgar anthony antje antoine anton antonella antonia antonio anuschka arash ariana arianna ariel arif arjun armin arnd arne
    arno arnold aron arthur arturo arvid asha ashley aslan asli astrid athena aubrey audrey august augusta auguste augustin
    aurel aurelia aurora ava aydin ayla ayse aysegül ayşe babette barbara barry bartosz basil bastian bea beat beata beate
    beatrice beatrix beatriz becky bela belinda ben benedict benedikt benjamin bennet benno bente berit bernadette bernard
    bernd bernhard bert berta bertha berthold bertram bettina betty beverly bianca bilal bill billy birgit birgitta birte björn
    blanca blanka blerim bodo bogdan bonnie boris brad bradley branko brenda brendan brian brianna brigitta brigitte britta
    brooke bruce brunhilde bruno bryan burak burkhard caitlin calvin cameron camilla camille can cara carina carl carla carlo
    carlos carly carmen carol carola carolin carolina caroline carolyn carsten casper cassandra catalina caterina catharina
    catherine cathleen cathrin catrin cecile cecilia cedric celia celina celine cemal chantal charles charlie charlotte chelsea
    cheryl chiara chloe chris christa christel christiaan christian christiana christiane christin christina christine christof
    christoph christopher cindy claas claire clara clarissa claude claudia claudine claudio clayton clemens clement cleo clifford
    colette colin conny conrad constantin constanze cora cordula corina corinna corinne cornelia cornelius corsin courtney craig
    cristian cristiano cristina curtis cynthia cyril dagmar daisy damian damien damir dan dana daniel daniela daniele daniella
    danielle danilo danny dara daria dario darko darren dave david davide davina dawn dean deborah debra deepak denise dennis denny
    derek deniz derya desiree detlef detlev diana diane didier diego dieter dietmar dietrich dilara dimitri dina dino dirk dominic
    dominik dominika dominique donald donna dora doreen doris dorit dorota dorothea dorothee dorothy douglas dragan duncan dustin
    dylan ebru eckart eckhard edda eddie edeltraud edgar edith edmund eduard eduardo edward edwin egon eileen ekkehard elaine elea
    eleanor elena eleni eleonora eleonore elfriede elham elia elias elif elina elio elisa elisabeta elisabeth elise elizabeth elke
    ella ellen elli ellie elmar elsa elsbeth else elvira emanuel emel emerson emil emilia emilie emily emine emma emmanuel emre
    enrico enrique enzo erdem eren erhard eric erica erich erik erika erin erkan erna ernestine erwin esma esra esther ethan eugen
    eugenia eva evan evangelos eveline evelyn evelyne ewa ewald fabian fabiana fabienne fabio fabrice fabrizio fadi faith fanny fatih
    fatima fatma fatmir federica federico felicia felicitas felix ferdi ferdinand ferenc fernanda fernando filip filippo finja finley
    finn fiona flavia flavio flora florence florentina florian florin flurin franca frances francesca francesco francine francis
    francisco franco francois françois frank franka franz franziska fred freda freddie frederic frederick frederik fredi freya
    frida frieda friedemann friederike friedhelm friedrich fritz gabor gabriel gabriela gabriele gabriella gaby gareth gary gavin
    gebhard geert gemma genevieve geoffrey georg george georgia georgina georgios gerald geraldine gerard gerd gereon gerhard gerlinde
    gernot gerold gerrit gerta gertraud gertrud gesa gesine gian gianluca gianna gianni giovanna giovanni gisela giulia giuliana
    giuseppe gloria gordon goran götz grace graham gregor gregory greta gretchen gretel grzegorz gudrun guido guillaume gunda gundula
    gunnar gunter gunther gustav günter günther hadi hagen hakan halil hamid hamza hana hanna hannah hannelore hannes hans hansjörg
    hansjürg hanspeter hansruedi hansueli harald harriet harry hartmut hartwig harvey hasan hassan hayden hazel heather hector hedi
    hedwig heide heidemarie heidi heidrun heike heiko heiner heinrich heinz helen helena helene helga helge hella hellmut helmut
    helmuth henning henny henri henriette henrik henry herbert heribert hermann hermine herta hilary hilda hilde hildegard hiltrud
    hiroshi hollie holly horst howard hubert hubertus hugh hugo huseyin hüseyin ian ibrahim ida ignaz igor ilaria ildiko ilker ilona
    ilse imke imran ina ines inga inge ingeborg ingo ingrid inka ioana ira iren irena irene irina iris irma irmgard isaac isabel
    isabell isabella isabelle isidor isla ismail ivan ivana ivo ivonne iwan iwona izabela jaap jack jackie jacob jacqueline jacques
    jaden jadwiga jakob jakub jamal james jamie jan jana jane janet janina janine janis jannik jannis janosch jared jaroslav jasmin
    jasmina jasmine jason javier jayden jean jeanette jeanine jeanne jeannine jeff jeffrey jelena jenna jennifer jenny jens jeremias
    jeremy jerome jerry jesse jessica jessie jill jim jimmy jing joachim joana joanna joanne joao jochen jodie joe joel joelle joerg
    johan johann johanna johannes john johnny jolanda jolanta jon jonah jonas jonathan jordan jorge jork josef josefina josefine joseph
    josephine josh joshua josip jost joyce juan juanita judith judy julia julian juliana juliane julie julien juliet juliette julius
    jusuf justin justina justine jutta jörg jörn jürg jürgen kai kaja kamal kamil karen karim karin karina karl karla karlheinz karolin
    karolina karoline karsten karthik kaspar katarina katarzyna kate katerina katharina katherine kathleen kathrin kathryn kathy katie
    katja katrin kay keith kelly kelsey kemal ken kenneth kenny kerim kerstin kevin khadija khalid khaled kilian kim kimberly kirsten
    kirstin klara klaudia klaus knut konrad konstantin kordula korbinian kristian kristin kristina kristine kristof krystyna krzysztof
    kunigunde kurt kyle lars lara larissa larry laszlo laura laurel lauren laurent laurenz laurie laurin lavinia lawrence layla lea
    leah leander leandra leandro lee leif leila lelia lena leni lennard lennart lennox leo leon leona leonard leonardo leonhard leonie
    leonora leopold leroy lesley leslie leticia levin lewis lia liam liana liane lidia lieselotte lilian liliana lilith lilli lillian
    lilly lily lina linda lindsay lindsey linnea linus lionel lisa lisbeth liselotte livia livio liz lloyd logan lola lorena lorenz
    lorenzo loretta lori lothar lotta lotte lou louis louisa louise luc luca lucas lucia lucian luciano lucie lucien lucinda lucy ludger
    ludmila ludwig luigi luis luisa luise lukas luke luna lutz luzia lydia lynn mabel maddalena madeleine madison magda magdalena maged
    magnus mahmoud maik maike maja malik malin malina malte malwine mandy manfred manuel manuela mara marc marcel marcela marcello marcia
    marcin marco marcos marcus maren margaret margareta margarete margarethe margarita margaux margit margot margret margrit maria mariam
    marian mariana marianna marianne marie marija marika marike marina mario marion marisa marit marita marius mariusz marjorie marko
    markus marla marleen marlen marlene marlies marlis marlon marta martha marthe martin martina marvin mary maryam mateo mateusz mathias
    mathilda mathilde mathis matilda matteo matthew matthias matthäus mattia matthieu maura maureen maurice mauricio maurizio mauro max
    maxim maxime maximilian maya meera megan mehmed mehmet meike meinrad melanie melina melinda melissa melvin mercedes meret merle merlin
    merve meryem mia micha michael michaela michal michel michela michele michelle miguel mika mikael mike mikhail mila milan milena milica
    mina mira miranda mirco mireille mirella mirela miriam mirja mirjam mirko miroslav mirosław mirosława mohamed mohammad mohammed moira
    molly mona monica monika monique morgan moritz mostafa muhammad muhammed muriel murat musa mustafa myriam nabil nadia nadine nadja nancy
    naomi nariman nasrin natalia natalie natascha natasha nathalie nathan nathaniel neele neil nele nelly nelson nena nevio niamh nicholas
    nick nico nicola nicolas nicole nicoletta niels nigel niki nikita niklas niklaus nikola nikolai nikolas nikolaus nikos nils nina nino
    noah noam noel noelle noemi nora norbert noreen norma norman nour nuria ole oleg olena olga oliver olivia olivier ollie omar ophelia
    orlando orsolya oscar oskar osman oswald otmar otto ottilie owen özlem ömer pablo paige pamela paola paolo pascal pasquale patric patricia
    patrick patrik patrizia patrycja paul paula paulina pauline pavel pawel pawel pedro peggy penelope per percy petar peter petr petra
    philip philipp philippa philippe phillip phoebe phyllis pia pierre pietro pilar pinar piotr pirmin priska priya quentin rachel rafael
    rafaela rafal rahel rainer raisa raj rajesh ralf ralph ramon ramona randy raphael raphaela rashid ravi raymond rebecca rebekka regina
    regine regula reimund reiner reinhard reinhardt reinhold remo renata renate rene renee reto rhea ricarda riccardo richard rick ricky
    rico rita robert roberta roberto robin rocco rodney rodrigo roger roland rolf roman romana romano romeo romina romy ronald ronja ronny
    rosa rosalie rosalind rosalinde rosanna rosario rosemarie rosemary rosina rosmarie ross roswitha roxana roy ruben rudi rudolf ruedi
    rufus rupert russell ruth ryan sabina sabine sabrina sacha said salome salvatore sally sam samantha sami samir samira samuel samuele
    sandra sandro sandy sanja santiago sara sarah sascha saskia sean sebastian sebastiano sedat selin selina selma senta serafina serena serge
    sergej sergey sergio severin shane shannon sharon shaun shawn sheila shelley shirin shirley sibylle sidney sidonia siegbert siegfried
    sieglinde siegmund sigrid sigrun silas silja silke silvan silvana silvia silvio simeon simon simona simone sina sinan slavica slobodan
    sofia sofie sonja sonya sophia sophie soraya spencer stacey stacy stan stanislav stanislaw stefan stefania stefanie stefano steffen steffi
    stella stephan stephane stephanie stephen steve steven stewart stijn stuart sue suleyman susan susana susann susanna susanne suse suzanne
    suzana svea sven svenja svetlana swantje sybille sydney sylvia sylvie sylwia tabea tabitha tamara tami tamina tania tanja tanya tara tarek
    tariq tatiana tatjana ted teodor teresa terence terry tessa thea theo theodor theodora theodore theres theresa therese theresia thierry
    thilo thomas thorben thorsten tibor tiffany till tilman tilo tim timea timo timon timothy tina tino tiziana tiziano tobias tobin toby
    todd tom tomas tomasz tommaso tommy toni tony torben torsten traudl traute travis trevor tristan trudi tracy tyler ueli uli ulla ulrich
    ulrika ulrike ulf umberto urban urs urschla ursina ursula uschi ute uta uwe valentin valentina valentino valeria valerie vanessa vasilios
    vera verena veronica veronika veronique vesna vicky victor victoria vijay viktor viktoria vincent vincenzo viola violetta virginia vishal
    vito vittoria vivian viviane vivien vivienne vladimir vladislav volker volkmar vreni wade waldemar walter walther waltraud wanda wayne
    wendy wenzel werner whitney wibke wiebke wieland wilfried wilhelm wilhelmine wilhelmina william willi willibald willy wilma winfried
    wladimir wolf wolfgang wolfram wout xaver xavier yael yannick yannik yara yasemin yasin yasmin yasmine yolanda youssef yuki yuliya yusuf
    yves yvette yvonne zacharias zachary céline andré rené renée hélène zoé zoë chloé léa noé loïc mélanie jérôme benoît
    véronique gérard josé jesús sofía martín siân siobhan sinead aoife saoirse priya zara zeki zeno zeynep zita zlatko zoe zoltan zora zsofia zuzana
    """)

  /// First names that are words too, in German or English: taken for names only beside a surname.
  static let ambiguous = WordList(
    """
    will mark rose may april june august art bill bob dick drew frank faith hope grace joy iris jack jean lee max page pat patience penny
    ray rich rob rod ruby sandy sky star summer sue tanner victor violet wade ward willow dawn dean earl ernst rosa viola till wolf per
    kai ole ada lotte flora aurora gloria virginia georgia sydney paris florence jordan austin dallas madison carolina chelsea chance
    christian angel lou linda carol daisy holly ivy olive pearl rusty skip chase grant hunter mercedes bonnie brook brooke can jim urban
    merle mona hazel heide linde erika malte leo luna nova stern tim dan don gene guy hank harry herb jerry josh marina miles norm oscar
    percy reed robin roy sam scott stella terry tom tony trip troy wayne ann cora dora christa arena german roman norman ben bud ira
    an am im do in so es da wo ist hat war ja nein
    """)
}
