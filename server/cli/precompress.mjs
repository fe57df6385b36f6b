// Makes scripts and styles of the pages ready to send. Each is compressed once, as well as Brotli
// can: `serve-static.ts` sends it so to browsers that read it. What Next made gets a first line
// that has browsers compile a script whole, on another thread, while it arrives: compiled function
// by function as each is first called, the page would be blocked three times as long.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { at } from './setup/root.mjs'

const COMPILE_WHOLE = '//# allFunctionsCalledOnLoad\n'

const folder = at('.next', 'static')

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
for (const name of names.filter((name) => path.dirname(name) === 'chunks' && name.endsWith('.js'))) {
  const file = path.join(folder, name)
  const script = readFileSync(file, 'utf8')
  if (!script.startsWith(COMPILE_WHOLE)) writeFileSync(file, COMPILE_WHOLE + script)
}
// All at once: Node compresses in threads, as many as there is work for.
await Promise.all(
  names
    .filter((name) => name.endsWith('.js') || name.endsWith('.css'))
    .map(async (name) => {
      const file = path.join(folder, name)
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(readFileSync(file)))
    }),
)
