import type { XLang } from './post-id'

/** What accounts post. `{lead}` is the topic; the other slots are those of `slotsOf`. */
export const X_POSTS: Record<XLang, readonly string[]> = {
  en: [
    '{Lead}: {interested} percent follow it, {uninterested} percent do not. I expected the opposite.',
    'Spent the weekend on {lead}. Verdict: {reason} beats everything else.',
    'Hot take: {lead} is 10 percent talent & 90 percent {reason}.',
    'Everybody talks about {lead}, nobody talks about {concern}.',
    'New figures on {lead} by the {body}: up {growth} percent in a year.',
    '{Lead}, day {wait}. It works now. Do not ask how.',
    'Is it only me, or did {lead} get a lot more interesting this year?',
    '{expert} on {lead}: “{Reason}: that is not going away.”',
    'What I wish I had known about {lead}: start small, write everything down, ignore {concern}.',
    'Quick question about {lead}: what would you do first?',
    '{Lead} for beginners: allow {wait} days, not {otherWait}.',
    '{Lead}: I paid {typical}. The cheapest offer was {low}, the highest {high}.',
    '{Lead}: {best} first, {second} second. Not even close.',
    'I keep coming back to {lead}. Better than anything on TV.',
    '{critic} says that the numbers on {lead} are wrong. Worth a read.',
    'Unpopular opinion on {lead}: {concern} is the real story.',
  ],
  es: [
    '{Lead}: {interested} de cada 100 personas lo siguen. Esperaba menos.',
    'Todo el mundo habla de {lead} y casi nadie de lo que cuesta aprender.',
    'Llevo {wait} días con {lead}. Funciona, y no sé por qué.',
    'Nuevos datos sobre {lead}: un {growth} por ciento más en un año.',
    '¿Soy yo, o {lead} está en todas partes este año?',
  ],
  pt: [
    '{Lead}: {interested} em cada 100 pessoas acompanham. Esperava menos.',
    'Toda a gente fala de {lead}, quase ninguém fala do tempo que leva.',
    'Estou há {wait} dias com {lead}. Funciona, e não sei porquê.',
    'Novos números sobre {lead}: mais {growth} por cento num ano.',
    'Sou só eu, ou {lead} está em todo o lado este ano?',
  ],
  fr: [
    '{Lead} : {interested} personnes sur 100 suivent le sujet. Je pensais moins.',
    'Tout le monde parle de {lead}, presque personne du temps que cela prend.',
    'Jour {wait} avec {lead}. Ça marche, je ne sais pas pourquoi.',
    'Nouveaux chiffres sur {lead} : plus {growth} pour cent en un an.',
    'C’est moi, ou {lead} est partout cette année ?',
  ],
  de: [
    '{Lead}: {interested} von 100 Leuten verfolgen das. Ich hatte weniger erwartet.',
    'Alle reden über {lead}, kaum jemand über die Zeit, die es braucht.',
    'Tag {wait} mit {lead}. Es läuft, fragt nicht, warum.',
    'Neue Zahlen zu {lead}: plus {growth} Prozent in einem Jahr.',
    'Liegt es an mir, oder ist {lead} dieses Jahr überall?',
  ],
  it: [
    '{Lead}: {interested} persone su 100 lo seguono. Pensavo meno.',
    'Tutti parlano di {lead}, quasi nessuno del tempo che richiede.',
    'Giorno {wait} con {lead}. Funziona, non chiedete perché.',
    'Nuovi dati su {lead}: più {growth} per cento in un anno.',
    'Sono io, o {lead} è dappertutto quest’anno?',
  ],
}

/** How a long post goes on. */
export const X_LONGER = [
  'The long version: I kept notes for {wait} days. The first week was about {concern}, the second about {reason}, and after that it was only practice. The {body} counted {lastCount} publications about it in {lastYear}, and I must have read half of them.',
  'A few things that I learned on the way. One: {reason} matters. Two: {concern} is real, and nobody prepares you for it. Three: {expert} was right all along, and I should have listened earlier instead of asking strangers.',
] as const

export const X_REPLIES = [
  'This. {Reason} is everything.',
  'Not my experience with {lead} at all.',
  'Source?',
  'Took me {wait} days, for what it is worth.',
  'And what about {concern}?',
  'Thank you for this <3',
  'I paid {typical} and regret nothing.',
  'The {body} says {interested} percent. Believe them or not.',
  'Bookmarked.',
  'Saying this about {lead} for years & nobody listens.',
  '{critic} disagrees, and has a point.',
  'Can you write more about {lead}?',
  'Hard agree.',
  'It is always {concern}.',
] as const
