import { openApiHandler as handler } from '@/server/http/openapi'

export { handler as GET }
