import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import type { ActorStats } from './schemas'
import { marketplaceSettings } from './settings'

export const isMarketplaceConfigured = (): boolean => Boolean(marketplaceSettings().APIFY_TOKEN)

/**
 * Apify charges nothing for reading its store, so nothing is charged. The hold of one credit
 * refuses accounts without any.
 */
export const FREE_PRICING = { kind: 'metered', boundUsd: () => 0.0001, usualUsd: () => 0, isFree: true } as const

export const ActorId = z
  .string()
  .trim()
  .max(200)
  .regex(/^[A-Za-z0-9]+$|^[\w.-]+[~/][\w.-]+$/, 'must be the id of an actor from marketplace_search_actors')
  .describe('Id of an actor, from marketplace_search_actors')

const count = z.number().nullable()

/** How much an actor is used and how well it works. */
export const ActorUsage = z.object({
  runCount: count,
  userCount: count,
  userCount30Days: count,
  successRate30Days: count.describe('Share of the runs of the last 30 days that succeeded, 0 to 1; null without runs'),
})

export function toActorUsage(stats: ActorStats): z.output<typeof ActorUsage> {
  const { SUCCEEDED = null, TOTAL = null } = stats?.publicActorRunStats30Days ?? {}
  return {
    runCount: stats?.totalRuns ?? null,
    userCount: stats?.totalUsers ?? null,
    userCount30Days: stats?.totalUsers30Days ?? null,
    successRate30Days: TOTAL ? Math.round(((SUCCEEDED ?? 0) / TOTAL) * 10_000) / 10_000 : null,
  }
}

/** Texts of the store hold HTML entities. */
export const decodeEntities = (text: string | null): string | null => (text === null ? null : decodeHTMLStrict(text))

/** `<user>/<name>`, the usual name of an actor. */
export const actorFullName = ({ username, name }: { username: string | null; name: string }): string =>
  username ? `${username}/${name}` : name

/** The actor's page in the store. */
export const actorPageUrl = (actor: { username: string | null; name: string }): string | null =>
  actor.username ? `https://apify.com/${encodeURIComponent(actor.username)}/${encodeURIComponent(actor.name)}` : null
