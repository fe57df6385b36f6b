import { healthHandler as door } from '@/server/http/health'

export { door as GET }
