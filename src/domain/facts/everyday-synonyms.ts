/**
 * More words that people use interchangeably, of everyday English and German: each line one meaning, named by its first word. Left out is
 * what means another thing in a common sense ("the tap", "to tap"), and what differs by degree, cause, kind or side.
 */

export const ENGLISH_EVERYDAY = `
motorbike motorcycle
truck lorry
tram streetcar
grandmother grandma granny nana
grandfather grandad granddad grandpa
mother mommy mummy
father daddy
medication medicine
vaccination immunization immunisation
soccer football
staff personnel
postcode zip
refund reimbursement
wealthy rich
huge enormous gigantic
tiny minuscule
restart reboot
notify inform
eat consume
happen occur
vanish disappear
hurry rush
poisonous toxic
candy sweets
cookie biscuit
eggplant aubergine
zucchini courgette
cilantro coriander
shrimp prawn
refrigerator fridge
flashlight torch
diaper nappy
stroller pram pushchair
sweater jumper pullover
sneakers trainers
sidewalk pavement
motorway freeway
intersection crossroads
railway railroad
timetable schedule
luggage baggage
maths math mathematics
website webpage
usually typically normally generally
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
vet veterinarian
taxi cab
wrench spanner
duvet quilt
physiotherapist physio
sofa settee
television telly
leaflet flyer brochure
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
Tastatur Keyboard
Kopfhörer Ohrhörer
Mail Email
Datei File
Webseite Website Homepage Internetseite
Browser Webbrowser
Update Aktualisierung
Zugangsdaten Anmeldedaten Logindaten
Benutzername Nutzername
Urlaub Ferien
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
Quark Topfen
Aprikose Marille
Apfelsine Orange
Streichholz Zündholz
Rechnung Faktura
Gutschein Voucher
Krankheit Erkrankung
Zahnarzt Dentist
Tierarzt Veterinär
Impfung Schutzimpfung
Geburtstag Wiegenfest
Hochzeit Trauung
Ehefrau Gattin
Ehemann Gatte
Samstag Sonnabend
Führerschein Fahrerlaubnis
Kennzeichen Nummernschild
Reifen Pneu
Benzin Sprit
Postleitzahl Plz
waagerecht waagrecht horizontal
senkrecht vertikal
ausleihen borgen
manuell händisch
gleichzeitig zugleich
sofort unverzüglich umgehend
oft häufig
normalerweise gewöhnlich üblicherweise
ungefähr etwa circa zirka
komplett vollständig
dauerhaft permanent
nötig notwendig erforderlich
giftig toxisch
erklären erläutern
aktualisieren updaten
verlinken verknüpfen
sterben versterben
`
