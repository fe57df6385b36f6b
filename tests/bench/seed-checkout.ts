// Gives a database an owner with credits and a key without limits, by the code of another checkout,
// because its schema may be another. Arguments: the checkout's folder. Prints the key's secret.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { grantCredits } from '../../server/credits/grant'
import type { mainPool } from '../../server/db'
import type { makeCaller } from '../support/owners'

const folder = process.argv[2] ?? ''
const load = <T>(file: string): Promise<T> => import(pathToFileURL(path.join(folder, file)).href)

const owners = await load<{ makeCaller: typeof makeCaller }>('tests/support/owners.ts')
const credits = await load<{ grantCredits: typeof grantCredits }>('server/credits/grant.ts')
const db = await load<{ mainPool: typeof mainPool }>('server/db.ts')

const settings = { llm: true, agent: true, agentRunBudgetCredits: 1_000_000_000 }
const { owner, key } = await owners.makeCaller(1_000_000_000, settings)
await credits.grantCredits(owner.id, 1_000_000_000n)
// Beyond what a key may be given: the limit must not be what is measured.
await db.mainPool().query('UPDATE "key" SET rpm = 2000000000 WHERE id = $1', [key.id])
process.stdout.write(`${key.key}\n`, () => process.exit(0))
