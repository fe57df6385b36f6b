/** Words that say nothing about the subject of a query, in the languages that people search in. */
const STOP_WORDS = new Set(
  [
    'a about above after all also am an and any are as at be been being between both but by can could did do does doing',
    'during each few find for from further get give had has have having he her here hers him his how i if in into is it its',
    'just know learn let like list look make me more most much my need no not now of off on once only or other our out over',
    'own please report research same search she should show so some such than that the their them then there these they',
    'this those through to too under until up us use using versus very vs want was way we web were what whats when where',
    'which while who whom whose why will with would you your',
    'al como con cual cuando cuanto de del donde el ella en es esta este hay la las lo los mas mi muy no o para pero por que',
    'quien se si sin sobre son su sus un una unas unos y',
    'aber als am an auch auf aus bei das dass dem den der des die ein eine einem einen einer es fur hat ich im in ist mit',
    'nach nicht oder sich sie sind so und uber um von vor war was welche wer wie wo zu zum zur',
    'au aux avec ce ces comment dans des du elle en est et il je le les leur mais mon ne nous ou par pas plus pour quel quelle',
    'qui sa ses son sont sur tu une vous',
    'alla anche che chi ci come con cosa da dal dalla degli dei del della delle di dove e gli ha i il io le ma nel nella non',
    'perche piu quale quando sono sua sul sulla tra un uno',
    'ao aos as com da das dos em essa esse eu foi isso mais na nas nao no nos onde os ou pela pelo qual quem sao sem seu sua',
    'um uma umas uns',
  ]
    .join(' ')
    .split(' '),
)

/** A word for comparison: lower case, without accents. */
export const plainWord = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const isStopWord = (word: string): boolean => STOP_WORDS.has(plainWord(word))
