/** German words by field; see `topical-fields.ts`. */
export const GERMAN_FIELDS: Readonly<Record<string, string>> = {
  pets: `hund katze welpe haustier rasse leine tierarzt fisch vogel papagei hamster kaninchen schildkröte bellen pfote futter schlange
    tier pferd reiten pony ziege huhn kuh bauernhof tierheim käfig goldfisch spinne biene ente gans schaf schwein esel elefant tiger affe
    fuchs eichhörnchen frosch insekt schmetterling napf dackel pudel schäferhund streicheln katzenklo kratzbaum züchter imker`,
  family: `mutter mama vater papa eltern bruder schwester geschwister sohn tochter baby frau ehefrau mann ehemann heiraten hochzeit onkel
    tante neffe nichte oma opa großmutter großvater großeltern zwillinge geschieden verlobt schwanger geburt stiefmutter stiefvater
    schwiegermutter schwiegereltern verwandte enkel enkelin kindheit windel windeln kita tagesmutter taufe braut flitterwochen elternzeit
    elterngeld`,
  dating: `freundin freund partner beziehung verliebt romantisch paar date valentinstag jahrestag küssen eifersüchtig liebeskummer`,
  work: `arbeit beruf büro chef firma arbeitgeber mitarbeiter kollege kollegin gehalt schicht bewerbung bewerben lebenslauf
    vorstellungsgespräch rente kunde besprechung meeting beförderung arbeitslos selbstständig kündigung überstunden arbeitszeugnis
    abteilung projekt frist vertrag praktikum ausbildung azubi homeoffice arbeitsplatz personal branche unternehmen betrieb betriebsrat
    gehaltserhöhung feedback kündigungsfrist probezeit urlaubsantrag`,
  trades: `arzt krankenschwester anwalt ingenieur mechaniker klempner elektriker tischler feuerwehr polizist soldat bundeswehr lehrer
    koch kellner verkäufer architekt handwerker chirurg pfleger sanitäter metzger friseur berater techniker maurer schreiner verkäuferin
    erzieherin lehrerin ärztin`,
  school: `schule uni universität studium lehrer abitur prüfung klausur hausaufgaben unterricht semester nachhilfe lernen kindergarten
    stipendium zeugnis vokabeln aufsatz referat klassenzimmer schülerin lehrbuch vorlesung hausarbeit bachelorarbeit masterarbeit
    zulassung fächer stundenplan studiengang vokabel karteikarten`,
  books: `buch lesen roman autor autorin bibliothek gedicht schriftsteller schreiben geschichte erzählung krimi kapitel zeitschrift
    verlag taschenbuch buchhandlung biografie thriller hörbuch gedichtband lektüre`,
  music: `musik lied sänger gitarre klavier schlagzeug geige konzert spielen orchester chor akkord saite gitarrist saxofon trompete
    rhythmus schallplatte sängerin kapodaster notenblatt`,
  dance: `tanzen tanzkurs ballett bühne walzer tänzerin disco`,
  films: `kino schauspieler schauspielerin fernsehen komödie staffel dokumentation regisseur szene hauptdarsteller horrorfilm drehbuch
    untertitel trailer darsteller`,
  games: `spiel computerspiel konsole schach brettspiel würfel rätsel poker würfeln skat spielfigur`,
  sports: `fußball basketball handball tennis mannschaft trainer spieler liga turnier meisterschaft schwimmen skifahren rennen medaille
    olympia stadion halbzeit schiedsrichter bundesliga torwart stürmer aufstieg wm olympisch reiten rudern schläger schwimmbad sportler
    sportverein startnummer halbmarathon`,
  fitness: `fitness fitnessstudio joggen muskel muskeln gewichte abnehmen kalorien dehnen fahrrad radfahren puls ausdauer hantel
    liegestütze kniebeugen krafttraining dehnung laufschuhe muskelkater trainingsplan proteinpulver`,
  outdoors: `wandern wanderung camping zelt berg wald fluss angeln jagen klettern kajak paddeln rucksack gipfel hütte boot segeln
    schlucht wanderweg wanderschuhe schlafsack isomatte lagerfeuer sonnenuntergang tal höhle wüste dschungel vulkan alpen etappe
    wanderkarte kompass fernglas pilze höhenmeter`,
  garden: `garten pflanze blume rose baum rasen gemüse kräuter kompost unkraut dünger gewächshaus beet balkon hecke ernte tomate gießen
    topf aussaat blüte orchidee lavendel basilikum minze petersilie rosmarin tulpe sonnenblume kaktus zimmerpflanze blatt wurzel strauch
    schnecken blattläuse umtopfen rasenmäher hochbeet obstbaum apfelbaum mähen aussäen setzling zucchini salatgurke`,
  food: `essen kochen rezept küche mahlzeit abendessen mittagessen frühstück restaurant nudeln käse fleisch wurst hähnchen suppe salat
    brot reis vegetarisch obst apfel banane hunger lecker schmecken scharf soße ofen backofen butter mehl zucker salz teig kartoffel
    kartoffeln ei eier knoblauch zwiebel gewürz pfanne öl hefe sahne würzen schmoren schinken lamm rind rindfleisch schweinefleisch
    garnelen lachs thunfisch bratwurst lasagne curry eintopf brühe braten karotte möhren kohl spinat gurke pilz champignons bohne linsen
    zitrone beeren erdbeere trauben müsli pfannkuchen marmelade honig nuss joghurt quark mikrowelle essig sauerteig vorteig kneten
    brötchen zimt ingwer kreuzkümmel zutaten kühlschrank gefrierfach einfrieren vegetarier klöße knödel schnitzel gulasch auflauf topf
    kochtopf deckel garen`,
  sweets: `kuchen torte kekse schokolade nachtisch eis süß süßigkeiten gebäck sahne vanille keks plätzchen pralinen glasur biskuit
    streusel`,
  drinks: `kaffee tee bier wein trinken getränk saft wasser milch alkohol whisky kneipe flasche röstung bohnen limonade sekt brauerei
    weingut tasse becher mahlgrad mühle röster entkoffeiniert durst`,
  travel: `reise urlaub ferien flug fliegen flugzeug flughafen strand ausland besuchen besichtigen europa paris frankreich spanien
    amerika koffer gepäck kreuzfahrt visum insel buchen ferienwohnung sehenswürdigkeiten rundreise unterkunft jugendherberge griechenland
    portugal brasilien russland ägypten schweiz österreich rom lissabon prag tokio handgepäck städtetrip dänemark schweden norwegen
    kroatien polen wohnmobil stellplatz anreise`,
  cars: `autos lastwagen fahrzeug motorrad reifen winterreifen werkstatt führerschein straße bremse benzin diesel tüv versicherung
    autobahn kupplung öl getriebe zündkerze zündspule lenkrad scheibe windschutzscheibe motoröl ölwechsel anlasser auspuff stoßdämpfer
    reifendruck kennzeichen zulassung gebrauchtwagen blitzer tanken ladesäule elektroauto kombi felgen motorlampe kilometerstand
    fahrschule`,
  transit: `straßenbahn bahnhof haltestelle pendeln fahrkarte fahrrad gleis fahrplan verspätung anschluss abfahrt ankunft umsteigen
    schaffner ice bahncard deutschlandticket monatskarte`,
  city: `stadt dorf wohnen umziehen umzug nachbar nachbarn nachbarschaft berlin münchen hamburg köln wien aufgewachsen straße bürgeramt
    frankfurt stuttgart leipzig dresden bremen hannover nürnberg innenstadt rathaus marktplatz einwohner ummelden anmelden`,
  home: `haus wohnung zimmer schlafzimmer badezimmer küche möbel bett miete vermieter dach boden teppich fenster tür putzen wäsche
    geschirr mitbewohner renovieren dekorieren keller heizung therme boiler rohr spüle abfluss waschbecken bohren regal dichtung fliesen
    schimmel lüften wasserkocher spülmaschine waschmaschine trockner staubsauger besen vorhang stuhl tisch schreibtisch matratze
    kleiderschrank leck wasserhahn ventil heizkörper dämmung kamin treppe flur nebenkosten makler besichtigung hausverwaltung entkalken
    kalk verstopft tapete schimmelig einzug auszug übergabeprotokoll nachmieter`,
  clothes: `kleidung kleid hemd schuhe stiefel jacke mantel pullover schmuck schrank stricken nähen häkeln stoff wolle nadel maschen hose
    krawatte anzug gürtel handschuhe schal bluse fleck garn nähmaschine lippenstift parfüm ohrringe armband tasche leder baumwolle bügeln
    schnittmuster saum stricknadel wintermantel`,
  appearance: `haare augen färben bart tätowierung haut glatze brille haarschnitt nägel nase gesicht schlank`,
  colors: `farbe blau grün lila rosa gelb schwarz braun türkis silber`,
  money: `geld bezahlen kredit schulden sparen anlegen aktie steuer einkommen preis rechnung konto zinsen rente fonds depot gebühr
    erstattung steuererklärung zahlung überweisung überweisen geldbeutel münze währung finanzen finanzamt hypothek tagesgeld inflation
    verdienen brutto netto ausgeben lohnsteuer freibetrag werbungskosten elster girokonto`,
  shopping: `geschäft kaufen verkaufen einkaufen bestellen bestellung angebot rabatt geschenk gutschein supermarkt lebensmittel kassenbon
    quittung umtausch paket lieferung lieferzeit versand`,
  health: `gesundheit gesund krank krankheit arzt krankenhaus medikament schmerz operation krebs kopfschmerzen erkältung grippe fieber
    husten verletzung knie rücken zahnarzt zahn blut herz tablette impfung praxis schulter handgelenk knöchel bauch brust niere knochen
    gelenk arthrose migräne dosis rezept termin facharzt hausarzt diagnose heilung wunde verband jucken geschwollen schwellung verstaucht
    entzündung antibiotikum antibiotika corona apotheke krankenwagen notaufnahme vorsorge krücken schlaganfall salbe krankschreibung
    krankenkasse ausschlag sonnenbrand ibuprofen heuschnupfen pollen`,
  mood: `angst depression gestresst therapeut meditation panik gefühl selbstvertrauen trauer psychologe sorge überfordert dankbarkeit
    einsam einsamkeit achtsamkeit nervosität lampenfieber`,
  sleep: `schlaf müde bett traum wach schnarchen wecker kissen einschlafen schlafenszeit erschöpft mitternacht bettdecke ausschlafen
    durchschlafen schlaflos`,
  religion: `gott kirche christlich katholisch bibel gebet moschee tempel priester mönch buddhismus synagoge himmel engel messe
    konfirmation`,
  politics: `politik präsident kanzler wählen regierung partei bundestag abgeordnete gesetz demonstration bürgermeister ministerium
    stadtrat einwanderung abstimmung grundgesetz`,
  weather: `wetter regen schnee sonne winter sommer frühling herbst sturm wolke vorhersage eis gewitter bewölkt regnerisch sonnenschein
    hitze nebel luftfeuchtigkeit blitz windig dürre überschwemmung`,
  sea: `meer ozean strand welle küste hai wal tauchen ostsee nordsee segel schnorcheln muschel muscheln fischer ebbe flut qualle schiff
    seekrank`,
  arts: `kunst künstler zeichnen zeichnung skizze skulptur töpfern leinwand ausstellung fotografie foto fotos kamera objektiv bild
    basteln blende belichtung aquarell staffelei keramik fotograf verschlusszeit iso stativ brennweite belichtungszeit kalligrafie
    illustration`,
  tech: `rechner handy webseite programmieren datenbank datei technik browser code abfrage windows installieren terminal skript
    programmiersprache anmelden nutzername branch repository anfrage schnittstelle zeichenkette ausnahme schleife einrichten installation
    betriebssystem absturz abgestürzt fehlermeldung`,
  devices: `drucker router wlan tastatur bildschirm akku ladegerät kabel lautsprecher kopfhörer kamera festplatte sicherung passwort
    tabelle formel zelle modem posteingang diagramm schriftart präsentation scannen toner tinte patrone ladekabel steckdose netzteil
    mailprogramm summewenn sverweis`,
  science: `wissenschaft physik chemie biologie weltraum stern mond mars rakete universum labor forschung schwerkraft evolution
    dinosaurier teleskop komet umlaufbahn sonnenfinsternis mondfinsternis bakterien zelle gene genetik photosynthese chemisch kohlenstoff
    sauerstoff wasserstoff klima klimawandel umwelt recycling mikroskop solaranlage`,
  mathematics: `gleichung bruch prozent wahrscheinlichkeit statistik rechnen formel dreieck durchschnitt ableitung integral dezimal
    multiplizieren winkel logarithmus vektor varianz standardabweichung`,
  history: `geschichte antike römer kaiser könig königin burg mittelalter jahrhundert revolution schlacht weltkrieg mauer historisch
    historiker renaissance wikinger archäologie kolonie unabhängigkeit ddr mauerfall`,
  language: `sprache sprechen spanisch französisch deutsch englisch italienisch japanisch übersetzen übersetzung grammatik vokabeln
    akzent aussprache aussprechen vokabular konjugation redewendung dialekt rechtschreibung komma dativ genitiv akkusativ`,
  volunteer: `ehrenamt ehrenamtlich obdachlose gemeinde hilfsorganisation spendenaktion flüchtlinge`,
  party: `party feier geburtstag weihnachten ostern silvester karneval kostüm feiertag gäste einladung einladen luftballon dekoration
    kürbis weihnachtsmann nikolaus advent weihnachtsbaum grillfest gastgeber polterabend jubiläum feuerwerk abschiedsfeier`,
  crime: `verbrechen polizei gefängnis mord dieb gestohlen pistole richter anwalt opfer droge einbruch kriminell raub einbrecher
    diebstahl verhaftet ermittlung beweis waffe`,
  law: `vertrag klausel frist vermieter anwalt testament erbe haftung garantie klage notar widerspruch gewährleistung paragraf kaution
    kündigen mietvertrag kaufvertrag vereinbarung vorschrift urheberrecht schadensersatz beschwerde mahnung rechtsschutz einspruch
    erbschaft vollmacht`,
  supernatural: `geist gespenst außerirdische zauberer hexe einhorn drache fee`,
  tools: `hammer bohrmaschine holz nagel schraube dübel kleber schleifpapier grundierung farbe pinsel reparieren brett leim
    schraubenschlüssel schraubendreher werkzeug werkzeugkasten sperrholz spachtel spachtelmasse silikon akkuschrauber bohrer werkstatt
    wasserwaage`,
  writing: `mail entwurf förmlich überschrift zusammenfassung gedicht formulierung bewerbung anschreiben betreff grußformel beileid
    entschuldigung umformulieren korrekturlesen einladungstext`
}
