import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/readyz')

export { handler as GET }
