// npm run bench: what we claim about speed, measured as ratios in one run. With --write, kept in
// tests/bench/RESULTS.md. Names of sections run only those: npm run bench -- ledger reads
import { cpus, totalmem } from 'node:os'
import { readBenchCommand } from '../../tests/bench/options'
import { prepareBench } from '../../tests/bench/prepare'
import { keepSection } from '../../tests/bench/results'
import { BENCH_SECTIONS } from '../../tests/bench/sections'
import { closeDb, mainPool } from '../db'
import { CliError, runMain } from './kit/project'

async function machine(): Promise<string> {
  const { rows } = await mainPool().query<{ server_version: string }>('SHOW server_version')
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, PostgreSQL ${rows[0]?.server_version}`
}

await runMain(async () => {
  const { names, write } = readBenchCommand(process.argv.slice(2))
  const unknown = names.find((name) => !(name in BENCH_SECTIONS))
  if (unknown) throw new CliError(`There is no section ${unknown}: choose of ${Object.keys(BENCH_SECTIONS).join(', ')}`)
  const isChosen = (name: string) => (names.length === 0 ? !BENCH_SECTIONS[name]?.isOnDemand : names.includes(name))
  // The limits of an owner must not be what is measured.
  Object.assign(process.env, { OWNER_RPM: '1000000000', OWNER_CONCURRENCY: '1000000' })
  const cleanUp = await prepareBench()
  try {
    const titles = Object.values(BENCH_SECTIONS).map(({ title }) => title)
    for (const [name, { title, note, run }] of Object.entries(BENCH_SECTIONS)) {
      if (!isChosen(name)) continue
      const figures = await run()
      const made = `\`npm run bench -- ${name}\`, ${new Date().toISOString().slice(0, 10)}, on ${await machine()}.`
      const text = [note ? `${made}\n${note}` : made, figures].join('\n\n')
      process.stdout.write(`## ${title}\n\n${text}\n\n`)
      if (write && name !== 'against') keepSection({ title, text }, titles)
    }
    return 0
  } finally {
    await closeDb()
    await cleanUp()
  }
})
