// Compiles what web and worker load and writes it where Node looks for it: a step of building the
// image, whose containers cannot keep it themselves. It holds for the user that runs this, for
// this folder and for this Node; where one differs, or the processor, Node compiles anew.
import { spawnSync } from 'node:child_process'
import { at, compileCache, SERVICE_OPTIONS } from './setup/root.mjs'

// Nothing is connected to, and nothing is asked.
const env = {
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: compileCache(),
  UPSTREAMS: 'sandbox',
  DATABASE_URL: 'postgresql://127.0.0.1/none',
  AUTH_SECRET: 'only-for-compiling-0123456789-abcdef',
}
for (const name of ['web', 'worker']) {
  const args = [...SERVICE_OPTIONS, at('dist', `${name}.js`), '--compile']
  const { status } = spawnSync(process.execPath, args, { cwd: at(), env, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
