import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from '../../server/api/openapi/document'
import { restOperations } from '../../server/api/operations'
import { appRouter } from '../../server/api/router'
import { appServer, provideAppServer } from '../../server/http/app-server'
import type { Handler } from '../../server/http/handler'
import { APP_MOUNTS, handlerAt, MOUNTS, type MountPath } from '../../server/http/mounts'
import { withSandbox } from '../support/api'
import { filesBelow, SOURCE_ROOT } from '../support/source-imports'

withSandbox()
provideAppServer()

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const files = filesBelow('app').filter((file) => /\/route\.ts$/.test(file))

const everyMount: readonly (readonly [string, Handler])[] = [...MOUNTS, ...APP_MOUNTS]

/** A route file's path as the table of mounts writes it. */
const pathOf = (file: string) =>
  file
    .replace(/^app|\/route\.ts$/g, '')
    .replace(/\/\([^)]+\)/g, '')
    .replace(/\/\[[^\]]+\](?=\/|$)/g, '/*')

const exportsOf = async (file: string): Promise<Partial<Record<string, Handler>>> =>
  import(path.join(SOURCE_ROOT, file))

test('the mounts and the route files list the same paths', () => {
  expect(files.map(pathOf).sort()).toEqual(everyMount.map(([at]) => at).sort())
})

test('what only app/ mounts is left to Next by the HTTP server', () => {
  for (const [at] of APP_MOUNTS) expect(handlerAt(at), at).toBeUndefined()
})

describe.each(files)('%s', (file) => {
  const at = pathOf(file)
  const handler = everyMount.find(([mounted]) => mounted === at)?.[1]

  test('has 15 lines at most and exports one handler under every method', async () => {
    expect(readFileSync(path.join(SOURCE_ROOT, file), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(15)
    expect(new Set(Object.values(await exportsOf(file))).size).toBe(1)
  })

  test('passes requests to the handler that is mounted at its path', async () => {
    const [exported] = Object.values(await exportsOf(file))
    const request = new Request(`http://localhost:3000${at}`)
    const response = new Response()
    const received: Request[] = []
    const stub = async (req: Request) => {
      received.push(req)
      return response
    }
    globalThis.tollgateServer = {
      ...appServer,
      handlers: new Map([[at as MountPath, stub]]),
    }
    try {
      expect(await exported?.(request)).toBe(response)
      expect(received).toEqual([request])
    } finally {
      provideAppServer()
    }
  })

  test('exports every method its handler serves', async () => {
    const found = await exportsOf(file)
    for (const method of METHODS) {
      const sample = `http://localhost:3000${at.replaceAll('*', 'x')}`
      const { status } = (await handler?.(new Request(sample, { method }))) ?? { status: 0 }
      // Next answers HEAD from GET.
      const isExported = method in found || (method === 'HEAD' && 'GET' in found)
      if (status !== 405) expect(isExported, `${method} is answered ${status}`).toBe(true)
    }
    // A browser's preflight, which Next would answer by itself.
    if (at.startsWith('/api/v1/')) expect(found).toHaveProperty('OPTIONS')
  })
})

test('every documented path is served by the REST handler, or by another handler at exactly this path', () => {
  const own = new Set<string>(MOUNTS.map(([at]) => at))
  for (const { openapi } of restOperations()) {
    const path = `/api/v1${openapi.path}`
    if (!own.has(path.replaceAll(/\{\w+\}/g, '*'))) expect(handlerAt(path), path).toBe(handlerAt('/api/v1/x'))
  }
})

describe('the OpenAPI document', () => {
  type Procedure = { _def: { inputs: z.ZodType[]; meta?: { openapi?: { path: string; method: string } } } }
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)

  test('has every public operation, and none of the dashboard’s', async () => {
    const { paths = {} } = await openApiDocument('http://localhost:3000')
    for (const [name, { _def }] of procedures) {
      const openapi = _def.meta?.openapi
      // The MCP handler serves JSON-RPC, not REST.
      expect(Boolean(openapi), name).toBe(/^public\.(?!mcp\.)/.test(name))
      if (openapi) expect(paths[openapi.path], name).toHaveProperty(openapi.method.toLowerCase())
    }
  })

  test('leaves what the schemas accept as it was', async () => {
    const probes = [
      {},
      { limit: '5' },
      { limit: 5 },
      { limit: true },
      { keyId: '1' },
      { id: '1' },
      { id: 1 },
      { id: 1, overlapMinutes: '5' },
      { name: 'x', llm: 'true', rpm: '5' },
      { name: 'x', expiresAt: 5 },
      { tool: 5 },
      { tool: 'x', params: '{}' },
      { tool: 'x', params: {} },
      { requestId: 5 },
      { approved: 'false' },
      { format: 'md' },
      null,
      'x',
    ]
    const behaviour = () =>
      procedures.map(([name, { _def }]) => [name, _def.inputs.map((input) => probes.map((p) => input.safeParse(p)))])
    const shapes = () =>
      procedures.map(([, { _def }]) =>
        _def.inputs.map((input) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })),
      )
    const [before, shapesBefore] = [JSON.stringify(behaviour()), JSON.stringify(shapes())]
    await openApiDocument('http://localhost:3000')
    await openApiDocument('https://other.example')
    expect(JSON.stringify(behaviour())).toBe(before)
    expect(JSON.stringify(shapes())).toBe(shapesBefore)
    expect(before).toContain('"success":true')
    expect(before).toContain('"success":false')
  })
})
