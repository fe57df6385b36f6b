import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOperator, signedIn } from '../../tests/support/operators'
import { makeOwner } from '../../tests/support/owners'
import { pollUntil } from '../../tests/support/poll-until'
import { closeDb, mainPool } from '../db'
import { noteProcess, type ProcessFacts } from './processes'
import { lastSettingsRequest, recordSettingsOutcome } from './settings'

const FACTS: ProcessFacts = {
  kind: 'web',
  host: 'host-1',
  pid: 7,
  version: '0.1.0',
  launcher: 'launcher-1',
  settings: 'abcd1234',
  readAt: '2026-11-23T12:00:00.000Z',
  startedAt: '2026-11-23T11:00:00.000Z',
  unwritten: 0,
  isLeaving: false,
}

beforeEach(() => mainPool().query('UPDATE holder SET about = NULL'))
afterAll(closeDb)

const outcome = (requests: string[], problem: string | null = null) => ({
  requests,
  launcher: 'launcher-1',
  problem,
  changed: ['MARKUP'],
  version: 'ef567890',
})

describe('operators.settings', () => {
  it('shows what each process has', async () => {
    await noteProcess(FACTS)
    const { api } = await makeOperator()
    expect((await api.operators.settings.get()).processes).toEqual([{ id: expect.any(String), ...FACTS }])
  })

  it('asks all to read again, and answers once each has said what came of it', async () => {
    await noteProcess(FACTS)
    const { api, owner } = await makeOperator()
    const before = (await lastSettingsRequest())?.request
    const answer = api.operators.settings.read()
    const asked = await pollUntil('the request', async () => {
      const last = await lastSettingsRequest()
      return last && last.request !== before ? last : null
    })
    expect(asked.ageMs).toBeLessThan(60_000)
    await recordSettingsOutcome(outcome([asked.request], 'MARKUP must be a number'), 'web on host-1')
    expect(await answer).toMatchObject({
      attempts: [
        { process: 'web on host-1', isRefused: true, problem: 'MARKUP must be a number', version: 'ef567890' },
      ],
      silent: [],
    })
    const { rows } = await api.operators.owners.log({ limit: 2 })
    expect(rows.map(({ action, actor, ownerId }) => ({ action, actor, ownerId }))).toEqual([
      { action: 'settings_refused', actor: null, ownerId: 0 },
      { action: 'settings_requested', actor: owner.email, ownerId: 0 },
    ])
    expect((await api.operators.settings.get()).attempts[0]).toMatchObject({ requests: [asked.request] })
  })

  it('names processes that nothing reads settings for', async () => {
    await noteProcess({ ...FACTS, launcher: null })
    const { api } = await makeOperator()
    expect(await api.operators.settings.read()).toEqual({ attempts: [], silent: ['web on host-1'] })
  })

  it('is for operators', async () => {
    const { api } = await signedIn(await makeOwner())
    await expect(api.operators.settings.get()).rejects.toThrow()
    await expect(api.operators.settings.read()).rejects.toThrow()
  })
})
