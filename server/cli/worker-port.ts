import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { readReadiness } from '../api/readiness'
import type { Env } from '../env'
import { type Handler, pathOf } from '../http/handler'
import { healthHandler, makeReadyHandler } from '../http/health'
import { metricsHandler } from '../http/metrics'
import { versionHandler } from '../http/version'
import { log } from '../kit/log'
import { CliError } from './kit/project'

const HANDLERS: Record<string, Handler> = {
  '/healthz': healthHandler,
  '/readyz': makeReadyHandler(readReadiness),
  '/metrics': metricsHandler,
  '/version': versionHandler,
}

const serve: Handler = async (req) => HANDLERS[pathOf(req.url)]?.(req) ?? new Response(null, { status: 404 })

/**
 * Opens METRICS_PORT of a worker: what it measures, and whether it lives and can work. Null where
 * the port is not set. Throws a CliError when it cannot be used.
 */
export async function openWorkerPort({ METRICS_PORT: port, HOST: host }: Env): Promise<Server | null> {
  if (port === undefined) return null
  const server = createServer({ requireHostHeader: false }, getRequestListener(serve, { overrideGlobalObjects: false }))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      reject(new CliError(isTaken ? `Port ${port} is taken: set METRICS_PORT to a free one.` : error.message))
    })
    server.listen({ port, host }, resolve)
  })
  log.info({ host, port }, 'metrics of the worker')
  return server
}
