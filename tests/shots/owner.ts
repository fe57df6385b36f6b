import { makeSessionCookie, type SessionCookie } from '../../server/accounts/session'
import { signUpOwner } from '../../server/accounts/sign-up'
import { grantableNames } from '../../server/api/grantable-names'
import { grantCredits } from '../../server/credits/grant'
import { prisma } from '../../server/db'
import { createKey } from '../../server/keys/create'
import { type CallHabit, writePastCalls } from './past-calls'

/** Somebody who has used the service for six weeks, and operates it. */
export type ShotOwner = {
  id: number
  cookie: SessionCookie
  /** Secrets of two keys: one for everything, one for tools only. */
  keys: { everything: string; tools: string }
  keyId: number
}

const DAYS = 45
const PASSWORD = 'a password for screenshots'

/** An account that has just been opened. */
export async function makeNewcomer(email: string): Promise<SessionCookie> {
  const { id } = await signUpOwner({ email, password: PASSWORD })
  return makeSessionCookie({ id, email, name: null })
}

export async function makeShotOwner(email: string): Promise<ShotOwner> {
  const { id } = await signUpOwner({ email, password: PASSWORD })
  await grantCredits(id, 60_000n, 'Top-up')
  const make = (settings: Parameters<typeof createKey>[1]) => createKey(id, settings, grantableNames())
  const research = await make({
    name: 'Nightly research',
    llm: true,
    agent: true,
    agentRunBudgetCredits: 1_000,
    rpm: 600,
  })
  const support = await make({
    name: 'Support assistant',
    tools: [],
    llm: true,
    budget: 20_000,
    recurringBudget: { credits: 5_000, every: 'month' },
    tags: ['support'],
    rpm: 300,
  })
  const watcher = await make({
    name: 'Price watcher',
    tools: ['crypto_get_prices', 'crypto_get_market_data'],
    budget: 50_000,
  })
  const editor = await make({ name: 'Coding agent', llm: true, rpm: 120 })
  const habits: CallHabit[] = [
    { keyId: research.id, channel: 'agent', perDay: 26, tool: 'web_search' },
    { keyId: research.id, channel: 'agent', perDay: 31, tool: 'web_read_url' },
    { keyId: research.id, channel: 'agent', perDay: 6, tool: 'forum_search' },
    { keyId: research.id, channel: 'agent', perDay: 1, tool: 'property_search' },
    {
      keyId: research.id,
      channel: 'agent',
      perDay: 12,
      model: 'northwind/gale-4',
      product: 'agent',
      tokens: [2_600, 340],
    },
    {
      keyId: support.id,
      channel: 'chat',
      perDay: 55,
      model: 'northwind/gale-4-mini',
      product: 'chat',
      tokens: [1_900, 260],
    },
    { keyId: watcher.id, channel: 'rest', perDay: 24, tool: 'crypto_get_prices' },
    { keyId: watcher.id, channel: 'rest', perDay: 5, tool: 'crypto_get_market_data' },
    {
      keyId: editor.id,
      channel: 'messages',
      perDay: 9,
      model: 'alpenglow/edelweiss-large',
      product: 'chat',
      tokens: [3_200, 700],
    },
    { keyId: editor.id, channel: 'mcp', perDay: 8, tool: 'web_search' },
    { keyId: editor.id, channel: 'mcp', perDay: 1, tool: 'web_screenshot' },
  ]
  await writePastCalls(id, habits, DAYS)
  await prisma().owner.update({ where: { id }, data: { isAdmin: true } })
  const cookie = await makeSessionCookie({ id, email, name: null })
  return { id, cookie, keys: { everything: research.key, tools: watcher.key }, keyId: research.id }
}
