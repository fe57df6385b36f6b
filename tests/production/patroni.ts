import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pollUntil } from '../support/poll-until'
import { takePort } from '../support/ports'
import { childrenOf, signalProcess } from '../support/process-table'
import type { CheckContext } from './check'
import { adaptConfiguration, adaptEnvironment, runCommand } from './configuration'
import type { Daemon } from './daemon'
import { commandPath, postgresUser } from './debian'

/** One machine of the database: Patroni and the PostgreSQL that it starts. */
export type PatroniMember = {
  name: string
  postgresPort: number
  restPort: number
  start: () => Promise<void>
  /** Reaches Patroni and PostgreSQL with all its backends, as the fate of a machine does. */
  signalMachine: (signal: NodeJS.Signals) => void
  /** The postmaster and its backends alone. */
  signalPostgres: (signal: NodeJS.Signals) => void
}

export type PatroniCluster = {
  members: PatroniMember[]
  /** Who is the primary now; null during an election. */
  primary: () => Promise<PatroniMember | null>
  /** Waits until one member is the primary and every other one streams from it. */
  untilWhole: () => Promise<PatroniMember>
  /** A planned switchover with the operator's command, to the replica that has every commit. */
  switchOver: (from: PatroniMember) => void
}

export const POSTGRES_PASSWORD = 'for-tests-only'

type MemberState = { name: string; role: string; state: string }

const COMPLETE = new Set(['running', 'streaming'])

/** Starts members over etcd with the file of `deploy/`, and waits until all replicate. */
export async function startPatroni(context: CheckContext, etcd: readonly string[]): Promise<PatroniCluster> {
  const { folder } = context
  const file = adaptConfiguration('patroni/patroni.yml', folder, {})
  const etcdHosts = etcd.map((host) => `'${host}'`).join(',')
  const members = await Promise.all(
    [1, 2, 3].map(async (nth) =>
      makeMember(context, { name: `pg${nth}`, file, etcdHosts, ports: [await takePort(), await takePort()] }),
    ),
  )
  const states = async (): Promise<MemberState[]> => {
    for (const { restPort } of members) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      )
      if (answer?.ok) return ((await answer.json()) as { members: MemberState[] }).members
    }
    return []
  }
  const primary = async () => {
    const answers = await Promise.all(
      members.map(({ restPort }) =>
        fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(1_000) }).then(
          (answer) => answer.ok,
          () => false,
        ),
      ),
    )
    return members[answers.indexOf(true)] ?? null
  }
  const untilWhole = () =>
    pollUntil('a whole cluster', async () => {
      const known = await states()
      const isWhole =
        known.length === members.length &&
        known.every(({ state }) => COMPLETE.has(state)) &&
        known.some(({ role }) => role === 'sync_standby')
      return isWhole ? primary() : null
    })
  const [first, ...others] = members
  await first?.start()
  await pollUntil('the first primary', primary)
  await Promise.all(others.map((member) => member.start()))
  await untilWhole()
  const switchOver = (from: PatroniMember) => {
    const args = ['-c', file, 'switchover', 'tollgate', '--primary', from.name, '--force']
    runCommand(commandPath('patronictl'), args, {
      env: { PATRONI_ETCD3_HOSTS: etcdHosts, LC_ALL: 'C.UTF-8' },
    })
  }
  return { members, primary, untilWhole, switchOver }
}

type MemberSettings = { name: string; file: string; etcdHosts: string; ports: [number, number] }

function makeMember(context: CheckContext, { name, file, etcdHosts, ports }: MemberSettings): PatroniMember {
  const user = postgresUser()
  const home = path.join(context.folder, name)
  mkdirSync(home, { mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
  chmodSync(home, 0o700)
  const data = path.join(home, 'data')
  const [postgresPort, restPort] = ports
  let daemon: Daemon | undefined

  /** PostgreSQL has a session of its own: no signal to Patroni's group reaches it. */
  const postgresProcesses = (): number[] => {
    const pidFile = path.join(data, 'postmaster.pid')
    if (!existsSync(pidFile)) return []
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    return isPostgres(postmaster) ? [postmaster, ...childrenOf(postmaster)] : []
  }
  const signalPostgres = (signal: NodeJS.Signals) => {
    for (const pid of postgresProcesses()) signalProcess(pid, signal)
  }
  const signalMachine = (signal: NodeJS.Signals) => {
    daemon?.signal(signal, 'group')
    signalPostgres(signal)
  }
  // Called after Patroni has stopped, which stops PostgreSQL where it can.
  context.onEnd(() => signalPostgres('SIGKILL'))
  const start = async () => {
    daemon = await context.startDaemon({
      name,
      command: commandPath('patroni'),
      args: [file],
      user,
      env: {
        HOME: home,
        LC_ALL: 'C.UTF-8',
        ...adaptEnvironment('patroni/patroni.env', {
          PATRONI_NAME: name,
          PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
          PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
          PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgresPort}`,
          PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgresPort}`,
          PATRONI_POSTGRESQL_DATA_DIR: data,
          PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
          PATRONI_ETCD3_HOSTS: etcdHosts,
          PATRONI_SUPERUSER_PASSWORD: POSTGRES_PASSWORD,
          PATRONI_REPLICATION_PASSWORD: POSTGRES_PASSWORD,
        }),
      },
      isReady: () =>
        fetch(`http://127.0.0.1:${restPort}/liveness`).then(
          (answer) => answer.ok,
          () => false,
        ),
    })
  }
  return { name, postgresPort, restPort, start, signalMachine, signalPostgres }
}

/** Not another process that was given the pid of a PostgreSQL that is gone. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]?.endsWith('/postgres') ?? false
  } catch {
    return false
  }
}
