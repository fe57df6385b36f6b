import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
})

const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) =>
    Object.fromEntries(
      list.map(({ key, value: { arrayValue, ...plain } }) => [
        key,
        arrayValue ? arrayValue.values.map(({ stringValue }) => stringValue) : Object.values(plain)[0],
      ]),
    ),
  )

const ExportedSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  traceState: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  status: z.object({ code: z.number(), message: z.string().optional() }),
  attributes: Attributes,
  events: z.array(z.object({ name: z.string() })).default([]),
})

/** A span as a collector gets it. */
export type ExportedSpan = z.output<typeof ExportedSpan>

const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(ExportedSpan) })),
    }),
  ),
})

export type FakeCollector = {
  url: string
  spans: () => ExportedSpan[]
  /** The attributes of the processes that have sent spans. */
  resources: () => Record<string, unknown>[]
  /** The headers of each export. */
  headers: () => Record<string, unknown>[]
  /** Everything that was sent, as text. */
  text: () => string
  /** From now on it answers with this status. */
  answer: (status: number) => void
  close: () => Promise<void>
}

/** A collector on 127.0.0.1 that takes OTLP in JSON and keeps it. */
export async function startFakeCollector(): Promise<FakeCollector> {
  const exports: z.output<typeof Export>[] = []
  const headers: Record<string, unknown>[] = []
  let text = ''
  let status = 200
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (status === 200) {
      text += body
      headers.push(req.headers)
      exports.push(Export.parse(JSON.parse(body)))
    }
    res.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resourceSpans = () => exports.flatMap((each) => each.resourceSpans)
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => resourceSpans().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => resourceSpans().map(({ resource }) => resource.attributes),
    headers: () => headers,
    text: () => text,
    answer: (next) => {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
