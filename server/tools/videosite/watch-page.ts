import { z } from 'zod'
import { type ProviderContext, parseProviderJson } from '../provider'
import { lenientObject } from '../provider-fields'
import { VIDEO_PROVIDER } from './errors'
import { fetchInnertube } from './innertube'
import { InnertubeText } from './text-fields'

const list = z.array(z.unknown()).catch([])

const Page = z.object({
  contents: lenientObject({
    twoColumnWatchNextResults: z.object({ results: z.object({ results: z.object({ contents: list }) }) }),
  }),
  engagementPanels: list.optional(),
})

const Primary = z.object({
  videoPrimaryInfoRenderer: z.object({
    title: InnertubeText,
    viewCount: lenientObject({
      videoViewCountRenderer: z.object({ viewCount: InnertubeText, isLive: z.boolean().optional() }),
    }),
    dateText: InnertubeText,
  }),
})

const Owner = z.object({
  title: InnertubeText,
  navigationEndpoint: lenientObject({
    browseEndpoint: z.object({ browseId: z.string(), canonicalBaseUrl: z.string().optional() }),
  }),
  subscriberCountText: InnertubeText,
})
const Secondary = z.object({
  videoSecondaryInfoRenderer: z.object({
    owner: lenientObject({ videoOwnerRenderer: Owner }),
    attributedDescription: InnertubeText,
  }),
})

const Continuation = z.object({
  continuationItemRenderer: z.object({
    continuationEndpoint: z.object({ continuationCommand: z.object({ token: z.string().min(1) }) }),
  }),
})
/** The form behind a button: "Show more replies". */
const Button = z.object({
  continuationItemRenderer: z.object({
    button: z.object({
      buttonRenderer: z.object({ command: z.object({ continuationCommand: z.object({ token: z.string().min(1) }) }) }),
    }),
  }),
})

/** The token of the next page in a list of items; null on the last one. */
export function findContinuationToken(items: readonly unknown[]): string | null {
  for (const item of items.toReversed()) {
    const plain = Continuation.safeParse(item)
    if (plain.success) return plain.data.continuationItemRenderer.continuationEndpoint.continuationCommand.token
    const button = Button.safeParse(item)
    if (button.success)
      return button.data.continuationItemRenderer.button.buttonRenderer.command.continuationCommand.token
  }
  return null
}

const CommentSection = z.object({
  itemSectionRenderer: z.object({ sectionIdentifier: z.literal('comment-item-section'), contents: list }),
})

const TranscriptPanel = z.object({
  engagementPanelSectionListRenderer: z.object({
    panelIdentifier: z.literal('engagement-panel-searchable-transcript'),
    content: z.object({
      continuationItemRenderer: z.object({
        continuationEndpoint: z.object({ getTranscriptEndpoint: z.object({ params: z.string().min(1) }) }),
      }),
    }),
  }),
})

const firstOf = <T extends z.ZodType>(items: readonly unknown[], shape: T): z.output<T> | undefined => {
  for (const item of items) {
    const parsed = shape.safeParse(item)
    if (parsed.success) return parsed.data
  }
  return undefined
}

/** The parts of a video's watch page; null or undefined where missing. */
export type WatchPage = {
  primary: z.output<typeof Primary>['videoPrimaryInfoRenderer'] | undefined
  secondary: z.output<typeof Secondary>['videoSecondaryInfoRenderer'] | undefined
  /** Undefined without a comment section; its token is null when comments are turned off. */
  comments: { token: string | null } | undefined
  transcriptParams: string | undefined
}

/** POST /youtubei/v1/next, the content of a video's watch page. Throws `upstream_error`. */
export async function fetchWatchPage(context: ProviderContext, videoId: string): Promise<WatchPage> {
  const payload = { videoId, contentCheckOk: true, racyCheckOk: true }
  const page = parseProviderJson(VIDEO_PROVIDER, await fetchInnertube(context, 'next', payload), Page)
  const items = page.contents?.twoColumnWatchNextResults.results.results.contents ?? []
  const section = firstOf(items, CommentSection)?.itemSectionRenderer.contents
  const panel = firstOf(page.engagementPanels ?? [], TranscriptPanel)?.engagementPanelSectionListRenderer
  return {
    primary: firstOf(items, Primary)?.videoPrimaryInfoRenderer,
    secondary: firstOf(items, Secondary)?.videoSecondaryInfoRenderer,
    comments: section && { token: findContinuationToken(section) },
    transcriptParams: panel?.content.continuationItemRenderer.continuationEndpoint.getTranscriptEndpoint.params,
  }
}
