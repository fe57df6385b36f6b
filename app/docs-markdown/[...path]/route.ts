import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/docs-markdown/*')

export { handler as GET }
