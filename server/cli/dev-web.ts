// The web process of npm run dev: Next in development mode stays, and the server below it is
// replaced by its new bundle whenever the launcher says so.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import next from 'next'
import { developmentBundle } from './bundle-watch'
import { listenForStop } from './kit/stop-signal'
import type { Pages, WebServer } from './web/start-web-server'

/** Calls in progress are ended with an error: nobody wants to wait for them in development. */
const HURRY = AbortSignal.abort()

/** Next takes the connections of its hot reload from this server, which never listens. */
const upgrades = createServer()
const app = next({
  dev: true,
  port: Number(process.env.PORT),
  hostname: process.env.HOST,
  httpServer: upgrades,
})

let versions = 0
let running: WebServer | undefined

async function load(pages: Pages): Promise<void> {
  // A module is loaded once for each URL.
  const url = `${pathToFileURL(developmentBundle('web-server'))}?version=${++versions}`
  const { startWebServer }: typeof import('./web/start-web-server') = await import(url)
  await running?.stop(HURRY)
  running = await startWebServer(async () => pages)
}

const printError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)

const { asked } = listenForStop()
await app.prepare()
const pages: Pages = {
  serve: app.getRequestHandler(),
  onUpgrade: (req, socket, head) => void upgrades.emit('upgrade', req, socket, head),
}
await load(pages)

let last: Promise<unknown> = Promise.resolve()
process.on('message', () => {
  const sinceMs = Date.now()
  last = last
    .then(() => load(pages))
    .then(() => void process.stdout.write(`server reloaded in ${Date.now() - sinceMs} ms\n`), printError)
})
process.on('unhandledRejection', printError)
void asked.then(async () => {
  await last
  await running?.stop(HURRY)
  process.exit(0)
})
