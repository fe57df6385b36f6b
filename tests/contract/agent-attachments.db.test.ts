import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { isRecord, recordsIn, type UnknownRecord } from '../../server/kit/record'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, playAgentModel } from '../support/agent-model'
import { chargedTo, send, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const dataUri = (type: string, bytes: Buffer | string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const photo = readFileSync('public/images/overview-dark-960.webp')

/** Parts of a message that are images. */
const imagesIn = ({ content }: UnknownRecord): string[] =>
  recordsIn(content).flatMap(({ image_url }) => (isRecord(image_url) ? [String(image_url.url)] : []))
const textIn = ({ content }: UnknownRecord): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text = '' }) => String(text))
        .join('\n')

/** A PDF of one page with this text; readers find its objects without a table of them. */
function paper(text: string): Buffer {
  const drawn = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n`)
}

let asked: AskedModel[] = []

/** Has the model look once at the web, then answer; keeps what it is asked. */
function play(first: { name: string; arguments: unknown } | null = null) {
  asked = []
  upstream.play(
    playAgentModel((call) => {
      asked.push(call)
      return first !== null && asked.length === 1 ? { calls: [first] } : { content: 'I see.' }
    }),
  )
}

const run = async (key: string, fields: object) => {
  const { status, body } = await startAgentRun(key, fields)
  expect([status, body.error]).toEqual([202, undefined])
  return { jobId: body.jobId, job: await untilStatus(key, body.jobId, ...over) }
}

const goalOf = ({ messages }: AskedModel) => messages.find(({ role }) => role === 'user') ?? {}

describe('an attached image', () => {
  it('reaches a model that can see, is a file of the account, and is in the hold', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true })
    play()
    const attachments = [{ name: 'photo.webp', data: dataUri('image/webp', photo) }]
    const { jobId, job } = await run(key.key, { goal: 'What is on it?', model: 'upstream/one', attachments })
    expect(job).toMatchObject({ status: 'completed', result: 'I see.' })
    const goal = goalOf(asked[0] as AskedModel)
    expect(imagesIn(goal)).toEqual([dataUri('image/webp', photo)])
    expect(textIn(goal)).toMatch(
      /What is on it\?\n\n\[Attached: photo\.webp \(image\/webp, \d+ KB\), http.*\/files\/[0-9a-f]{32}\.webp\]/,
    )
    const files = await prisma().file.findMany({ where: { ownerId: owner.id } })
    expect(files).toMatchObject([{ contentType: 'image/webp', bytes: photo.length }])
    const [step] = await readSteps(key.key, jobId)
    const receipt = await send(`/api/v1/usage/${step?.requestId}`, { key: key.key })
    // 6,000 tokens at 8,335 credits a million are 50 of these.
    expect((receipt.body.credits as { held: number }).held).toBeGreaterThan(50)
    expect(await chargedTo(owner)).toBe(job.creditsSpent)
  })

  it('is sent byte by byte as before to the follow-up, beside what that attaches', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    play()
    const attachments = [{ data: dataUri('image/webp', photo) }]
    const { jobId } = await run(key.key, { goal: 'First.', model: 'upstream/one', attachments })
    const before = goalOf(asked[0] as AskedModel)
    const [file] = await prisma().file.findMany({ orderBy: { createdAt: 'desc' }, take: 1 })
    play()
    await run(key.key, {
      goal: 'Second.',
      model: 'upstream/one',
      conversationId: jobId,
      attachments: [
        { fileId: file?.id, name: 'again' },
        { name: 'rows.csv', data: dataUri('text/csv', 'a,b\n1,2\n') },
      ],
    })
    const messages = (asked[0] as AskedModel).messages
    expect(imagesIn(goalOf(asked[0] as AskedModel))).toEqual(imagesIn(before))
    const second = messages.findLast((message) => textIn(message).startsWith('Second.')) ?? {}
    // The same image again is named, not sent twice.
    expect(textIn(second)).toContain(`/files/${file?.id}]`)
    expect(imagesIn(second)).toEqual([])
    expect(textIn(second)).toMatch(/rows\.csv \(text\/csv, 8 bytes\), http[^\n]*\]\na,b\n1,2/)
  })

  it('is a line for a model that cannot see, which names the tool that can', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    play()
    const attachments = [{ name: 'photo.webp', data: dataUri('image/webp', photo) }]
    await run(key.key, { goal: 'What is on it?', model: 'upstream/blind', attachments })
    const goal = goalOf(asked[0] as AskedModel)
    expect(imagesIn(goal)).toEqual([])
    expect(textIn(goal)).toMatch(/\.webp\][\s\S]*\[You cannot see images\. image_analyze describes one by its URL\.\]/)
    play()
    await run(key.key, { goal: 'And now?', model: 'upstream/blind', attachments, capabilities: ['crypto'] })
    expect(textIn(goalOf(asked[0] as AskedModel))).toContain('No tool here describes them')
  })
})

describe('an attached PDF', () => {
  it('is read by its text, and kept as it is', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true })
    play()
    const attachments = [{ name: 'bill.pdf', data: dataUri('application/pdf', paper('Pay 42 by Friday')) }]
    await run(key.key, { goal: 'What is due?', model: 'upstream/one', attachments })
    expect(textIn(goalOf(asked[0] as AskedModel))).toMatch(
      /bill\.pdf \(application\/pdf, \d+ bytes\), http\S+\.pdf\]\nPay 42 by Friday/,
    )
    const files = await prisma().file.findMany({ where: { ownerId: owner.id } })
    expect(files).toMatchObject([{ contentType: 'application/pdf' }])
  })
})

describe('402', () => {
  it('keeps nothing of what was attached', async () => {
    const { owner, key } = await makeCaller(50, { agent: true })
    const refused = await startAgentRun(key.key, { attachments: [{ data: dataUri('text/plain', 'a,b') }] })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } })
    expect(await prisma().file.count({ where: { ownerId: owner.id } })).toBe(0)
  })
})

describe('an image that a tool made', () => {
  it('follows the result of its step, for a model that can see', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    play({ name: 'image_generate', arguments: { prompt: 'A toll gate' } })
    const { jobId } = await run(key.key, { goal: 'Draw a toll gate.', model: 'upstream/one' })
    const made = (await readSteps(key.key, jobId)).find(({ kind }) => kind === 'tool')
    const { messages } = asked[1] as AskedModel
    const at = messages.findIndex(({ role }) => role === 'tool')
    expect(textIn(messages[at] ?? {})).toContain(String(made?.output?.url))
    expect(imagesIn(messages[at + 1] ?? {})).toHaveLength(1)
    expect(messages[at + 1]).toMatchObject({ role: 'user' })
  })
})

describe('400', () => {
  it.each([
    ['what is no image and no text', [{ data: dataUri('application/zip', Buffer.from([0xff, 0xfe, 0, 1])) }]],
    ['a PDF that cannot be read', [{ data: dataUri('application/pdf', '%PDF-1.4 nothing here') }]],
    ['a PDF without text', [{ data: dataUri('application/pdf', paper('')) }]],
    ['what is not in base64', [{ data: 'data:text/plain,hello' }]],
    ['nothing in it', [{ data: 'data:text/plain;base64,' }]],
    ['a URL', [{ data: 'https://example.com/a.png' }]],
    ['neither data nor fileId', [{ name: 'a' }]],
    ['both', [{ data: dataUri('text/plain', 'a'), fileId: 'b' }]],
    ['a file that the account does not have', [{ fileId: '0'.repeat(32) }]],
    ['a name with brackets', [{ name: 'a] [b', data: dataUri('text/plain', 'a') }]],
    ['none', []],
    ['nine', Array.from({ length: 9 }, () => ({ data: dataUri('text/plain', 'a') }))],
    ['more than 3.75 MB', [{ data: dataUri('text/plain', 'a'.repeat(3_750_001)) }]],
  ])('for %s', async (_what, attachments) => {
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const refused = await startAgentRun(key.key, { attachments })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(JSON.stringify(refused.body.issues)).toContain('attachments')
    expect(await prisma().file.count({ where: { ownerId: owner.id } })).toBe(0)
  })

  it('for a file of another owner', async () => {
    const [mine, theirs] = [await makeCaller(10_000, { agent: true }), await makeCaller(10_000, { agent: true })]
    play()
    await run(theirs.key.key, { model: 'upstream/one', attachments: [{ data: dataUri('image/webp', photo) }] })
    const [file] = await prisma().file.findMany({ where: { ownerId: theirs.owner.id } })
    expect((await startAgentRun(mine.key.key, { attachments: [{ fileId: file?.id }] })).status).toBe(400)
  })
})
