/** A picture to send along, as a data: URI. */
export type AttachedImage = { name: string; url: string; bytes: number }

/** What a turn cost; tokens where they are known. */
export type ChatTurnCost = { charged: number; inputTokens?: number; outputTokens?: number; estimated?: boolean }

/** One question and its answer. `asking`: nothing came yet. `cost` null: not known, or nothing was charged for certain. */
export type ChatTurn = {
  id: number
  model: string
  asked: string
  pictures: readonly AttachedImage[]
  state: 'asking' | 'answering' | 'done' | 'stopped' | 'failed'
  text: string
  reasoning: string
  /** Why the answer ended, in the wire's word. */
  ending: string | null
  error: string | null
  requestId: string | null
  cost: ChatTurnCost | null
  ms: number | null
}

/** What is to be sent next, and how. Empty texts: the model's own default. */
export type ChatSettings = { model: string; system: string; temperature: string; maxOutput: string }
export type ChatDraft = { text: string; pictures: readonly AttachedImage[] }

export const newChatTurn = (id: number, model: string, { text, pictures }: ChatDraft): ChatTurn => ({
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

export const isAnswering = ({ state }: ChatTurn): boolean => state === 'asking' || state === 'answering'

/** True when the model is told of a turn in those that follow: an answer came, and did not break. */
export const isInHistory = ({ state, text }: ChatTurn): boolean =>
  (state === 'done' || state === 'stopped') && text !== ''

/** Credits of all turns whose charge is known. */
export const sumCharges = (turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { cost }) => sum + (cost?.charged ?? 0), 0)
