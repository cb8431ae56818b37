"""Recognition of personal data: precision and recall per kind, beside Presidio's recognisers and scrubadub.

Usage: neutralise.py SOUS [LETTERS] [--markdown]

`--markdown` prints the table of docs/privacy.md; `SHOW=1` in the environment shows what was missed.

The letters come from this file's own generator, which knows nothing of the lists and rules of Sous: half of the names are
invented. A place counts as found where it is replaced as a whole; what is replaced and was not planted counts against
precision. Peers that are not installed are left out (`pip install presidio-analyzer scrubadub`). Presidio runs its pattern
recognisers for these countries, with the words beside a match as context over a blank pipeline of spaCy: its names need a
model of spaCy, which is no package of PyPI. scrubadub runs its defaults.
"""
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
import time

logging.disable(logging.CRITICAL)
markdown = "--markdown" in sys.argv
arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
sous, count = arguments[0], int(arguments[1]) if len(arguments) > 1 else 300
rng = random.Random(20261123)
KNOWN = {
    "de": (["Sabine", "Thomas", "Renate", "Jürgen", "Leonie", "Murat"], ["Wagner", "Schulz", "Hoffmann", "Yıldız", "Krüger", "Neumann"]),
    "ch": (["Regula", "Beat", "Ladina", "Reto", "Céline", "Urs"], ["Bühlmann", "Zgraggen", "Hunziker", "Rochat", "Bernasconi", "Odermatt"]),
    "en": (["Emily", "Jack", "Priya", "Oliver", "Siobhan", "Marcus"], ["Harrison", "Okafor", "Whitfield", "Patel", "Thornton", "Baker"]),
}
STARTS = "Bral Chen Dorv Elk Fenn Gosp Hruk Ivl Jask Krem Lund Morv Nix Orl Prand Quill Rask Stolv Tarn Ulv Vask Wrent Zald".split()
MIDDLES = "a e i o u ara eni osi uri".split()
ENDS = "bek dan fer gon hart kin lich mar nik ros sen tov wick".split()


def invented():
    return rng.choice(STARTS) + rng.choice(MIDDLES) + rng.choice(ENDS)


def digits(n):
    return "".join(rng.choice("0123456789") for _ in range(n))


def iban(country, account):
    rest = int("".join(str(int(c, 36)) for c in account + country + "00")) % 97
    text = f"{country}{98 - rest:02d}{account}"
    return " ".join(text[i:i + 4] for i in range(0, len(text), 4)) if rng.random() < 0.5 else text


def luhn(prefix, length):
    body = prefix + digits(length - len(prefix) - 1)
    total = sum(d if i % 2 else (d * 2 - 9 if d > 4 else d * 2) for i, d in enumerate(map(int, reversed(body))))
    text = body + str(-total % 10)
    return " ".join(text[i:i + 4] for i in range(0, length, 4))


def ahv():
    body = "756" + digits(9)
    check = -sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(body)) % 10
    text = body + str(check)
    return f"{text[:3]}.{text[3:7]}.{text[7:11]}.{text[11:]}"


class Letter:
    """Text in pieces; what is planted remembers where it stands."""

    def __init__(self):
        self.text, self.spans = "", []

    def add(self, *parts):
        for part in parts:
            if isinstance(part, tuple):
                self.spans.append((len(self.text), len(self.text) + len(part[1]), part[0]))
                part = part[1]
            self.text += part
        return self


def person(lang):
    firsts, lasts = KNOWN[lang]
    return (rng.choice(firsts), rng.choice(lasts)) if rng.random() < 0.5 else (invented(), invented())


def german(lang):
    letter, (f, l), (rf, rl), (of, ol) = Letter(), person(lang), person(lang), person(lang)
    swiss = lang == "ch"
    firm = invented() + rng.choice([" AG", " GmbH", " & Co. KG", " Consulting GmbH"])
    street = invented() + rng.choice(["strasse" if swiss else "straße", "weg", "platz", "gasse"]) + " " + str(rng.randint(1, 99))
    town = (str(rng.randint(1000, 9658)) if swiss else digits(5).replace("0", "1")) + " " + (
        rng.choice(["Winterthur", "Chur", "Thun"]) if swiss else rng.choice(["Kassel", "Bremen", "Ulm"]))
    phone = rng.choice([f"+41 {rng.choice(['44', '31', '79'])} {digits(3)} {digits(2)} {digits(2)}", f"0{rng.choice(['44', '61', '78'])} {digits(3)} {digits(2)} {digits(2)}"]
                       if swiss else [f"+49 {rng.choice(['40', '89', '351'])} {rng.randint(2, 9)}{digits(6)}", f"0{rng.randint(151, 179)} {rng.randint(1, 9)}{digits(6)}"])
    letter.add(("person", f"{f} {l}"), "\n", ("address", street), "\n", ("address", town), "\n\n")
    letter.add(*rng.choice([
        ("Sehr geehrter Herr ", ("person", rl), ",\n\n"), ("Sehr geehrte Frau Dr. ", ("person", rl), ",\n\n"), ("Hallo ", ("person", f"{rf} {rl}"), ",\n\n"),
        ("Liebe ", ("person", rf), "\n\n")]))
    letter.add(*rng.choice([
        ("Am Montag, 4. November 2024 habe ich mit ", ("person", f"{of} {ol}"), " über den Vertrag gesprochen. Die Frist endet in 14 Tagen. "),
        ("Herr ", ("person", ol), " hat die Unterlagen am 03.05.2024 erhalten; das Projekt kostet 12'500 Franken. "),
        ("Bitte senden Sie die Rechnung 2024-118 über 1.480,00 EUR an unsere Nachbarin Frau ", ("person", f"{of} {ol}"), ". ")]))
    letter.add("Die ", ("organisation", firm), " ist informiert. ")
    letter.add(*rng.choice([("Geboren bin ich am ",), ("Mein Geburtsdatum ist der ",), ("geb. ",)]))
    letter.add(("birthdate", f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1945, 2004)}"), ". ")
    if swiss:
        letter.add("AHV-Nummer: ", ("ahv", ahv()), ", IBAN: ", ("iban", iban("CH", digits(17))), ". UID ", ("tax", f"CHE-{digits(3)}.{digits(3)}.{digits(3)}"), ".\n")
    else:
        letter.add("IBAN: ", ("iban", iban("DE", digits(18))), ", Steuernummer ", ("tax", f"{digits(2)}/{digits(3)}/{digits(5)}"), ", USt-IdNr. ", ("tax", "DE" + digits(9)), ".\n")
    letter.add("Erreichbar unter ", ("phone", phone), " oder ", ("email", f"{f}.{l}@{invented()}.example.org".lower()), ", siehe ", ("url", f"https://www.{invented().lower()}.example.org/konto"), ".\n")
    letter.add("Die Karte ", ("card", luhn("4", 16)), " ist gesperrt; der Zugriff kam von ", ("ip", f"172.16.{rng.randint(0, 255)}.{rng.randint(1, 254)}"), ".\n\n")
    letter.add(rng.choice(["Mit freundlichen Grüssen", "Freundliche Grüsse"] if swiss else ["Mit freundlichen Grüßen", "Herzliche Grüße"]), "\n\n", ("person", f"{f} {l}"), "\nAbteilung Einkauf\n")
    return letter


def english():
    letter, (f, l), (rf, rl), (of, ol) = Letter(), person("en"), person("en"), person("en")
    firm = invented() + rng.choice([" Ltd", " Inc.", " LLP", " Group plc"])
    letter.add(*rng.choice([("Dear Mrs ", ("person", rl), ",\n\n"), ("Hi ", ("person", rf), ",\n\n"), ("Dear ", ("person", f"{rf} {rl}"), ",\n\n")]))
    letter.add(*rng.choice([
        ("Following our meeting on 12 March 2024, ", ("person", f"{of} {ol}"), " will send the report by Friday. "),
        ("Please forward this to Mr ", ("person", ol), ", who manages invoice 4471 over £1,250.00. "),
        ("My husband ", ("person", of), " opened the claim in Room 12 last week. ")]))
    letter.add("We are a client of ", ("organisation", firm), ". I was born on ", ("birthdate", f"{rng.randint(1, 28)} {rng.choice(['May', 'June', 'October'])} {rng.randint(1945, 2004)}"), " and live at ")
    letter.add(("address", f"{rng.randint(1, 220)} {invented()} {rng.choice(['Road', 'Street', 'Avenue', 'Lane'])}"), ", ", ("address", f"Leeds LS{rng.randint(1, 9)} {rng.randint(1, 9)}AB"), ". ")
    letter.add("Reach me on ", ("phone", rng.choice([f"+44 113 {digits(3)} {digits(4)}", f"07{digits(3)} {digits(6)}", f"({rng.randint(201, 989)}) {rng.randint(200, 999)}-{digits(4)}"])), " or ", ("email", f"{f}{rng.randint(1, 99)}@{invented()}.example.org".lower()), ". ")
    letter.add("NI ", ("social_insurance", f"AB {digits(2)} {digits(2)} {digits(2)} C"), ", IBAN ", ("iban", iban("GB", "NWBK" + digits(14))), ", card ", ("card", luhn("5", 16)), ". ")
    letter.add("Portal: ", ("url", f"http://{invented().lower()}.example.org/login?u=1"), " from ", ("ip", f"10.0.{rng.randint(0, 255)}.{rng.randint(1, 254)}"), ".\n\n")
    letter.add(rng.choice(["Kind regards,", "Best wishes,", "Yours sincerely,"]), "\n", ("person", f"{f} {l}"), "\n")
    return letter


def paper(lang):
    """What people copy together: forms, talks, tables, notes about somebody; the numbers of papers."""
    letter, english, swiss = Letter(), lang == "en", lang == "ch"
    (f, l), (rf, rl), (of, ol), (tf, tl) = person(lang), person(lang), person(lang), person(lang)
    date = f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1945, 2004)}"
    if english:
        phone = rng.choice([f"020 {rng.randint(3000, 8999)} {digits(4)}", f"{rng.randint(201, 989)}-{rng.randint(200, 999)}-{digits(4)}"])
        street, town = f"{rng.randint(1, 90)} {invented()} {rng.choice(['Court', 'Hill', 'Crescent'])}", f"{invented()} {rng.choice(['M', 'B', 'LS'])}{rng.randint(1, 9)} {rng.randint(1, 9)}AB"
        plate = f"{rng.choice(['BD', 'LK', 'AV'])}{rng.randint(10, 73)} {rng.choice(['XYZ', 'CLM', 'BTW'])}"
    else:
        phone = f"0{rng.randint(76, 79)} {digits(3)} {digits(2)} {digits(2)}" if swiss else f"0{rng.randint(151, 179)}/{rng.randint(1, 9)}{digits(6)}"
        street = f"{invented()}{rng.choice(['acker', 'halde', 'weg'])} {rng.randint(1, 90)}"
        town = f"{rng.randint(3000, 9658) if swiss else rng.randint(10000, 99999)} {invented()}"
        plate = f"{rng.choice(['ZH', 'BE', 'AG'])} {rng.randint(1000, 999999)}" if swiss else f"{rng.choice(['M', 'HH', 'KA'])}-{rng.choice('ABCX')}{rng.choice('KLMN')} {rng.randint(10, 9999)}"
    say = (lambda german, text: text) if english else (lambda german, text: german)
    form = rng.randrange(4)
    if form == 0:
        letter.add(say("Betreff: Akte ", "Subject: File "), ("person", f"{rf} {rl}"), "\n\n", say("Geschädigter: ", "Victim: "), ("person", f"{f} {l}"), ", ", ("birthdate", date), ", ", ("address", street), ", ", ("address", town), "\n")
        letter.add(say("Zeuge: ", "Witness: "), ("person", f"{of} {ol}"), say(", Telefon ", ", phone "), ("phone", phone), "\n", say("Das Fahrzeug mit dem Kennzeichen ", "The car, registration "), ("id_number", plate), say(" gehört ihm. ", ", is his. "))
        letter.add(("person", ol), say(" bestreitet das.\n", " denies it.\n"))
    elif form == 1:
        letter.add("[9:10] ", ("person", f), ": ", say("Reisepass Nr. ", "Passport number "), ("id_number", f"C{digits(2)}H{digits(5)}"), "\n[9:12] ", ("person", rf), ": ", say("Kundennummer ", "customer number "), ("id_number", digits(8)), "\n[9:13] ", ("person", f), ": ")
        letter.add(say("Kommt ", "Is "), ("person", tf), say(" auch?\n", " coming?\n"), "[9:14] ", ("person", rf), ": ", say("Laut ", "Ask "), ("person", f"{of} {ol}"), say(" ja.\n", " first.\n"))
    elif form == 2:
        letter.add(say("| Nr | Teilnehmer | Telefon |\n|---|---|---|\n", "| No | Participant | Phone |\n|---|---|---|\n"))
        for number, (first, last) in enumerate([(f, l), (rf, rl), (of, ol)], 1):
            letter.add(f"| {number} | ", ("person", f"{first} {last}"), " | ", ("phone", phone), " |\n")
        letter.add(say("\nEntschuldigt: ", "\nApologies: "), ("person", tl), ", ", ("person", f"{rf[0]}. {rl}"), "\n", say("Neue Anschrift: ", "New address: "), ("address", street), ", ", ("address", town), "\n")
    else:
        letter.add(say("Guten Morgen ", "Morning "), ("person", f), say(", kannst du bitte ", ", could you call "), ("person", f"{rf} {rl}"), say(" zurückrufen (", " back on "), ("phone", phone), say(")? ", "? "))
        letter.add(say("Laut Frau ", "According to Ms "), ("person", ol), say(" wartet auch die ", ", so is "), ("organisation", f"{invented()} {say('AG', 'Ltd')}"), ". ", say("Danke, ", "Thanks, "), ("person", tf), "\n")
    return letter


# Written by hand before the first measurement and never looked at while rules were written: data between « and ».
HELD_OUT = """
Guten Morgen zusammen, kurze Info: «person|Torvald Immisch» fällt heute aus, «person|Nele» übernimmt seine Schicht. Wer Fragen hat, ruft bitte die Zentrale an («phone|052 224 77 10»). Der Lieferwagen steht am «address|Lagerhausweg 7» in «address|8400 Winterthur». Gruss «person|Fredi»
---
Protokoll der Sitzung vom 14. Mai. Anwesend: «person|A. Brügger», «person|Mirjam Leupi», «person|Okonkwo». Entschuldigt: Dr. «person|Haslinger». Die «organisation|Haslinger Immobilien AG» kündigt den Vertrag per 30. September. Nächste Sitzung: Dienstag, 10 Uhr, Raum 3.
---
Betreff: Ihr Schadenfall Nr. 88-2214. Sehr geehrte Damen und Herren, mein Sohn «person|Lionel», geboren am «birthdate|2.7.2012», ist am 3. März mit dem Velo gestürzt. Die Behandlung im «organisation|Kantonsspital Aarau» kostete 812.40 Franken. Bitte überweisen Sie auf «iban|CH5604835012345678009». «person|Jasmin Achermann-Vogt», «address|Oberdorfstrasse 19», «address|5033 Buchs»
---
Hey «person|Bex», are you still up for Thursday? «person|Dominic» says the table is booked under Whitmore. If you get lost ring me on «phone|07700 900 318». x «person|Tash»
---
To whom it may concern: this is to confirm that Ms «person|Adaeze Nwosu» (DOB «birthdate|1989-04-23», NI «social_insurance|QQ123456C») has been employed by «organisation|Brackley & Moss Solicitors LLP» since June 2016. Signed, «person|H. Featherstonhaugh», Partner, «address|18 Castle Terrace», «address|Edinburgh EH1 2DP».
---
Die Mieterin im 2. Stock, Frau «person|Szymańska», beschwert sich über Lärm von Familie «person|de Graaf». Hauswart «person|Beqiri» war gestern dort. Unterlagen liegen bei «organisation|Verwaltung Zollikofer & Partner GmbH», Ansprechpartnerin «person|Corina Caminada», «email|c.caminada@zollikofer.example.org».
---
Rechnung 2025-0417 an «organisation|Bäckerei Nussgipfel GmbH», z. Hd. Herrn «person|Ulf Petersen», «address|Deichstr. 4», «address|20459 Hamburg», USt-IdNr. «tax|DE136695976», zahlbar auf «iban|DE02 1203 0000 0000 2020 51» bis zum 30.04.2025.
---
Hi team, the login from «ip|203.0.113.77» was me, not an attacker. I changed the password at «url|https://vault.example.org/u/88» and told «person|Rajesh». Card ending is irrelevant, the full number was «card|4012 8888 8888 1881». Thanks, «person|Wiktoria Zielińska»
---
Patient: «person|Karl-Heinz Oberle», geb. «birthdate|19.11.1947», AHV «ahv|756.1234.5678.97», wohnhaft in «address|4057 Basel», «address|Klybeckstrasse 241». Diagnose: Hypertonie. Überweisender Arzt Dr. med. «person|S. Ramanathan».
---
Liebe Tante «person|Hedwig», danke für das Päckchen! Onkel «person|Rüdiger» hat sich auch gefreut. Wir sind ab 12. August in Kärnten, «person|Resi» kommt am Wochenende nach. Deine «person|Liesl»
---
Der Kläger «person|Gottlieb Mährle», vertreten durch Rechtsanwältin Dr. «person|Yonca Erdoğan», «address|Königsallee 60», «address|40212 Düsseldorf», Steuernummer «tax|133/8150/8159», verlangt von der «organisation|Sonnig & Heiter Reisen GmbH & Co. KG» Schadenersatz von 3.200 Euro.
---
Good afternoon, I'm calling about the parcel for Mrs «person|Ojukwu-Bright». The driver, «person|Kev», left it with the neighbour at number 9. Our reference is PZ-771, and you can reach the depot at «email|depot@swift-parcels.example.org» or «phone|+44 161 496 0123».
"""


def held_out():
    result = []
    for text in HELD_OUT.strip().split("\n---\n"):
        letter = Letter()
        for piece in re.split(r"(«[^»]+»)", text):
            letter.add(tuple(piece[1:-1].split("|")) if piece.startswith("«") else piece)
        result.append(letter)
    return result


letters = [(paper(["de", "ch", "en"][i % 3]) if i % 6 > 2 else english() if i % 3 == 2 else german("ch" if i % 3 else "de")) for i in range(count)]
manners = ["German" if i % 3 == 0 else "Swiss" if i % 3 == 1 else "English" for i in range(count)]


def sous_spans():
    """Where Sous has put placeholders: what stands between them is the original's."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, letter in enumerate(letters):
            names.append(os.path.join(folder, f"{i}.txt"))
            open(names[-1], "w", encoding="utf-8").write(letter.text)
        # Each by itself: no letter tells another one's names.
        start, output = time.time(), []
        for name in names:
            out = subprocess.run([sous, "neutralise", name, "--json", "--format", "text"], capture_output=True, text=True, check=True, cwd=folder)
            output.append(json.loads(out.stdout)["files"][0]["text"])
        seconds = time.time() - start
    words = {"PERSON": "person", "ORG": "organisation", "EMAIL": "email", "ADDRESS": "address", "PHONE": "phone", "IBAN": "iban", "CARD": "card", "AHV": "ahv",
             "TAXID": "tax", "SOCIALID": "social_insurance", "IDNUMBER": "id_number", "BIRTHDATE": "birthdate", "URL": "url", "IP": "ip", "PRIVATE": "own", "NAME": "person"}
    found = []
    for letter, neutral in zip(letters, output):
        pieces = re.split(r"\[([A-Z]+)_\d+\]", neutral)
        # What stands between two pieces of the neutral text was replaced; each piece stands where all of them fit.
        form = re.compile("(.+?)".join(re.escape(piece) for piece in pieces[::2]), re.DOTALL)
        match = form.fullmatch(letter.text)
        found.append([(match.start(i + 1), match.end(i + 1), words.get(kind, "other")) for i, kind in enumerate(pieces[1::2])])
    return found, seconds


PRESIDIO = {
    "CreditCard": "card", "Email": "email", "Iban": "iban", "Ip": "ip", "Url": "url", "DeTaxId": "tax", "DeTaxNumber": "tax", "DeVatId": "tax", "UsItin": "tax",
    "DeSocialSecurity": "social_insurance", "DeHealthInsurance": "social_insurance", "UkNino": "social_insurance", "Nhs": "social_insurance",
    "UsSsn": "social_insurance", "DePlz": "address", "UkPostcode": "address", "DePassport": "id_number", "DeIdCard": "id_number", "DeKfz": "id_number",
    "DeFuehrerschein": "id_number", "UkPassport": "id_number", "UkVehicleRegistration": "id_number", "UkDrivingLicence": "id_number",
    "UsPassport": "id_number", "UsLicense": "id_number", "Date": "birthdate",
}


def presidio_spans():
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, predefined_recognizers
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):
        def __init__(self):
            super().__init__(models=[{"lang_code": "en", "model_name": "blank"}, {"lang_code": "de", "model_name": "blank"}])
            self.nlp = {"en": spacy.blank("en"), "de": spacy.blank("de")}

        def load(self):
            pass

    registry, kinds = RecognizerRegistry(recognizers=[], supported_languages=["en", "de"]), {}
    for language in ["en", "de"]:
        for name, kind in PRESIDIO.items():
            recogniser = getattr(predefined_recognizers, name + "Recognizer")(supported_language=language)
            registry.add_recognizer(recogniser)
            kinds.update({entity: kind for entity in recogniser.supported_entities})
        registry.add_recognizer(predefined_recognizers.PhoneRecognizer(supported_language=language, supported_regions=("DE", "CH", "AT", "GB", "US")))
    kinds["PHONE_NUMBER"] = "phone"
    engine = AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en", "de"])
    start, found = time.time(), []
    for letter, manner in zip(letters, manners):
        results = engine.analyze(letter.text, "en" if manner == "English" else "de", score_threshold=0.35)
        found.append([(r.start, r.end, kinds[r.entity_type]) for r in results])
    return found, time.time() - start


def scrubadub_spans():
    import scrubadub
    kinds = {"email": "email", "url": "url", "phone": "phone", "credit_card": "card", "national_insurance_number": "social_insurance", "postalcode": "address",
             "social_security_number": "social_insurance", "tax_reference_number": "tax", "date_of_birth": "birthdate"}
    scrubbers = {"English": scrubadub.Scrubber(locale="en_GB"), "German": scrubadub.Scrubber(locale="de_DE"), "Swiss": scrubadub.Scrubber(locale="de_CH")}
    start, found = time.time(), []
    for letter, manner in zip(letters, manners):
        found.append([(f.beg, f.end, kinds.get(f.type, f.type)) for f in scrubbers[manner].iter_filth(letter.text)])
    return found, time.time() - start


def measure(found):
    rows = {}
    for letter, spans in zip(letters, found):
        covered = set()
        for a, b, _ in spans:
            covered.update(range(a, b))
        for a, b, kind in letter.spans:
            row = rows.setdefault(kind, [0, 0, 0, 0])
            row[0] += 1
            row[1] += all(i in covered or not letter.text[i].isalnum() for i in range(a, b))
        planted = set()
        for a, b, _ in letter.spans:
            planted.update(range(a, b))
        for a, b, kind in spans:
            row = rows.setdefault(kind, [0, 0, 0, 0])
            row[2] += 1
            row[3] += any(i in planted for i in range(a, b))
    return rows


def table(title, found):
    spans, seconds = found
    rows = measure(spans)
    print(f"\n{title}: {count} letters in {seconds:.1f} s")
    print(f"{'kind':18} {'planted':>8} {'recall':>8} {'found':>8} {'precision':>9}")
    total = [0, 0, 0, 0]
    for kind in sorted(rows):
        p, r, f, t = rows[kind]
        total = [a + b for a, b in zip(total, rows[kind])]
        print(f"{kind:18} {p:8} {r / p if p else float('nan'):8.3f} {f:8} {t / f if f else float('nan'):9.3f}")
    print(f"{'all':18} {total[0]:8} {total[1] / total[0]:8.3f} {total[2]:8} {total[3] / max(1, total[2]):9.3f}")
    return total[1] / total[0]


ours = sous_spans()


def show(found):
    for letter, spans in zip(letters, found):
        covered = {i for a, b, _ in spans for i in range(a, b)}
        for a, b, kind in letter.spans:
            if not all(i in covered or not letter.text[i].isalnum() for i in range(a, b)):
                print("MISSED", kind, repr(letter.text[max(0, a - 30):b + 15]))
        planted = {i for a, b, _ in letter.spans for i in range(a, b)}
        for a, b, kind in spans:
            if not any(i in planted for i in range(a, b)):
                print("EXTRA", kind, repr(letter.text[max(0, a - 20):b + 20]))


def share(part, whole):
    return f"{part / whole:.2f}" if whole else "–"


def by_manner(found, manner):
    """The counts of each kind in the letters of one manner."""
    global letters
    chosen = [i for i in range(len(letters)) if manner is None or manners[i] == manner]
    everything, letters = letters, [letters[i] for i in chosen]
    rows = measure([found[i] for i in chosen])
    letters = everything
    rows["all"] = [sum(row[i] for row in rows.values()) for i in range(4)]
    return rows


recall = table("sous neutralise", ours)
if os.environ.get("SHOW"):
    show(ours[0])
peers = [("Sous", ours[0])]
for title, peer in [("Presidio", presidio_spans), ("scrubadub", scrubadub_spans)]:
    try:
        found = peer()
        table(title, found)
        peers.append((title, found[0]))
    except Exception as error:  # A peer that cannot be had is left out.
        print(f"\n{title}: left out ({type(error).__name__}: {error})")
if markdown:
    names = ["German", "Swiss", "English"]
    print("\n| kind | " + " | ".join(f"{title} {name}" if title == "Sous" else title for title, _ in peers for name in (names if title == "Sous" else [""])) + " |")
    print("|---" * (1 + len(names) + len(peers) - 1) + "|")
    rows = {title: {name: by_manner(found, name) for name in names + [None]} for title, found in peers}
    for kind in sorted(k for k in rows["Sous"][None] if k != "all") + ["all"]:
        cells = []
        for title, _ in peers:
            for name in names if title == "Sous" else [None]:
                planted, covered, replaced, right = rows[title][name].get(kind, [0, 0, 0, 0])
                cells.append(f"{share(covered, planted)} / {share(right, replaced)}" if planted or replaced else "–")
        print(f"| `{kind}` | " + " | ".join(cells) + " |")
everything, letters = letters, held_out()
aside, manners, count = (manners, count), ["German"] * len(letters), len(letters)
by_hand = sous_spans()
table("sous neutralise, letters written by hand", by_hand)
if os.environ.get("SHOW"):
    show(by_hand[0])
sys.exit(0 if recall >= 0.95 else 1)
