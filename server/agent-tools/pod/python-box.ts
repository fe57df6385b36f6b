/**
 * How the machine's own Python is run for a stranger: by bubblewrap, as nobody, without network,
 * without other processes, over a system that can only be read, and over folders in memory.
 */

/** What has to be installed. */
export const BOX_PROGRAMS = ['/usr/bin/bwrap', '/usr/bin/prlimit', '/usr/bin/python3'] as const
const [BUBBLEWRAP, PRLIMIT, PYTHON] = BOX_PROGRAMS

/** Bytes of all files of a box, which are in the machine's memory: in its folders, and shared. */
const FILES_BYTES = 192 * 1024 * 1024
const SHARED_BYTES = 16 * 1024 * 1024
/** Bytes of a folder in which files of the machine are shown. */
const SHOWN_BYTES = 64 * 1024

const LIMITS = ['--as=1073741824', '--nproc=32', '--nofile=256', '--fsize=67108864', '--core=0']

/** What libraries of Python look for outside /usr, where it is there. */
const SETTINGS = ['/etc/alternatives', '/etc/fonts', '/etc/matplotlibrc', '/etc/python3.11', '/etc/python3.13']

/** Folders of the box itself: a pod's folder of the same name is not seen in it. */
const OWN_FOLDERS = new Set(['bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'run', 'sbin', 'sys', 'usr', 'var'])

/** The environment of bubblewrap itself: nothing of this process. */
export const BOX_ENV = { NODE_ENV: 'production' } as const

const ENVIRONMENT = {
  HOME: '/home/user',
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  MPLBACKEND: 'Agg',
  MPLCONFIGDIR: '/run/matplotlib',
  OPENBLAS_NUM_THREADS: '1',
  PYTHONDONTWRITEBYTECODE: '1',
}

/** The folders at the top that a box has for the folders of a pod. */
export const boxFolders = (podFolders: readonly string[]): string[] =>
  [...new Set(['home', 'tmp', ...podFolders.map((path) => path.split('/')[1] ?? '')])]
    .filter((top) => top !== '' && !OWN_FOLDERS.has(top))
    .map((top) => `/${top}`)

const inMemory = (folder: string, bytes: number): string[] => ['--size', String(bytes), '--tmpfs', folder]

/** The program and the arguments that run Python in a box with these folders. */
export function pythonInBox(folders: readonly string[], args: readonly string[]): [string, string[]] {
  return [
    BUBBLEWRAP,
    [
      // It ends with the thread that started it.
      ...['--die-with-parent', '--new-session', '--unshare-user', '--unshare-all', '--disable-userns'],
      ...['--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534', '--hostname', 'shell'],
      // Without a size each would be as large as half of the machine's memory.
      ...inMemory('/', FILES_BYTES),
      ...['--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev', ...inMemory('/dev/shm', SHARED_BYTES)],
      ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ...['/usr/local', '/etc', '/var'].flatMap((folder) => inMemory(folder, SHOWN_BYTES)),
      ...[...SETTINGS, '/var/cache/fontconfig'].flatMap((path) => ['--ro-bind-try', path, path]),
      ...['/usr/local', '/etc', '/var', '/dev'].flatMap((folder) => ['--remount-ro', folder]),
      ...[...folders, '/run'].flatMap((folder) => ['--dir', folder]),
      ...['--chmod', '0555', '/', '--chdir', '/tmp', '--clearenv'],
      ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--', PRLIMIT, ...LIMITS, '--', PYTHON, ...args],
    ],
  ]
}
