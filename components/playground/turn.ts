/** A picture to send along, as a data: URI. */
export type Picture = { name: string; url: string; bytes: number }

/** What a turn cost; tokens where they are known. */
export type Cost = { charged: number; inputTokens?: number; outputTokens?: number; estimated?: boolean }

/** One question and its answer. `asking`: nothing came yet. `cost` null: not known, or nothing was charged for certain. */
export type Turn = {
  id: number
  model: string
  asked: string
  pictures: readonly Picture[]
  state: 'asking' | 'answering' | 'done' | 'stopped' | 'failed'
  text: string
  reasoning: string
  /** Why the answer ended, in the wire's word. */
  ending: string | null
  error: string | null
  requestId: string | null
  cost: Cost | null
  ms: number | null
}

/** What is to be sent next, and how. Empty texts: the model's own default. */
export type Settings = { model: string; system: string; temperature: string; maxOutput: string }
export type Draft = { text: string; pictures: readonly Picture[] }

export const newTurn = (id: number, model: string, { text, pictures }: Draft): Turn => ({
  id,
  model,
  asked: text,
  pictures,
  state: 'asking',
  text: '',
  reasoning: '',
  ending: null,
  error: null,
  requestId: null,
  cost: null,
  ms: null,
})

export const isLive = ({ state }: Turn): boolean => state === 'asking' || state === 'answering'

/** True when the model is told of a turn in those that follow: an answer came, and did not break. */
export const isKept = ({ state, text }: Turn): boolean => (state === 'done' || state === 'stopped') && text !== ''

/** Credits of all turns whose charge is known. */
export const sumOf = (turns: readonly Turn[]): number => turns.reduce((sum, { cost }) => sum + (cost?.charged ?? 0), 0)
