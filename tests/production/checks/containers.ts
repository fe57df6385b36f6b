import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { CliError } from '../../../server/cli/kit/project'
import { pollUntil } from '../../support/poll-until'
import type { CheckContext, ProductionCheck } from '../check'
import { type Compose, callDuring, checkOut, statusOf } from '../containers/compose'
import { makeBaseImages } from '../containers/images'
import { startMachine } from '../containers/machine'

const EMAIL = 'operator@example.com'
const WRONG = 'OWNER_RPM=many\n'

/** The image of the last commit knows its commit; returns how large it is, in bytes. */
async function checkImage({ machine, folder, compose, admin }: Compose): Promise<number> {
  await compose(['build', 'migrate'])
  const commit = (await machine.run('git', ['-C', folder, 'rev-parse', 'HEAD'])).trim()
  equal((await admin(['version'])).commit, commit)
  return Number(await machine.run('docker', ['image', 'inspect', '--format', '{{.Size}}', 'tollgate']))
}

/** What the kernel says of the first process of each service that runs, and Docker of its logs. */
async function checkRights({ machine, compose }: Compose): Promise<void> {
  const services = (await compose(['ps', '--services'])).trim().split('\n').sort()
  deepEqual(services, ['nightly', 'postgres', 'proxy', 'storage', 'web', 'worker'])
  for (const service of services) {
    const status = await compose(['exec', '-T', service, 'cat', '/proc/1/status'])
    const read = (name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1]
    equal(read('NoNewPrivs'), '1', service)
    // Bit 10 is to listen on a port below 1024.
    equal(Number.parseInt(read('CapBnd') ?? '', 16), service === 'proxy' ? 1 << 10 : 0, service)
    if (['web', 'worker', 'nightly'].includes(service)) equal(read('Uid'), '10001', service)
    const id = (await compose(['ps', '--quiet', service])).trim()
    match(
      await machine.run('docker', ['inspect', '--format', '{{.HostConfig.LogConfig}}', id]),
      /max-file:5 max-size:20m/,
    )
  }
  const sql = "SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = 'tollgate'"
  equal((await compose(['exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-tAc', sql])).trim(), 'f')
}

/** An operator's key, with credits. */
async function makeKey({ admin }: Compose): Promise<string> {
  await admin(['owner', 'create', '--email', EMAIL, '--admin'], 'a long password of one operator\n')
  await admin(['credits', 'grant', '--email', EMAIL, '--credits', '1000000'])
  const words = ['--email', EMAIL, '--name', 'calls', '--tools', 'all', '--rpm', '10000']
  return (await admin(['key', 'create', ...words])).key ?? ''
}

const update = ({ machine, folder }: Compose, env: Record<string, string> = {}) =>
  machine.run('sh', ['deploy/compose/update.sh'], { cwd: folder, env })

/** New containers take over under calls; returns how many calls, and what they cost. */
async function checkUpdate(service: Compose, key: string): Promise<{ calls: number; credits: number }> {
  const { compose, admin } = service
  const web = await compose(['ps', '--quiet', 'web'])
  const seen = await callDuring(service, key, () => update(service))
  notEqual(await compose(['ps', '--quiet', 'web']), web)
  deepEqual(seen.failures, [])
  ok(seen.calls > 20)
  const sql = 'SELECT coalesce(sum(charged), 0) FROM receipt'
  const booked = await compose(['exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-tAc', sql, 'tollgate'])
  equal(Number(booked), seen.credits)
  equal((await admin(['ledger', 'verify'])).ok, true)
  return seen
}

/** Models and backups: what is in a volume survives an update, what cannot be written says so. */
async function checkVolumes({ compose, admin }: Compose): Promise<() => Promise<void>> {
  const model = ['models', 'add', '--id', 'own/model', '--from', 'http://127.0.0.1:4010/llm/v1', '--context', '8000']
  await admin([...model, '--price', '0/0', '--model', 'northwind/gale-4', '--key-env', ''])
  await rejects(compose(['run', '--rm', '-T', 'admin', 'backup', '--to', '/nowhere/x']), /the file system is read-only/)
  const script =
    'fetch("http://127.0.0.1:3000/api/v1/catalog").then((r) => r.text()).then((t) => console.log(t.includes("own/model")))'
  return async () => equal((await compose(['exec', '-T', 'web', 'node', '-e', script])).trim(), 'true')
}

/**
 * With a wrong setting an update leaves the old containers, and `up` says what is wrong; with the
 * right one everything is back by itself.
 */
async function checkWrongSetting(service: Compose): Promise<void> {
  const { compose, folder } = service
  const file = path.join(folder, '.env')
  const right = readFileSync(file, 'utf8')
  const ids = (name: string) => compose(['ps', '--all', '--quiet', name])
  const [proxy, web] = [await ids('proxy'), await ids('web')]
  appendFileSync(file, WRONG)
  await rejects(update(service, { TOLLGATE_WAIT_S: '30' }), /Bad setting: OWNER_RPM[\s\S]*the old ones go on/)
  equal(await ids('web'), web)
  equal(await statusOf(service), 200)
  await compose(['up', '--detach'])
  await pollUntil('the reason', async () => (await compose(['logs', 'web'])).includes('Bad setting: OWNER_RPM'))
  match(String(await statusOf(service)), /^50[23]$/)
  writeFileSync(file, `${right}TOLLGATE_WEBS=2\n`)
  await compose(['up', '--detach', '--wait', 'web'])
  // The others, such as the nightly one, were made anew with the wrong setting too.
  await compose(['up', '--detach'])
  await pollUntil('service', async () => (await statusOf(service)) === 200)
  equal((await ids('web')).trim().split('\n').length, 2)
  equal(await ids('proxy'), proxy)
}

async function checkLogs({ compose }: Compose): Promise<void> {
  // Docker prints what a container wrote to stderr to its own, Compose all to stdout, where it
  // clears each line before it writes it.
  const linesOf = async (name: string) => stripVTControlCharacters(await compose(['logs', '--no-log-prefix', name]))
  for (const name of ['web', 'worker']) {
    const printed = await pollUntil(`a line of ${name}`, async () => (await linesOf(name)).trim() || null)
    const lines = printed.split('\n').map((line) => JSON.parse(line))
    deepEqual(
      lines.filter(({ msg, status }) => msg === 'readyz' && status === 200),
      [],
    )
  }
  const nightly = () => compose(['logs', 'nightly'])
  await pollUntil('a backup', async () => (await nightly()).includes('Backup of '))
  match(await nightly(), /Every balance, .* follows from the ledger/)
}

async function checkStop({ machine, compose }: Compose): Promise<void> {
  const ids = (await compose(['ps', '--quiet', 'web'])).trim().split('\n')
  await compose(['stop', 'web'])
  for (const id of ids)
    equal((await machine.run('docker', ['inspect', '--format', '{{.State.ExitCode}}', id])).trim(), '0')
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
  const { compose } = service
  context.onEnd(async () => void (await compose(['down', '--volumes', '--timeout', '20'])))
  const size = await checkImage(service)
  passed(`the image, ${Math.round(size / 1e6)} MB, names its commit`)

  await compose(['up', '--detach'])
  await pollUntil('service', async () => (await statusOf(service)) === 200)
  await checkRights(service)
  passed('everything runs: without capabilities, as an ordinary role of the database, with logs that end')

  const key = await makeKey(service)
  const modelIsThere = await checkVolumes(service)
  const { calls, credits } = await checkUpdate(service, key)
  await modelIsThere()
  passed(`an update under ${calls} calls: none failed, and ${credits} credits seen are booked`)

  await checkWrongSetting(service)
  passed('a wrong setting: an update leaves what serves, up says why, and the right one brings two containers back')
  await checkLogs(service)
  await checkStop(service)
  passed('logs, the nightly backup, a stop that drains')
}

export const containersCheck: ProductionCheck = {
  name: 'containers',
  shows: 'Dockerfile and compose.yaml as they are: built, started, updated under calls, misconfigured and stopped',
  needs: [],
  needsBuild: false,
  run: runCheck,
}
