import { type SimulatedVideo, videoWithId } from './videos'

/** Ids that behave in their own way but otherwise are this video. */
const STAND_INS = ['memb', 'geos', 'bots', 'nocc', 'text', 'null', 'slow'].map((name) => `sandbox${name}`)

/** The video with an id; words of the sandbox that mean no video, and `nosuchvideo`, have none. */
export function findVideo(id: string | undefined): SimulatedVideo | undefined {
  if (id === undefined || !/^[\w-]{11}$/.test(id) || id === 'nosuchvideo') return undefined
  if (STAND_INS.includes(id)) return { ...videoWithId('sandbox0005'), id }
  return id.startsWith('sandbox') && !/^sandbox\d{4}$/.test(id) ? undefined : videoWithId(id)
}
