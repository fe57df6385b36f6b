import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/credits/export')

export { handler as GET }
