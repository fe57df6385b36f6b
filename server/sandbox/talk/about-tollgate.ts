/** What the chat script knows: an answer, and the words of a question that it fits. */
type Entry = { words: RegExp; answer: string }

const ENTRIES: readonly Entry[] = [
  {
    words: /\b(?:tollgate|this (?:service|gateway|product)|gateway)\b/gi,
    answer:
      'Tollgate is a gateway in front of tools, language models and agents: one key, one balance of credits, and a receipt for each call. Programs reach it over REST, MCP and the APIs that SDKs of OpenAI and Anthropic speak.',
  },
  {
    words: /\b(?:credits?|charged?|charges|billing|billed|prices?|cost|costs|pay|paid|money|receipts?)\b/gi,
    answer:
      'A call first reserves the most that it may cost, and is charged what it did cost, in whole credits. Tools have a fixed price or their provider’s, models are charged by tokens. What is refused costs nothing. Each charge has a receipt under Usage.',
  },
  {
    words: /\b(?:keys?|api key|budgets?|limits?|rate limits?|revoke|rotate|429|402)\b/gi,
    answer:
      'A key says which tools and models it may call, whether it may start agents, how much it may spend in all, and how many requests it may send in a minute. Beyond its credits it gets status 402, beyond its minute 429 with Retry-After. Keys are made under Keys.',
  },
  {
    words: /\b(?:agents?|runs?|jobs?|plans?|approvals?|goal|goals)\b/gi,
    answer:
      'An agent run works on a goal step by step, with the tools and the credits that its key allows. In interactive mode it shows a plan first. What replaces or deletes something waits for approval. Start one under Jobs, or with POST /api/v1/agent.',
  },
  {
    words: /\b(?:mcp|claude code|codex|cursor|coding agents?|connect|clients?|sdks?)\b/gi,
    answer:
      'The page Connect has a recipe for each client: SDKs and coding agents use Tollgate’s address as their base URL, and MCP clients its /api/v1/mcp, each with a key.',
  },
  {
    words: /\b(?:tools?|catalog|web search|datasets?|sites?|pods?)\b/gi,
    answer:
      'The catalog lists every tool with its parameters, its result and its price: search and pages of the web, crypto prices, forums, posts, videos, homes, images, and scrapers. Agents also have datasets with SQL, sites and a shell. Each tool can be tried in the catalog without a key.',
  },
  {
    words: /\b(?:models?|tokens?|context|embeddings?|streaming|stream)\b/gi,
    answer:
      'The page Models lists every model with its context and its prices per million tokens. They are called in the form of chat completions, responses or messages, streamed or whole. In the sandbox all of them are scripts.',
  },
  {
    words: /\b(?:sandbox|simulat\w+|go(?:ing)? live|real (?:model|provider)s?|fake|mock)\b/gi,
    answer:
      'In the sandbox every provider is simulated, so everything can be tried without accounts elsewhere; charges work as usual. To go live, the operator runs the setup command, which asks for a model provider and a search key.',
  },
  {
    words: /\b(?:webhooks?|callback|schedules?|cron|every (?:day|week|hour))\b/gi,
    answer:
      'Agent runs can be started by a schedule, and report to a callback URL with signed requests when they have finished or need input. Schedules are under Jobs, the signing secret under Settings.',
  },
  {
    words: /\b(?:idempoten\w+|retry|retries|twice|errors?)\b/gi,
    answer:
      'A request with an Idempotency-Key is carried out once: sent again, it gets the stored answer and is not charged again. Errors have a code and a message that says what to change.',
  },
]

/** Questions about the world use some of these words too: one of these must be there as well. */
const ABOUT_US =
  /\b(?:tollgate|here|this (?:service|gateway|page|product|sandbox)|sandbox|credits?|api|keys?|mcp|idempoten\w+|webhooks?|agents? (?:run|mode)|you (?:charge|offer|have))\b/i

/** What the script knows about the question, if it is about this product. */
export function answerAboutTollgate(asked: string): string | null {
  if (asked.length > 500 || !ABOUT_US.test(asked)) return null
  const scored = ENTRIES.map(({ words, answer }, index) => ({
    answer,
    // The first entry is the most general: the others come before it.
    score: (asked.match(words)?.length ?? 0) - (index === 0 ? 0.5 : 0),
  }))
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top), { answer: '', score: 0 })
  return best.answer || null
}
