import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { getAgentSettings } from '../accounts/agent-settings'
import { listMembers } from '../accounts/members/memberships'
import { readOwnerNotes } from '../accounts/notes'
import { downloadDataset } from '../agent-tools/data/download'
import { listDatasets } from '../agent-tools/data/store'
import { exportedResponses } from '../chat/responses/export'
import { getBalance } from '../credits/balance'
import { prisma, runRead } from '../db'
import { FIRST_ID, JOB_PARTS, JOBS_PART, type JobPart, OWNER_PARTS, type OwnerPart } from './export-parts'

const ROWS = 200
/** A step may have a large result. */
const JOB_ROWS = 20
const JOBS = 100
/** Nobody waits for one page of it: a busy database may take longer than for a page to look at. */
const WITHIN_MS = 60_000

type Asked = { ownerId: number; signal: AbortSignal }

/** Pages of an owner's rows, each fetched when the one before was taken. */
async function* ownerPages({ idType, page }: OwnerPart, { ownerId, signal }: Asked, limit = ROWS) {
  let [at, id] = [new Date(0), FIRST_ID[idType]]
  for (;;) {
    const rows = await runRead(page, [ownerId, at, id, limit], { signal, withinMs: WITHIN_MS })
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    ;[at, id] = [last.at, last.id]
  }
}

async function* jobPages({ idType, page }: JobPart, asked: Asked) {
  for await (const jobs of ownerPages(JOBS_PART, asked, JOBS)) {
    const ids = jobs.map((job) => job.id)
    let [jobId, id] = [FIRST_ID.uuid, FIRST_ID[idType]]
    for (;;) {
      const rows = await runRead(page, [ids, jobId, id, JOB_ROWS], { signal: asked.signal, withinMs: WITHIN_MS })
      yield rows
      const last = rows.at(-1)
      if (!last || rows.length < JOB_ROWS) break
      ;[jobId, id] = [last.jobId, last.id]
    }
  }
}

async function profileOf(ownerId: number): Promise<string> {
  const owner = await prisma().owner.findUniqueOrThrow({
    where: { id: ownerId },
    include: { logins: true, joinDomains: true, groupRoles: true },
  })
  const { email, name, accountName, timeZone, createdAt, logins } = owner
  const domains = owner.joinDomains.map(({ domain, role }) => ({ domain, role }))
  const groups = owner.groupRoles.map(({ group, role }) => ({ group, role }))
  const providers = logins.map(({ provider }) => provider)
  const [credits, agentSettings, { notes }, people] = await Promise.all([
    getBalance(ownerId),
    getAgentSettings(ownerId),
    readOwnerNotes(ownerId),
    listMembers(ownerId),
  ])
  const members = people.map((member) => ({ email: member.email, role: member.role, joinedAt: member.joinedAt }))
  const profile = {
    email,
    name,
    accountName,
    timeZone,
    createdAt,
    providers,
    members,
    domains,
    groups,
    credits,
    agentSettings,
    notes,
  }
  return JSON.stringify(profile, null, 2)
}

/**
 * An owner's data as a ZIP, piece by piece: a piece is made when the one before was taken, so that
 * the whole is never in memory. One JSON object a line, and datasets as gzipped CSV; no secrets.
 */
export async function* exportOwner(asked: Asked): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    made.push(piece)
  })
  const add = (name: string) => {
    const part = new ZipDeflate(name, { level: 3 })
    zip.add(part)
    return part
  }
  async function* write(name: string, pages: AsyncGenerator<{ row: string }[]>) {
    const part = add(`${name}.ndjson`)
    for await (const rows of pages) {
      part.push(strToU8(rows.map(({ row }) => `${row}\n`).join('')))
      yield* made.splice(0)
    }
    part.push(new Uint8Array(0), true)
    yield* made.splice(0)
  }
  add('profile.json').push(strToU8(await profileOf(asked.ownerId)), true)
  for (const part of OWNER_PARTS) yield* write(part.name, ownerPages(part, asked))
  yield* write('responses', exportedResponses(asked.ownerId))
  for (const part of JOB_PARTS) yield* write(part.name, jobPages(part, asked))
  for (const { name } of await listDatasets(asked.ownerId)) {
    const { bytes } = await downloadDataset({ ownerId: asked.ownerId, name, format: 'csv' }, asked.signal)
    const part = new ZipPassThrough(`datasets/${name}.csv.gz`)
    zip.add(part)
    part.push(bytes, true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
}
