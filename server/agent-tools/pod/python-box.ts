/**
 * How the machine's own Python is run for a stranger: by bubblewrap, as nobody, without network,
 * without other processes, over a system that can only be read, and over folders in memory.
 */

/** What has to be installed. */
export const BOX_PROGRAMS = ['/usr/bin/bwrap', '/usr/bin/prlimit', '/usr/bin/python3'] as const
const [BUBBLEWRAP, PRLIMIT, PYTHON] = BOX_PROGRAMS

/** Bytes of the files in one folder of the box, which are in the machine's memory. */
const FOLDER_BYTES = 64 * 1024 * 1024

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

/** The program and the arguments that run Python in a box with these folders. */
export function pythonInBox(folders: readonly string[], args: readonly string[]): [string, string[]] {
  const [size, writable] = [String(FOLDER_BYTES), [...folders, '/run']]
  return [
    BUBBLEWRAP,
    [
      // It ends with the thread that started it.
      ...['--die-with-parent', '--new-session', '--unshare-user', '--unshare-all', '--disable-userns'],
      ...['--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534', '--hostname', 'shell'],
      ...['--ro-bind', '/usr', '/usr', '--tmpfs', '/usr/local', '--proc', '/proc', '--dev', '/dev'],
      ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ...[...SETTINGS, '/var/cache/fontconfig'].flatMap((path) => ['--ro-bind-try', path, path]),
      ...writable.flatMap((folder) => ['--size', size, '--tmpfs', folder]),
      ...['--remount-ro', '/', '--chdir', '/tmp', '--clearenv'],
      ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--', PRLIMIT, ...LIMITS, '--', PYTHON, ...args],
    ],
  ]
}
