import { openApiHandler as door } from '@/server/http/openapi'

export { door as GET }
