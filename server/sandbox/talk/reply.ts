import type { UnknownRecord } from '../../kit/record'
import { chanceOf } from '../kit/seed'
import { excerpt } from '../kit/text'
import { describeImageUri } from '../media/describe-image'
import { sentencesAbout } from '../prose/text'
import { topicOf } from '../prose/topic'
import type { ScriptStep } from '../script/script'
import { answerFromMemory } from './memory'
import { answerAboutTollgate, answerSmallTalk } from './small-talk'
import { answerSum } from './sums'
import { readTalk, type Talk } from './talk'
import { wantedCalls } from './tool-choice'
import { describeResults } from './tool-results'

const MAX_DESCRIBED = 3

/** What a script can say about images: how many there are, and what their files say. */
async function describeImages(urls: readonly string[]): Promise<string> {
  if (urls.length === 0) return ''
  const described = await Promise.all(urls.slice(0, MAX_DESCRIBED).map(describeImageUri))
  const known = described.filter((text) => text !== null)
  const [count, them] = urls.length === 1 ? ['1 image', 'it'] : [`${urls.length} images`, 'them']
  const limits = `As a script I cannot see what is on ${them}, only what is in the file.`
  return [`I see ${count}.`, ...known, limits].join(' ')
}

/** Questions about the world, which real models answer from what they have read. */
const QUESTION =
  /^(?:what|who|where|when|why|which|how|is|are|do|does|can|should|explain|describe|tell me|compare)\b|\?$/i

/** What surrounds the subject of such a question. */
const AROUND =
  /^(?:please )?(?:(?:can|could) you )?(?:explain|describe|tell me (?:more )?about|what do you (?:know|think) about)\s+|\s+(?:in (?:simple|a few|one|two|three) \w+|briefly|to me|in short)(?=[\s?.!]*$)/gi

const quote = (text: string): string => `“${excerpt(text, 200)}”`

function fallback({ asked }: Talk): string {
  if (asked === '') return 'There was no question in this message.'
  if (QUESTION.test(asked) && asked.length < 300) {
    const topic = topicOf(asked.replace(AROUND, ''))
    const [made = ''] = sentencesAbout(topic, { seed: 'chat', count: 1 })
    return `This is a question for a real model: I am a script and know nothing about ${quote(topic.name)}. The pages that the sandbox makes up say: ${quote(made)} Its search tool finds them.`
  }
  const ways = [
    `I am a script and have no opinion on ${quote(asked)}; a real model would answer here.`,
    `I can remember ${quote(asked)} and repeat it, but a script cannot think about it.`,
    `A script can do no more than read ${quote(asked)}. Ask me what I can do.`,
  ]
  return ways[Math.floor(chanceOf(asked) * ways.length)] ?? ''
}

/**
 * What the chat script says: something short that fits the conversation, made from its words alone.
 */
export async function talkReply(talk: Talk): Promise<string> {
  const seen = await describeImages(talk.images)
  if (talk.results.length > 0) return `${seen} ${describeResults(talk.results)}`.trim()
  const answer =
    answerSum(talk.asked, talk.answered) ??
    answerFromMemory(talk) ??
    answerSmallTalk(talk) ??
    answerAboutTollgate(talk.asked)
  if (seen !== '') return `${seen} ${answer ?? `You asked: “${talk.asked.slice(0, 300).toWellFormed()}”`}`
  return answer ?? fallback(talk)
}

/** What the chat script does next where no other script is given: it calls a tool, or answers. */
export function talkStep(body: UnknownRecord): ScriptStep {
  const { asked, results } = readTalk(body)
  const toolCalls = results.length > 0 ? [] : wantedCalls(body, asked)
  return toolCalls.length > 0 ? { toolCalls } : {}
}
