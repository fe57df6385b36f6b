import { openApiDocument } from '../api/document'
import { env } from '../env'
import { asDoor } from './exchange'
import { sendValue } from './reply'

/** `/api/v1/openapi.json`: the REST operations as OpenAPI 3.1. */
export const openApiDoor = asDoor('openapi', async ({ headers }) =>
  sendValue(200, openApiDocument(env().PUBLIC_URL), { ...headers(), 'cache-control': 'public, max-age=60' }),
)
