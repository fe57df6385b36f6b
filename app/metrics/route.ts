import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/metrics')

export { handler as GET }
