import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/healthz')

export { handler as GET }
