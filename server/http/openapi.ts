import { makeContext } from '../api/context'
import { openApiDocument } from '../api/openapi/document'
import { typedOpenApiDocument } from '../api/openapi/typed-tools'
import { authenticateIfKeySent } from '../api/trpc'
import { env } from '../env'
import { makeHandler, READ_METHODS } from './handler'
import { sendValue } from './response'

/**
 * `/api/v1/openapi.json`: the REST operations as OpenAPI 3.1, for anyone; a key that is sent must
 * be valid. With `?tools=each` every tool has a schema of its call, for generators.
 */
export const openApiHandler = makeHandler(
  'openapi',
  async ({ req, requestId, reply, headers }) => {
    const caller = await authenticateIfKeySent(makeContext({ requestId, headers: req.headers, via: 'key', reply }))
    const cacheable = caller === null && { 'cache-control': 'public, max-age=60', vary: 'authorization, x-api-key' }
    const describe = new URL(req.url).searchParams.get('tools') === 'each' ? typedOpenApiDocument : openApiDocument
    return sendValue(200, await describe(env().PUBLIC_URL), { ...headers(), ...cacheable })
  },
  { methods: READ_METHODS },
)
