/**
 * Runs in the box, around the program: says at descriptor 4 that it is there, takes the shell's
 * files at descriptor 3, runs Python as it was asked, and says how it ended and what of the files
 * is new or changed.
 */
export const BRIDGE = `
import base64, json, os, stat, subprocess, sys

back = os.fdopen(4, 'w')
print(file=back, flush=True)
with os.fdopen(3) as given:
    said = given.read()
if not said:
    sys.exit()
task = json.loads(said)
os.umask(0o022)
for path, entry in task['entries']:
    kind = entry['kind']
    if kind == 'folder':
        os.makedirs(path, exist_ok=True)
    elif kind == 'link':
        os.symlink(entry['to'], path)
    else:
        with open(path, 'wb') as file:
            file.write(base64.b64decode(entry['base64']))
        os.utime(path, (entry['mtimeMs'] / 1000, entry['mtimeMs'] / 1000))
        os.chmod(path, entry['mode'])

def found():
    for folder in task['folders']:
        for at, folders, files in os.walk(folder):
            for name in sorted(folders + files):
                path = os.path.join(at, name)
                yield path, os.lstat(path)

def mark(seen):
    return seen.st_ino, seen.st_mode, seen.st_size, seen.st_ctime_ns

before = {path: mark(seen) for path, seen in found()}
# It may have many processes, none of which the service should wait for.
os.nice(5)
cwd = task['cwd'] if os.path.isdir(task['cwd']) else '/home/user'
try:
    code = subprocess.run([sys.executable, *task['args']], cwd=cwd, env={**os.environ, **task['env']}).returncode
except (OSError, ValueError) as error:
    code = 126
    print('python3:', error, file=sys.stderr)
paths, changed = [], []
for path, seen in found():
    name, mode = os.fsencode(path).decode('utf-8', 'replace'), stat.S_IMODE(seen.st_mode)
    if stat.S_ISLNK(seen.st_mode):
        entry = {'kind': 'link', 'to': os.fsencode(os.readlink(path)).decode('utf-8', 'replace')}
    elif stat.S_ISDIR(seen.st_mode):
        entry = {'kind': 'folder', 'mode': mode}
    elif stat.S_ISREG(seen.st_mode):
        entry = {'kind': 'file', 'mode': mode, 'mtimeMs': seen.st_mtime_ns // 1000000}
    else:
        continue
    paths.append(name)
    if before.get(path) == mark(seen):
        continue
    if entry['kind'] == 'file':
        os.chmod(path, mode | 0o400)
        with open(path, 'rb') as file:
            entry['base64'] = base64.b64encode(file.read()).decode()
    changed.append([name, entry])
with back:
    json.dump({'code': 128 - code if code < 0 else code, 'paths': paths, 'changed': changed}, back)
`
