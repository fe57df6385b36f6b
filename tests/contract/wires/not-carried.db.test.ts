import { describe, expect, it } from 'vitest'
import type { WireName } from '../../../server/models/completion'
import { NOT_CARRIED } from '../../../server/models/wires/not-carried'
import { send, withSandbox } from '../../support/api'
import { makeChatter } from '../../support/chat'
import { expectUntouched } from '../../support/ledger'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { WIRE_ENDS } from '../../support/wires/wires'

/** What is lost between wires, by the table that docs/guides/wires.md is written from. */

const providers = withFakeProviders()
withSandbox()

const ROWS = NOT_CARRIED.flatMap((row) =>
  Object.entries(row.sent).map(([from, fields]) => ({ ...row, from: from as WireName, fields })),
)
const rowsThat = (outcome: 'refused' | 'dropped') => ROWS.filter((row) => row.outcome === outcome)

async function askWith(from: WireName, to: WireName, fields: object) {
  const caller = await makeChatter(1_000)
  const { client } = WIRE_ENDS[from]
  providers.play({ text: ['Yes.'], usage: { input: 10, output: 2 } })
  const body = { ...client.body({ model: sceneModel(to), text: 'Hello', limit: 20 }, false), ...fields }
  return { ...caller, answer: await send(client.path, { key: caller.key.key, body }) }
}

describe('what an upstream of another wire cannot be sent', () => {
  it.each(rowsThat('refused'))(
    '$what, from $from to $to: 400 that names it, nothing is charged',
    async ({ from, to, fields }) => {
      const { owner, answer } = await askWith(from, to, fields)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.body).not.toHaveProperty('service')
      const { code, message } = WIRE_ENDS[from].client.readError(answer.body)
      expect(code).toBe('invalid_request')
      expect(message).toMatch(/\S/)
      expect(providers.calls()).toBe(0)
      await expectUntouched(owner)
    },
  )

  it.each(rowsThat('dropped'))('$what, from $from to $to: left out', async ({ from, to, fields }) => {
    const { answer } = await askWith(from, to, fields)
    expect(answer.status, answer.text).toBe(200)
    for (const field of Object.keys(fields)) {
      expect(providers.asked()).not.toHaveProperty(field)
      expect(answer.headers.get('x-tollgate-adjusted')).toContain(`${field}=dropped`)
    }
  })

  it.each(ROWS)('$what, from $from: passes to an upstream of its own wire', async ({ from, fields }) => {
    const { answer } = await askWith(from, from, fields)
    expect(answer.status, answer.text).toBe(200)
    expect(providers.asked()).toMatchObject(fields)
    expect(answer.headers.get('x-tollgate-adjusted')).toBeNull()
  })
})
