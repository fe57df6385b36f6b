import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/v1/agent/*/events')

export { handler as GET, handler as OPTIONS }
