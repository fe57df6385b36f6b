import { afterAll, expect, it } from 'vitest'
import { closeParsers } from '../../kit/threads/pool'
import { POD_HOME, type PodFiles } from './pod-files'
import { runPodCommand } from './pod-pool'
import { packFiles, unpackFiles } from './thread/codec'
import { MAX_OUTPUT_CHARS } from './thread/run-bash'

afterAll(closeParsers)

const none: PodFiles = new Map()

/** Runs an approved command in a thread, and returns the files. */
async function exec(command: string, files = none, timeoutMs = 60_000, cwd = POD_HOME, signal?: AbortSignal) {
  const pod = { packed: files === none ? null : packFiles(files), cwd }
  const done = await runPodCommand({ command, approved: true, timeoutMs }, pod, { ownerId: 1, signal })
  if (done.kind !== 'ran') throw new Error(`it was not run: ${done.kind}`)
  const { packed, ...ran } = done
  return { ...ran, files: packed ? unpackFiles(packed) : files }
}
const textAt = (files: PodFiles, path: string) => {
  const entry = files.get(path)
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : entry
}

it('runs a command on files and returns the result', async () => {
  const first = await exec('mkdir -p a/b && echo hi > a/b/c.txt && ln -s a/b/c.txt link && chmod 755 a/b/c.txt && cd a')
  expect(first).toMatchObject({ stdout: '', stderr: '', exitCode: 0, cwd: `${POD_HOME}/a` })
  expect(textAt(first.files, `${POD_HOME}/a/b/c.txt`)).toBe('hi\n')
  const second = await exec(
    'pwd; cat ../link; stat -c %a b/c.txt; echo more >> b/c.txt',
    first.files,
    60_000,
    first.cwd,
  )
  expect(second.stdout).toMatch(/^\/home\/user\/a\nhi\n755\n/)
  expect(textAt(second.files, `${POD_HOME}/a/b/c.txt`)).toBe('hi\nmore\n')
  expect(second.files.get(`${POD_HOME}/link`)).toEqual({ kind: 'link', to: 'a/b/c.txt' })
})

it.each([
  ['PWD=invented', POD_HOME],
  ['PWD=/nowhere', POD_HOME],
  ['mkdir d; cd d; rmdir ../d', POD_HOME],
  ["mkdir $'a\\x00b'; cd $'a\\x00b'", expect.not.stringContaining('\0')],
  ['mkdir -p d/e; cd d/./e/..', `${POD_HOME}/d`],
  ['mkdir d; (cd d)', POD_HOME],
  ['cd /bin', '/bin'],
])('knows where it is after %s', async (command, cwd) => {
  expect((await exec(command)).cwd).toEqual(cwd)
})

it('writes to the target of a link', async () => {
  const done = await exec(
    'mkdir d; ln -s d l; echo x > l/a; echo y >> l/a; mkdir -p l/s/t; mv l/a l/b; cp l/b l/s; ln -s d/b m; echo z >> m; ls -A',
  )
  expect(done).toMatchObject({ stdout: 'd\nl\nm\n', stderr: '', exitCode: 0 })
  expect(textAt(done.files, `${POD_HOME}/d/b`)).toBe('x\ny\nz\n')
  expect(textAt(done.files, `${POD_HOME}/d/s/b`)).toBe('x\ny\n')
  expect(done.files.get(`${POD_HOME}/m`)).toEqual({ kind: 'link', to: 'd/b' })
  const again = await exec('rm m; ls -A; cat d/b; ln -s a b; ln -s b a; echo x > a', done.files)
  expect(again.stdout).toBe('d\nl\nx\ny\nz\n')
})

it('reports a failure with exit code and message', async () => {
  expect(await exec('cat nothing')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No such file') })
  expect(await exec('if then')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('syntax error') })
  expect(await exec('curl http://127.0.0.1; wget x; node -e 1; sqlite3 x; exit 3')).toMatchObject({
    stdout: '',
    exitCode: 3,
    stderr: expect.stringMatching(
      /curl: command not found[\s\S]*These commands are there: python3 [^.]*\bawk\b[^.]*\bjq\b/,
    ),
  })
})

it('runs Python over its files, with the standard library and without network', async () => {
  const program = [
    'import csv, json, os, statistics',
    'rows = list(csv.DictReader(open("in.csv")))',
    'json.dump({"mean": statistics.mean(int(row["n"]) for row in rows), "env": sorted(os.environ)}, open("out.json", "w"))',
    'print(sorted(os.listdir("/home/user")), os.path.exists("/etc/passwd"), os.path.exists("/work"))',
    'import urllib.request',
    'try: urllib.request.urlopen("http://127.0.0.1:1/")',
    'except OSError as error: print("no network")',
    'try: bytearray(600 * 1024 * 1024)',
    'except MemoryError: print("no memory")',
  ].join('\n')
  const made = await exec(`printf 'n\n1\n3\n' > in.csv; cat > p.py <<'END'\n${program}\nEND\npython3 p.py | sort`)
  expect(made).toMatchObject({ stderr: '', exitCode: 0 })
  expect(made.stdout).toBe("['in.csv', 'out.json', 'p.py'] False False\nno memory\nno network\n")
  const { mean, env } = JSON.parse(String(textAt(made.files, `${POD_HOME}/out.json`)))
  expect(mean).toBe(2)
  expect(env).not.toContain('POD_TEST_SECRET')
})

it('sees nothing of the host: no files, no environment', async () => {
  process.env.POD_TEST_SECRET = 'secret'
  const { stdout } = await exec('env; cat /proc/self/environ /etc/passwd; ls /; ls -a /work /root /tmp')
  expect(stdout).not.toMatch(/secret|root:|tollgate|node_modules/)
})

it('keeps bytes that are not text', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  const files: PodFiles = new Map([[`${POD_HOME}/b.bin`, { kind: 'file', bytes, mode: 0o644, mtimeMs: 0 }]])
  const done = await exec('cp b.bin c.bin; cat b.bin; wc -c < c.bin', files)
  expect(done.stdout).not.toContain('\0')
  expect(done.stdout.trimEnd()).toMatch(/256$/)
  const copy = done.files.get(`${POD_HOME}/c.bin`)
  expect(copy?.kind === 'file' && Buffer.compare(copy.bytes, bytes)).toBe(0)
})

it('discards files in system folders', async () => {
  const { files } = await exec("mkdir -p /etc /srv; echo x > /etc/x; echo 'echo no' > /bin/ls; echo y > /srv/y")
  expect([...files.keys()].filter((path) => /^\/(bin|etc|usr|dev|proc)/.test(path))).toEqual([])
  expect(textAt(files, '/srv/y')).toBe('y\n')
})

it('stops a slow command, and discards its changes', async () => {
  for (const command of ['echo x > f; sleep 1000', "echo x > f; awk 'BEGIN { while (1) { s = s + 1 } }'"]) {
    const done = await exec(command, none, 1_000)
    expect([1, 2, 124, 126]).toContain(done.exitCode)
  }
  const slept = await exec('echo x > f; sleep 1000', none, 500)
  expect(slept).toMatchObject({ exitCode: 124, stderr: 'The command was stopped after 0.5 s. Nothing was changed.' })
  expect(slept.files).toBe(none)
})

it.each([
  ['an endless loop', 'while true; do :; done'],
  ['endless recursion', 'f() { f; f; }; f'],
  ['a fork bomb', ':(){ :|:& };:'],
  ['a growing string', 'x=aaaaaaaa; while true; do x=$x$x$x; done'],
  ['a growing array', 'while true; do a+=($a$RANDOM $a$RANDOM); done'],
  ['a growing file', 'echo aaaaaaaaaaaaaaaa > f; while true; do cat f f f f > g; cat g g g g > f; done'],
  ['a huge range', 'echo {1..100000000}'],
  ['nested braces', 'echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'],
  ['a huge sequence', 'seq 1 1000000000 | sort | tail -1'],
  ['an awk that grows', 'awk \'BEGIN { s = "x"; while (1) s = s s }\''],
  ['a slow expression', "printf 'a%.0s' {1..5000} | grep -E '(a+)+$b'"],
  ['a printf of a huge width', 'printf "%999999999s" x | wc -c'],
])('survives %s, and so does the process', async (_what, command) => {
  const beat = { count: 0 }
  const timer = setInterval(() => beat.count++, 20)
  const started = performance.now()
  const done = await exec(command, none, 1_500)
  clearInterval(timer)
  const ms = performance.now() - started
  expect(beat.count, 'the process went on').toBeGreaterThan(ms / 20 / 20)
  expect(typeof done.exitCode).toBe('number')
  expect(done.stdout.length + done.stderr.length).toBeLessThan(2 * MAX_OUTPUT_CHARS + 200)
})

it('truncates long output and says so', async () => {
  const { stdout, stderr } = await exec('seq 1 100000; seq 1 100000 >&2')
  for (const text of [stdout, stderr]) {
    expect(text.length).toBeLessThan(MAX_OUTPUT_CHARS + 100)
    expect(text).toMatch(/\n\[\d+ more characters were truncated\]$/)
  }
})

it('handles 10,000 files', async () => {
  const made = await exec('for i in $(seq 1 10000); do echo $i > f$i; done', none, 500_000)
  expect(made.files.size).toBeGreaterThanOrEqual(10_000)
  expect(await exec('ls | wc -l; cat f9999', made.files)).toMatchObject({ stdout: '10000\n9999\n' })
})

it('queues many concurrent commands, and stops them when their signal aborts', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => exec(`echo ${i}`)))
  expect(all.map(({ stdout }) => stdout.trim())).toEqual(Array.from({ length: 10 }, (_, i) => String(i)))
  const stop = new AbortController()
  const going = exec('sleep 100', none, 60_000, POD_HOME, stop.signal)
  setTimeout(() => stop.abort(new Error('left')), 300)
  await expect(going).rejects.toThrow('left')
})

it('drops a queued command whose signal aborts, without delaying those after it', async () => {
  const busy = Array.from({ length: 4 }, () => exec('sleep 1'))
  const stop = new AbortController()
  const leaving = exec('echo no', none, 5_000, POD_HOME, stop.signal)
  const last = exec('echo last')
  stop.abort(new Error('left'))
  await expect(leaving).rejects.toThrow('left')
  expect((await last).stdout).toBe('last\n')
  await Promise.all(busy)
})
