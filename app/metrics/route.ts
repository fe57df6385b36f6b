import { metricsHandler as door } from '@/server/http/metrics'

export { door as GET }
