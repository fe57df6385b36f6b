import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { env } from '../../env'
import { closeParsers } from '../../kit/threads/pool'
import { POD_HOME, type PodFiles } from './pod-files'
import { runPodCommand } from './pod-pool'
import { hasSystemPython, systemPython } from './system-python'
import { packFiles, unpackFiles } from './thread/codec'

const had = env().SHELL_PYTHON
Object.assign(env(), { SHELL_PYTHON: 'auto' })
systemPython.reset()
const isThere = await systemPython()

afterAll(async () => {
  Object.assign(env(), { SHELL_PYTHON: had })
  systemPython.reset()
  await systemPython()
  await closeParsers()
})

async function exec(command: string, files: PodFiles = new Map(), { timeoutMs = 300_000, approved = true } = {}) {
  const pod = { packed: packFiles(files), cwd: POD_HOME, run: 'now' }
  const done = await runPodCommand({ command, approved, timeoutMs }, pod, { ownerId: 1 })
  if (done.kind !== 'ran') return done
  return { ...done, files: done.packed ? unpackFiles(done.packed) : files }
}
async function ran(...args: Parameters<typeof exec>) {
  const done = await exec(...args)
  if (done.kind !== 'ran') throw new Error(`it was not run: ${done.kind}`)
  const read = (path: string) => {
    const entry = done.files.get(path)
    return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : entry
  }
  return { ...done, read }
}
const python = (...lines: string[]) => `python3 - <<'EOF'\n${lines.join('\n')}\nEOF`
const commandLines = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })

it('is known to texts once it was looked for', () => expect(hasSystemPython()).toBe(isThere))

const WITHOUT = () =>
  it('is the portable one on a machine without bubblewrap, pandas or leave to make namespaces', async () => {
    expect(await ran('python3 -c "import pandas"')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/No module named/),
    })
  })

const WITH = () => {
  it('computes with pandas and draws with matplotlib', async () => {
    const done = await ran(
      [
        'mkdir -p data; printf "day,sum\\n1,20\\n2,22\\n" > data/a.csv',
        python(
          'import pandas as pd, matplotlib.pyplot as plt',
          'table = pd.read_csv("data/a.csv")',
          'table.plot(x="day", y="sum"); plt.savefig("chart.png")',
          'print(table["sum"].sum())',
        ),
        'head -c 4 chart.png | tail -c 3',
      ].join('\n'),
    )
    expect(done).toMatchObject({ stdout: '42\nPNG', stderr: '', exitCode: 0 })
    expect(done.read(`${POD_HOME}/chart.png`)).toMatch(/^\x89PNG/)
  })

  it('has the files of the shell, and leaves what it changed', async () => {
    const { files } = await ran(
      'mkdir -p d/e /data; echo 1 > d/keep; echo 2 > d/change; echo 3 > d/gone; ln -s keep d/l',
    )
    const done = await ran(
      python(
        'import os, shutil',
        'print(open("d/l").read().strip(), oct(os.stat("d/keep").st_mode)[-3:])',
        'open("d/change", "a").write("more")',
        'os.remove("d/gone"); os.rmdir("d/e"); os.remove("d/l"); os.symlink("change", "d/l")',
        'open("/data/\\u00e4.txt", "wb").write(bytes(range(256))); os.chmod("/data/\\u00e4.txt", 0o700)',
        'os.mkfifo("d/pipe")',
      ),
      files,
    )
    expect(done).toMatchObject({ stdout: '1 644\n', stderr: '', exitCode: 0 })
    expect(done.read(`${POD_HOME}/d/change`)).toBe('2\nmore')
    expect(done.read(`${POD_HOME}/d/keep`)).toBe('1\n')
    expect(done.files.get(`${POD_HOME}/d/l`)).toMatchObject({ kind: 'link', to: 'change' })
    expect(done.files.get('/data/ä.txt')).toMatchObject({
      mode: 0o700,
      bytes: Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i)),
    })
    for (const gone of ['gone', 'e', 'pipe']) expect(done.files.has(`${POD_HOME}/d/${gone}`)).toBe(false)
  })

  it('takes arguments, input, variables and the current folder, and gives its output as it is', async () => {
    const done = await ran(
      `export NAME=here; mkdir d; cd d; python3 -c 'import sys; sys.stdout.buffer.write(bytes([255, 0, 97]))' | python3 -c '${[
        'import os, sys',
        'data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stdout.flush()',
        'print(sys.argv[1:], os.environ["NAME"], os.getcwd()); print("no", file=sys.stderr); sys.exit(3)',
      ].join('\n')}' 'a b' '' > ../out; echo $?`,
    )
    expect(done).toMatchObject({ stdout: '3\n', stderr: 'no\n' })
    expect(done.read(`${POD_HOME}/out`)).toBe(`\xff\0a['a b', ''] here ${POD_HOME}/d\n`)
  })

  it('sees nothing of the machine, and reaches nothing', async () => {
    const done = await ran(
      python(
        'import os, socket',
        'def tried(act):',
        '    try: return act()',
        '    except OSError as error: return type(error).__name__ + " " + str(error.errno)',
        `print(tried(lambda: os.listdir(${JSON.stringify(process.cwd())})))`,
        'print(tried(lambda: open("/etc/passwd")))',
        'print(tried(lambda: open("/usr/bin/x", "w")))',
        'print(tried(lambda: open("/etc/x", "w")))',
        'print(tried(lambda: socket.create_connection(("127.0.0.1", 22), 1)))',
        'print(sorted(os.environ))',
        'print([name for name in os.listdir("/proc") if name.isdigit()])',
        'print(os.getuid())',
      ),
    )
    expect(done.stdout.split('\n')).toEqual([
      'FileNotFoundError 2',
      'FileNotFoundError 2',
      'OSError 30',
      'OSError 30',
      'ConnectionRefusedError 111',
      expect.not.stringMatching(/SECRET|DATABASE|NODE/),
      expect.stringMatching(/^\['1', '2'(, '\d')*\]$/),
      '65534',
      '',
    ])
  })

  it('is confined in memory and in what it writes', async () => {
    const folders = Array.from({ length: 20 }, (_, n) => `/folder${n}`)
    const written = ['/tmp', '/run', '/dev/shm', ...folders]
    const done = await ran(
      `mkdir ${folders.join(' ')}; ${python(
        'import os',
        'try: bytearray(3_000_000_000)',
        'except MemoryError: print("memory")',
        'written, full = 0, 0',
        `for folder in ${JSON.stringify(written)}:`,
        '    try:',
        '        for i in range(50):',
        '            with open(f"{folder}/{i}", "wb") as file: written += file.write(bytes(10_000_000))',
        '    except OSError as error: full += error.strerror == "No space left on device"',
        'print(written < 300_000_000, written > 100_000_000, full)',
        'for folder in ["/", "/usr/local", "/dev", "/etc", "/var"]:',
        '    try: open(f"{folder}/x", "w")',
        '    except OSError as error: print(error.strerror)',
        'open("/dev/null", "w").write("x")',
        `for folder in ${JSON.stringify(written)}:`,
        '    for name in os.listdir(folder): os.remove(f"{folder}/{name}")',
      )}`,
    )
    const readOnly = 'Read-only file system\n'.repeat(4)
    const stdout = `memory\nTrue True ${written.length}\nPermission denied\n${readOnly}`
    expect(done).toMatchObject({ stdout, stderr: '', exitCode: 0 })
  })

  it('is ended when its processes together take too much memory', async () => {
    const done = await ran(
      python(
        'import os, time',
        'for n in range(8):',
        '    if os.fork() == 0:',
        '        taken = bytearray(os.urandom(1000)) * 300_000',
        '        time.sleep(60)',
        'time.sleep(60)',
      ),
    )
    const stderr = 'python3: stopped: its processes took more than 1 GiB of memory; what it wrote is lost\n'
    expect(done).toMatchObject({ exitCode: 137, stderr })
  })

  it('may have several processes that share what they have read', async () => {
    const done = await ran(
      python(
        'import os',
        'shared = os.urandom(1000) * 300_000',
        'for n in range(6):',
        '    if os.fork() == 0:',
        '        import time; time.sleep(1); os._exit(shared[0] == shared[1000])',
        'print([os.wait()[1] >> 8 for n in range(6)])',
      ),
    )
    expect(done).toMatchObject({ stdout: '[1, 1, 1, 1, 1, 1]\n', stderr: '', exitCode: 0 })
  })

  it('leaves the processors to the service', async () => {
    const done = await ran(python('import os', 'print(os.nice(0))'))
    expect(done.stdout).toBe('10\n')
  })

  it('ends with its command, and changes nothing then', async () => {
    const mark = `sleep_${process.pid}_${Date.now()}`
    const late = `echo a > a; python3 -c 'import subprocess; subprocess.run(["sleep", "600"]) # ${mark}'`
    expect(await ran(late, new Map(), { timeoutMs: 5_000 })).toMatchObject({ exitCode: 124, packed: undefined })
    await expect.poll(commandLines).not.toContain(mark)
    // The second has ended before the box begins.
    for (const seconds of [1, 0.001])
      expect(await ran(`timeout ${seconds} ${late.slice(11)}; echo $?`)).toMatchObject({ stdout: '124\n' })
    await expect.poll(commandLines).not.toContain(mark)
  })

  it('runs nothing of a command that is stopped while its box is made', async () => {
    const mark = `begun_${process.pid}_${Date.now()}`
    const slow = `python3 -c 'import subprocess; subprocess.run(["sleep", "600"]) # ${mark}'`
    // Milliseconds: a box takes some tens to make.
    const delays = Array.from({ length: 40 }, (_, n) => n + 1).join(' ')
    await ran(`for ms in ${delays}; do timeout $(printf 0.%03d $ms) ${slow}; done`)
    await expect.poll(commandLines).not.toContain(mark)
    const parents = () => execFileSync('ps', ['-eo', 'ppid,args'], { encoding: 'utf8' })
    await expect.poll(parents).not.toMatch(/^ *1 .*--hostname shell/m)
  })

  it('says when its files could not be brought back', async () => {
    const done = await ran(python('import os, signal', 'os.kill(os.getppid(), signal.SIGKILL)'))
    expect(done).toMatchObject({ exitCode: 137, stderr: 'python3: stopped; what it wrote is lost\n' })
  })

  it('cannot destroy what a run did not make, whatever its text hides', async () => {
    const files: PodFiles = new Map([
      [`${POD_HOME}/old.txt`, { kind: 'file', bytes: Buffer.from('old'), mode: 0o644, mtimeMs: 0, run: 'before' }],
    ])
    const done = await exec(python('open("ol" + "d.txt", "w").write("new")'), files, { approved: false })
    expect(done).toEqual({ kind: 'would_lose', paths: [`${POD_HOME}/old.txt`] })
  })
}

describe("the machine's own Python", isThere ? WITH : WITHOUT)
