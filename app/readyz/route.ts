import { readyDoor as door } from '@/server/doors/health'

export { door as GET }
