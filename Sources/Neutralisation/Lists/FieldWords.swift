/// Technical words that are not in the dictionaries and are not names: illnesses, medicines, trades. They stay in the text,
/// because a model needs them to understand a letter.
enum FieldWords {
  /// Whether a word is a technical word: by the list, by its ending, or by its last part (`karpaltunnelsyndrom`).
  ///
  /// - Parameter word: In lower case.
  static func contains(_ word: String) -> Bool {
    if known.contains(word)
      || word.utf8.count > 6
        && ["s", "n", "en", "es", "e"].contains(where: { ending in
          word.hasSuffix(ending) && known.contains(String(word.dropLast(ending.count)))
        })
    {
      return true
    }
    guard word.utf8.count >= 7, !Surnames.all.contains(word), !FirstNames.all.contains(word) else {
      return false
    }
    return endings.contains { word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 1 }
      || heads.contains { word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2 }
  }

  /// Whether a word shows that the name before it names an illness or a test: "Raynaud phenomenon", "Lachman test".
  static func isHead(_ word: String) -> Bool {
    headWords.contains(word) || heads.contains { word.hasSuffix($0) }
  }

  /// Whether a word shows that the name after it names an illness: "Morbus Bechterew".
  static func leads(_ word: String) -> Bool { ["morbus", "morbi"].contains(word) }

  /// Whether a word is the label of a secret or an account: `Einmalpasswort`, `API-Key`.
  static func isLabel(_ word: String) -> Bool {
    ["passwort", "kennwort", "password", "schlüssel", "nummer", "nr", "konto"].contains { word.hasSuffix($0) }
      || ["code", "key", "token", "login", "desk"].contains { word == $0 || word.hasSuffix("-" + $0) }
      || ["helpdesk", "zugangscode", "türcode"].contains(word)
  }

  private static let endings = [
    // Illnesses
    "itis", "itiden", "itides", "osis", "oses", "iasis", "ämie", "aemia", "emia", "pathie", "pathien", "pathy",
    "algie", "algien", "algia", "plegie", "plegia", "karzinom", "karzinome", "carcinoma", "sarkom", "sarcoma",
    "adenom", "adenoma", "lymphom", "lymphoma", "melanom", "melanoma", "blastom", "blastoma", "myelom", "myeloma",
    "lipom", "fibrom", "fibroma", "angiom", "hämatom", "haematoma", "hematoma", "glaukom", "glaucoma", "urie", "uria",
    "pnoe", "pnoea", "pnea", "zytose", "cytosis", "penie", "penia", "trophie", "trophy", "plasie", "plasia", "rrhoe",
    "rrhö", "rrhoea", "rrhea", "stenose", "stenosis", "thrombose", "fibrose", "sklerose", "sclerosis", "arthrose",
    "neurose", "psychose", "zirrhose", "cirrhosis", "nekrose", "necrosis", "insuffizienz", "insufficiency", "syndrom",
    "syndroms", "syndrome", "tonie", "kardie", "cardia", "phobie", "phobia", "manie", "mania", "lexie", "lexia",
    "allergie", "kinesie", "kinesia", "ästhesie", "esthesia", "megalie", "megaly", "parese", "paresis", "spasmus",
    "ödem", "oedema", "edema", "infarkt", "ischialgie", "ischämie", "embolie", "embolism", "epilepsie", "epilepsy",
    "neuralgia", "dystonie", "dystrophie", "hernie", "hernia", "ruptur", "läsion", "zyste", "ekzem", "eczema",
    // Examinations and procedures
    "ektomie", "ectomy", "tomie", "otomy", "stomie", "ostomy", "skopie", "scopy", "graphie", "graphy", "plastik",
    "plasty", "zentese", "centesis", "metrie", "metry", "logie", "logy", "therapie", "therapy", "diagnostik",
    "anamnese",
    // Medicines: the stems of international nonproprietary names
    "mycin", "micin", "cillin", "cilline", "zyklin", "cycline", "floxacin", "sulfon", "azol", "azole", "prazol",
    "prazole", "sartan", "statin", "pril", "olol", "dipin", "dipine", "azepam", "azolam", "oxetin", "oxetine",
    "triptan", "triptylin", "triptyline", "tinib", "ciclovir", "gliptin", "gliflozin", "formin", "setron", "caine",
    "barbital", "profen", "fenac", "coxib", "thiazid", "thiazide", "semid", "semide", "parin", "xaban", "gatran",
    "grel", "predniso", "prednisolon", "prednisolone", "cortison", "cortisone", "thyroxin", "thyroxine", "terol",
    "tropium", "lukast", "tirizin", "tirizine", "atadin", "atadine", "peridol", "pridon", "piprazol", "apine", "apin",
    "racetam", "zapin", "amid", "amide", "codein", "codeine", "morphon", "morphone", "fentanyl", "mab", "zumab",
    "ximab",
  ]

  /// The last parts of German compounds that name an illness, a test or a trade.
  private static let heads = [
    "syndrom", "krankheit", "thyreoiditis", "demenz", "zyste", "fraktur", "reflex", "tumor", "lymphom", "phänomen",
    "zeichen", "test", "kontraktur", "anämie", "ulkus", "ulcus", "klappe", "operation", "schiene", "mechaniker",
    "mechanikerin", "mechatroniker", "mechatronikerin", "elektroniker", "elektronikerin", "installateur",
    "installateurin", "schlosser", "schlosserin", "fahrer", "fahrerin", "fachfrau", "fachmann", "fachkraft",
    "kauffrau", "kaufmann", "zeichner", "zeichnerin", "laborant", "laborantin", "pharma-assistentin",
  ]

  private static let headWords = WordList(
    """
    syndrom syndrome krankheit disease disorder phänomen phenomenon test sign zeichen reflex manoeuvre maneuver thyreoiditis thyroiditis demenz
    dementia lymphom lymphoma fraktur fracture kontraktur contracture zyste cyst oesophagus esophagus palsy paralysis chorea ataxia ataxie
    anaemia anemia stadium stage score skala scale index klassifikation classification schiene naht knoten
    """)

  static let eponyms = WordList(
    """
    alzheimer alzheimers parkinson parkinsons crohn crohns basedow bechterew asperger aspergers tourette hashimoto hashimotos hodgkin hodgkins ménière meniere
    menière addison addisons cushing cushings raynaud raynauds scheuermann dupuytren huntington huntingtons marfan sjögren sjogren sjögrens
    guillain-barré barré creutzfeldt-jakob kaposi wernicke korsakow korsakoff romberg babinski lachman lasègue lasegue doppler holter apgar
    glasgow broca trendelenburg kernig brudzinski barrett barretts bell's graves wegener kawasaki klinefelter down-syndrom epstein-barr pfeiffer
    """)

  private static let known = WordList(
    """
    hypertonie hypotonie apoplex apoplexie adipositas diabetes tinnitus vertigo asthma demenz depression migräne angina sepsis sepsen herpes
    rosazea rosacea psoriasis neurodermitis ekzem eczema urtikaria skabies scabies zöliakie coeliac celiac gicht gout rheuma lumbago ischias
    sciatica hernie hernia skoliose scoliosis osteoporose ileus ulkus ulcus polypen zyste zysten katarakt cataract glaukom strabismus myopie
    hyperopie presbyopie anämie leukämie hämophilie thrombose embolie aneurysma varizen hämorrhoiden infarkt infarction vorhofflimmern fibrillation
    tachykardie bradykardie arrhythmie extrasystolen dyspnoe apnoe pneumonie bronchitis copd tbc tuberkulose influenza grippe covid corona masern
    röteln mumps windpocken varizellen scharlach pertussis diphtherie tetanus poliomyelitis malaria borreliose lyme fsme hepatitis hiv aids syphilis
    gonorrhoe chlamydien candida soor mykose epilepsie parkinsonoid tremor ataxie parese plegie aphasie dysphagie stroke adhs adhd autismus
    schizophrenie psychose neurose anorexie bulimie borderline burnout tonsillen meniskus bandscheibe prolaps karies parodontitis gingivitis
    befund befunde anamnese epikrise visite diagnose diagnosen prognose sonographie sono mri mrt ekg eeg ct labor blutbild kreatinin
    cholesterin triglyceride troponin ferritin hba1c tsh ana crp inr quick bradykinesia dystonia hypertension hypotension oedema
    dafalgan novalgin voltaren aspirin aspirine ibuprofen paracetamol panadol tylenol metamizol diclofenac tramadol tilidin morphin morphine marcoumar
    xarelto eliquis pradaxa plavix euthyrox eltroxin pantoloc pantozol nexium omeprazol ramipril bisoprolol metoprolol concor belok amlodipin amlodipine
    torasemid lasix hct metformin insulin lantus ozempic januvia simvastatin atorvastatin allopurinol colchicin prednison prednisolon cortison
    cetirizin zyrtec loratadin salbutamol ventolin symbicort seretide spiriva ritalin concerta sertralin citalopram fluoxetin mirtazapin
    quetiapin risperidon lorazepam temesta diazepam valium zolpidem stilnox amoxicillin augmentin penicillin clavulan ciprofloxacin doxycyclin
    metronidazol metronidazole nystatin aciclovir tamiflu heparin clexane fragmin digoxin nitroglycerin levothyroxin levothyroxine nifedipine benazepril
    mechatroniker mechatronikerin mechaniker mechanikerin spengler spenglerin sanitär sanitärinstallateur schreiner schreinerin schlosser zimmermann
    zimmerin polymechaniker automatiker elektroinstallateur elektriker installateur heizungsmonteur lüftungsmonteur anlagenmechaniker maurer gipser
    gipserin stuckateur maler malerin lackierer plattenleger fliesenleger bodenleger dachdecker gerüstbauer metallbauer schweißer schweisser dreher
    fräser zerspanungsmechaniker landmaschinenmechaniker karosseriespengler kfz-mechatroniker logistiker lagerist disponent chauffeur kranführer
    staplerfahrer bäcker konditor metzger fleischer koch köchin kellner servicefachfrau coiffeur coiffeuse friseur friseurin kosmetikerin podologe podologin
    fusspflegerin fußpflegerin hebamme logopäde logopädin ergotherapeutin physiotherapeut physiotherapeutin osteopath drogist drogistin optiker
    augenoptiker hörakustiker zahntechniker dentalhygienikerin mpa fage kauffrau kaufmann kv-lehrling informatiker mediamatiker polygraf grafiker
    floristin florist landwirt winzer imker forstwart gärtner landschaftsgärtner tierpfleger hufschmied sattler schuhmacher uhrmacher goldschmied
    plumber joiner roofer glazier bricklayer plasterer tiler welder fitter machinist millwright upholsterer farrier thatcher stonemason
    phlebotomist radiographer paramedic midwife physio chiropodist podiatrist optometrist dietitian
    """)
}
