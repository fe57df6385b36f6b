import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../../server/cli/kit/project'
import { NODE } from '../../../server/cli/setup/root.mjs'
import type { Machine } from './machine'

const MIRROR = 'http://deb.debian.org/debian'
const DEBIAN = 'docker.io/library/debian:bookworm-slim'
const FILES = path.join(PROJECT_ROOT, 'tests/production/containers')

/** The image that a line of a file names, such as `FROM` of the Dockerfile. */
function imageNamed(file: string, pattern: RegExp): string {
  const found = pattern.exec(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'))?.[1]
  if (!found) throw new Error(`${file} has nothing like ${pattern}.`)
  return found
}

/**
 * Makes the images that Dockerfile and compose.yaml start from, under the names that those use: of
 * Debian's packages and Node from npm, because a registry of images may be out of reach.
 */
export async function makeBaseImages({ folder, run }: Machine): Promise<void> {
  const images = (await run('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'])).split('\n')
  if (!images.includes(DEBIAN.replace('docker.io/library/', ''))) await makeDebian({ folder, run })
  await makeNodeImage({ folder, run })
  const build = (file: string, image: string) =>
    run('docker', ['build', '-q', '-f', `${file}.Dockerfile`, '-t', image, '.'], { cwd: FILES })
  await build('caddy', imageNamed('compose.yaml', /image: (\S*caddy\S*)/))
  await build('postgres', imageNamed('compose.yaml', /image: (\S*postgres:\S*)/))
  await build('storage', imageNamed('compose.yaml', /image: (\S*versitygw\S*)/))
}

/** What `debootstrap` makes, without what the kernel adds. */
async function makeDebian({ folder, run }: Pick<Machine, 'folder' | 'run'>): Promise<void> {
  const debian = path.join(folder, 'debian')
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', debian, MIRROR])
  const archive = path.join(folder, 'debian.tar')
  await run('tar', ['-C', debian, '--exclude=./dev', '--exclude=./proc', '--exclude=./sys', '-cf', archive, '.'])
  await run('docker', ['import', archive, DEBIAN])
}

/** Debian with the pinned Node, and npm and the trusted authorities of this machine. */
async function makeNodeImage({ folder, run }: Pick<Machine, 'folder' | 'run'>): Promise<void> {
  const context = path.join(folder, 'node')
  const local = path.join(context, 'usr/local')
  mkdirSync(path.join(local, 'bin'), { recursive: true })
  cpSync(NODE, path.join(local, 'bin/node'))
  const npm = realpathSync((await run('sh', ['-c', 'command -v npm'])).trim())
  cpSync(path.resolve(npm, '../..'), path.join(local, 'lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, 'bin', name))
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  if (authorities) cpSync(authorities, path.join(context, 'authorities.crt'))
  const lines = [
    `FROM ${DEBIAN}`,
    'RUN apt-get update && apt-get install -y --no-install-recommends libstdc++6',
    'COPY usr /usr',
    ...(authorities ? ['COPY authorities.crt /authorities.crt', 'ENV NODE_EXTRA_CA_CERTS=/authorities.crt'] : []),
  ]
  writeFileSync(path.join(context, 'Dockerfile'), lines.join('\n'))
  const image = imageNamed('Dockerfile', /^FROM (\S+) AS build$/m)
  await run('docker', ['build', '-q', '-t', image, '.'], { cwd: context })
}
