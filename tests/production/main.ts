// npm run test:production: what only real systems can show, such as a failover; exit 1 when a check
// fails or cannot run here. Names, or parts of them, choose checks: npm run test:production --
// nginx. KEEP_LOGS=1 keeps the folders of the checks, with the logs of everything they started;
// KEEP_IMAGES=DIR the images of the containers check, for its next run.
import { CliError, runMain } from '../../server/cli/kit/project'
import { PRODUCTION_CHECKS } from './checks'
import { endCheck, runCheck } from './run-check'

const say = (line: string) => process.stdout.write(`${line}\n`)

function chosenChecks() {
  const words = process.argv.slice(2)
  const chosen = PRODUCTION_CHECKS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  const known = PRODUCTION_CHECKS.map(({ name, shows }) => `  ${name}: ${shows}`).join('\n')
  if (chosen.length === 0) throw new CliError(`There is no such check. There are:\n${known}`)
  return chosen
}

await runMain(async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void endCheck().finally(() => process.exit(130)))
  }
  const failed: string[] = []
  for (const check of chosenChecks()) {
    const startedAt = Date.now()
    say(`${check.name}: ${check.shows}`)
    try {
      await runCheck(check, (line) => say(`  ${line}`))
      say(`  ok, ${Math.round((Date.now() - startedAt) / 1_000)} s`)
    } catch (error) {
      failed.push(check.name)
      say(`  FAILED: ${error instanceof CliError ? error.message : error instanceof Error ? error.stack : error}`)
    }
  }
  if (failed.length > 0) say(`failed: ${failed.join(', ')}`)
  return failed.length > 0 ? 1 : 0
})
