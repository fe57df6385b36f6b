import { calledTimes, unless } from '../checks'
import type { Goal, Outcome } from '../goal'
import { visibleField } from '../models/visible'

/** Complaints about the first file in the result of this content type. */
async function hostedFile({ result, fetch }: Outcome, type: RegExp): Promise<string[]> {
  const urls = result.match(/https?:\/\/[^\s)\]>"']+/g) ?? []
  for (const url of urls) {
    const found = await fetch(url)
    if (found.status === 200 && type.test(found.type)) return []
  }
  return [`no URL of the result is of type ${type.source}`]
}

const hasArtifact = ({ job }: Outcome, kind: string): string[] => {
  const artifacts = Array.isArray(job.artifacts) ? (job.artifacts as { kind: string; url?: string }[]) : []
  return unless(
    artifacts.some((artifact) => artifact.kind === kind && Boolean(artifact.url)),
    `artifacts name no ${kind}`,
  )
}

export const mediaGoals: readonly Goal[] = [
  {
    id: 'one-image',
    agent: 'media',
    text: () => 'Draw a logo: a toll gate at dawn, as a square image. Give its URL.',
    maxCredits: 300,
    mishap: (n) => (n === 0 ? 'overloaded' : null),
    solve: (ask) => {
      const made = ask.call('image_generate', { prompt: 'A toll gate at dawn, as a logo', aspectRatio: '1:1' })
      return `![The logo](${visibleField(made.text, 'url')})\n\n${visibleField(made.text, 'url')}`
    },
    check: async (o) => [
      ...(await hostedFile(o, /^image\//)),
      ...calledTimes(o, 'image_generate', { min: 1, max: 1 }),
      ...hasArtifact(o, 'image'),
    ],
  },
  {
    id: 'one-video',
    agent: 'media',
    text: () => 'Generate a video of 4 seconds: waves on a harbour wall. Give the URL of the video clip.',
    maxCredits: 1_500,
    solve: (ask) => {
      const made = ask.call('video_generate', { prompt: 'Waves on a harbour wall', durationSeconds: 4 })
      return `The video: ${visibleField(made.text, 'url')} (${visibleField(made.text, 'durationSeconds')} s)`
    },
    check: async (o) => [
      ...(await hostedFile(o, /^video\//)),
      ...calledTimes(o, 'video_generate', { min: 1, max: 1 }),
      ...hasArtifact(o, 'video'),
    ],
  },
  {
    id: 'checked-image',
    agent: 'media',
    text: () =>
      'Draw an image of a lighthouse at night, then look at this image with a tool and say what is on it. Give the URL of the image.',
    maxCredits: 500,
    solve: (ask) => {
      const url = visibleField(ask.call('image_generate', { prompt: 'A lighthouse at night' }).text, 'url')
      const seen = ask.call('image_analyze', { source: url })
      return `${url}\n\nWhat is on it: ${seen.text}`
    },
    check: async (o) => [...(await hostedFile(o, /^image\//)), ...calledTimes(o, 'image_analyze', { min: 1, max: 1 })],
  },
]
