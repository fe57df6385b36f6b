import { sandbox as models } from '../models/sandbox'
import { sandbox as crypto } from '../tools/crypto/sandbox'
import { sandbox as forum } from '../tools/forum/sandbox'
import { sandbox as marketplace } from '../tools/marketplace/sandbox'
import { sandbox as media } from '../tools/media/sandbox'
import { sandbox as microblog } from '../tools/microblog/sandbox'
import { sandbox as property } from '../tools/property/sandbox'
import { sandbox as videosite } from '../tools/videosite/sandbox'
import { sandbox as web } from '../tools/web/sandbox'
import type { SandboxRoute } from './route'

/** Every upstream the sandbox imitates, a name a group. */
export const routes: readonly SandboxRoute[] = [
  ...models,
  ...web,
  ...crypto,
  ...forum,
  ...microblog,
  ...videosite,
  ...property,
  ...media,
  ...marketplace,
]
