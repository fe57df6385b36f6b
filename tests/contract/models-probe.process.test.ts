import { describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { runAdmin, runAdminJson } from '../support/admin-process'
import { sceneModel, strictModel, withFakeProviders } from '../support/wires/fake-providers'
import { STRICT_PROVIDERS } from '../support/wires/strict-providers'

const providers = withFakeProviders(STRICT_PROVIDERS)

type Check = {
  id: string
  outcome: string
  text: string
  abilities?: { refused: { ability: string; why: string }[]; entry: Record<string, unknown> }
}

/** `npm run admin -- models check --probe` of one model, as the process that it starts. */
async function probe(id: string): Promise<{ code: unknown; check: Check }> {
  providers.play({ text: ['{"a": "ok"}'], usage: { input: 20, output: 5 } })
  const run = await runAdminJson(['models', 'check', '--probe', '--id', id], {
    env: { MODELS_FILE: env().MODELS_FILE },
  })
  const [check] = run.checks as Check[]
  if (!check) throw new Error('nothing was checked')
  return { code: run.code, check }
}

describe('models check --probe', () => {
  it('says nothing of a model that takes everything', async () => {
    const { code, check } = await probe(sceneModel('chat'))
    expect(code).toBe(0)
    expect(check).toMatchObject({ outcome: 'ok', text: expect.stringMatching(/takes all that was asked/) })
    expect(providers.calls()).toBe(7)
  })

  it.each([
    [
      'openai-chat-reasoning',
      ['temperature', 'top_p', 'stop'],
      { parameters: { temperature: false, top_p: false, stop: false } },
    ],
    ['openai-chat', ['reasoning_effort'], { efforts: [] }],
    ['openai-responses-reasoning', ['temperature', 'top_p'], { parameters: { temperature: false, top_p: false } }],
  ] as const)('names what %s refuses, and its entry for the models file', async (name, refused, entry) => {
    const { code, check } = await probe(strictModel(name))
    expect(code).toBe(0)
    expect(check.abilities?.refused.map(({ ability }) => ability)).toEqual(expect.arrayContaining([...refused]))
    expect(check.abilities?.entry).toMatchObject(entry)
    for (const { why } of check.abilities?.refused ?? []) expect(why).toMatch(/\w/)
  })

  it('prints it for people', async () => {
    providers.play({ text: ['{"a": "ok"}'], usage: { input: 20, output: 5 } })
    const args = ['models', 'check', '--probe', '--id', strictModel('openai-chat')]
    const { code, stdout } = await runAdmin(args, { env: { MODELS_FILE: env().MODELS_FILE } })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /✓ strict\/openai-chat .*refuses reasoning_effort: \{"efforts":\[\]\} in its entry, \$0\.\d+/,
    )
    expect(stdout).toContain('1 of 1 upstreams can be used')
  })
})
