import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { type ToolSnippet, toolCallCurl, toolCallMcp, toolCallPython, toolCallTypescript } from './snippets'

/** A tool call as code, ready to paste. `mcp` false: the tool is too slow for MCP clients. */
export const ToolSnippets = ({ call, mcp }: { call: ToolSnippet; mcp: boolean }) => (
  <Tabs
    label="Calls"
    tabs={[
      { id: 'curl', label: 'curl', body: <CopyBox narrow label="curl" code={toolCallCurl(call)} /> },
      {
        id: 'typescript',
        label: 'TypeScript',
        body: <CopyBox narrow label="TypeScript" code={toolCallTypescript(call)} />,
      },
      { id: 'python', label: 'Python', body: <CopyBox narrow label="Python" code={toolCallPython(call)} /> },
      {
        id: 'mcp',
        label: 'MCP',
        body: mcp ? (
          <CopyBox narrow label="MCP" code={toolCallMcp(call)} />
        ) : (
          <p className="text-muted">
            A call may take longer than MCP clients wait, so MCP does not offer this tool. Call it over REST.
          </p>
        ),
      },
    ]}
  />
)
