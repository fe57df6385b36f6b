import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, PROJECT_ROOT } from '../../../server/cli/project'
import { pollUntil } from '../../support/poll-until'
import type { CheckContext, ProductionCheck } from '../check'
import { makeBaseImages } from '../containers/images'
import { type Machine, startMachine } from '../containers/machine'

const CALLER = path.join(PROJECT_ROOT, 'tests/production/containers/caller.mjs')
const EMAIL = 'operator@example.com'

type Compose = {
  machine: Machine
  /** Where the repository is checked out. */
  folder: string
  /** Runs `docker compose` and returns what it printed. */
  compose: (args: readonly string[], input?: string) => Promise<string>
  /** An operator's command; returns what it says with --json. */
  admin: (args: readonly string[], input?: string) => Promise<Record<string, string>>
}

/** The last commit as an operator clones it, with settings that need no account anywhere. */
async function checkOut(machine: Machine): Promise<Compose> {
  const folder = path.join(machine.folder, 'tollgate')
  await machine.run('git', ['clone', '-q', '--depth', '1', `file://${PROJECT_ROOT}`, folder])
  await machine.run('sh', ['deploy/compose/make-env.sh'], { cwd: folder })
  appendFileSync(path.join(folder, '.env'), 'UPSTREAMS=sandbox\n')
  const compose: Compose['compose'] = (args, input) =>
    machine.run('docker', ['compose', ...args], { cwd: folder, input })
  const admin: Compose['admin'] = async (args, input) =>
    JSON.parse(await compose(['run', '--rm', '-T', 'admin', ...args, '--json'], input))
  return { machine, folder, compose, admin }
}

/** What the kernel says of the first process of each service that runs. */
async function checkRights({ compose }: Compose): Promise<void> {
  const services = (await compose(['ps', '--services'])).trim().split('\n').sort()
  deepEqual(services, ['nightly', 'postgres', 'proxy', 'storage', 'web', 'worker'])
  for (const service of services) {
    const status = await compose(['exec', '-T', service, 'cat', '/proc/1/status'])
    const read = (name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1]
    equal(read('NoNewPrivs'), '1', service)
    // Bit 10 is to listen on a port below 1024.
    equal(Number.parseInt(read('CapBnd') ?? '', 16), service === 'proxy' ? 1 << 10 : 0, service)
    if (['web', 'worker', 'nightly'].includes(service)) equal(read('Uid'), '10001', service)
  }
  const sql = "SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = 'tollgate'"
  equal((await compose(['exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-tAc', sql])).trim(), 'f')
}

/** Calls through the proxy while `work` goes on. Returns what their clients saw. */
async function callDuring({ machine }: Compose, key: string, work: () => Promise<unknown>) {
  const [command = '', ...words] = machine.inNetwork
  // The certificate is of Caddy's own authority.
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const caller = spawn(command, [...words, process.execPath, CALLER, 'https://localhost', key], { env })
  const ended = once(caller, 'exit')
  const printed = text(caller.stdout)
  try {
    await work()
    await sleep(3_000)
  } finally {
    caller.kill('SIGTERM')
    await ended
  }
  return JSON.parse(await printed) as { calls: number; credits: number; failures: string[] }
}

/** The status of the proxy's answer; 0 where nothing answers. */
const statusOf = async ({ machine }: Compose): Promise<number> => {
  const [command = '', ...words] = machine.inNetwork
  const script = "fetch('https://localhost/readyz').then((r) => console.log(r.status), () => console.log(0))"
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }
  return Number(await machine.run(command, [...words, process.execPath, '-e', script], { env }))
}

/** A start with a wrong setting says so; with the right one everything is back by itself. */
async function checkWrongStart(service: Compose): Promise<void> {
  const { compose, folder } = service
  const file = path.join(folder, '.env')
  const right = readFileSync(file, 'utf8')
  const proxy = await compose(['ps', '--quiet', 'proxy'])
  writeFileSync(file, `${right}OWNER_RPM=many\n`)
  await compose(['up', '--detach'])
  await pollUntil('the reason', async () => (await compose(['logs', 'web'])).includes('Bad setting: OWNER_RPM'))
  match(String(await statusOf(service)), /^50[23]$/)
  writeFileSync(file, right)
  await compose(['up', '--detach'])
  await pollUntil('service', async () => (await statusOf(service)) === 200)
  equal(await compose(['ps', '--quiet', 'proxy']), proxy)
}

async function checkLogs({ compose }: Compose): Promise<void> {
  for (const service of ['web', 'worker']) {
    const lines = (await compose(['logs', '--no-log-prefix', service])).trim().split('\n')
    ok(lines.length > 2)
    const probes = lines.map((line) => JSON.parse(line)).filter(({ msg, status }) => msg === 'readyz' && status === 200)
    deepEqual(probes, [])
  }
  const nightly = () => compose(['logs', 'nightly'])
  await pollUntil('a backup', async () => (await nightly()).includes('Backup of '))
  match(await nightly(), /Every balance, .* follows from the ledger/)
}

async function runCheck(context: CheckContext): Promise<void> {
  if (process.getuid?.() !== 0) throw new CliError('cannot run here: Docker needs root')
  const { say } = context
  const startedAt = Date.now()
  const passed = (what: string) => say(`${Math.round((Date.now() - startedAt) / 1_000)} s: ${what}`)
  const machine = await startMachine(context)
  await makeBaseImages(machine)
  passed('Docker and the base images')
  const service = await checkOut(machine)
  const { compose, admin } = service
  context.onEnd(async () => void (await compose(['down', '--volumes', '--timeout', '20'])))
  await compose(['build', 'migrate'])
  const size = Number(await machine.run('docker', ['image', 'inspect', '--format', '{{.Size}}', 'tollgate']))
  equal(
    (await admin(['version'])).commit,
    (await machine.run('git', ['-C', service.folder, 'rev-parse', 'HEAD'])).trim(),
  )
  passed(`the image, ${Math.round(size / 1e6)} MB, names its commit`)

  await compose(['up', '--detach'])
  await pollUntil('service', async () => (await statusOf(service)) === 200)
  await checkRights(service)
  passed('everything runs: without capabilities, as an ordinary role of the database')

  await admin(['owner', 'create', '--email', EMAIL, '--admin'], 'a long password of one operator\n')
  await admin(['credits', 'grant', '--email', EMAIL, '--credits', '1000000'])
  const { key = '' } = await admin([
    'key',
    'create',
    '--email',
    EMAIL,
    '--name',
    'calls',
    '--tools',
    'all',
    '--rpm',
    '10000',
  ])
  const model = ['models', 'add', '--id', 'own/model', '--from', 'http://127.0.0.1:4010/llm/v1', '--context', '8000']
  await admin([...model, '--price', '0/0', '--model', 'northwind/gale-4', '--key-env', ''])
  await rejects(compose(['run', '--rm', '-T', 'admin', 'backup', '--to', '/nowhere/x']), /the file system is read-only/)
  const web = await compose(['ps', '--quiet', 'web'])
  const seen = await callDuring(service, key, () =>
    machine.run('sh', ['deploy/compose/update.sh'], { cwd: service.folder }),
  )
  notEqual(await compose(['ps', '--quiet', 'web']), web)
  deepEqual(seen.failures, [])
  ok(seen.calls > 20)
  const sql = 'SELECT coalesce(sum(charged), 0) FROM receipt'
  equal(
    Number(await compose(['exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-tAc', sql, 'tollgate'])),
    seen.credits,
  )
  equal((await admin(['ledger', 'verify'])).ok, true)
  passed(
    `an update under ${seen.calls} calls: none failed, and ${seen.credits} credits seen are ${seen.credits} booked`,
  )

  const script =
    'fetch("http://127.0.0.1:3000/llms.txt").then((r) => r.text()).then((t) => console.log(t.includes("own/model")))'
  equal((await compose(['exec', '-T', 'web', 'node', '-e', script])).trim(), 'true')
  await checkWrongStart(service)
  await checkLogs(service)
  passed('models in their volume, a wrong start and its way back, logs, backup')

  const id = (await compose(['ps', '--quiet', 'web'])).trim()
  await compose(['stop', 'web'])
  equal((await machine.run('docker', ['inspect', '--format', '{{.State.ExitCode}}', id])).trim(), '0')
  passed('a stop that drains')
}

export const containersCheck: ProductionCheck = {
  name: 'containers',
  shows: 'Dockerfile and compose.yaml as they are: built, started, updated under calls, misconfigured and stopped',
  needs: [],
  needsBuild: false,
  run: runCheck,
}
