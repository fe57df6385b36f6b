/** An image to send, as a data: URI. */
export type AttachedImage = { name: string; url: string; bytes: number }

/** What a request cost; tokens if they are known. */
export type ChatTurnCost = { charged: number; inputTokens?: number; outputTokens?: number; estimated?: boolean }

/** A call of a tool that a model asked for. `most`: its highest price, null while unknown. */
export type ChatToolCall = {
  id: string
  name: string
  /** JSON, as the model wrote it. */
  input: string
  state: 'priced' | 'asked' | 'running' | 'done' | 'failed' | 'declined' | 'stopped'
  most: number | null
  /** What the model gets, as JSON. */
  result: string | null
  charged: number | null
  requestId: string | null
  /** The credits did not pay for it. */
  isShort?: boolean
}

/** One request to a model and what it answered. `cost` null: unknown. */
export type ChatRound = {
  text: string
  reasoning: string
  calls: readonly ChatToolCall[]
  /** The wire format's finish_reason. */
  finishReason: string | null
  requestId: string | null
  cost: ChatTurnCost | null
}

/** What one model answered to a message: one request, or several around its calls of tools. */
export type ChatAnswer = {
  model: string
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  rounds: readonly ChatRound[]
  error: string | null
  /** The credits did not pay for it. */
  isShort?: boolean
  /** Until the first token, and until its end. */
  firstMs: number | null
  ms: number | null
}

/** One message and what each model answered. */
export type ChatTurn = {
  id: number
  message: string
  images: readonly AttachedImage[]
  answers: readonly ChatAnswer[]
}

/** The parameters of the next request. Empty texts: the model's default. */
export type ChatSettings = {
  /** The models that answer side by side, at least one. */
  models: readonly string[]
  system: string
  temperature: string
  maxOutput: string
  /** Ids of the tools that models may call. */
  tools: readonly string[]
  /** Credits that the calls of a conversation may cost unasked. */
  toolLimit: string
}
export type ChatDraft = { text: string; images: readonly AttachedImage[] }

export const newChatRound = (): ChatRound => ({
  text: '',
  reasoning: '',
  calls: [],
  finishReason: null,
  requestId: null,
  cost: null,
})

export const newChatAnswer = (model: string): ChatAnswer => ({
  model,
  state: 'waiting',
  rounds: [newChatRound()],
  error: null,
  firstMs: null,
  ms: null,
})

export const newChatTurn = (id: number, models: readonly string[], { text, images }: ChatDraft): ChatTurn => ({
  id,
  message: text,
  images,
  answers: models.map(newChatAnswer),
})

export const isAnswering = ({ state }: ChatAnswer): boolean => state === 'waiting' || state === 'streaming'

export const isTurnAnswering = ({ answers }: ChatTurn): boolean => answers.some(isAnswering)

/** All text of an answer. */
export const answerText = ({ rounds }: ChatAnswer): string =>
  rounds
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n')

/** True when the answer is sent to its model with later messages. */
export const isInHistory = (answer: ChatAnswer): boolean =>
  (answer.state === 'done' || answer.state === 'stopped') && answerText(answer) !== ''

/** Everything an answer is known to have cost, its calls of tools included. Credits. */
export const answerCharge = ({ rounds }: ChatAnswer): number =>
  rounds.reduce(
    (sum, { cost, calls }) => sum + (cost?.charged ?? 0) + calls.reduce((all, call) => all + (call.charged ?? 0), 0),
    0,
  )

/** The known charges of all turns, credits. */
export const sumCharges = (turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { answers }) => sum + answers.reduce((all, answer) => all + answerCharge(answer), 0), 0)

/** The known charges of all calls of tools, credits. */
export const sumToolCharges = (turns: readonly ChatTurn[]): number =>
  turns
    .flatMap(({ answers }) => answers.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls)))
    .reduce((sum, { charged }) => sum + (charged ?? 0), 0)
