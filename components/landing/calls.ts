/** Characters that fit beside each other in a column of the landing page. */
const COLUMN = 46

/** The address of a path. A long one goes on in the next line; to the shell it is one word. */
const addressIn = (base: string, path: string): string =>
  `${base}${path}`.length > COLUMN - 'curl  \\'.length ? `${base}\\\n${path}` : `${base}${path}`

/** A POST with curl in short lines, for a narrow column. */
const post = (baseUrl: string, path: string, fields: readonly string[]): string =>
  [
    `curl ${addressIn(`${baseUrl}/api/v1`, path)} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{${fields.join(',\n       ')}}'`,
  ].join('\n')

/** A tool call, a chat completion and an agent run at this address. */
export const landingCalls = (baseUrl: string, model: string) => ({
  tool: post(baseUrl, '/query', ['"tool": "web_search"', '"params": {"query": "toll roads"}']),
  chat: post(baseUrl, '/chat/completions', [
    `"model": "${model}"`,
    '"messages": [{"role": "user",\n         "content": "Hello"}]',
  ]),
  agent: post(baseUrl, '/agent', ['"goal": "Compare alpine tolls"', '"idempotencyKey": "alps-1"', '"wait": true']),
})
