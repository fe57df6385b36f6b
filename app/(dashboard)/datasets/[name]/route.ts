import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/datasets/*')

export { handler as GET }
