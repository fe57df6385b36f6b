/** An image to send, as a data: URI. */
export type AttachedImage = { name: string; url: string; bytes: number }

/** What a turn cost; tokens if they are known. */
export type ChatTurnCost = { charged: number; inputTokens?: number; outputTokens?: number; estimated?: boolean }

/** One message and its response. `cost` null: unknown. */
export type ChatTurn = {
  id: number
  model: string
  message: string
  images: readonly AttachedImage[]
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  text: string
  reasoning: string
  /** The wire format's finish_reason. */
  finishReason: string | null
  error: string | null
  requestId: string | null
  cost: ChatTurnCost | null
  ms: number | null
}

/** The parameters of the next request. Empty texts: the model's default. */
export type ChatSettings = { model: string; system: string; temperature: string; maxOutput: string }
export type ChatDraft = { text: string; images: readonly AttachedImage[] }

export const newChatTurn = (id: number, model: string, { text, images }: ChatDraft): ChatTurn => ({
  id,
  model,
  message: text,
  images,
  state: 'waiting',
  text: '',
  reasoning: '',
  finishReason: null,
  error: null,
  requestId: null,
  cost: null,
  ms: null,
})

export const isAnswering = ({ state }: ChatTurn): boolean => state === 'waiting' || state === 'streaming'

/** True when the turn is sent to the model with later messages: its response arrived. */
export const isInHistory = ({ state, text }: ChatTurn): boolean =>
  (state === 'done' || state === 'stopped') && text !== ''

/** The known charges of all turns, credits. */
export const sumCharges = (turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { cost }) => sum + (cost?.charged ?? 0), 0)
