import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/llms.txt')

export { handler as GET }
