import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { env } from '../../server/env'
import { SOURCE_ROOT } from '../support/source-imports'

// What starts the service elsewhere names its settings, commands, ports and files: they are text
// that no compiler reads.

const read = (...names: string[]): string => readFileSync(path.join(SOURCE_ROOT, ...names), 'utf8')
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())

const IMAGE = read('Dockerfile')
const COMPOSE = read('compose.yaml')
const KUBERNETES = readdirSync(path.join(SOURCE_ROOT, 'deploy/kubernetes'))
const UNITS = ['web', 'worker', 'migrate', 'verify', 'backup'].map((part) =>
  read(`deploy/systemd/tollgate-${part}.service`),
)
const MANIFESTS = KUBERNETES.filter((name) => name.endsWith('.yaml')).map((name) => read('deploy/kubernetes', name))
const ALL = [IMAGE, COMPOSE, ...UNITS, ...MANIFESTS]

/** `.env.example` lists every setting, and a test keeps it so. */
const SETTINGS = new Set(linesOf(read('.env.example')).map((line) => line.replace('#', '').trim().split('=')[0] ?? ''))
/** What other programs of these files read. */
const OTHERS = ['NODE_ENV', 'TOLLGATE_HOST', 'DATABASE_PASSWORD', 'POSTGRES_PASSWORD', 'STORAGE_PASSWORD']
const OF_STORAGE = ['ROOT_ACCESS_KEY', 'ROOT_SECRET_KEY']

const isName = (word: string): boolean => word.length > 2 && word === word.toUpperCase() && !word.includes(' ')
const assigned = (text: string, sign: string): string[] =>
  linesOf(text)
    .filter((line) => !line.startsWith('#') && line.includes(sign))
    .map((line) => line.slice(0, line.indexOf(sign)))
    .filter(isName)

describe('the files that deploy the service', () => {
  test('set settings that exist', () => {
    const files = KUBERNETES.filter((name) => name.endsWith('.env') && name !== 'secrets.env')
    const names = [
      ...assigned(COMPOSE, ':'),
      ...assigned(read('deploy/compose/make-env.sh'), '='),
      ...files.flatMap((name) => assigned(read('deploy/kubernetes', name), '=')),
      ...[...linesOf(IMAGE).filter((line) => line.startsWith('ENV ')), ...UNITS.flatMap(linesOf)]
        .filter((line) => line.startsWith('ENV ') || line.startsWith('Environment='))
        .flatMap((line) => line.replace('ENV ', '').replace('Environment=', '').split(' '))
        .map((word) => word.split('=')[0] ?? ''),
      'METRICS_PORT',
    ]
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => ![...SETTINGS, ...OTHERS, ...OF_STORAGE].includes(name))).toEqual([])
  })

  test('start what package.json starts', () => {
    const started = Object.values(packageJson.scripts).map((script) => script.split('run.mjs ')[1]?.split(' ')[0])
    const words = ALL.flatMap(linesOf).flatMap((line) => {
      if (line.startsWith('args: [') || line.startsWith('command: [')) return [line.split('[')[1]?.split(/[\],]/)[0]]
      if (line.startsWith('CMD ["')) return [line.split('"')[1]]
      return line.startsWith('ExecStart=') ? [line.split('run.mjs ')[1]?.split(' ')[0]] : []
    })
    // Database and storage of compose.yaml have a command, too.
    expect(words.filter((word) => !started.includes(word))).toEqual(['postgres', 'posix'])
    expect(words.length).toBeGreaterThan(8)
    expect(UNITS.every((unit) => unit.includes('/opt/tollgate/server/cli/run.mjs'))).toBe(true)
    expect(existsSync(path.join(SOURCE_ROOT, 'server/cli/run.mjs'))).toBe(true)
  })

  test('give a process the time to finish its calls', () => {
    const seconds = ALL.flatMap(linesOf).flatMap((line) => {
      const [name = '', value = ''] = line.split(/[:=]/)
      return /^(terminationGracePeriodSeconds|stop_grace_period|TimeoutStopSec)$/.test(name)
        ? [Number.parseInt(value, 10)]
        : []
    })
    expect(seconds.filter((value) => value > 60)).toEqual([300, 300, 300, 300, 300])
    expect(env().AGENT_WAIT_MAX_S + 10).toBeLessThan(300)
  })

  test('run on the Node that is pinned, as the same user that is not root', () => {
    expect(IMAGE).toContain(`node:${packageJson.devDependencies.node}-`)
    expect(
      linesOf(IMAGE)
        .filter((line) => line.startsWith('USER '))
        .at(-1),
    ).toBe('USER 10001:10001')
    for (const manifest of MANIFESTS.filter((text) => text.includes('containers:'))) {
      expect(manifest).toContain('runAsUser: 10001')
      expect(manifest).toContain('readOnlyRootFilesystem: true')
    }
  })

  test('copy into the build of the image what is there', () => {
    const copied = linesOf(IMAGE)
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied.length).toBeGreaterThan(3)
    expect(copied.filter((name) => !existsSync(path.join(SOURCE_ROOT, name)))).toEqual([])
  })

  test('have settings and models where an upgrade leaves them alone', () => {
    const place = '/etc/tollgate'
    expect(IMAGE).toContain(`CONFIG_DIR=${place} `)
    expect(COMPOSE).toContain(`"config:${place}"`)
    for (const part of ['web', 'worker']) {
      expect(read(`deploy/kubernetes/${part}.yaml`)).toContain(`{ name: models, mountPath: ${place}, readOnly: true }`)
    }
    for (const unit of UNITS) expect(unit).toContain(`CONFIG_DIR=${place} `)
  })

  test('verify the ledger and take a backup every day', () => {
    const verifies = [COMPOSE, read('deploy/systemd/tollgate-verify.service'), read('deploy/kubernetes/verify.yaml')]
    for (const file of verifies) expect(file).toMatch(/admin,? ledger,? verify/)
    const backups = [COMPOSE, read('deploy/systemd/tollgate-backup.service'), read('deploy/kubernetes/backup.yaml')]
    for (const file of backups) expect(file).toMatch(/admin,? backup,? --to,? \S+ --keep,? "?14/)
    for (const name of ['verify', 'backup'])
      expect(read(`deploy/systemd/tollgate-${name}.timer`)).toContain('OnCalendar=*-*-* 0')
  })

  test('restore the newest backup in a drill every week, in a database of its own', () => {
    const drills = [COMPOSE, read('deploy/systemd/tollgate-drill.service'), read('deploy/kubernetes/drill.yaml')]
    for (const file of drills) expect(file).toMatch(/admin,? restore,? --drill,? --from,? /)
    expect(read('deploy/systemd/tollgate-drill.timer')).toContain('OnCalendar=Sun ')
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain('- drill.yaml')
    expect(read('deploy/compose/make-database.sh')).toContain('CREATE DATABASE tollgate_drill OWNER tollgate')
    const named = [COMPOSE, read('deploy/kubernetes/secrets.example.env')]
    for (const file of named) expect(file).toMatch(/DRILL_DATABASE_URL.*tollgate_drill/)
  })

  test('let no service of Compose have more than it needs, and no image change by itself', () => {
    const images = linesOf(COMPOSE).filter((line) => line.startsWith('image: docker.io/'))
    expect(images).toHaveLength(3)
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?$/)
    const services = COMPOSE.slice(COMPOSE.indexOf('\nservices:'), COMPOSE.indexOf('\nvolumes:'))
    const named = services.match(/^ {2}[\w-]+:( &\w+)?$/gm) ?? []
    expect(named.length).toBeGreaterThan(8)
    expect(services.match(/^ {4}<<: \*(service|tollgate|web|worker)$/gm)).toHaveLength(named.length)
    expect(linesOf(COMPOSE).filter((line) => line.startsWith('cap_add:'))).toEqual(['cap_add: [NET_BIND_SERVICE]'])
  })
})
