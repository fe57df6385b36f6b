import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { withSandbox } from '../../tests/support/api'
import { CHAT_MODEL, makeChatter } from '../../tests/support/chat'
import { readOwnerMoney } from '../../tests/support/ledger'
import { sharedListener } from '../../tests/support/listener'
import { CONNECT_CLIENTS } from './connect-clients'

withSandbox()

const EMBEDDING_MODEL = 'lantern/wick-embed'
const ROOT = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The recipes whose packages are among the development dependencies, and curl. */
const RUNNABLE = ['openai-typescript', 'anthropic/typescript', 'ai-sdk', 'curl']
const recipes = CONNECT_CLIENTS.flatMap((client) =>
  client.recipes
    .filter((recipe) => RUNNABLE.includes(client.id) || RUNNABLE.includes(`${client.id}/${recipe.id}`))
    .map((recipe) => ({ name: `${client.label}, ${recipe.label}`, client, recipe })),
)

let baseUrl: string
beforeAll(async () => {
  baseUrl = (await sharedListener()).url
})

/** Runs a recipe as its reader would, with the key in the environment where the code has none. */
async function runRecipe(code: string, isShell: boolean, key: string): Promise<string> {
  const command = isShell ? 'sh' : process.execPath
  const args = isShell ? ['-c', code] : ['--input-type=module', '-e', code]
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, TOLLGATE_KEY: key }
  const { stdout } = await run(command, args, { cwd: ROOT, env })
  return stdout.trim()
}

test.each(
  recipes.flatMap((recipe) => [
    { ...recipe, isShown: true },
    { ...recipe, isShown: false },
  ]),
)('$name runs as shown (secret in the code: $isShown) and is billed', async ({ client, recipe, isShown }) => {
  const { owner, key } = await makeChatter()
  const model = recipe.needs === 'embedding' ? EMBEDDING_MODEL : CHAT_MODEL
  const code = recipe.code({ baseUrl, secret: isShown ? key.key : null, model, smallModel: model })
  const said = await runRecipe(code, client.id === 'curl', isShown ? '' : key.key)
  if (client.id === 'curl') expect(JSON.parse(said)).toMatchObject({ service: { credits_charged: expect.any(Number) } })
  else if (recipe.needs === 'embedding') expect(Number(said)).toBeGreaterThan(10)
  else expect(said).toMatch(/\w{2,} \w+/)
  const money = await readOwnerMoney(owner)
  expect(money).toMatchObject({ receipts: 1, held: 0 })
  expect(money.charged).toBeGreaterThan(0)
})
