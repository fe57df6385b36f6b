import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pollUntil } from '../../support/poll-until'
import { childrenOf } from '../../support/process-table'
import type { CheckContext } from '../check'

const MIRROR = 'http://deb.debian.org/debian'
/** What Docker needs, and what makes a Debian from nothing. */
const PACKAGES = [
  'debootstrap',
  'runc',
  'containerd',
  'docker.io',
  'slirp4netns',
  'libslirp0',
  'iptables',
  'libnftnl11',
]
/** Debian's release after the one of the machine: it has Compose v2, which needs nothing of it. */
const NEXT_RELEASE = 'trixie'

type RunOptions = { cwd?: string; input?: string; env?: Record<string, string> }

/** Docker with a network and processes of its own, which all end with the check. */
export type Machine = {
  /** A folder for what the check makes. */
  folder: string
  /** Where the packages are unpacked. */
  root: string
  /** Runs a command to its end and returns what it printed; throws with that when it fails. */
  run: (command: string, args: readonly string[], options?: RunOptions) => Promise<string>
  /** The words before a command that is to run in the network of the containers. */
  inNetwork: readonly string[]
}

/** Unpacks Docker, starts it, and connects its network to the outside. Needs root. */
export async function startMachine(context: CheckContext): Promise<Machine> {
  const { folder, startDaemon } = context
  const root = path.join(folder, 'packages')
  const bin = path.join(folder, 'bin')
  const config = path.join(folder, 'docker-config')
  // Kept from one run to the next, images save the minutes that it takes to make them.
  const data = process.env.KEEP_IMAGES ?? 'docker-data'
  const socket = path.join(folder, 'docker.sock')
  const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu')
  const env = {
    PATH: [bin, path.join(root, 'usr/bin'), path.join(root, 'usr/sbin'), process.env.PATH, '/usr/sbin'].join(':'),
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: config,
    // Debian's Docker has no BuildKit, and the Dockerfile needs none.
    DOCKER_BUILDKIT: '0',
    DEBOOTSTRAP_DIR: path.join(root, 'usr/share/debootstrap'),
    XTABLES_LIBDIR: path.join(libraries, 'xtables'),
  }
  const run: Machine['run'] = (command, args, options = {}) =>
    runToEnd(command, args, { ...options, env: { ...env, ...options.env } })
  await unpackPackages(folder, root, run)
  mkdirSync(bin)
  for (const name of ['iptables', 'ip6tables'])
    symlinkSync(path.join(root, 'usr/sbin/xtables-nft-multi'), path.join(bin, name))
  mkdirSync(path.join(config, 'cli-plugins'), { recursive: true })
  symlinkSync(
    path.join(root, 'usr/libexec/docker/cli-plugins/docker-compose'),
    path.join(config, 'cli-plugins/docker-compose'),
  )
  context.onEnd(removeControlGroups)
  measureContainers()
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const folders = ['--data-root', data, '--exec-root', 'docker-exec', '--pidfile', 'docker.pid']
  const absolute = folders.map((word) => (word.startsWith('--') ? word : path.resolve(folder, word)))
  const daemon = await startDaemon({
    name: 'dockerd',
    command: 'unshare',
    args: [
      ...own,
      'sh',
      '-c',
      'ip link set lo up && exec dockerd "$@"',
      'dockerd',
      ...absolute,
      '--host',
      env.DOCKER_HOST,
    ],
    env: { ...env, LD_LIBRARY_PATH: libraries },
    isReady: (log) => log.includes('API listen on'),
  })
  const [pid] = childrenOf(daemon.pid)
  if (!pid) throw new Error('dockerd is not there')
  await startDaemon({
    name: 'slirp4netns',
    command: path.join(root, 'usr/bin/slirp4netns'),
    args: ['--configure', '--mtu=65520', String(pid), 'tap0'],
    env: { LD_LIBRARY_PATH: libraries },
    isReady: () => pollUntil('the network', () => readFileSync(`/proc/${pid}/net/route`, 'utf8').includes('tap0')),
  })
  return { folder, root, run, inNetwork: ['nsenter', '--target', String(pid), '--net'] }
}

async function unpackPackages(folder: string, root: string, run: Machine['run']): Promise<void> {
  const downloads = path.join(folder, 'downloads')
  mkdirSync(downloads)
  await run('apt-get', ['download', ...PACKAGES], { cwd: downloads })
  const list = path.join(downloads, 'Packages.xz')
  await download(`${MIRROR}/dists/${NEXT_RELEASE}/main/binary-amd64/Packages.xz`, list)
  const entry = (await run('xz', ['-dc', list]))
    .split('\n\n')
    .find((text) => text.startsWith('Package: docker-compose\n'))
  const file = /^Filename: (.*)$/m.exec(entry ?? '')?.[1]
  if (!file) throw new Error(`${NEXT_RELEASE} has no docker-compose`)
  await download(`${MIRROR}/${file}`, path.join(downloads, 'docker-compose.deb'))
  for (const name of readdirSync(downloads).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', path.join(downloads, name), root])
}

async function download(url: string, file: string): Promise<void> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
}

async function runToEnd(
  command: string,
  args: readonly string[],
  { cwd, input = '', env }: RunOptions,
): Promise<string> {
  const child = spawn(command, [...args], { cwd, env: { ...process.env, ...env }, stdio: 'pipe' })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  // A command that reads nothing may have ended before.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${`${out}${errors}`.slice(-3_000)}`)
  return out
}

/** As many as an update runs. */
const CONTAINERS = 8

/**
 * Lets each container get as much of the processors as a process outside. By default all of them
 * together take as much as one, which is next to nothing on a busy machine.
 */
function measureContainers(): void {
  const group = '/sys/fs/cgroup/cpu/docker'
  if (!existsSync(path.dirname(group))) return
  mkdirSync(group, { recursive: true })
  writeFileSync(path.join(group, 'cpu.shares'), String(CONTAINERS * 1024))
}

/** What Docker leaves of the control groups of its containers, once nothing runs in them. */
function removeControlGroups(): void {
  for (const controller of readdirSync('/sys/fs/cgroup')) {
    const group = path.join('/sys/fs/cgroup', controller, 'docker')
    try {
      for (const { name } of readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
        rmdirSync(path.join(group, name))
      rmdirSync(group)
    } catch {
      // Not there, or of a Docker of the machine's own.
    }
  }
}
