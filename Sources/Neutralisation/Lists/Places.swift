/// Larger places of Germany, Austria and Switzerland: behind a number of four or five digits they make it a postal code.
enum Places {
  static let all = WordList(
    """
    zürich zuerich genf genève geneve basel lausanne bern winterthur luzern gallen lugano biel bienne thun bellinzona köniz freiburg fribourg schaffhausen
    chur sitten sion uster vernier lancy emmen neuenburg neuchâtel rapperswil dübendorf dietikon montreux frauenfeld wetzikon baar riehen wil wädenswil
    carouge kreuzlingen zug aarau bülach adliswil volketswil regensdorf thalwil muttenz wettingen allschwil olten solothurn baden herisau stäfa horgen
    kloten burgdorf langenthal arbon gossau wohlen spiez brugg zofingen lenzburg liestal pratteln schwyz altdorf sarnen stans glarus davos locarno
    interlaken romanshorn weinfelden amriswil küsnacht meilen opfikon wallisellen cham steinhausen kriens sursee sissach rheinfelden visp brig martigny
    wien graz linz salzburg innsbruck klagenfurt villach wels pölten dornbirn steyr feldkirch bregenz leonding klosterneuburg baden wolfsberg leoben krems
    traun amstetten lustenau kapfenberg mödling hallein kufstein traiskirchen schwechat
    berlin hamburg münchen muenchen köln koeln frankfurt stuttgart düsseldorf duesseldorf leipzig dortmund essen bremen dresden hannover nürnberg duisburg
    bochum wuppertal bielefeld bonn münster mannheim karlsruhe augsburg wiesbaden mönchengladbach gelsenkirchen aachen braunschweig chemnitz kiel halle
    magdeburg freiburg krefeld mainz lübeck erfurt oberhausen rostock kassel hagen potsdam saarbrücken hamm ludwigshafen oldenburg mülheim osnabrück
    leverkusen darmstadt heidelberg solingen herne regensburg paderborn ingolstadt offenbach fürth würzburg ulm heilbronn pforzheim wolfsburg göttingen
    bottrop reutlingen koblenz bremerhaven recklinghausen erlangen bergisch jena remscheid trier salzgitter moers siegen hildesheim cottbus gütersloh
    kaiserslautern witten hanau schwerin gera esslingen ludwigsburg iserlohn düren tübingen zwickau flensburg giessen gießen ratingen lünen villingen konstanz
    marl worms minden velbert norderstedt bamberg dessau viersen marburg rheine gladbeck lüneburg wilhelmshaven dorsten troisdorf bayreuth detmold arnsberg
    castrop lüdenscheid landshut brandenburg kempten aschaffenburg passau rosenheim neuss singen lindau lörrach ravensburg friedrichshafen
    """)
}
