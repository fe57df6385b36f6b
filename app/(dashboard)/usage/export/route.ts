import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/usage/export')

export { handler as GET }
