import { trpcDoor } from '@/server/doors/trpc'

export { trpcDoor as GET, trpcDoor as POST }
