/** What the player says to itself before calls, by the first tool among them. */
const THOUGHTS: readonly [tool: RegExp, thought: string][] = [
  [/^ask_user$/, 'The goal leaves something open that no tool can find out, so I ask.'],
  [/^present_plan$/, 'A person is there, so the plan comes first, with what it will cost.'],
  [/^hand_off$/, 'Another agent has the tool that comes next.'],
  [/^property_suggestions$/, 'Before homes can be searched, the place needs its id.'],
  [/^property_search$/, 'The place is known; one search with the filters of the goal brings the rows.'],
  [/^dataset_create$/, 'There are rows now: as a dataset they can be counted exactly, with SQL.'],
  [/^dataset_query$/, 'Averages belong into SQL, not into my head.'],
  [/^web_search$|^forum_search$/, 'First I look for what has been written about this.'],
  [/^web_read_url$/, 'Snippets are not enough: I read the pages before I rely on them.'],
  [/^crypto_/, 'Prices come from a tool, never from memory.'],
  [/^image_|^video_generate/, 'The goal describes an image, so I have it made.'],
  [/^site_publish$/, 'What was found is enough for a page, so I publish it.'],
  [/^pod_/, 'The shell is the place for this.'],
]

/** A short thought about the next calls. */
export function thoughtAbout(tools: readonly string[]): string {
  const thought =
    THOUGHTS.find(([pattern]) => tools.some((tool) => pattern.test(tool)))?.[1] ?? 'The next step needs a tool.'
  return tools.length > 1
    ? `${thought} ${tools.length} calls do not depend on each other, so they go together.`
    : thought
}
