import type { oas31 } from 'zod-openapi'

/** The two headers a key can be sent in. */
export const SECURITY_SCHEMES: Record<string, oas31.SecuritySchemeObject> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key in the Authorization header' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key in another header' },
}

/** A key in either header. */
export const EITHER_KEY: oas31.SecurityRequirementObject[] = [{ bearer: [] }, { apiKey: [] }]
