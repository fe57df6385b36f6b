import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/v1/openapi.json')

export { handler as GET, handler as OPTIONS }
