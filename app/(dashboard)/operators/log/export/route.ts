import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/operators/log/export')

export { handler as GET }
