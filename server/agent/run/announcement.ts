/** A text that is longer than this is an answer, whatever it says at its end. */
const MAX_CHARS = 500

/**
 * How a sentence begins that says what its writer is about to do, in the languages that most goals
 * are in. Only a help: what is not seen here ends a run as before.
 */
const ABOUT_TO = [
  /\b(let me (?!know)|let's (first|start|begin|look|search|check)|i(’|')?ll (now |first |start |begin |go |search|look|check|find|use|call|fetch|get|read|open|run|query|gather)|i (will|am going to|need to|should|have to) (now |first |start |begin |go |search|look|check|find|use|call|fetch|get|read|open|run|query|gather)|i(’|')?m going to )/i,
  /\b(ich (werde|suche|schaue|prüfe|rufe|lese)|lass(en sie)? mich|zuerst (suche|werde|schaue|prüfe))\b/i,
  /\b(voy a|vamos a|déjame|permíteme|primero (voy|buscaré|busco))(?!\p{L})/iu,
  /\b(je vais|laissez-moi|laisse-moi|commençons par)\b/i,
  /\b(vado a|fammi|lasciami|sto per|cercherò|ora cerco)(?!\p{L})/iu,
  /\b(vou|deixe-me|deixa-me|primeiro vou) (?=\p{L})/iu,
  /\b(ik ga|ik zal|laat me|laten we)\b/i,
  /(?<!\p{L})(pozwól|najpierw (sprawdzę|poszukam)|zaraz (sprawdzę|poszukam)|sprawdzę|poszukam)(?!\p{L})/iu,
  /(?<!\p{L})(сейчас (я )?(найду|поищу|посмотрю|проверю)|я (найду|поищу|посмотрю|проверю|сначала)|давайте (сначала|посмотрим|найдём))(?!\p{L})/iu,
  /(让我|我来|我将|我会先|我先|首先，我|先搜索|調べます|検索します|確認します|調べてみます|まず)/,
]

/** An end that something is to follow: a colon, or points. */
const GOES_ON = /[:：…]\s*$|\.\.\.\s*$/

type Announced = {
  /** Names of functions. */
  names: readonly string[]
  /** It was asked about already: the end of a text alone says nothing more. */
  isSecond: boolean
}

/**
 * True for a short text that says what its writer will do instead of doing it: the last sentence
 * announces it, or names a function and goes on.
 */
export function isAnnouncement(text: string, { names, isSecond }: Announced): boolean {
  const said = text.trim()
  if (said === '' || said.length > MAX_CHARS || /https?:\/\//.test(said)) return false
  if (!isSecond && GOES_ON.test(said)) return true
  const last =
    said
      .split(/(?<=[.!?。！？])\s*/)
      .filter(Boolean)
      .at(-1) ?? ''
  if (/[?？]\s*$/.test(last)) return false
  const isNamed = names.some((name) => name.includes('_') && said.includes(name))
  return ABOUT_TO.some((pattern) => pattern.test(last)) || (isNamed && ABOUT_TO.some((pattern) => pattern.test(said)))
}
