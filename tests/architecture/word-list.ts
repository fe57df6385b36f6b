/** A word or phrase that is not used in this project, and what to write instead. */
export type BannedWord = {
  pattern: RegExp
  /** `prose`: lower-case words, with identifiers split into theirs. `raw`: the line as it is. */
  match: 'prose' | 'raw'
  say: string
}

/** A file in which a banned word has its ordinary meaning, or is the name of somebody else's field. */
export type AllowedWord = { files: RegExp; word: RegExp; why: string }

const prose = (pattern: RegExp, say: string): BannedWord => ({ pattern, match: 'prose', say })
const raw = (pattern: RegExp, say: string): BannedWord => ({ pattern, match: 'raw', say })

export const BANNED_WORDS: readonly BannedWord[] = [
  // One word per concept.
  prose(/\bvendors?\b/, 'provider'),
  prose(/\bimitat(e|es|ed|ing|ions?)\b/, 'simulate, simulation'),
  prose(/\bcatalogues?\b/, 'catalog'),
  prose(/\bpictur(es?|ed|ing)\b/, 'image'),
  prose(/\bfilms?\b/, 'video'),
  // Not the bare name: it is a field of the receipt, and a column.
  raw(
    /[a-z]Door|\bdoor[A-Z]|\bDoor|\bdoors\b|\bdoor['’]s|\b[Dd]oor (is|of|that|serves|sends|answers|puts|does)\b/,
    'handler',
  ),
  prose(/\b(a|an|the|this|each|every|no|which|rest|mcp|chat|events) door\b/, 'handler; channel for how a call came in'),
  prose(/\brooms?\b/, 'module, page, section'),
  prose(/\blaws?\b/, 'architecture test'),
  // Not in `creditCeiling` and `ceilingCredits`, which are fields of the API.
  prose(/(?<!credit )\bceilings?\b(?! credits)/, 'spend limit, limit'),
  prose(/\blast words\b/, 'final summary'),
  // Names.
  raw(/\b(MOST|FEWEST|LEAST)_|\b(most|fewest|least)[A-Z]/, 'max, min'),
  raw(/\b(let|const) (most|fewest|least)\b/, 'max, min'),
  prose(/\bleash(es|ed)?\b/, 'parent watchdog'),
  prose(/\bstorable\b/, 'sanitizeForPostgres'),
  prose(/\bran dry\b/, 'creditsExhausted'),
  raw(/\binTurn\b/, 'a mutex'),
  raw(/\binSlot\b/, 'a semaphore'),
  prose(/\bweigh(s|ed|ing)?\b/, 'measure'),
  prose(/\bloose\b(?! object)/, 'isRecord, unknown'),
  prose(/\bspare\b/, 'minRemaining, unused'),
  raw(/\b(let|const) tries\b|\btries(\+\+| [<+])|[mM]ax(Tries|_TRIES)/, 'attempts'),
  // Verbs and phrases.
  // Not in “tells one from another”.
  prose(/\b(told|tells?|telling)\b(?!.*\b(from|apart)\b)/, 'says, reports, returns; contentLength, message, details'),
  prose(/\bhears?\b|\bheard\b/, 'is called when, receives'),
  prose(/\b(that|it|which|this) is (no|none)\b(?! (longer|more))/, 'not a, invalid, missing'),
  prose(/\bstands? (there|here|in|at|on|under)\b|\bstood\b/, 'is, exists'),
  prose(/\b(broke|breaks?|broken) off\b/, 'the connection closed, the client disconnected'),
  prose(/\bunder way\b/, 'in progress'),
  prose(/\bof (ours|our own)\b/, 'drop it'),
  prose(/\bmend(s|ed|ing)?\b/, 'fix'),
  prose(/\bfor ever\b|\bin the same breath\b|\bin turn\b/, 'drop it, or the exact term'),
  prose(/\bwill not do\b/, 'is invalid'),
]

/** Words with another meaning. Each entry must still be needed. */
export const ALLOWED_WORDS: readonly AllowedWord[] = [
  { files: /(tools\/property|sandbox\/idealista)\/|tools\/params\.test\.ts$/, word: /room/, why: 'homes have rooms' },
  { files: /sandbox\/apify\/shapes\.json$/, word: /picture/, why: 'a field of Apify' },
  {
    files: /sandbox\/player\/((homes-wish|links|media|subject|wish)\.ts|words\.json)$/,
    word: /picture|tell|film|room/,
    why: 'what people write in goals',
  },
  { files: /(landing\/app-image\.tsx|README\.md)$/, word: /picture/, why: 'an element of HTML' },
  { files: /forum\/post-address\.test\.ts$/, word: /picture/, why: 'a file name in a URL' },
  { files: /sandbox\/talk\//, word: /tell|told/, why: 'what people say to a model' },
  { files: /data\/classify-sql\.ts$/, word: /ceiling/, why: 'an SQL function' },
]
