// A process with a watchdog that does as its first argument says, for watchdog.process.test.ts.
import { startWatchdog } from '../../server/cli/watchdog/watchdog'

const [act = '', holder = '', witness = '', stallMs = '1500'] = process.argv.slice(2)

function spinWithoutEnd(): never {
  for (;;);
}

const lease = (id: string) => ({ sql: 'SELECT credits_renew($1)', values: [id] })
const stop = startWatchdog({
  databaseUrl: process.env.DATABASE_URL ?? '',
  name: 'tollgate watchdog',
  renew: lease(holder),
  stalled: lease(witness),
  stallMs: Number(stallMs),
})
process.stdout.write('started\n')
const alive = setInterval(() => process.stdout.write('turn\n'), 200)
if (act === 'spin') setTimeout(spinWithoutEnd, 1_000)
if (act === 'backtrack') setTimeout(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`), 1_000)
if (act === 'stop') {
  await stop()
  clearInterval(alive)
}
