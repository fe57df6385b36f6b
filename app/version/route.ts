import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/version')

export { handler as GET }
