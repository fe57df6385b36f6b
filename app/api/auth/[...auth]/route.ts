import { authDoor } from '@/server/doors/auth'

export { authDoor as GET, authDoor as POST }
