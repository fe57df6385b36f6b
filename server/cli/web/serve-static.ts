import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { chooseEncoding } from '../../kit/compress'
import { log } from '../../kit/log'
import { PROJECT_ROOT } from '../kit/project'
import type { RequestListener } from './serve-page'

const ROOT = '/_next/static/'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Files are named after what is in them, so browsers never ask for one twice. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-encoding': 'br',
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
}

const folder = path.join(PROJECT_ROOT, '.next', 'static')

/** The compressed files of the build, by the path that asks for them. */
function findCompressed(): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.br'))
  return new Map(
    names.map((name) => [ROOT + name.slice(0, -'.br'.length).replaceAll(path.sep, '/'), path.join(folder, name)]),
  )
}

async function send(res: ServerResponse, file: string, asked: string, isHead: boolean): Promise<void> {
  try {
    const body = await readFile(file)
    const type = TYPES[path.extname(asked)] ?? 'application/octet-stream'
    res.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': body.length })
    res.end(isHead ? undefined : body)
  } catch (error) {
    // A build has replaced the files below this process.
    log.warn({ err: (error as Error).message }, 'a compressed file is missing')
    res.writeHead(404, { 'cache-control': 'no-store' }).end()
  }
}

/** Sends scripts and styles as the build compressed them. What else is asked for goes to Next. */
export function withCompressedStatic(toNext: RequestListener): RequestListener {
  const files = findCompressed()
  return (req: IncomingMessage, res: ServerResponse) => {
    const { method, url = '/', headers } = req
    const asked = url.split('?', 1)[0] ?? url
    const file = method === 'GET' || method === 'HEAD' ? files.get(asked) : undefined
    if (!file || chooseEncoding(headers['accept-encoding']?.toString()) !== 'br') return toNext(req, res)
    return send(res, file, asked, method === 'HEAD')
  }
}
