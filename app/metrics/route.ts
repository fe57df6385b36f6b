import { metricsDoor as door } from '@/server/doors/metrics'

export { door as GET }
