import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/v1/*')

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
