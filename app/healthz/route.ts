import { healthDoor as door } from '@/server/doors/health'

export { door as GET }
