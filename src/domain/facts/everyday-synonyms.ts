/**
 * Further synonyms of everyday English and German: one meaning per line, named by its first word. Excludes words with another common sense
 * ("the tap", "to tap") and words that differ by degree, cause, kind or side.
 */

export const ENGLISH_EVERYDAY = `
motorbike motorcycle
truck lorry
tram streetcar
grandmother grandma granny nana
grandfather grandad granddad grandpa
mother mommy mummy
father daddy
vaccination immunization immunisation
staff personnel
wealthy rich
huge enormous gigantic
tiny minuscule
restart reboot
notify inform
eat consume
vanish disappear
hurry rush
poisonous toxic
candy sweets
eggplant aubergine
zucchini courgette
refrigerator fridge
diaper nappy
stroller pushchair
sweater pullover
motorway freeway
intersection crossroads
railway railroad
timetable schedule
luggage baggage
maths math mathematics
usually typically generally
approximately roughly
mandatory compulsory obligatory
neighbourhood neighborhood
theatre theater
metre meter
litre liter
kilometre kilometer
catalogue catalog
cancelled canceled
traveller traveler
backpack rucksack
wrench spanner
physiotherapist physio
sofa settee
television telly
leaflet flyer
`

export const GERMAN_EVERYDAY = `
Semmel Brötchen
Metzger Fleischer Schlachter
Tischler Schreiner
Frisör Friseur
Baby Säugling
Oma Großmutter
Opa Großvater
Cousin Vetter
Cousine Kusine
Sofa Couch
Kühlschrank Eisschrank
Mobilfunkanbieter Handyanbieter
Bildschirm Monitor
Mail Email
Datei File
Webseite Website Internetseite
Browser Webbrowser
Update Aktualisierung
Zugangsdaten Logindaten
Benutzername Nutzername
Flugzeug Flieger
Gepäck Reisegepäck
Koffer Reisekoffer
Gaststätte Restaurant
Kneipe Wirtshaus
Lebensmittel Nahrungsmittel
Kartoffel Erdapfel
Medikament Arznei Arzneimittel
Möhre Karotte
Tomate Paradeiser
Sahne Rahm
Hackfleisch Faschiertes
Aprikose Marille
Streichholz Zündholz
Rechnung Faktura
Gutschein Voucher
Krankheit Erkrankung
Zahnarzt Dentist
Tierarzt Veterinär
Impfung Schutzimpfung
Geburtstag Wiegenfest
Ehefrau Gattin
Ehemann Gatte
Samstag Sonnabend
Kennzeichen Nummernschild
Reifen Pneu
Postleitzahl Plz
waagerecht waagrecht horizontal
ausleihen borgen
manuell händisch
gleichzeitig zugleich
sofort unverzüglich umgehend
oft häufig
normalerweise gewöhnlich üblicherweise
ungefähr circa zirka
komplett vollständig
dauerhaft permanent
kostenlos kostenfrei gratis
nötig notwendig erforderlich
giftig toxisch
aktualisieren updaten
verlinken verknüpfen
sterben versterben
`
