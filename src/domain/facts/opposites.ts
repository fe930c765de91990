/** Antonyms that reverse the meaning of a text, English and German. */

/** Two sides per line; a word of one side contradicts any word of the other. */
const OPPOSITES = `
enable activate / disable deactivate
allow permit / forbid prohibit ban deny block
start begin launch / stop end finish halt quit
open / close shut
add / remove delete
insert / delete
include / exclude
accept approve / reject decline refuse
buy purchase / sell
lend / borrow
push / pull
send / receive
upload / download
import / export
encrypt / decrypt
encode / decode
compress / decompress extract
lock / unlock
connect / disconnect
attach / detach
install / uninstall
subscribe / unsubscribe
login signin / logout signout
show display / hide
increase raise / decrease reduce lower
grow / shrink
rise / fall
expand / collapse
maximum max / minimum min
maximise maximize / minimise minimize
highest / lowest
higher / lower
largest biggest / smallest
larger bigger / smaller
longest / shortest
longer / shorter
fastest / slowest
faster / slower
best / worst
better / worse
more most / less fewer least
many / few
first / last
next / previous
earliest / latest
earlier / later
early / late
before / after
above over / below under
inside / outside
up / down
in / out on
on / off
and / or
this these / that those
here / there
now / then
for / against
left / right
front / back
top / bottom
north / south
east / west
hot / cold
warm / cool
high / low
big large / small little
long / short
fast quick / slow
old / new young
old / young
good / bad
cheap / expensive
easy simple / hard difficult
true / false
yes / no
right correct / wrong incorrect
safe / dangerous unsafe
public / private
internal / external
input / output
read / write
save / discard
win / lose
success succeed / failure fail
pass / fail
work / fail
love like / hate dislike
always / never
everyone everybody / nobody
everything / nothing
all / none some
married / divorced single
alive / dead
male / female
man / woman
boy / girl
son / daughter
brother / sister
husband / wife
mother mom / father dad
king / queen
employer / employee
question / answer
cause / effect
income / expense
profit / loss
debit / credit
credit / debt
supply / demand
client / server
host / guest
teacher / student
doctor / patient
horizontal / vertical
ascending / descending
odd / even
positive / negative
plus / minus
synchronous sync / asynchronous async
static / dynamic
local / remote
online / offline
manual / automatic
full / empty
wet / dry
day / night
morning / evening
summer / winter
spring / autumn
breakfast / dinner
arrive / depart leave
enter / exit leave
hire / fire
remember / forget
agree / disagree
gain / lose
strong / weak
heavy / light
rich / poor
thick / thin
deep / shallow
wide broad / narrow
near close / far
einschalten anschalten aktivieren / ausschalten abschalten deaktivieren
erlauben zulassen / verbieten sperren
starten beginnen anfangen / stoppen beenden aufhören anhalten
öffnen aufmachen / schließen zumachen
hinzufügen / entfernen löschen
kaufen / verkaufen
leihen / verleihen
mieten / vermieten
senden schicken / empfangen erhalten
hochladen / herunterladen
importieren / exportieren
verschlüsseln / entschlüsseln
sperren / entsperren
verbinden / trennen
installieren / deinstallieren
abonnieren / kündigen abbestellen
anmelden einloggen / abmelden ausloggen
zeigen anzeigen / verstecken ausblenden
erhöhen steigern / senken verringern
steigen / fallen sinken
höchste / niedrigste
höher / niedriger
größte / kleinste
größer / kleiner
mehr meiste meisten / weniger wenigste wenigsten
erste ersten erster erstes / letzte letzten letzter letztes
nächste nächsten nächster / vorige vorherige letzte letzten
vor vorher / nach nachher
früher / später
früh / spät
über oberhalb / unter unterhalb
oben / unten
innen drinnen / außen draußen
links / rechts
nord norden / süd süden
ost osten / west westen
heiß / kalt
hoch / niedrig tief
groß / klein
lang / kurz
schnell / langsam
alt / neu jung
gut / schlecht
besser / schlechter
beste / schlechteste
billig günstig / teuer
einfach leicht / schwer schwierig
wahr / falsch
richtig / falsch
ja / nein
sicher / gefährlich
öffentlich / privat
intern / extern
lesen / schreiben
gewinnen / verlieren
lieben mögen / hassen
immer / nie niemals
alle alles / keine nichts einige manche
mann / frau
junge / mädchen
sohn / tochter
bruder / schwester
mutter / vater
lehrer / schüler
arzt / patient
mieter / vermieter
käufer / verkäufer
einnahmen / ausgaben
gewinn / verlust
ein an / aus
mit / ohne
und / oder
hier / dort da
für / gegen
viel viele / wenig wenige
in / auf
tag / nacht
morgens / abends
sommer / winter
ankommen / abfahren
voll / leer
stark / schwach
reich / arm
`

const SIDES = new Map<string, Set<string>>()
for (const line of OPPOSITES.trim().split('\n')) {
  const [left = '', right = ''] = line.split(' / ')
  for (const a of left.split(' ')) for (const b of right.split(' ')) oppose(a, b)
}

/** Prefixes that reverse or undo a word. `re` repeats it, which also changes the meaning. */
const REVERSING = ['un', 'dis', 'in', 'im', 'il', 'ir', 'non', 'de', 'anti', 'mis', 're', 'ent', 'ver', 'miss', 'nicht']

/** Whether any of the words, whole and in lower case, contradicts one of the others. */
export function hasOpposites(words: Iterable<string>, others: ReadonlySet<string>): boolean {
  for (const word of words) {
    for (const opposite of SIDES.get(word) ?? []) if (others.has(opposite)) return true
    if (word.length >= PLAIN_LENGTH_MIN && REVERSING.some((prefix) => others.has(prefix + word))) return true
    if (REVERSING.some((prefix) => isReversed(word, prefix) && others.has(word.slice(prefix.length)))) return true
  }
  return false
}

/** Shortest word, in UTF-16 units, that a prefix can reverse. */
const PLAIN_LENGTH_MIN = 3

function isReversed(word: string, prefix: string): boolean {
  return word.length - prefix.length >= PLAIN_LENGTH_MIN && word.startsWith(prefix)
}

function oppose(a: string, b: string): void {
  SIDES.set(a, (SIDES.get(a) ?? new Set()).add(b))
  SIDES.set(b, (SIDES.get(b) ?? new Set()).add(a))
}
