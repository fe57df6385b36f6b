import { trpcDoor as door } from '@/server/doors/trpc'

export { door as GET, door as POST }
