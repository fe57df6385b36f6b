import { cancelQueued, queuedFile, readQueue, submitToQueue } from '../fal/queue'
import { cancelledMediaJobs } from '../media/jobs'
import type { SandboxRoute } from '../route'
import { hostedImage, openAiImage, routerImage } from './images'
import { createVideo, deleteVideo, readVideo } from './videos'

/**
 * Engines for pictures and films in the forms of OpenAI (/llm/v1), a router (/llm/api/v1) and fal's queue (/fal); the
 * chat model that makes pictures answers at the models' own address. A job is done at the third look.
 * Words in a prompt make things go wrong: `sandbox:429` `sandbox:quota` `sandbox:500` `sandbox:key` (401)
 * `sandbox:policy` (refused by moderation) `sandbox:html` `sandbox:nonsense` (JSON of no known form) `sandbox:slow`
 * (5 s) · `sandbox:refuse` (no picture; the chat model bills it) `sandbox:200` (an error with status 200)
 * `sandbox:garbage` (bytes that are no picture or film) `sandbox:url` (the picture's URL instead of its bytes)
 * `sandbox:gone` (that URL is dead) `sandbox:private` (it leads to a private address) · `sandbox:expensive` (costs ten
 * times its price) `sandbox:beyond` (a cost nobody would believe) `sandbox:nocost` (no cost named) · jobs:
 * `sandbox:fail` `sandbox:queued` (never begun) `sandbox:never` (never done) `sandbox:silent` (500 at every look)
 * `sandbox:sound` (a film with a sound track) · the queue: `sandbox:balance` `sandbox:504` `sandbox:nsfw` (blackened).
 */
export const openaiRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/v1/images/generations', answer: openAiImage },
  { method: 'POST', path: '/llm/api/v1/images', answer: routerImage },
  { method: 'GET', path: '/media/picture', answer: hostedImage },
  ...['/llm/v1', '/llm/api/v1'].flatMap((base): SandboxRoute[] => [
    { method: 'POST', path: `${base}/videos`, answer: createVideo },
    { method: 'GET', path: `${base}/videos/*`, answer: readVideo },
    { method: 'DELETE', path: `${base}/videos/*`, answer: deleteVideo },
  ]),
  { method: 'POST', path: '/fal/*', answer: submitToQueue },
  { method: 'GET', path: '/fal/*', answer: readQueue },
  { method: 'PUT', path: '/fal/*', answer: cancelQueued },
  { method: 'GET', path: '/media/queued/*', answer: queuedFile },
  { method: 'GET', path: '/media/__cancelled', answer: () => Response.json({ count: cancelledMediaJobs() }) },
]
