import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { installClient } from './install'
import { recipeCode } from './recipe-code'

withSandbox()

let folder: string
beforeAll(async () => {
  const command = await installClient({ name: '@langchain/openai', version: '1.6.0', bin: 'none' })
  folder = path.resolve(command, '../../..')
}, 300_000)

describe('LangChain', () => {
  it.each([
    ['chat', undefined, /\w+ \w+/],
    ['embeddings', 'lantern/wick-embed', /^\d+$/],
  ])('runs the recipe %s and is billed once', async (recipe, model, said) => {
    const { owner, key } = await makeChatter()
    const code = await recipeCode('langchain', recipe, model ? { model } : {})
    const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, TOLLGATE_KEY: key.key }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder,
      env,
    })
    expect(stdout.trim()).toMatch(said)
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, held: 0 })
  })
})
