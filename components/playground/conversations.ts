import { restoredAnswer } from './answer'
import type { ChatSettings, ChatTurn } from './turn'

/** A conversation as a browser keeps it. */
export type ChatConversation = {
  id: string
  title: string
  /** The owner gave it its title. */
  isNamed: boolean
  updatedAt: number
  settings: ChatSettings
  turns: readonly ChatTurn[]
}

/** What the list of conversations shows of one. */
export type ConversationHead = Pick<ChatConversation, 'id' | 'title' | 'updatedAt'>

const MAX_TITLE_CHARS = 60

/** The first line of a conversation, shortened. */
export function conversationTitle(turns: readonly ChatTurn[]): string {
  const line = turns[0]?.message.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line === '') return turns[0]?.images.length ? 'An image' : 'New conversation'
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1).trimEnd()}…` : line
}

type Changed = { id: string; settings: ChatSettings; turns: readonly ChatTurn[]; now: number }

/** A conversation after its latest change; a title that the owner gave stays. */
export const changedConversation = (
  before: ChatConversation | null,
  { id, settings, turns, now }: Changed,
): ChatConversation => ({
  id,
  title: before?.isNamed ? before.title : conversationTitle(turns),
  isNamed: before?.isNamed ?? false,
  updatedAt: now,
  settings,
  turns,
})

/** A conversation under another title; an empty one brings its own back. */
export function renamedConversation(conversation: ChatConversation, title: string): ChatConversation {
  const given = title.trim().slice(0, MAX_TITLE_CHARS)
  return { ...conversation, title: given || conversationTitle(conversation.turns), isNamed: given !== '' }
}

/** What was on its way when the page closed has stopped. */
export const restoredTurns = (turns: readonly ChatTurn[]): ChatTurn[] =>
  turns.map((turn) => ({ ...turn, answers: turn.answers.map(restoredAnswer) }))

/** The newest first. */
export const listedConversations = (all: readonly ChatConversation[]): ConversationHead[] =>
  [...all].sort((a, b) => b.updatedAt - a.updatedAt).map(({ id, title, updatedAt }) => ({ id, title, updatedAt }))
