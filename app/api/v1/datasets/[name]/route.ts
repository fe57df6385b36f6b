import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/v1/datasets/*')

export { handler as GET, handler as OPTIONS }
