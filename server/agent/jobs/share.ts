import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Prisma } from '../../../prisma/generated/client'
import { inAct, prisma, runRead } from '../../db'
import { env } from '../../env'
import { siteUrl } from '../../env/site-hosting'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import { viewArtifacts } from './artifacts'
import { RunShare, type SharedRun, type ShareShows } from './share-shape'

const TOKEN = /^[\w-]{32}$/

const shareUrl = (token: string): string => `${env().PUBLIC_URL}/shared/${token}`

const runNotFound = () => new AppError('not_found', 'There is no such run.')

/** The link of a turn, as its owner sees it; null: it is not shared. */
export const viewShare = ({ shareToken, shareShows }: { shareToken: string | null; shareShows: unknown }) =>
  shareToken === null ? null : RunShare.parse({ url: shareUrl(shareToken), shows: shareShows ?? [] })

/**
 * Makes a link with which anybody reads the result of a run, or changes what it shows: the link
 * stays the same. Throws `not_found`, and `conflict` for a run that is not completed.
 */
export async function shareRun(
  ownerId: number,
  { runId, shows }: { runId: string; shows: ShareShows },
): Promise<RunShare> {
  if (!isUuid(runId)) throw runNotFound()
  return inAct(async (tx) => {
    const turn = await tx.turn.findFirst({ where: { runId, ownerId }, select: { status: true, shareToken: true } })
    if (!turn) throw runNotFound()
    if (turn.status !== 'completed') throw new AppError('conflict', 'Only a run that is completed can be shared.')
    const shareToken = turn.shareToken ?? randomBytes(24).toString('base64url')
    await tx.turn.update({ where: { runId }, data: { shareToken, shareShows: shows as Prisma.InputJsonArray } })
    return { url: shareUrl(shareToken), shows }
  })
}

/** Makes the link of a run useless; another one is another link. Throws `not_found`. */
export async function unshareRun(ownerId: number, runId: string): Promise<{ runId: string }> {
  if (!isUuid(runId)) throw runNotFound()
  return inAct(async (tx) => {
    const { count } = await tx.turn.updateMany({ where: { runId, ownerId }, data: { shareToken: null } })
    if (count === 0) throw runNotFound()
    return { runId }
  })
}

const STEPS = statement({
  name: 'shared_run_steps',
  sql: `SELECT kind, name, error IS NOT NULL AS failed, charged, started_at, ended_at FROM step
    WHERE job_id = $1 AND run_id = $2 ORDER BY index`,
  params: ['uuid', 'uuid'],
  columns: {
    kind: 'text',
    name: 'text',
    failed: 'boolean',
    charged: 'bigint',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
  },
})

/** What the run's own steps made and whoever has a link may see: no datasets. */
const MADE = statement({
  name: 'shared_run_artifacts',
  sql: `SELECT jsonb_agg(jsonb_build_object('kind', a.kind, 'id', a.ref, 'name', a.name, 'url', a.url) ORDER BY a.index) AS made
    FROM artifact a JOIN step s ON s.job_id = a.job_id AND s.index = a.index
    WHERE a.job_id = $1 AND s.run_id = $2 AND (a.kind IN ('file', 'image', 'video')
      OR (a.kind = 'site' AND EXISTS (SELECT 1 FROM site x WHERE x.slug = a.ref AND x.live IS NOT NULL)))`,
  params: ['uuid', 'uuid'],
  columns: { made: 'jsonb?' },
})

/**
 * A run as its link shows it: its result and the names of its steps, never what they read, and what
 * it was asked and cost where its owner chose so. Null: there is no such link, or no more.
 */
export async function findSharedRun(token: string): Promise<SharedRun | null> {
  if (!TOKEN.test(token)) return null
  // Not from a replica: a link that was withdrawn shows nothing from then on.
  const turn = await prisma().turn.findUnique({ where: { shareToken: token } })
  if (!turn?.endedAt) return null
  const isOpen = await prisma().owner.count({ where: { id: turn.ownerId, deletedAt: null } })
  if (isOpen === 0) return null
  const of = [turn.jobId, turn.runId] as const
  const [steps, [made]] = await Promise.all([runRead(STEPS, of), runRead(MADE, of)])
  const shows = z.array(z.string()).parse(turn.shareShows ?? [])
  return {
    goal: shows.includes('goal') ? turn.goal : null,
    result: turn.result ?? '',
    ...(turn.output !== null && { output: turn.output }),
    credits: shows.includes('cost') ? steps.reduce((sum, { charged }) => sum + Number(charged), 0) : null,
    model: turn.model,
    startedAt: turn.createdAt.toISOString(),
    endedAt: turn.endedAt.toISOString(),
    steps: steps.map(({ kind, name, failed, started_at: begun, ended_at: ended }) => ({
      kind,
      name,
      hasFailed: failed,
      ms: ended.getTime() - begun.getTime(),
    })),
    // Never the address of a preview, which the owner did not make public.
    artifacts: viewArtifacts(made?.made ?? null).map((one) =>
      one.kind === 'site' && one.id ? { ...one, url: siteUrl(one.id) } : one,
    ),
  }
}
