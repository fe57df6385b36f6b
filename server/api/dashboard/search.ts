import { z } from 'zod'
import { mayAs } from '../../accounts/shape'
import { findJobById, findJobs } from '../../agent/jobs/find-jobs'
import { getReceipt } from '../../credits/receipts'
import { AppError } from '../../errors'
import { findKeys } from '../../keys/find-keys'
import { isUuid } from '../../kit/id'
import type { ReadOptions } from '../../kit/pg-read'
import { searchWords } from '../../kit/search-words'
import { allModels } from '../../models/registry'
import { availableTools, groupOfTool } from '../../tools/registry'
import { memberProcedure, router } from '../trpc'

/** Most results of each kind. */
const MAX = 6

const Found = z.object({
  kind: z.enum(['receipt', 'job', 'key', 'tool', 'model']),
  label: z.string(),
  note: z.string().describe('What distinguishes it from others of its name'),
  href: z.string().describe('Its page'),
})
type Found = z.infer<typeof Found>

const hasWords = (words: readonly string[], ...texts: string[]): boolean => {
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

const toolsOf = (words: readonly string[]): Found[] =>
  availableTools()
    .filter((tool) => hasWords(words, tool.id, tool.label, groupOfTool(tool).label))
    .slice(0, MAX)
    .map(({ id, label }) => ({ kind: 'tool', label, note: id, href: `/catalog/${id}` }))

const modelsOf = (words: readonly string[]): Found[] =>
  allModels()
    .filter(({ id, name }) => hasWords(words, id, name))
    .slice(0, MAX)
    .map(({ id, name }) => ({ kind: 'model', label: name, note: id, href: `/models?model=${encodeURIComponent(id)}` }))

type FoundJobRow = Awaited<ReturnType<typeof findJobs>>[number]
const viewJob = ({ jobId, title, status }: FoundJobRow): Found => ({
  kind: 'job',
  label: title,
  note: status.replaceAll('_', ' '),
  href: `/jobs/${jobId}`,
})

/** The receipt and the job that have an id: a request's id may be either. */
async function withId(ownerId: number, id: string, options: ReadOptions): Promise<Found[]> {
  const [receipt, jobs] = await Promise.all([
    getReceipt(ownerId, id, options).catch((error) => {
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    }),
    findJobById(ownerId, id, options),
  ])
  const receipts: Found[] = receipt
    ? [{ kind: 'receipt', label: receipt.what, note: `Receipt of ${id}`, href: `/usage?receipt=${id}` }]
    : []
  return [...receipts, ...jobs.map(viewJob)]
}

async function withWords(ownerId: number, words: string[], options: ReadOptions): Promise<Found[]> {
  const [keys, jobs] = await Promise.all([
    findKeys(ownerId, { words, max: MAX }, options),
    findJobs(ownerId, { words, max: MAX }, options),
  ])
  return [
    ...keys.map(
      ({ id, name, isRevoked }): Found => ({
        kind: 'key',
        label: name,
        note: isRevoked ? 'revoked' : '',
        href: `/keys/${id}`,
      }),
    ),
    ...jobs.map(viewJob),
    ...toolsOf(words),
    ...modelsOf(words),
  ]
}

export const searchRouter = router({
  /** Keys, jobs, tools and models by words, receipts and jobs by id: what the role may read. */
  everything: memberProcedure('member')
    .input(z.strictObject({ q: z.string().trim().max(200) }))
    .output(z.array(Found))
    .query(({ ctx: { owner, role, signal }, input: { q } }) => {
      const words = searchWords(q)
      if (!mayAs(role, 'viewer')) return words.length > 0 ? [...toolsOf(words), ...modelsOf(words)] : []
      if (isUuid(q)) return withId(owner, q.toLowerCase(), { signal })
      return words.length > 0 ? withWords(owner, words, { signal }) : []
    }),
})
