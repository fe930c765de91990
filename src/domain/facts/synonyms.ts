/** Words that people use interchangeably, English and German. */

/** Each line one meaning. Short on purpose: a wrong synonym makes two facts one. */
const SYNONYMS = `
purchase buy
repair fix
erase delete
launch start
begin start
large big
automobile car
application app
applications app
apps app
photograph photo
telephone phone
cellphone phone
movie film
mom mother
mum mother
dad father
kid child
kids child
children child
database db
databases db
repository repo
repositories repo
configuration config
document doc
documents doc
docs doc
information info
signin login
logon login
autumn fall
maximum max
minimum min
javascript js
typescript ts
kubernetes k8s
postgresql postgres
assist help
choose select
pick select
vs versus
television tv
bike bicycle
pkw auto
wagen auto
entfernen löschen
anfangen beginnen
handy smartphone
`

const CANONICAL = new Map<string, string>()
for (const line of SYNONYMS.trim().split('\n')) {
  const [word = '', meaning = ''] = line.split(' ')
  CANONICAL.set(word, meaning)
}

/** The word that stands for all that mean the same; lower case. */
export function canonicalWord(word: string): string {
  return CANONICAL.get(word) ?? word
}
