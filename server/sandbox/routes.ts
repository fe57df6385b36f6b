import { sandbox as crypto } from '../tools/crypto/sandbox'
import type { SandboxRoute } from './route'

/** Every upstream the sandbox imitates, a line a group. */
export const routes: readonly SandboxRoute[] = [...crypto]
