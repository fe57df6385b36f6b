import { openApiDoor as door } from '@/server/doors/openapi'

export { door as GET }
