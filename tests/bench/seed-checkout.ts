// Gives a database an owner with credits and a key without limits, by the code of another checkout,
// because its schema may be another. Arguments: the checkout's folder. Prints the key's secret.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { makeCaller } from '../support/owners'

const folder = process.argv[2] ?? ''
// The second is its name before f5071335.
const helpers = ['tests/support/owners.ts', 'tests/support/make.ts'].map((file) => path.join(folder, file))
const helper = helpers.find((file) => existsSync(file))
if (!helper) throw new Error(`There is none of ${helpers.join(', ')}`)

const owners: { makeCaller: typeof makeCaller } = await import(pathToFileURL(helper).href)
const settings = { llm: true, agent: true, agentRunBudgetCredits: 1_000_000_000 }
const { key } = await owners.makeCaller(1_000_000_000, settings)

// Beyond what a key may be given: the limit must not be what is measured.
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
process.stdout.write(`${key.key}\n`, () => process.exit(0))
