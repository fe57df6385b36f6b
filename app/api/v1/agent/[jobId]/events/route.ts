import { eventsDoor as door } from '@/server/doors/events'

export { door as GET }
