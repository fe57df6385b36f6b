import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/v1/datasets/*')

export { handler as DELETE, handler as GET, handler as OPTIONS, handler as PATCH }
