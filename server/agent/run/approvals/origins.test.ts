import { expect, it } from 'vitest'
import { runWith } from '../../../../tests/support/flow-run'
import { fileUrl } from '../../jobs/attachments'
import { knownBy } from './origins'

const secret = 'sk-abcdefghijklmnop1234'
const attachment = { fileId: 'a'.repeat(32), name: 'notes.txt', contentType: 'text/plain', bytes: 60 }
const file = { ...attachment, text: `The key is ${secret}. See https://notes.example/page.` }

it('what is attached is data of the owner from the first step on, not what a person wrote', () => {
  const run = runWith({ ownerId: 1, calls: [] })
  const [turn] = run.turns
  if (turn) turn.attachments = [file]
  const known = knownBy(run)
  expect(known.private).toEqual(['the attached file notes.txt'])
  expect(known).toMatchObject({ foreign: [], since: { private: -1 } })
  expect(known.secrets).toContain(secret)
})

it('is known from the turn on that it is attached to, also through its link', () => {
  const url = fileUrl(attachment.fileId)
  const run = runWith({
    ownerId: 1,
    reads: [{ name: 'image_analyze', input: { source: url }, output: { text: 'A gate' } }],
    calls: [],
  })
  const end = run.steps.length - 1
  run.turns.push({
    runId: 'next',
    number: 2,
    goal: 'Go on.',
    status: 'running',
    result: null,
    startedAt: new Date(),
    attachments: [file],
    checks: null,
  })
  expect(knownBy(run, 0).private).toEqual([])
  expect(knownBy(run).since.private).toBeLessThanOrEqual(end)
  const [turn] = run.turns
  if (turn) turn.attachments = [attachment]
  const known = knownBy(run, end)
  expect(known.foreign).toEqual([])
  expect(known.private).toContain('the attached file notes.txt')
})
