import { randomUUID } from 'node:crypto'

/** What a launcher read for the processes that it starts. */
export type GivenSettings = {
  /** Names the launcher among all of them. */
  launcher: string
  version: string
  readAt: string
  /** The text of the models file; null without one. */
  models: string | null
}

/** What came of reading the settings again. */
export type SettingsOutcome = {
  /** The ids of the requests that it answers; none after a signal. */
  requests: string[]
  launcher: string
  /** Why the former settings are kept; null: the new ones hold. */
  problem: string | null
  /** The names of what differs, never values. */
  changed: string[]
  version: string
}

/** What a launcher and the processes that it started on the same work send each other. */
export type SiblingMessage =
  /** What a process is to work with: sent before anything else. */
  | { kind: 'settings'; settings: GivenSettings }
  /** Why a process cannot start. */
  | { kind: 'problem'; text: string }
  /** An operator has asked, so long ago, that the settings be read again. */
  | { kind: 'read-settings'; request: string; ageMs: number }
  /** What came of it, to be written down by one of the processes. */
  | { kind: 'outcome'; outcome: SettingsOutcome }
  /** A process serves. */
  | { kind: 'ready' }
  /** A process has put everything away, and ends with this code now. */
  | { kind: 'done'; code: number }
  /** A process is to stop, because another has taken its place. */
  | { kind: 'leave' }
  /** A process asks all of them, itself included. */
  | { kind: 'ask'; id: string; topic: string }
  /** Who has been asked, by number. */
  | { kind: 'expect'; id: string; slots: number[] }
  | { kind: 'asked'; id: string; topic: string; by: number }
  | { kind: 'answer'; id: string; by: number; slot: number; text: string }

type Question = { expected?: number[]; answers: Map<number, string>; done: () => void }

const state = {
  slot: null as number | null,
  count: 1,
  questions: new Map<string, Question>(),
  topics: new Map<string, () => Promise<string>>(),
}

/** How long the slowest of the siblings is waited for, milliseconds. */
const ANSWER_MS = 1_000

/** This process's number among those of its launcher, from 1 on; null where it is the only one. */
export const siblingSlot = (): number | null => state.slot

/** How many processes its launcher runs. */
export const siblingCount = (): number => state.count

/** Sends to the launcher, unless it has ended. */
export const sendToLauncher = (message: SiblingMessage): void => {
  if (process.connected) process.send?.(message)
}

/** Makes this process one of `count`, with a number that its successor will have too. */
export function joinSiblings(slot: number, count: number): void {
  Object.assign(state, { slot, count })
  process.on('message', receive)
}

/** Says what this process answers when a sibling asks about a topic. */
export const answerSiblings = (topic: string, answer: () => Promise<string>): void =>
  void state.topics.set(topic, answer)

/**
 * Asks all siblings about a topic, this process included. Returns the answers by number: null where
 * none came within a second, as from a process that is frozen.
 */
export async function askSiblings(topic: string): Promise<ReadonlyMap<number, string | null>> {
  const id = randomUUID()
  const answers = new Map<number, string>()
  const complete = new Promise<void>((done) => state.questions.set(id, { answers, done }))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS)
  })
  sendToLauncher({ kind: 'ask', id, topic })
  await Promise.race([complete, late])
  clearTimeout(timer)
  const slots = state.questions.get(id)?.expected ?? []
  state.questions.delete(id)
  return new Map([...slots, ...answers.keys()].map((slot) => [slot, answers.get(slot) ?? null]))
}

function receive(message: SiblingMessage): void {
  if (message.kind === 'asked') void reply(message)
  if (message.kind !== 'expect' && message.kind !== 'answer') return
  const question = state.questions.get(message.id)
  if (!question) return
  if (message.kind === 'expect') question.expected = message.slots
  else question.answers.set(message.slot, message.text)
  if (question.expected?.every((slot) => question.answers.has(slot))) question.done()
}

async function reply({ id, topic, by }: SiblingMessage & { kind: 'asked' }): Promise<void> {
  const text = await state.topics.get(topic)?.()
  if (text !== undefined && state.slot !== null) sendToLauncher({ kind: 'answer', id, by, slot: state.slot, text })
}
